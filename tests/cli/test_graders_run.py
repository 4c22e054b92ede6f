"""``opvalue graders run`` on files: what it grades, prints, refuses, and how it ends."""

import errno
import json
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from opvalue.conclusion import jobs
from opvalue.graders import evaluate
from opvalue.graders.measured import Measured
from opvalue.graders.metadata import DEFAULTS
from opvalue.graders.registry import Grader, registered
from opvalue.records import parse_results
from opvalue.strictjson import dumps
from tests.cli.conftest import Answer
from tests.support.sessions import events, lines

Run = Callable[..., Answer]
TEN = [row.id for row in DEFAULTS]
SESSION = b"".join(lines(300))


@pytest.fixture
def session(tmp_path: Path) -> Path:
    path = tmp_path / "aw_session.jsonl"
    path.write_bytes(SESSION)
    return path


def settings(folder: Path, graders: Any, name: str = "graders.json") -> str:
    path = folder / name
    path.write_text(dumps({"graders": graders}))
    return str(path)


def results(answer: Answer) -> dict[str, Any]:
    """Return each result by id; the document is one that our own reader reads."""
    assert parse_results(answer.out.encode()).version == 2
    return {one["id"]: one for one in json.loads(answer.out)["results"]}


def test_the_table(opvalue: Run, session: Path) -> None:
    answer = opvalue("graders", "run", str(session))
    first, blank, heading, *rows = answer.out.splitlines()
    assert (answer.status, answer.err, blank) == (0, "", "")
    assert first == "run 123456, attempt 1: 10 pass"
    assert heading.split() == ["grader", "value", "unit", "status"]
    assert [row.split()[0] for row in rows] == TEN
    assert rows[0].split() == ["tool-success-rate", "0.9074", "ratio", "pass", "at", "least", "0.8"]


def test_the_document(opvalue: Run, session: Path) -> None:
    answer = opvalue("graders", "run", str(session), "--json")
    document = json.loads(answer.out)
    assert (answer.status, answer.err) == (0, "")
    assert list(results(answer)) == TEN
    assert document["run"] == {"id": "123456", "attempt": 1, "graderCount": 10, "passed": 10, "failed": 0, "errors": 0}
    assert document["context"]["evals"]["byQuestion"] == {"q1": "YES", "q2": "NO"}
    assert answer.out == dumps(document)


def test_gh_aw_prints_the_same_bytes(opvalue: Run, session: Path) -> None:
    for more in ((), ("--json",), ("--grader", "loops")):
        ours = opvalue("graders", "run", str(session), *more)
        assert opvalue("graders", "run", str(session), *more, program="gh-aw") == ours


def test_the_same_bytes_as_the_conclusion(opvalue: Run, session: Path, tmp_path: Path) -> None:
    opvalue("graders", "conclude", str(session))
    concluded = (tmp_path / "graders" / "grader_results.json").read_text()
    assert opvalue("graders", "run", str(session), "--json").out == concluded


def test_lines_and_an_array_give_the_same_bytes(opvalue: Run, session: Path, tmp_path: Path) -> None:
    array = tmp_path / "session.json"
    array.write_text(json.dumps(list(events(300)), indent=1))
    expected = opvalue("graders", "run", str(session), "--json").out
    assert opvalue("graders", "run", str(array), "--json").out == expected
    session.write_bytes(SESSION.replace(b"\n", b"\r\n"))
    assert opvalue("graders", "run", str(session), "--json").out == expected


def test_the_file_is_opened_once(opvalue: Run, session: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[object] = []
    real = os.open

    def watched(path: Any, *how: Any, **more: Any) -> int:
        opened.append(path)
        return real(path, *how, **more)

    monkeypatch.setattr(os, "open", watched)
    config = settings(tmp_path, {"recurrence-rate": {}, "event-entropy-rate": {}})
    assert opvalue("graders", "run", str(session), "--config", config).status == 0
    assert [str(path) for path in opened].count(str(session)) == 1


def test_a_pipe_is_read_like_a_file(opvalue: Run, session: Path, tmp_path: Path) -> None:
    config = settings(tmp_path, {"recurrence-rate": {}})
    expected = opvalue("graders", "run", str(session), "--config", config, "--json").out
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(SESSION,), daemon=True)
    writer.start()
    assert opvalue("graders", "run", str(pipe), "--config", config, "--json").out == expected
    writer.join()


