"""What the page on sessions shows is what the commands print, one after the other, in one folder."""

import json
import re
import shlex
from pathlib import Path
from typing import Any, Final

import pytest

from opvalue.cli import run
from opvalue.graders.metadata import BUILTIN, DEFAULTS
from tests.docs import logs
from tests.docs.test_readme import faults, typed

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = (ROOT / "docs" / "sessions.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def shown() -> list[tuple[str, str]]:
    """Return each command of the console blocks, and what the page says that it prints."""
    parts = [part for block in blocks("console") for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]
    return [(command, output) for command, _, output in (part.partition("\n") for part in parts)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    logs.put(tmp_path / "run-123")
    (tmp_path / "build").mkdir()
    workflow = tmp_path / ".github" / "workflows" / "triage.md"
    workflow.parent.mkdir(parents=True)
    workflow.write_text(f"---\non: issues\n{blocks('yaml')[0]}---\nTriage.\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_commands_print_what_is_shown(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    commands = shown()
    assert len(commands) == 7
    for command, output in commands:
        program, *arguments = shlex.split(command)
        assert run(program, arguments) == 0
        assert capfd.readouterr() == (output, ""), command
    results = folder / "run-123" / "usage" / "graders" / "grader_results.json"
    written = results.read_text()
    config = ["--config", ".github/workflows/triage.md"]
    assert run("opvalue", ["graders", "run", "run-123/usage/aw_session.jsonl", *config, "--json"]) == 0
    assert capfd.readouterr().out == written, "grading again prints what was written"
    assert len(json.loads(written)["results"]) == 10


def test_collecting_after_a_conclusion_gives_the_same_bytes(folder: Path) -> None:
    session = folder / "run-123" / "usage" / "aw_session.jsonl"
    seen = set()
    for _ in range(2):
        assert run("opvalue", ["session", "collect", "run-123"]) == 0
        seen.add(session.read_bytes())
        assert run("opvalue", ["graders", "conclude", "run-123"]) == 0
    assert len(seen) == 1


def test_the_reader_can_make_the_run() -> None:
    [block] = blocks("sh")
    assert block == f"cp -r {logs.SAMPLE.relative_to(ROOT)} .\n"


def test_the_commands_exist() -> None:
    inline = [" ".join(words) for words in typed(PAGE) if words[0] == "opvalue"]
    assert len(inline) == 5
    assert [line for line in [*inline, *(command for command, _ in shown())] if faults(line.split())] == []


def test_how_many_graders_there_are() -> None:
    assert (len(DEFAULTS), len(BUILTIN)) == (10, 32)
    assert "These ten run by default" in PAGE
    assert f"lists all {len(BUILTIN)}; the {len(BUILTIN) - len(DEFAULTS)} that read the trajectory" in PAGE


def test_the_references_are_as_printed(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    exec(compile(blocks("python")[0], "sessions.md", "exec"), names)  # noqa: S102 - our own page
    assert capsys.readouterr().out == blocks("text")[0]
