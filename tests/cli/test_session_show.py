"""``opvalue session show``, ``stats`` and ``redact``."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from opvalue.cli.console import Console
from opvalue.cli.folding import columns_of
from opvalue.collect import collect
from tests.cli.conftest import Answer
from tests.collect.conftest import START, Run

Opvalue = Callable[..., Answer]


@pytest.fixture
def session(tmp_path: Path) -> Path:
    (tmp_path / "run").mkdir()
    run = Run(tmp_path / "run")
    run.lines(
        "agent-session.jsonl",
        START,
        {
            "type": "tool.execution_start",
            "timestamp": "2026-11-02T10:01:01.250Z",
            "data": {"toolCallId": "c1", "toolName": "bash", "command": "ls \x1b[31m"},
        },
    )
    run.lines("threat-detection/mcp-logs/a.jsonl", {"event": "retry", "message": "again"})
    return run.put("s.jsonl", b"".join(collect(run.folder).lines))


def put(path: Path, *lines: Any) -> Path:
    path.write_text("".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines))
    return path


def event(**others: Any) -> Any:
    where = {"component": "agent", "phase": "agent", "path": "a", "index": 0}
    return {"type": "own.kind", "data": {}, "provenance": where, **others}


class TestShow:
    def test_the_table(self, opvalue: Opvalue, session: Path) -> None:
        absent = "firewall, safe_output, experiment, grader, eval"
        assert opvalue("session", "show", str(session)) == (
            0,
            f"""\