def test_any_order_and_secrets_give_the_bytes_of_a_conclusion(opvalue: Run, tmp_path: Path) -> None:
    secret = {"type": "tool.execution_start", "data": {"toolName": "bash", "input": {"k": "ghp_" + "a" * 36}}}
    secret |= {"provenance": {"component": "agent", "phase": "agent", "path": "x", "index": 0, "timestampMs": 0}}
    written = [json.dumps(one).encode() + b"\n" for one in (*events(200), secret)]
    path = tmp_path / "aw_session.jsonl"
    path.write_bytes(b"".join(reversed(written)))
    run = opvalue("graders", "run", str(path), "--json")
    explained = opvalue("graders", "explain", str(path), "loops", "--json")
    assert run.err.startswith("warning: the session holds secrets; they are taken out before it is graded")
    assert path.read_bytes() == b"".join(reversed(written))
    concluded = opvalue("graders", "conclude", str(path), "--json")
    assert run.out == concluded.out == opvalue("graders", "run", str(path), "--json").out
    assert (tmp_path / "graders" / "grader_results.json").read_text() == run.out
    assert json.loads(explained.out)["value"] == results(run)["loops"]["value"]
    numbers = [one["number"] for one in json.loads(explained.out)["events"]]
    assert all(b"tool.execution" in [*reversed(written)][number - 1] for number in numbers)


def test_standard_input(opvalue: Run, session: Path) -> None:
    kept = os.dup(0)
    with session.open("rb") as file:
        os.dup2(file.fileno(), 0)
        answer = opvalue("graders", "run", "-", "--grader", "artifact-production", "--json")
    os.dup2(kept, 0)
    os.close(kept)
    assert results(answer)["artifact-production"]["value"] == 3


def test_only_the_named_graders(opvalue: Run, session: Path) -> None:
    answer = opvalue("graders", "run", str(session), "--grader", "recurrence-rate", "--grader", "loops", "--json")
    assert list(results(answer)) == ["loops", "recurrence-rate"]
    assert results(answer)["recurrence-rate"]["value"] > 0


def test_a_configuration_opts_in(opvalue: Run, session: Path, tmp_path: Path) -> None:
    config = settings(
        tmp_path, {"event-entropy-rate": {"threshold": 0.99}, "retries": {"threshold": 0, "name": "Again"}}
    )
    found = results(opvalue("graders", "run", str(session), "--config", config, "--json"))
    assert list(found) == [*TEN, "event-entropy-rate"]
    assert found["event-entropy-rate"]["status"] == "fail"
    assert (found["retries"]["name"], found["retries"]["status"], found["retries"]["passed"]) == (
        "Again",
        "fail",
        False,
    )
    assert "recurrence-rate" not in found


@pytest.mark.parametrize("suffix", [".md", ".yaml"])
def test_a_workflow_and_yaml(opvalue: Run, session: Path, tmp_path: Path, suffix: str) -> None:
    text = "graders:\n  loops:\n    enabled: false\n"
    path = tmp_path / f"triage{suffix}"
    path.write_text(f"---\non: push\n{text}---\n# Triage\n" if suffix == ".md" else text)
    found = results(opvalue("graders", "run", str(session), "--config", str(path), "--json"))
    assert list(found) == [grader for grader in TEN if grader != "loops"]


def test_a_disabled_default_does_not_run(opvalue: Run, session: Path, tmp_path: Path) -> None:
    config = settings(tmp_path, {"loops": {"enabled": False}})
    assert "loops" not in results(opvalue("graders", "run", str(session), "--config", config, "--json"))
    answer = opvalue("graders", "run", str(session), "--config", config, "--grader", "loops", "--json")
    assert (answer.status, answer.error["code"]) == (2, "conclusion.grader-disabled")


def test_all_disabled(opvalue: Run, session: Path, tmp_path: Path) -> None:
    config = settings(tmp_path, {grader: {"enabled": False} for grader in TEN})
    answer = opvalue("graders", "run", str(session), "--config", config, "--json")
    assert (answer.status, results(answer)) == (0, {})
    assert opvalue("graders", "run", str(session), "--config", config).out == (
        "run 123456, attempt 1: no grader is enabled\n"
    )


def test_a_custom_grader_has_no_runtime_here(opvalue: Run, session: Path, tmp_path: Path) -> None:
    config = settings(tmp_path, {"mine": {"script": "return 1", "threshold": 0}})
    answer = opvalue("graders", "run", str(session), "--config", config, "--json")
    row = results(answer)["mine"]
    assert answer.status == 7
    assert (row["value"], row["passed"], row["status"]) == (None, None, "error")
    assert len(row["implementation"]["digest"]) == 64
    assert results(answer)["loops"]["status"] == "pass"


def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    def throws(_lookups: object) -> Measured:
        raise ZeroDivisionError("by\x1b[31m nothing")

    def one(identifier: str) -> Grader:
        found = registered(identifier)
        return found._replace(measure=throws) if identifier == "loops" else found

    monkeypatch.setattr(evaluate, "registered", one)


