"""``opvalue session collect`` and ``validate``."""

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Answer
from tests.collect.conftest import CALL, START, Run

Opvalue = Callable[..., Answer]


@pytest.fixture
def logs(tmp_path: Path) -> Run:
    (tmp_path / "run").mkdir()
    run = Run(tmp_path / "run")
    run.lines("agent-session.jsonl", START, CALL)
    run.put("mcp-logs/rpc-messages.jsonl", "torn{\n{}\n")
    return run


def test_what_is_printed(opvalue: Opvalue, logs: Run) -> None:
    session = logs.folder / "usage" / "aw_session.jsonl"
    assert opvalue("session", "collect", str(logs.folder)) == (
        0,
        f"""session  {session}
events   6, 2 of the logs' without a time
absent   firewall, safe_output, experiment, grader, eval

component  phase  events  log
agent      agent       2  agent-session.jsonl
mcp        agent       1  mcp-logs/rpc-messages.jsonl

left out, 1 in all:
  mcp-logs/rpc-messages.jsonl, line 1: malformed_jsonl
""",
        "",
    )
    assert stat.S_IMODE(session.stat().st_mode) == 0o600
    assert opvalue("session", "validate", str(session)) == (0, "nothing is wrong\n", "")


def test_json(opvalue: Opvalue, logs: Run, tmp_path: Path) -> None:
    out = tmp_path / "s.jsonl"
    answer = opvalue("session", "collect", str(logs.folder), "-o", str(out), "--json")
    assert json.loads(answer.out) == {
        "session": str(out),
        "events": 6,
        "untimedEvents": 2,
        "sources": [
            {"component": "agent", "phase": "agent", "path": "agent-session.jsonl", "events": 2},
            {"component": "mcp", "phase": "agent", "path": "mcp-logs/rpc-messages.jsonl", "events": 1},
        ],
        "absentComponents": ["firewall", "safe_output", "experiment", "grader", "eval"],
        "warnings": [{"path": "mcp-logs/rpc-messages.jsonl", "code": "malformed_jsonl", "line": 1}],
        "warned": 1,
    }
    assert len(out.read_text().splitlines()) == 6


def test_twice_the_same_bytes(opvalue: Opvalue, logs: Run) -> None:
    session = logs.folder / "usage" / "aw_session.jsonl"
    opvalue("session", "collect", str(logs.folder))
    first = session.read_bytes()
    assert opvalue("session", "collect", str(logs.folder)).status == 0
    assert session.read_bytes() == first


def test_an_empty_folder_says_so(opvalue: Opvalue, tmp_path: Path) -> None:
    answer = opvalue("session", "collect", str(tmp_path))
    assert answer.status == 0
    assert "no log of a run was found in there: give the folder that the run's artifact was unpacked to\n" in answer.out


def test_many_warnings_are_cut(opvalue: Opvalue, logs: Run) -> None:
    logs.put("mcp-logs/rpc-messages.jsonl", "x\n" * 12)
    out = opvalue("session", "collect", str(logs.folder)).out
    assert out.endswith("line 10: malformed_jsonl\n  and 2 more, counted in the session\n")