#    at s  type                  where          what
1       -  session.format        collector      version=1
2   0.000  session.start         agent          sessionId=s1
3  61.250  tool.execution_start  agent          bash #c1 ls \\u001b[31m
4       -  mcp.event             mcp/detection  retry again
5       -  session.collection    collector      2 logs, 0 warnings, absent: {absent}
""",
            "",
        )

    def test_json_holds_the_events_whole(self, opvalue: Opvalue, session: Path) -> None:
        document = json.loads(opvalue("session", "show", str(session), "--json").out)
        assert document == {
            "session": str(session),
            "events": [json.loads(line) for line in session.read_bytes().splitlines()],
            "losses": {"tornLine": None, "malformed": 0, "firstMalformed": []},
        }

    def test_an_array_is_shown_alike(self, opvalue: Opvalue, session: Path, tmp_path: Path) -> None:
        array = tmp_path / "array.json"
        array.write_text(json.dumps([json.loads(line) for line in session.read_bytes().splitlines()], indent=1))
        assert opvalue("session", "show", str(array)).out == opvalue("session", "show", str(session)).out

    def test_a_torn_last_line_is_said(self, opvalue: Opvalue, session: Path) -> None:
        session.write_bytes(session.read_bytes()[:-9])
        answer = opvalue("session", "show", str(session))
        assert (answer.status, len(answer.out.splitlines())) == (0, 5)
        assert answer.err == "warning: the last line, 5, breaks off and was left out\n"

    def test_a_bad_line_elsewhere(self, opvalue: Opvalue, tmp_path: Path) -> None:
        file = put(tmp_path / "s.jsonl", event(), "torn{\n", event(), "5\n", event())
        refused = opvalue("session", "show", str(file), "--json")
        assert (refused.status, refused.error["code"], refused.error["found"]) == (
            5,
            "session.line-malformed",
            "line 2",
        )
        answer = opvalue("session", "show", str(file), "--skip-malformed")
        assert len(answer.out.splitlines()) == 4
        assert answer.err == "warning: 2 lines that are no events were left out: 2, 4\n"

    def test_many_bad_lines_are_cut(self, opvalue: Opvalue, tmp_path: Path) -> None:
        file = put(tmp_path / "s.jsonl", *["x\n"] * 30, event())
        answer = opvalue("session", "show", str(file), "--skip-malformed")
        assert answer.err == "warning: 30 lines that are no events were left out: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ...\n"
        losses = json.loads(opvalue("session", "show", str(file), "--skip-malformed", "--json").out)["losses"]
        assert losses == {"tornLine": None, "malformed": 30, "firstMalformed": list(range(1, 11))}

    def test_one_bad_line(self, opvalue: Opvalue, tmp_path: Path) -> None:
        file = put(tmp_path / "s.jsonl", "x\n", event())
        assert (
            "1 line that is no event was left out: 1\n" in opvalue("session", "show", str(file), "--skip-malformed").err
        )

    def test_rows_are_cut_to_the_width(self, opvalue: Opvalue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        file = put(tmp_path / "s.jsonl", event(data={"x": "y" * 500}), event(type="x.\u202e\x1b" * 50))
        out = opvalue("session", "show", str(file)).out
        assert [len(line) for line in out.splitlines()[1:]] == [160, 2 * 2 + 3 + 4 + 40 + 5]
        assert not set(out) & set("\x1b\u202e")
        assert out.splitlines()[2].split()[2] == r"x.\u202e\u001bx.\u202e\u001bx.\u202e\u0…"
        monkeypatch.setattr(Console, "columns", 80)
        lines = opvalue("session", "show", str(file)).out.splitlines()[1:]
        assert (len(lines[0]), lines[0][-1]) == (80, "…")

    def test_wide_characters_and_times_beyond_every_calendar(
        self, opvalue: Opvalue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        where = {"component": "agent", "phase": "agent", "path": "a", "index": 0}
        timed = [event(data={"x": "漢字" * 60}, provenance={**where, "timestampMs": at}) for at in (0, 1e300)]
        file = put(tmp_path / "s.jsonl", *timed)
        assert "1970-01-01T00:00:00.000Z to 1e+300 ms, 1e+297 s" in opvalue("session", "stats", str(file)).out
        monkeypatch.setattr(Console, "columns", 80)
        rows = opvalue("session", "show", str(file)).out.splitlines()
        assert [row.split()[1] for row in rows[1:]] == ["0.000", "1e+297"]
        assert {columns_of(row) for row in rows[1:]} <= {79, 80}

    def test_what_an_event_says_has_a_line_of_its_own_where_little_room_is(
        self, opvalue: Opvalue, session: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(Console, "columns", 36)
        assert opvalue("session", "show", str(session)).out.splitlines() == [
            "#    at s  type",
            "    what",
            "1       -  session.format",
            "    version=1",
            "2   0.000  session.start",
            "    sessionId=s1",
            "3  61.250  tool.execution_start",
            r"    bash #c1 ls \u001b[31m",
            "4       -  mcp.event",
            "    retry again",
            "5       -  session.collection",
            "    2 logs, 0 warnings, absent: fir…",
        ]

    def test_columns_meet_over_all_rows_and_headings_come_again_where_they_change(
        self, opvalue: Opvalue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        long, short = event(type="own.kind-of-a-long-name", data={"x": 1}), event(data={"x": 1})
        put(tmp_path / "s.jsonl", *[long] * 500, *[short] * 499)
        shown = opvalue("session", "show", str(tmp_path / "s.jsonl")).out.splitlines()
        assert {line.index("x=1") for line in shown[1:]} == {shown[0].index("what")}
        monkeypatch.setattr(Console, "columns", 60)
        put(tmp_path / "s.jsonl", *[short] * 500, *[long] * 500, *[short] * 500)
        shown = opvalue("session", "show", str(tmp_path / "s.jsonl")).out.splitlines()
        headings = [line.split() for line in shown if line.endswith("what")]
        assert headings == [["#", "at", "s", "type", "where", "what"], ["#", "at", "s", "type", "what"]]
        assert {line.index("x=1") for line in shown[502:]} == {shown[501].index("what")}

    def test_more_rows_than_are_aligned_together(self, opvalue: Opvalue, tmp_path: Path) -> None:
        file = put(tmp_path / "s.jsonl", *(event() for _ in range(1200)))
        lines = opvalue("session", "show", str(file)).out.splitlines()
        assert len(lines) == 1201
        assert [line.split()[0] for line in lines] == ["#", *map(str, range(1, 1201))]

    def test_no_events(self, opvalue: Opvalue, tmp_path: Path) -> None:
        assert opvalue("session", "show", str(put(tmp_path / "s.jsonl"))) == (0, "no events\n", "")

    def test_no_such_file(self, opvalue: Opvalue, tmp_path: Path) -> None:
        answer = opvalue("session", "show", str(tmp_path / "none"), "--json")
        assert (answer.status, answer.error["code"]) == (6, "cli.session-unreadable")


class TestStats:
    def test_the_tables(self, opvalue: Opvalue, session: Path) -> None:
        assert opvalue("session", "stats", str(session)) == (
            0,
            f"""\
session  {session}
events   5, 3 of them without a time
time     2026-11-02T10:00:00.000Z to 2026-11-02T10:01:01.250Z, 61.250 s
losses   nothing