def test_an_error_row(opvalue: Run, session: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken(monkeypatch)
    answer = opvalue("graders", "run", str(session))
    assert answer.status == 0
    assert answer.out.startswith("run 123456, attempt 1: 9 pass, 1 error\n")
    row = next(line for line in answer.out.splitlines() if line.startswith("loops"))
    assert row.split()[:3] == ["loops", "n/a", "error"]
    assert "\x1b" not in answer.out
    asked = opvalue("graders", "run", str(session), "--fail-on-error", "--json")
    assert asked.status == 7
    assert opvalue("graders", "run", str(session), "--grader", "retries", "--fail-on-error").status == 0
    assert results(asked)["loops"]["error"].startswith("loops: ZeroDivisionError")


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (("--grader", "lops"), "conclusion.grader-unknown"),
        (("--repo", "a/b"), "usage"),
        (("--refresh",), "usage"),
        (("--attempt", "0"), "usage"),
        (("--run-id", "9"), "conclusion.another-run"),
        (("--config", "none.json"), "conclusion.file-absent"),
    ],
)
def test_what_does_not_make_sense(opvalue: Run, session: Path, argv: tuple[str, ...], code: str) -> None:
    answer = opvalue("graders", "run", str(session), *argv, "--json")
    assert answer.error["code"] == code
    assert answer.status != 0


def test_a_run_is_no_file_and_names_itself(opvalue: Run) -> None:
    for run in ("0", "https://example.test/x"):
        assert opvalue("graders", "run", run, "--json").error["code"] == "identity.run"
    # Digits of another script are a file's name.
    assert opvalue("graders", "run", "\uff11\uff12", "--json").error["code"] == "cli.session-unreadable"
    assert opvalue("graders", "run", "12", "--run-id", "12", "--json").error["code"] == "usage"
    answer = opvalue("graders", "run", "12", "-R", "acme/widgets", "--offline", "--json")
    assert (answer.status, answer.error["code"]) == (9, "http.offline")
    file = "usage/aw_session.jsonl of the run's usage artifact"
    assert answer.error["hint"] == f"Run without --offline, or give the session's file: {file}."


def test_a_run_whose_repository_nobody_names(opvalue: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    answer = opvalue("graders", "run", "12", "--json")
    error = answer.error
    assert (answer.status, error["code"]) == (2, "cli.repository-not-named")
    assert error["found"].endswith(" is no git repository and lies in none [checkout.not-a-repository]")
    assert error["hint"] == "Name the repository with -R [HOST/]OWNER/REPO, or give the run's address."


@pytest.mark.parametrize("command", ["run", "conclude"])
def test_a_run_id_that_a_variable_did_not_give(opvalue: Run, session: Path, command: str) -> None:
    error = opvalue("graders", command, str(session), "--run-id", "", "--json").error
    assert (error["code"], error["message"]) == ("usage", "--run-id is empty")
    assert (error["expected"], error["hint"]) == ("the number of a run", "Give it, or leave --run-id out.")


@pytest.mark.parametrize("command", ["run", "conclude"])
@pytest.mark.parametrize(
    "given", ["https://github.com/a/b/actions/runs/1", "0", "07", "-1", "1\n2", "1\n", "٣", "9" * 21]
)
def test_a_run_id_that_is_no_number(opvalue: Run, session: Path, command: str, given: str) -> None:
    before = session.read_bytes()
    answer = opvalue("graders", command, str(session), f"--run-id={given}", "--json")
    assert (answer.status, answer.error["code"]) == (2, "usage")
    assert answer.error["message"] == f"--run-id is not a run's number: {given!r}"
    assert session.read_bytes() == before


@pytest.mark.parametrize("columns", [40, 60])
def test_warnings_and_the_summary_fit(
    opvalue: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setattr("opvalue.cli.console._columns", lambda _stream: columns)
    session = tmp_path / "s.jsonl"
    secret = {"type": "tool.execution_start", "data": {"toolName": "bash", "input": "ghp_" + "a" * 36}}
    secret |= {"provenance": {}}
    for content in (b"", json.dumps(secret).encode()):
        session.write_bytes(content)
        answer = opvalue("graders", "run", str(session))
        assert answer.err.startswith("warning: the session holds ")
        assert max(map(len, (answer.out + answer.err).splitlines())) <= columns


def test_the_run_that_is_named(opvalue: Run, tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_bytes(b"")
    answer = opvalue("graders", "run", str(tmp_path / "s.jsonl"), "--run-id", "9", "--attempt", "2", "--json")
    run = json.loads(answer.out)["run"]
    assert (run["id"], run["attempt"]) == ("9", 2)
    assert opvalue("graders", "run", str(tmp_path / "s.jsonl")).out.startswith(
        "a session that names no run: 10 unavailable"
    )


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b'{"toolCalls": [], "tokenUsage": [], "agentOutput": {}}\n', "session.not-an-event"),
        (b'{"mode": "grade-run", "run": {"id": "1"}}\n{}\n', "session.not-an-event"),
        ('{"type":"a"}\n'.encode("utf-16"), "session.encoding"),
        ('{"type":"a"}\n'.encode("utf-32-be"), "session.encoding"),
        (b"\x7fELF\xff\n{}\n", "session.line-malformed"),
        (b"[1]", "session.not-an-event"),
        (b"[" * 100_000, "session.array-malformed"),
        (b"\xef\xbb\xbf{}\n", "session.encoding"),
    ],
)
def test_what_is_no_session(opvalue: Run, tmp_path: Path, content: bytes, code: str) -> None:
    (tmp_path / "s.jsonl").write_bytes(content)
    answer = opvalue("graders", "run", str(tmp_path / "s.jsonl"), "--json")
    assert (answer.status, answer.error["code"]) == (5, code)


