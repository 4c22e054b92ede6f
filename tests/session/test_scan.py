"""The fast pass gives what the general reader and the lookups over events give, for any bytes."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opvalue.errors import OpvalueError
from opvalue.limits import Limits
from opvalue.session import Lookups, Losses, lookups_of, read_events, scan
from opvalue.session.scanner import Scanner
from tests.session.strategies import EVENTS, HOSTILE, SESSIONS, TAME_SESSIONS, Event, line
from tests.support import sessions

SMALL = Limits(session_line_bytes=400_000)


def cut(data: bytes, size: int) -> Iterator[bytes]:
    return (data[start : start + size] for start in range(0, len(data), size))


def outcome(read: Any, data: bytes, size: int, *, skip: bool) -> tuple[Any, ...]:
    losses = Losses()
    try:
        found = read(cut(data, size), skip_malformed=skip, losses=losses, limits=SMALL)
    except OpvalueError as refused:
        return refused.code, refused.message, losses.malformed, losses.first
    return found, losses.torn, losses.malformed, losses.first


def slow(blocks: Iterator[bytes], **options: Any) -> Lookups:
    return lookups_of(read_events(blocks, **options))


def both(data: bytes, size: int = 1 << 16) -> None:
    for skip in (False, True):
        assert outcome(scan, data, size, skip=skip) == outcome(slow, data, size, skip=skip)


@given(SESSIONS, st.booleans(), st.booleans(), st.sampled_from([b"\n", b"\r\n"]), st.integers(1, 3000))
@settings(max_examples=120, deadline=None)
def test_same_lookups(session: list[Event], ascii_: bool, spaces: bool, end: bytes, size: int) -> None:
    data = b"".join(line(event, ascii_=ascii_, spaces=spaces) + end for event in session)
    found = scan(cut(data, size))
    assert found == lookups_of(read_events(cut(data, 7 * size))) == lookups_of(session)
    array = b" [" + b",\n".join(line(event, spaces=spaces) for event in session) + b"] \n"
    assert scan(cut(array, size)) == found == lookups_of(read_events(cut(array, size)))


@given(TAME_SESSIONS, st.booleans())
@settings(max_examples=150, deadline=None)
def test_same_lookups_of_frequent_events(session: list[Event], ascii_: bool) -> None:
    assert scan([b"\n".join(line(event, ascii_=ascii_) for event in session)]) == lookups_of(session)


@given(
    st.lists(st.one_of(st.sampled_from(HOSTILE), EVENTS.map(line), st.binary(max_size=9)), max_size=6),
    st.integers(1, 200_000),
    st.booleans(),
)
@settings(max_examples=120, deadline=None)
def test_same_refusals(lines: list[bytes], size: int, ended: bool) -> None:
    both(b"\n".join(lines) + b"\n" * ended, size)


@pytest.mark.parametrize("index", range(len(HOSTILE)))
def test_each_hostile_line(index: int) -> None:
    around = line({"type": "x.y", "data": {}, "provenance": {}})
    for data in (HOSTILE[index], b"\n".join((around, HOSTILE[index], around)), HOSTILE[index] + b"\n"):
        both(data)
    both(b"[" + around + b"," + HOSTILE[index] + b"," + around + b"]")
    both(b"[" + HOSTILE[index] + b"]")


def test_a_realistic_session() -> None:
    data = b"".join(sessions.lines(3000))
    found = scan(cut(data, 1 << 16))
    assert found == lookups_of(sessions.events(3000)) == lookups_of(read_events(cut(data, 999)))
    assert found.events == data.count(b"\n") == sum(found.by_type.values()) == sum(found.phases.values())
    assert found.calls.total > 500
    assert found.requests.source == "proxy"


def test_the_fast_pass_is_the_one_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    slowly: list[int] = []
    monkeypatch.setattr(Scanner, "_slow", lambda _self, _batch, lines: slowly.append(len(lines)))
    kept = b"".join(one for one in sessions.lines(3000) if b'"type":"session.' not in one and b"workflow" not in one)
    scan(cut(kept[: kept.index(b'"safe_output.result"') - 9], 1 << 16))
    assert sum(slowly) == 0


@pytest.mark.parametrize("size", [1, 2, 3, 50, 51, 4096])
def test_blocks_of_any_size(size: int) -> None:
    data = b"".join(sessions.lines(60))
    assert scan(cut(data, size)) == scan([data])