type                  events
mcp.event                  1
session.collection         1
session.format             1
session.start              1
tool.execution_start       1

component  phase       events
agent      agent            2
collector  conclusion       2
mcp        detection        1
""",
            "",
        )

    def test_json(self, opvalue: Opvalue, tmp_path: Path) -> None:
        where = {"component": "mcp", "phase": "agent", "timestampMs": 8.64e15}
        file = put(tmp_path / "s.jsonl", event(), event(), event(type="x.y", provenance=where), '{"torn')
        assert json.loads(opvalue("session", "stats", str(file), "--json").out) == {
            "session": str(file),
            "events": 3,
            "untimedEvents": 2,
            "firstMs": 8640000000000000,
            "lastMs": 8640000000000000,
            "types": {"own.kind": 2, "x.y": 1},
            "places": [
                {"component": "agent", "phase": "agent", "events": 2},
                {"component": "mcp", "phase": "agent", "events": 1},
            ],
            "losses": {"tornLine": 4, "malformed": 0, "firstMalformed": []},
        }
        out = opvalue("session", "stats", str(file)).out
        assert "time     8640000000000000.0 ms to" in out or "time     8640000000000000 ms to" in out
        assert "losses   the last line, 4, breaks off and was left out\n" in out

    def test_nothing(self, opvalue: Opvalue, tmp_path: Path) -> None:
        file = put(tmp_path / "s.jsonl")
        assert opvalue("session", "stats", str(file)).out == (
            f"session  {file}\nevents   0\ntime     not known\nlosses   nothing\n"
        )

    def test_many_kinds_are_counted_together(self, opvalue: Opvalue, tmp_path: Path) -> None:
        file = put(tmp_path / "s.jsonl", *(event(type=f"x.{n}") for n in range(1200)))
        types = json.loads(opvalue("session", "stats", str(file), "--json").out)["types"]
        assert (len(types), types["(others)"]) == (1001, 200)


class TestRedact:
    def test_it(self, opvalue: Opvalue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SECRET_A", "hunter2")
        file = put(
            tmp_path / "s.jsonl",
            event(data={"a": "::add-mask::masked\n", "b": "masked"}),
            event(data={"hunter2": "x"}, id="hunter2"),
            event(),
        )
        before, out = file.read_bytes(), tmp_path / "out.jsonl"
        answer = opvalue("session", "redact", str(file), "-o", str(out))
        assert answer == (0, f"session  {out}\nevents   3, 2 of them changed\n", "")
        assert [json.loads(line) for line in out.read_bytes().splitlines()] == [
            event(data={"a": "::add-mask::***\n", "b": "***"}),
            event(data={"***REDACTED***": "x"}, id="***REDACTED***"),
            event(),
        ]
        assert file.read_bytes() == before
        again = opvalue("session", "redact", str(out), "-o", str(tmp_path / "again.jsonl"), "--json")
        assert json.loads(again.out) == {
            "session": str(tmp_path / "again.jsonl"),
            "events": 3,
            "changed": 0,
            "losses": {"tornLine": None, "malformed": 0, "firstMalformed": []},
        }
        assert (tmp_path / "again.jsonl").read_bytes() == out.read_bytes()

    def test_a_torn_line_is_said(self, opvalue: Opvalue, tmp_path: Path) -> None:
        file = put(tmp_path / "s.jsonl", event(), '{"torn')
        answer = opvalue("session", "redact", str(file), "-o", str(tmp_path / "out.jsonl"))
        assert answer.err == "warning: the last line, 2, breaks off and was left out\n"

    def test_another_file_is_not_replaced(self, opvalue: Opvalue, tmp_path: Path) -> None:
        file, out = put(tmp_path / "s.jsonl", event()), put(tmp_path / "out.jsonl", "precious")
        answer = opvalue("session", "redact", str(file), "-o", str(out), "--json")
        assert (answer.status, answer.error["code"]) == (2, "output.exists")
        assert out.read_text() == "precious"

    def test_a_bad_line_writes_nothing(self, opvalue: Opvalue, tmp_path: Path) -> None:
        file, out = put(tmp_path / "s.jsonl", "x\n", event()), tmp_path / "out.jsonl"
        assert opvalue("session", "redact", str(file), "-o", str(out)).status == 5
        assert not out.exists()
        assert opvalue("session", "redact", str(file), "-o", str(out), "--skip-malformed").status == 0
        assert len(out.read_bytes().splitlines()) == 1
