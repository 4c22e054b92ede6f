"""``opvalue graders explain``: every number has the events it was made of."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from opvalue.graders.metadata import DEFAULTS, TRAJECTORY
from tests.cli.conftest import Answer
from tests.graders.events import Event, complete, gateway, mcp, request, safe_output, start

Run = Callable[..., Answer]


def timed(event: Event, seconds: float) -> Event:
    return {**event, "provenance": {**event["provenance"], "timestampMs": 1_793_613_600_000 + round(seconds * 1000)}}


EVENTS = [
    timed(start("view", "a", {"path": "x"}), 0),
    timed(complete(None, "a", success=True), 0.25),
    timed(start("view", "b", {"path": "x"}), 1),
    timed(complete(None, "b", success=False), 2),
    start("bash\x1b[31m", "c", "ls"),
    mcp(event="retry"),
    gateway("search_code"),
    timed(request(100, 10, duration=500), 3),
    timed(request(300, 10, duration=700), 4),
    safe_output(),
]


@pytest.fixture
def session(tmp_path: Path) -> str:
    path = tmp_path / "aw_session.jsonl"
    path.write_text("".join(f"{json.dumps(event)}\n" for event in EVENTS))
    return str(path)


def test_the_table(opvalue: Run, session: str) -> None:
    answer = opvalue("graders", "explain", session, "tool-failure-count")
    assert (answer.status, answer.err) == (0, "")
    head, formula, table = answer.out.split("\n\n")
    assert head.splitlines()[1].split() == ["tool-failure-count", "2", "count", "pass", "at", "most", "5"]
    assert "Formula: the number of calls whose outcome is not success" in formula
    assert table == (
        "#  time                      type                     what it did\n"
        "4  2026-11-02T10:00:02.000Z  tool.execution_complete  failure of view\n"
        "5  -                         tool.execution_start     call of bash\\u001b[31m: never ended, so it failed\n"
    )


@pytest.mark.parametrize(
    ("grader", "numbers"),
    [
        ("tool-success-rate", [1, 2, 3, 4, 5, 7]),
        ("tool-failure-count", [4, 5]),
        ("retries", [6]),
        ("loops", [3]),
        ("trajectory-efficiency", [1, 3, 5, 7]),
        ("execution-step-count", [8, 9]),
        ("execution-duration", [8, 9]),
        ("working-set-rebuild-factor", [8, 9]),
        ("context-growth", [8, 9]),
        ("artifact-production", [10]),
    ],
)
def test_the_events_behind_each_default(opvalue: Run, session: str, grader: str, numbers: list[int]) -> None:
    document = json.loads(opvalue("graders", "explain", session, grader, "--json").out)
    assert [event["number"] for event in document["events"]] == numbers
    assert all(event["contribution"] for event in document["events"])
    run = json.loads(opvalue("graders", "run", session, "--grader", grader, "--json").out)["results"][0]
    assert (document["grader"], document["value"], document["status"]) == (grader, run["value"], run["status"])


def test_every_default_is_explained(opvalue: Run, session: str) -> None:
    for row in DEFAULTS:
        answer = opvalue("graders", "explain", session, row.id)
        assert answer.status == 0
        assert row.description in answer.out
        assert "Formula: " in answer.out


@pytest.mark.parametrize("grader", [row.id for row in TRAJECTORY])
def test_a_trajectory_grader_says_what_it_needs(opvalue: Run, session: str, grader: str) -> None:
    answer = opvalue("graders", "explain", session, grader)
    assert answer.status == 0
    assert "Unavailable: " in answer.out
    shown: dict[str, str] = dict(line.split(None, 1) for line in answer.out.splitlines()[-9:])
    assert shown["toolCalls"] == "3"
    assert shown["objectives"] == "not in a session"
    document: dict[str, Any] = json.loads(opvalue("graders", "explain", session, grader, "--json").out)
    assert document["projection"]["states"] == 3
    assert document["projection"]["reference"] is None
    assert (document["value"] is None) == (document["message"] is not None)


def test_nothing_is_behind_it(opvalue: Run, tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_bytes(b"")
    answer = opvalue("graders", "explain", str(tmp_path / "empty.jsonl"), "retries")
    assert answer.status == 0
    assert answer.out.endswith("\n\nNo event is behind it.\n")
    assert "unavailable  the MCP gateway's events were not collected" in answer.out


def test_what_was_lost_is_said(opvalue: Run, tmp_path: Path, session: str) -> None:
    torn = tmp_path / "torn.jsonl"
    torn.write_bytes(b"{broken}\n" + Path(session).read_bytes() + b'{"type":')
    refused = opvalue("graders", "explain", str(torn), "loops", "--json")
    assert (refused.status, refused.error["code"]) == (5, "session.line-malformed")
    answer = opvalue("graders", "explain", str(torn), "loops", "--skip-malformed")
    assert answer.status == 0
    assert answer.err.count("warning: ") == 2


@pytest.mark.parametrize("grader", ["lops", "operational-value"])
def test_no_such_grader(opvalue: Run, session: str, grader: str) -> None:
    answer = opvalue("graders", "explain", session, grader, "--json")
    assert (answer.status, answer.error["code"]) == (2, "conclusion.grader-unknown")


def test_times(opvalue: Run, tmp_path: Path) -> None:
    events = [start("view", f"c{at}") for at in (0, 253_402_300_800_000)]
    for event, at in zip(events, (0, 253_402_300_800_000), strict=True):
        event["provenance"]["timestampMs"] = at
    file = tmp_path / "s.jsonl"
    file.write_text("".join(f"{json.dumps(event)}\n" for event in events))
    rows = opvalue("graders", "explain", str(file), "tool-failure-count").out.splitlines()[-2:]
    assert [row[3:27].strip() for row in rows] == ["1970-01-01T00:00:00.000Z", "253402300800000 ms"]