def test_files_that_cannot_be_read(opvalue: Run, tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.jsonl", tmp_path / "a\0b"):
        answer = opvalue("graders", "run", str(path), "--json")
        assert (answer.status, answer.error["code"]) == (6, "cli.session-unreadable")


@pytest.mark.parametrize("call", ["read", "lseek"])
@pytest.mark.parametrize(("command", "grader"), [("run", ()), ("explain", ("loops",))])
def test_a_disk_that_fails(
    opvalue: Run, session: Path, monkeypatch: pytest.MonkeyPatch, command: str, grader: tuple[str, ...], call: str
) -> None:
    def fails(*_arguments: object) -> bytes:
        raise OSError(errno.EIO, "the disk is gone")

    with monkeypatch.context() as failing:
        failing.setattr(os, call, fails)
        answer = opvalue("graders", command, str(session), *grader, "--json")
    assert (answer.status, answer.error["code"]) == (6, "cli.session-unreadable")
    assert answer.error["message"] == f"cannot read {str(session)!r}: the disk is gone"


def test_several_processes_give_the_same_bytes(opvalue: Run, tmp_path: Path) -> None:
    large = tmp_path / "large.jsonl"
    large.write_bytes(b"".join(lines(22_000)))
    assert large.stat().st_size > jobs.LEAST_BYTES
    one, two = (opvalue("graders", "run", str(large), "--jobs", count, "--json") for count in ("1", "2"))
    assert one.status == 0
    assert one == two


def test_a_bad_line_in_the_middle_is_never_the_end(opvalue: Run, session: Path) -> None:
    whole = SESSION.splitlines(keepends=True)
    session.write_bytes(b"".join([*whole[:150], b"{broken\n", *whole[150:]]))
    answer = opvalue("graders", "run", str(session), "--json")
    assert (answer.status, answer.error["code"]) == (5, "session.line-malformed")
    assert "line 151" in answer.error["message"]
    skipped = opvalue("graders", "run", str(session), "--skip-malformed", "--json")
    assert skipped.err == "warning: 1 line that is no event was left out: 151\n"
    session.write_bytes(SESSION)
    assert skipped.out == opvalue("graders", "run", str(session), "--json").out


def test_a_torn_last_line_is_dropped_and_said(opvalue: Run, session: Path) -> None:
    session.write_bytes(SESSION + b'{"type":"tool.execution_start","data":{"toolNa')
    answer = opvalue("graders", "run", str(session), "--json")
    assert answer.status == 0
    assert answer.err == f"warning: the last line, {SESSION.count(10) + 1}, breaks off and was left out\n"
    session.write_bytes(SESSION)
    assert answer.out == opvalue("graders", "run", str(session), "--json").out


def test_help_loads_nothing_of_the_graders(opvalue: Run) -> None:
    answer = opvalue("graders", "run", "--help")
    assert answer.status == 0
    assert "opvalue graders run usage/aw_session.jsonl" in answer.out


def test_what_a_new_user_gives(opvalue: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert opvalue("graders", "run", "").err.splitlines()[0] == "opvalue: SESSION is empty [usage]"
    assert "Give run/" not in opvalue("graders", "run", ".").err
    (tmp_path / "run" / "usage").mkdir(parents=True)
    session = tmp_path / "run" / "usage" / "aw_session.jsonl"
    session.write_bytes(b"")
    assert "Give run/usage/aw_session.jsonl." in opvalue("graders", "run", "run").err
    for command, path in (("run", str(session)), ("conclude", "run")):
        answer = opvalue("graders", command, path)
        assert (answer.status, answer.err.count("warning: the session holds no event")) == (0, 1)
    session.write_bytes(b'{"a":1}\n{"type":5}\n')
    assert "line 1" in (err := opvalue("graders", "run", str(session)).err)
    assert "an event has no type" in err
    assert "; did you mean loops?" in opvalue("graders", "run", str(session), "--grader", "lops").err
