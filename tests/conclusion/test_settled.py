"""The same session gives the same results where a run concludes and where its file is graded again (0020)."""

import io
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from opvalue.cli.session_input import SessionFile
from opvalue.conclusion import jobs, recorded
from opvalue.conclusion.conclude import conclude
from opvalue.conclusion.errors import SessionUnordered
from opvalue.conclusion.recorded import Known, know
from opvalue.conclusion.replay import replay
from opvalue.conclusion.selection import context_of
from opvalue.conclusion.settled import Settled
from opvalue.graders.configuration import Configuration, configure, defaults
from opvalue.limits import Limits
from opvalue.session import read_events, scan, watching
from opvalue.session.errors import LineMalformed, LineTooLong
from opvalue.session.watching import Watch
from opvalue.strictjson import dumps_compact
from tests.session.events import answered, asked, done, event, row, start
from tests.session.strategies import EVENTS, SESSIONS, TAME_SESSIONS, line
from tests.support import sessions

_TRAJECTORY: Final = ("state-revisit-probability-rep", "recurrence-rate", "event-entropy-rate")
ALL: Final = configure(dict.fromkeys(_TRAJECTORY))
A, B = "ghp_" + "a" * 36, "ghp_" + "b" * 36
SHAPES: Final = (
    *(A, B, f"Bearer {A}", "github_pat_" + "1" * 22, "sk-" + "x" * 40, "xoxb-1234567890", "AIza" + "y" * 35),
    *("ya29." + "z" * 20, "AKIA" + "Q" * 16, "ASIA" + "Q" * 16, "glpat-" + "g" * 20, "npm_" + "n" * 36),
    *("pypi-AgE" + "p" * 50, "eyJhbGciOiJIUzI1.eyJzdWIiOiIx.c2lnbmF0dXJl", "https://h/x?sig=" + "a%2B/" * 6),
    *("X-Amz-Signature=" + "0a" * 16, "AccountKey=" + "k/" * 20 + "==", "a\nsk-" + "x" * 40),
    "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----",
)


class Blocks:
    """A session in memory, in blocks of a few bytes."""

    descriptor: None = None

    def __init__(self, data: bytes, size: int = 777) -> None:
        self._data, self._size = data, size

    def blocks(self) -> Iterator[bytes]:
        return (self._data[place : place + self._size] for place in range(0, len(self._data), self._size))


def written(events: Sequence[Any]) -> bytes:
    return b"".join(dumps_compact(one).encode() + b"\n" for one in events)


def graded(data: bytes, configuration: Configuration = ALL) -> Any:
    known = know(Blocks(data), configuration)
    return replay(known.lookups, known.projection, configuration, context_of(known.lookups)).document


def concluded(data: bytes, configuration: Configuration = ALL) -> Any:
    return conclude(read_events([data]), configuration).results


def known_of(*events: Any) -> Known:
    return know(Blocks(written(events)), defaults())


def value(data: bytes, grader: str) -> Any:
    return next(one["value"] for one in graded(data)["results"] if one["id"] == grader)


@given(SESSIONS | TAME_SESSIONS)
def test_any_session(events: list[Any]) -> None:
    for data in (b"\n".join(map(line, events)), line(events)):  # type: ignore[arg-type]
        assert graded(data) == concluded(data)


@settings(max_examples=150)
@given(SESSIONS | TAME_SESSIONS, st.integers(0, 2**32))
@example([start(A, "1", at=1), start(B, "2", at=2)], 0)
def test_any_session_with_secrets(events: list[Any], number: int) -> None:
    chance = random.Random(number)  # noqa: S311 - repeatable
    spoilt = [_with_secrets(one, chance) for one in events]
    data = b"\n".join(line(one, spaces=chance.random() < 0.2) for one in spoilt)
    assert graded(data) == concluded(data)


def _with_secrets(value: Any, chance: random.Random) -> Any:
    if isinstance(value, dict):
        keep = {"type", "component", "phase"}
        return {key: item if key in keep else _with_secrets(item, chance) for key, item in value.items()}
    if isinstance(value, str) and chance.random() < 0.3:
        return chance.choice((*SHAPES, f"::add-mask::{value or 1}", "::Add-Mask::c1", "::add-mask::***"))
    return value