def test_secrets_of_the_environment(opvalue: Opvalue, logs: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_ONE", "hunter-one")
    monkeypatch.setenv("DEPLOY_KEY", "hunter-two")
    monkeypatch.setenv("NOT_A_SECRET", "plain")
    monkeypatch.setenv("GH_AW_SECRET_NAMES", "ONE,DEPLOY_KEY, MISSING")
    logs.lines("agent-session.jsonl", {"type": "own.kind", "data": {"a": "hunter-one hunter-two plain"}})
    opvalue("session", "collect", str(logs.folder))
    written = (logs.folder / "usage" / "aw_session.jsonl").read_text()
    assert '"a":"***REDACTED*** ***REDACTED*** plain"' in written


def test_names_that_would_steer_a_terminal(opvalue: Opvalue, logs: Run) -> None:
    logs.put("mcp-logs/a\x1b[31m\n\u202e.jsonl", "x")
    answer = opvalue("session", "collect", str(logs.folder))
    assert "a\\u001b[31m\\u000a\\u202e.jsonl" in answer.out
    assert "\x1b" not in answer.out


@pytest.mark.parametrize(
    ("folder", "status", "code"),
    [("nowhere", 6, "collect.no-folder"), ("run/agent-session.jsonl", 6, "collect.no-folder")],
)
def test_no_folder(opvalue: Opvalue, logs: Run, tmp_path: Path, folder: str, status: int, code: str) -> None:
    out = tmp_path / "s.jsonl"
    answer = opvalue("session", "collect", str(logs.folder.parent / folder), "-o", str(out), "--json")
    assert (answer.status, answer.error["code"]) == (status, code)
    assert not out.exists()


def test_a_mistyped_folder_costs_no_session(opvalue: Opvalue, logs: Run, tmp_path: Path) -> None:
    out = tmp_path / "s.jsonl"
    assert opvalue("session", "collect", str(logs.folder), "-o", str(out)).status == 0
    before = out.read_bytes()
    assert opvalue("session", "collect", str(tmp_path / "nowhere"), "-o", str(out)).status == 6
    assert out.read_bytes() == before


def test_no_folder_without_an_output(opvalue: Opvalue, tmp_path: Path) -> None:
    answer = opvalue("session", "collect", str(tmp_path / "nowhere"))
    assert (answer.status, answer.out, list(tmp_path.iterdir())) == (6, "", [])
    assert (
        answer.err
        == f"""opvalue: {str(tmp_path / "nowhere")!r} is not a folder [collect.no-folder]
  expected  a folder with a run's raw logs
  found     nothing of that name
  do        Give the folder that the run's artifact was unpacked to, such as the one gh run download made.
"""
    )


def test_another_file_is_not_replaced(opvalue: Opvalue, logs: Run, tmp_path: Path) -> None:
    out = tmp_path / "notes.txt"
    out.write_text("precious")
    answer = opvalue("session", "collect", str(logs.folder), "-o", str(out), "--json")
    assert (answer.status, answer.error["code"]) == (2, "collect.output-not-a-session")
    assert out.read_text() == "precious"


class TestValidate:
    def test_every_problem_with_its_line(self, opvalue: Opvalue, tmp_path: Path) -> None:
        file = tmp_path / "s.jsonl"
        file.write_text('{"type":"x.y","data":{},"provenance":{}}\ntorn{\n{"cut')
        answer = opvalue("session", "validate", str(file))
        assert answer.status == 10
        lines = answer.out.splitlines()
        assert [line.split()[:2] for line in lines[1:-2]] == [
            ["1", "component"],
            ["1", "phase"],
            ["1", "path"],
            ["1", "index"],
            ["1", "no-header"],
            ["2", "not-json"],
            ["3", "torn-line"],
            ["4", "no-closing-event"],
        ]
        assert lines[-1] == "8 problems"

    def test_json(self, opvalue: Opvalue, tmp_path: Path) -> None:
        file = tmp_path / "s.jsonl"
        file.write_text("")
        answer = opvalue("session", "validate", str(file), "--json")
        assert answer.status == 10
        assert json.loads(answer.out) == {
            "session": str(file),
            "valid": False,
            "count": 1,
            "problems": [{"line": 1, "code": "empty", "text": "there is no event in it, not even a header"}],
        }
        assert opvalue("session", "validate", str(file)).out.endswith("\n\n1 problem\n")

    def test_elements_of_an_array_are_called_so(self, opvalue: Opvalue, tmp_path: Path) -> None:
        file = tmp_path / "s.json"
        file.write_text("[5]")
        answer = opvalue("session", "validate", str(file))
        assert answer.out.splitlines()[0].split() == ["element", "code", "what"]
        document = json.loads(opvalue("session", "validate", str(file), "--json").out)
        assert document["problems"][0] == {
            "element": 1,
            "code": "not-an-object",
            "text": "an event is an object, not number",
        }

    def test_the_list_is_cut_and_the_count_is_not(self, opvalue: Opvalue, tmp_path: Path) -> None:
        file = tmp_path / "s.jsonl"
        file.write_text("x\n" * 1500)
        answer = opvalue("session", "validate", str(file))
        assert answer.out.endswith("\n1501 problems, of which the first 1000 are listed\n")

    def test_words_of_a_session_cannot_steer_a_terminal(self, opvalue: Opvalue, tmp_path: Path) -> None:
        file = tmp_path / "s.jsonl"
        file.write_text(
            '{"\\u001b[2J":1,"\\u202e":2,"type":"x.y","data":{},"provenance":{"component":"\\u001b]0;x\\u0007"}}\n'
        )
        answer = opvalue("session", "validate", str(file))
        assert not set(answer.out) & set("\x1b\x07\u202e")

    @pytest.mark.parametrize("name", ["nowhere", "."])
    def test_what_cannot_be_read(self, opvalue: Opvalue, tmp_path: Path, name: str) -> None:
        answer = opvalue("session", "validate", f"{tmp_path}/{name}", "--json")
        assert (answer.status, answer.error["code"]) == (6, "cli.session-unreadable")

    def test_standard_input(self, opvalue: Opvalue, logs: Run) -> None:
        opvalue("session", "collect", str(logs.folder))
        kept = os.dup(0)
        try:
            with (logs.folder / "usage" / "aw_session.jsonl").open() as file:
                os.dup2(file.fileno(), 0)
                assert opvalue("session", "validate", "-").status == 0
        finally:
            os.dup2(kept, 0)
            os.close(kept)


@pytest.mark.parametrize("copies", [False, True])
@pytest.mark.parametrize("elsewhere", [False, True])
def test_a_session_without_its_logs_is_left(
    opvalue: Opvalue, logs: Run, tmp_path: Path, *, copies: bool, elsewhere: bool
) -> None:
    out = tmp_path / "out.jsonl" if elsewhere else logs.folder / "usage" / "aw_session.jsonl"
    option = ("-o", str(out)) if elsewhere else ()
    assert opvalue("session", "collect", str(logs.folder), *option).status == 0
    whole = out.read_bytes()
    (logs.folder / "agent-session.jsonl").unlink()
    (logs.folder / "mcp-logs" / "rpc-messages.jsonl").unlink()
    if copies:
        logs.value("usage/aw_info.json", {"workflow": "w"})
    answer = opvalue("session", "collect", str(logs.folder), *option)
    assert answer.status == 6
    assert "[collect.nothing-to-collect]" in answer.err
    assert out.read_bytes() == whole


def test_a_run_without_logs_is_collected_again(opvalue: Opvalue, tmp_path: Path) -> None:
    for _ in range(2):
        assert opvalue("session", "collect", str(tmp_path)).status == 0
    assert (tmp_path / "usage" / "aw_session.jsonl").read_bytes().count(b"\n") == 2
