"""Every snippet of the skill is run, as an evaluator is, and prints what the text says it prints.

A block of ``bash`` runs after all earlier blocks of its file that only define things, which are those without a block
of ``output`` after them. Its own block of ``output`` is what must come out.
"""

import re
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from opvalue.evaluator import Runner
from opvalue.evidence.gh import stand_in
from opvalue.identity import Host, RepoPath
from opvalue.limits import Limits
from tests.skills.answers import PAGES, Table
from tests.verifier.scripts import findings_of, subject_of
from verifier.simulated import PlainBroker

SKILL: Final = Path(__file__).parents[2] / "skills" / "aw-value"
_FENCE: Final = re.compile(r"^ *```(\w+)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
_HOST: Final = Host("github.com")
_SCRIPT: Final = RepoPath.parse(".github/graders/snippet.sh")
_START: Final = "#!/usr/bin/env bash\nset -euo pipefail\n"
_RUNNER: Final = Runner()


class Snippet(NamedTuple):
    """One block that is run."""

    file: str
    number: int
    script: str
    output: str

    @property
    def name(self) -> str:
        """How the test is called."""
        return f"{self.file}-{self.number}"


def _snippets() -> list[Snippet]:
    return [one for file in sorted((SKILL / "references").glob("*.md")) for one in _of(file)]


def _of(file: Path) -> list[Snippet]:
    blocks = _FENCE.findall(file.read_text(encoding="utf-8"))
    found, before = [], _START
    for number, (kind, text) in enumerate(blocks):
        if kind != "bash":
            continue
        following = blocks[number + 1] if number + 1 < len(blocks) else ("", "")
        if following[0] == "output":
            found.append(Snippet(file.stem, number, before + text, following[1]))
        else:
            before += text
    return found


@pytest.mark.parametrize("snippet", _snippets(), ids=lambda one: one.name)
def test_it_prints_what_the_text_says(snippet: Snippet) -> None:
    gh = stand_in(host=_HOST, repository="octo-org/widgets", jq=_RUNNER.tools.jq)
    broker = PlainBroker(Table(), host=_HOST, limits=Limits())
    script = snippet.script.encode()
    with (
        _RUNNER.stage(_SCRIPT, [(_SCRIPT, script)], _HOST, gh) as staged,
        broker.listen(staged.broker_folder / "socket"),
    ):
        finished = staged.call("--snippet", seconds=60)
    assert finished.stdout.decode() == snippet.output


@pytest.mark.parametrize("snippet", _snippets(), ids=lambda one: one.name)
@pytest.mark.parametrize("rule", ["static-bash32", "static-gnu-only", "static-unpaginated", "static-swallowed-failure"])
def test_it_keeps_the_rules(snippet: Snippet, rule: str) -> None:
    found = findings_of(rule, subject_of(snippet.script))
    assert [one for one in found if one.severity.value != "note"] == []


def test_every_block_is_run() -> None:
    kinds = {"bash", "output"}
    for file in sorted((SKILL / "references").glob("*.md")):
        blocks = _FENCE.findall(file.read_text(encoding="utf-8"))
        assert blocks, file
        assert {kind for kind, _ in blocks} <= kinds, file
        last = [kind for kind, _ in blocks][-1]
        assert last == "output", f"{file.name}: what the last block defines is never run"
        assert file.read_text(encoding="utf-8").count("```") == 2 * len(blocks)


def test_every_answer_is_asked_for() -> None:
    text = "\n".join(file.read_text(encoding="utf-8") for file in (SKILL / "references").glob("*.md"))
    for path in PAGES:
        assert path.removeprefix("/repos/octo-org/widgets/").split("/")[0].strip("/") in text
