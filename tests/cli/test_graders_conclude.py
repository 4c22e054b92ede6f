"""``opvalue graders conclude``."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from opvalue.collect import collect
from opvalue.graders import evaluate
from opvalue.graders.configuration import configure
from opvalue.graders.results import manifest_document
from opvalue.strictjson import dumps
from tests.cli.conftest import Answer
from tests.collect.conftest import CALL, START, Run

Opvalue = Callable[..., Answer]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    (tmp_path / "run").mkdir()
    run = Run(tmp_path / "run")
    run.lines("agent-session.jsonl", START, CALL)
    run.put("usage/aw_session.jsonl", b"".join(collect(run.folder).lines))
    return run


def manifest(tmp_path: Path, value: Any, **more: Any) -> str:
    path = tmp_path / "manifest.json"
    path.write_text(dumps(manifest_document(configure(value)) | more))
    return str(path)


def test_what_is_printed(opvalue: Opvalue, run: Run) -> None:
    assert opvalue("graders", "conclude", str(run.folder)) == (
        0,
        f"""\
session  {run.folder}/usage/aw_session.jsonl
results  {run.folder}/usage/graders
graders  3 pass, 1 fail, 6 unavailable
""",
        "",
    )


def test_twice_the_same_bytes_where_a_number_is_a_secret(
    opvalue: Opvalue, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_PIN", "5000")
    run.lines("agent-session.jsonl", START, {"type": "session.result", "data": {"durationMs": 5000.0, "numTurns": 2.0}})
    session = run.put("usage/aw_session.jsonl", b"".join(collect(run.folder).lines).replace(b":5000", b":5000.0"))
    assert b'"durationMs":5000.0' in session.read_bytes()
    seen = set()
    for _ in range(2):
        answer = opvalue("graders", "conclude", str(run.folder), "--json")
        seen.add((answer.out, session.read_bytes()))
    [(results, content)] = seen
    assert b"5000" not in content
    values = {one["id"]: one["value"] for one in json.loads(results)["results"]}
    assert (values["execution-duration"], values["execution-step-count"]) == (None, 2)


def test_a_manifest_without_a_grader(opvalue: Opvalue, run: Run, tmp_path: Path) -> None:
    (tmp_path / "m.json").write_text('{"version": 2, "graders": []}')
    answer = opvalue("graders", "conclude", str(run.folder), "--manifest", str(tmp_path / "m.json"))
    assert (answer.status, answer.out.splitlines()[-1]) == (0, "graders  none")


def test_json_is_the_results(opvalue: Opvalue, run: Run) -> None:
    answer = opvalue("graders", "conclude", str(run.folder), "--json")
    assert answer.out == (run.folder / "usage" / "graders" / "grader_results.json").read_text()


def test_twice_the_same_bytes(opvalue: Opvalue, run: Run) -> None:
    def files() -> list[bytes]:
        return [path.read_bytes() for path in sorted((run.folder / "usage").rglob("*.json*"))]

    opvalue("graders", "conclude", str(run.folder))
    first = files()
    assert len(first) == 3
    opvalue("graders", "conclude", str(run.folder / "usage" / "aw_session.jsonl"))
    assert files() == first


def test_a_manifest(opvalue: Opvalue, run: Run, tmp_path: Path) -> None:
    value = {"loops": {"enabled": False}, "my-own": {"script": "return 1"}}
    answer = opvalue("graders", "conclude", str(run.folder), "--manifest", manifest(tmp_path, value))
    assert answer.out.endswith("elsewhere  my-own: run in the separate graders job\n")
    results = json.loads((run.folder / "usage" / "graders" / "grader_results.json").read_text())
    assert [one["id"] for one in results["results"]].count("loops") == 0
    assert len(results["results"]) == 9
    written = (run.folder / "usage" / "graders" / "grader_manifest.json").read_text()
    assert written == Path(manifest(tmp_path, value)).read_text()


def test_code_in_the_manifest_is_refused(opvalue: Opvalue, run: Run, tmp_path: Path) -> None:
    before = (run.folder / "usage" / "aw_session.jsonl").read_bytes()
    document = manifest_document(configure({"my-own": {"script": "return 1"}}))
    document["graders"][-1]["script"] = "return 1"  # type: ignore[index,call-overload]
    (tmp_path / "m.json").write_text(dumps(document))
    answer = opvalue("graders", "conclude", str(run.folder), "--manifest", str(tmp_path / "m.json"), "--json")
    assert (answer.status, answer.error["code"]) == (5, "conclusion.manifest-executable")
    assert (run.folder / "usage" / "aw_session.jsonl").read_bytes() == before
    assert not (run.folder / "usage" / "graders").exists()


def test_no_manifest_there(opvalue: Opvalue, run: Run, tmp_path: Path) -> None:
    answer = opvalue("graders", "conclude", str(run.folder), "--manifest", str(tmp_path / "none.json"), "--json")
    assert answer.error["code"] == "conclusion.file-absent"


class TestErrors:
    @pytest.fixture(autouse=True)
    def _broken(self, monkeypatch: pytest.MonkeyPatch) -> None:
        real = evaluate._measured

        def broken(grader: Any, entry: Any, *others: Any) -> Any:
            if entry.id == "loops":
                raise RuntimeError("broken \x1b[31m")
            return real(grader, entry, *others)

        monkeypatch.setattr(evaluate, "_measured", broken)

    def test_they_are_warned_about(self, opvalue: Opvalue, run: Run) -> None:
        answer = opvalue("graders", "conclude", str(run.folder))
        assert answer.status == 0
        assert answer.out.endswith("graders  2 pass, 1 fail, 6 unavailable, 1 error\n")
        assert answer.err == "warning: the grader loops ended with an error: loops: RuntimeError: broken \\u001b[31m\n"

    def test_they_fail_where_that_is_asked_for(self, opvalue: Opvalue, run: Run) -> None:
        answer = opvalue("graders", "conclude", str(run.folder), "--fail-on-error", "--json")
        assert (answer.status, answer.error["code"]) == (7, "conclusion.graders-failed")
        results = json.loads((run.folder / "usage" / "graders" / "grader_results.json").read_text())
        [row] = [one for one in results["results"] if one["status"] == "error"]
        assert (row["id"], row["value"], row["passed"]) == ("loops", None, None)


def test_a_missed_threshold_is_no_error(opvalue: Opvalue, run: Run) -> None:
    assert opvalue("graders", "conclude", str(run.folder), "--fail-on-error").status == 0


def test_secrets_of_the_environment(opvalue: Opvalue, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_A", "bash")
    opvalue("graders", "conclude", str(run.folder))
    session = (run.folder / "usage" / "aw_session.jsonl").read_text()
    assert '"toolName":"***REDACTED***"' in session


def test_another_run_is_refused(opvalue: Opvalue, run: Run) -> None:
    run.value("aw_info.json", {"run_id": 5})
    run.put("usage/aw_session.jsonl", b"".join(collect(run.folder).lines))
    answer = opvalue("graders", "conclude", str(run.folder), "--run-id", "6", "--json")
    assert answer.error["code"] == "conclusion.another-run"


def test_a_link_and_a_pipe_are_refused(opvalue: Opvalue, run: Run, tmp_path: Path) -> None:
    session = run.folder / "usage" / "aw_session.jsonl"
    before = session.read_bytes()
    (tmp_path / "link").symlink_to(session)
    os.mkfifo(tmp_path / "pipe")
    for name in ("link", "pipe"):
        answer = opvalue("graders", "conclude", str(tmp_path / name), "--json")
        assert (answer.status, answer.error["code"]) == (2, "collect.output-not-a-session")
        assert answer.error["hint"].startswith("Give the folder of the run, or the session's own file")
    assert session.read_bytes() == before
    assert not (tmp_path / "graders").exists()


@pytest.mark.parametrize("content", [None, b"{", b"[]", b'{"version": 9, "graders": []}'])
def test_a_manifest_that_is_none(opvalue: Opvalue, run: Run, tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "m.json").write_bytes(content)
    answer = opvalue("graders", "conclude", str(run.folder), "--manifest", str(tmp_path / "m.json"), "--json")
    if content is None:
        assert (answer.status, answer.error["code"]) == (2, "conclusion.file-absent")
        assert answer.error["hint"] == "Correct --manifest, or leave it out to grade the ten defaults."
        return
    assert (answer.status, answer.error["code"]) == (5, "conclusion.manifest-unusable")
    assert answer.error["hint"] == "Compile the workflow again: opvalue graders compile WORKFLOW.md -o DIR."
    assert "grader_manifest" not in answer.error["message"]


def test_a_manifest_is_complete(opvalue: Opvalue, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    document: Any = manifest_document(configure({}))
    two = [one for one in document["graders"] if one["id"] in {"loops", "retries"}]
    path.write_text(dumps(document | {"graders": two}))
    answer = opvalue("graders", "conclude", str(run.folder), "--manifest", str(path), "--json")
    assert [one["id"] for one in json.loads(answer.out)["results"]] == ["retries", "loops"]


def test_a_torn_session_is_said(opvalue: Opvalue, run: Run) -> None:
    session = run.folder / "usage" / "aw_session.jsonl"
    session.write_bytes(session.read_bytes()[:-5])
    answer = opvalue("graders", "conclude", str(run.folder))
    assert (answer.status, answer.err) == (0, "warning: the last line, 4, breaks off and was left out\n")


@pytest.mark.parametrize(
    ("content", "code"), [(b"x\n{}\n", "session.line-malformed"), (None, "cli.session-unreadable")]
)
def test_what_is_no_session_stays(opvalue: Opvalue, tmp_path: Path, content: bytes | None, code: str) -> None:
    session = tmp_path / "s.jsonl"
    if content is not None:
        session.write_bytes(content)
    answer = opvalue("graders", "conclude", str(session), "--json")
    assert answer.error["code"] == code
    assert not (tmp_path / "graders").exists()
    assert content is None or session.read_bytes() == content


def test_a_replay_gives_the_same_bytes(opvalue: Opvalue, run: Run) -> None:
    opvalue("graders", "conclude", str(run.folder))
    written = (run.folder / "usage" / "graders" / "grader_results.json").read_text()
    session = run.folder / "usage" / "aw_session.jsonl"
    assert opvalue("graders", "run", str(session), "--json").out == written