@given(st.lists(EVENTS, max_size=4), st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_in_any_order(odd: list[Any], chance: random.Random) -> None:
    events = [*sessions.events(60), *odd]
    expected = concluded(written(events))
    chance.shuffle(events)
    data = written(events)
    assert graded(data) == concluded(data)
    if not odd:
        assert data == written([]) or graded(data)["results"] == expected["results"]


def test_reversed() -> None:
    events = [*sessions.events(300)]
    straight, reverse = written(events), written(events[::-1])
    assert graded(reverse) == graded(straight) == concluded(reverse)
    assert know(Blocks(straight), ALL).settled is None
    assert know(Blocks(reverse), ALL).settled is not None


@pytest.mark.parametrize("times", [(9, 10), (99, 100, 1000), (1, 1, 1), (0.5, 1), (-1, 0), (5, None), (None, None)])
def test_in_order_is_left_alone(times: tuple[Any, ...]) -> None:
    assert known_of(*(start(at=time) for time in times)).settled is None


@pytest.mark.parametrize("times", [(10, 9), (1000, 99, 100), (1, 0.5), (0, -1), (None, 5), (5, None, 6)])
def test_out_of_order_is_noticed(times: tuple[Any, ...]) -> None:
    assert known_of(*(start(at=time) for time in times)).settled is not None


def test_another_time_at_the_end_of_a_line_is_not_the_time() -> None:
    # Not a known field, and the provenance stands before it.
    events = [
        {"type": "a.b", "provenance": {"component": "agent", "phase": "agent"}, "data": {"x": 1, "timestampMs": at}}
        for at in (3, 2, 1)
    ]
    assert known_of(*events).settled is None


@pytest.mark.parametrize("secret", SHAPES)
def test_every_shape_in_arguments_is_noticed(secret: str) -> None:
    data = written([start("x", str(at), at=at, input={"k": secret}) for at in (1, 2)])
    found = know(Blocks(data), ALL)
    assert found.settled is not None
    assert found.settled.is_redacted
    assert graded(data) == concluded(data)


@pytest.mark.parametrize(
    "place",
    [
        {"name": A},
        {"id_": A},
        {"mcpServerName": A},
        {"sessionId": A},
        {"agentId": A},
        {"path": A},
        {"id": A},
        {"command": f"curl -H {A}"},
        {"input": {A: 1}},
    ],
)
def test_every_place_is_noticed(place: dict[str, Any]) -> None:
    assert known_of(start(**place, at=1)).settled is not None


def test_places_of_other_events() -> None:
    noticed = [
        done(A, "1", at=1),
        done("x", A, at=1),
        asked(A, at=1),
        asked("x", A, at=1),
        answered(A, at=1),
        row(A, at=1),
        event("experiment.assignment", {"assignments": {"e": A}}, at=1),
        event("eval.result", {"id": A, "answer": "yes"}, at=1),
        event("mcp.event", {"message": f"?sig={'retry' * 5}"}, at=1),
    ]
    assert [one["type"] for one in noticed if known_of(one).settled is None] == []


def test_texts_that_decide_nothing_are_not_looked_at() -> None:
    events = [event("assistant.message", {"content": A}, at=1), done("x", "1", at=2, output=f"{A} sk-"), start(at=3)]
    assert known_of(*events).settled is None
    assert graded(written(events)) == concluded(written(events))


def test_arguments_that_only_redaction_makes_alike() -> None:
    data = written([start("x", str(at), at=at, input={"k": secret}) for at, secret in enumerate((A, A, B))])
    assert value(data, "loops") == 0
    assert graded(data) == concluded(data)


def test_a_mask_takes_a_number_away() -> None:
    events = [event("user.message", {"content": "::add-mask::100"}, at=1), row("a", 100, at=2), row("b", 7, at=3)]
    data = written(events)
    assert value(data, "working-set-rebuild-factor") == 1
    assert graded(data) == concluded(data)


@pytest.mark.parametrize(
    "mask",
    [
        *("::add-mask::c1", "::ADD-MASK::c1", "::Add-Mask a=b::c1", "x\n::add-mask::c1", '::add-mask a="b"::c1'),
        *("::add-mask \\::c1", '::add-mask::***"', "::add-mask::"),
    ],
)
def test_masks_are_noticed(mask: str) -> None:
    assert known_of(event("user.message", {"content": mask}, at=1)).settled is not None


@pytest.mark.parametrize(
    "mask",
    [
        "::add-mask::***",
        "::add-mask::***\nmore",
        "add-mask",
        "un-mask:: x",
        "::add-ma\u017fk::c1",
        "::add-mas\u212a::c1",
    ],
)
def test_no_masks(mask: str) -> None:
    data = written([event("user.message", {"content": mask}, at=1), row("c1", at=2), row("c1", at=3)])
    assert know(Blocks(data), ALL).settled is None
    assert graded(data) == concluded(data)


@pytest.mark.parametrize("stamp", ["***", "1***", f"?sig={'a' * 30}", ["***"], {"***": 1}, {"a": A}])
@pytest.mark.parametrize("kind", ["firewall.token_usage", "experiment.state"])
def test_an_event_whose_recorded_time_is_touched_is_untimed(stamp: Any, kind: str) -> None:
    events = [row("a", 100, at=1), row("b", 5, at=2)]
    events[0] |= {"timestamp": stamp, "type": kind}
    data = written(events)
    settled = know(Blocks(data), ALL).settled
    assert settled is not None
    assert [*settled.numbers()] == [1, 0]
    assert graded(data) == concluded(data)


@pytest.mark.parametrize("stamp", ["2026-11-02T12:00:00.123Z", "02/Nov/2026 12:00", 1_793_613_600_000, 0.5, None, True])
def test_recorded_times_are_no_secrets(stamp: Any) -> None:
    assert known_of(start(at=1) | {"timestamp": stamp}, start(at=2) | {"timestamp": stamp}).settled is None


def test_what_a_conclusion_leaves_out_is_evidence_of_nothing_else() -> None:
    where = {"component": "mcp", "phase": "agent", "path": "usage/graders/grader_results.json", "timestampMs": 0}
    events = [{"type": "grader.result", "data": {}, "provenance": where}, row("a", at=2)]
    data = written(events)
    assert know(Blocks(data), ALL).settled is not None
    assert graded(data) == concluded(data)


def test_a_retry_that_only_a_secret_tells_of_in_an_array_of_several_lines() -> None:
    data = json.dumps([event("mcp.event", {"message": f"?sig={'retry' * 5}"}, at=1)], indent=1).encode()
    assert know(Blocks(data), ALL).settled is not None
    assert graded(data) == concluded(data)


@pytest.mark.parametrize("before", ["\n", "\t", "\r", "\x0c", "/", '"', "\\", "\x1f", "\u00e9", "a\n", "."])
@pytest.mark.parametrize("spoilt", ["arguments", "name", "question"])
def test_what_stands_before_a_secret(before: str, spoilt: str) -> None:
    for shape in ("sk-" + "x" * 40, "npm_" + "n" * 36, "AKIA" + "Q" * 16, "eyJhbGciOiJIUzI1.eyJzdWIiOiIx.c2lnbmF0dXJl"):
        secret = f"{before}{shape}"
        one = {
            "arguments": start(at=1, input={"k": secret}),
            "name": start(secret, at=1),
            "question": event("eval.result", {"id": secret, "answer": "yes"}, at=1),
        }[spoilt]
        for data in (written([one]), written([one]).replace(b"\xc3\xa9", b"\\u00e9")):
            assert know(Blocks(data), ALL).settled is not None


def test_many_beginnings_of_a_secret_take_no_square_of_time() -> None:
    shapes = [shape for _, _, shape in watching._shapes()]
    text = b"eyJ" * 60_000  # took minutes
    assert [shape.pattern for shape in shapes if shape.search(text)] == []


def test_what_redaction_makes_longer_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    events = [event("user.message", {"content": "::add-mask::e"}, at=1), start(at=2, input="e" * 300)]
    monkeypatch.setattr(Settled, "line_limits", Limits(session_line_bytes=1000))
    with pytest.raises(LineTooLong):
        graded(written(events))
    monkeypatch.undo()
    assert Settled.line_limits.session_line_bytes > 3 * Limits().session_line_bytes
    assert graded(written(events)) == concluded(written(events))


@pytest.mark.parametrize("run", [7, 7.0, -0.0, 1e15, 1e16, 1.5, True, "7"])
def test_a_number_of_a_run_is_the_same_however_it_is_written(run: Any) -> None:
    info = event("workflow.info", {"runId": run, "runAttempt": run}, at=1)
    data = json.dumps(info).encode()
    assert graded(data) == graded(written([info])) == concluded(data)


def test_needless_escapes_hide_nothing() -> None:
    data = written([start("x", str(at), at=at, input={"k": A}) for at in (1, 2)])
    escaped = data.replace(b"ghp_", rb"\u0067hp_").replace(b"toolName", rb"tool\u004eame")
    assert value(escaped, "loops") == value(data, "loops") == 0
    mask = written([event("user.message", {"content": "::add-mask::bash"}, at=1), start(at=2)])
    assert know(Blocks(mask.replace(b"::add", rb"\u003a:add")), ALL).settled is not None


def test_concluding_changes_nothing_for_the_next_reader() -> None:
    events = [start("x", "1", at=2, input={"k": A}), event("user.message", {"content": "::add-mask::bash"}, at=1)]
    found = conclude(read_events([written(events)]), ALL)
    again = written(found.events)
    assert know(Blocks(again), ALL).settled is None
    assert graded(again) == found.results == graded(written(events))


def test_lines_that_are_too_long_are_no_reason_to_trust() -> None:
    most = Limits(session_line_bytes=300)
    data = written([start(at=1), start("y" * 400, at=2), start(at=3)])
    for session in (data, b"[" + data.strip().replace(b"\n", b",") + b"]"):
        watch = Watch()
        blocks = [session[place : place + 50] for place in range(0, len(session), 50)]
        scan(blocks, skip_malformed=True, limits=most, watch=watch)
        assert not watch.settled


def test_lines_that_are_no_events_are_refused_or_left_out() -> None:
    data = b"{bad}\n" + written([start(at=2), start(at=1)])
    with pytest.raises(LineMalformed):
        Settled(Blocks(data))
    assert [*Settled(Blocks(data), skip_malformed=True).numbers()] == [1, 0]


def test_blank_lines_are_nothing() -> None:
    data = written([start(at=1), start(at=2)])
    assert know(Blocks(b"\n\n" + data.replace(b"\n", b"\n \n") + b"\n" * 3000), defaults()).settled is None


def test_numbers_are_those_of_the_file() -> None:
    events = [start("x", "1", at=2), start("x", "2", at=1)]
    settled = Settled(Blocks(written(events)))
    assert [*settled.numbers()] == [1, 0]
    appended = {"type": "grader.result", "data": {}, "provenance": {"path": "usage/graders/grader_results.json"}}
    assert [*Settled(Blocks(written([events[0], appended, done("x", "1", at=3)]))).numbers()] == [0, 2]


def test_too_large_to_be_put_in_order() -> None:
    data = written([start(at=2), start(at=1)])
    with pytest.raises(SessionUnordered) as caught:
        Settled(Blocks(data), limits=Limits(session_sorted_bytes=len(data) - 1))
    assert caught.value.code == "conclusion.session-unordered"
    assert (caught.value.expected, caught.value.found) == (f"at most {len(data) - 1} bytes", "more")
    assert [*Settled(Blocks(data), limits=Limits(session_sorted_bytes=len(data))).numbers()] == [1, 0]


@pytest.mark.parametrize("second", [1, 2])
def test_one_too_large_is_still_redacted(second: int) -> None:
    """Nothing of it is held in memory to be put in order, also where two events are of one time."""
    data = written([start(at=1, input=A), start(at=second, input=B)])
    settled = Settled(Blocks(data), limits=Limits(session_sorted_bytes=1))
    assert b"ghp_" not in b"".join(settled.blocks())


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("change", ["none", "reversed", "secret"])
def test_several_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int, change: str) -> None:
    monkeypatch.setattr(jobs, "LEAST_BYTES", 1)
    events = [*sessions.events(1500)]
    events = {"none": events, "reversed": events[::-1], "secret": [*events[:900], start(A), *events[900:]]}[change]
    path = tmp_path / "session.jsonl"
    path.write_bytes(written(events))
    with path.open("rb", buffering=0) as file:
        assert isinstance(file, io.FileIO)
        known = know(SessionFile(file, path), defaults(), jobs=count)
    assert (known.settled is None) == (change == "none")
    assert known.lookups.calls == know(Blocks(path.read_bytes()), defaults()).lookups.calls


def test_what_a_collector_wrote_is_redacted_if_it_is_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    events = [*sessions.events(20)]
    path = tmp_path / "session.jsonl"

    def settled(data: bytes) -> bool:
        path.write_bytes(data)
        with path.open("rb", buffering=0) as file:
            return know(SessionFile(file, path), defaults()).settled is None

    secret = written([*events[:5], start("x", at=events[4]["provenance"]["timestampMs"], input=A), *events[5:]])
    assert not settled(secret)
    monkeypatch.setattr(recorded, "_LARGE", 1)
    assert settled(secret)
    assert not settled(secret.partition(b"\n")[2])  # without the collector's header
    assert not settled(written(events[:1] + events[:0:-1]))
