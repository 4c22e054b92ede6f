"""The fast pass gives what the general reader and the lookups over events give, for any bytes."""

from collections.abc import Iterator
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import fields

from opvalue.collect.fields import FIELDS, USAGE
from opvalue.errors import OpvalueError
from opvalue.limits import Limits
from opvalue.session import Lookups, Losses, lookups_of, read_events, scan, scanner
from opvalue.session.parsing import parsed
from opvalue.session.scanner import Scanner
from opvalue.session.structs import TYPE_OF, Component, Envelope, Phase, Usage, decode
from opvalue.session.untyped import event_in, value_of
from opvalue.session.vocabulary import COMPONENTS, ENVELOPE, PHASES
from tests.session.events import answered, asked, start
from tests.session.strategies import EVENTS, HOSTILE, SESSIONS, TAME_SESSIONS, Event, line, tame_pairs
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


def test_same_lookups_of_any_two_values() -> None:
    number = 0
    for number, session in enumerate(tame_pairs(), 1):  # noqa: B007 - how many there were
        assert scan([b"\n".join(map(line, session))]) == lookups_of(session), session
    assert number > 3000


@pytest.mark.parametrize("blank", [None, "", "  ", "\n"])
def test_a_command_stands_in_for_a_blank_input(blank: Any) -> None:
    session = [start(input=blank, command="ls"), start(command="ls"), start(input={"command": "ls"})]
    assert scan([b"\n".join(map(line, session))]).calls.repeated == lookups_of(session).calls.repeated == 2


def test_a_response_without_an_id_tells_nothing_of_what_was_forgotten() -> None:
    session = [asked("a", 1), asked("a", 2), answered(None, error="x")]
    limits = Limits(session_open_calls=1)
    assert not scan([b"\n".join(map(line, session))], limits=limits).calls.uncertain
    assert scan([line(one) + b"\n" for one in session], limits=limits) == lookups_of(session, limits=limits)


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


def test_a_line_that_breaks_off_before_one_of_a_frequent_type() -> None:
    known = frequent()[0]
    data = known + b'{"type":"x.y",\n' + known
    both(data)
    assert outcome(scan, data, 1 << 16, skip=True)[1:] == (None, 1, [2])


def test_a_realistic_session() -> None:
    data = b"".join(sessions.lines(3000))
    found = scan(cut(data, 1 << 16))
    assert found == lookups_of(sessions.events(3000)) == lookups_of(read_events(cut(data, 999)))
    assert found.events == data.count(b"\n") == sum(found.by_type.values()) == sum(found.phases.values())
    assert found.calls.total > 500
    assert found.requests.source == "proxy"


def names_of(kind: Any) -> set[str]:
    return {field.encode_name for field in fields(kind)}


def test_the_types_of_the_fast_pass_name_what_the_catalogue_names() -> None:
    """What they left out would be read right, and slowly."""
    payloads = {name: next(one.type for one in fields(kind) if one.name == "data") for kind, name in TYPE_OF.items()}
    for name, payload in payloads.items():
        assert {field.split(" ")[0] for field in FIELDS[name]} <= names_of(payload), name
    assert {field.split(" ")[0] for field in USAGE} == names_of(Usage)
    assert get_args(Component) == COMPONENTS
    assert get_args(Phase) == PHASES
    assert names_of(Envelope) | {"type", "data"} == set(ENVELOPE)


def frequent() -> list[bytes]:
    every = [one for one in sessions.lines(3000) if b'"type":"session.' not in one and b"workflow" not in one]
    return every[: next(number for number, one in enumerate(every) if b'"safe_output.result"' in one)]


def passes(monkeypatch: pytest.MonkeyPatch, data: bytes) -> list[str]:
    """Return the names of what a stretch goes through: its ways, and the strict reader for each line of its own."""
    taken: list[str] = []

    def told(name: str, real: Any) -> Any:
        def call(*arguments: Any) -> Any:
            taken.append(name)
            return real(*arguments)

        return call

    for name in ("_fast", "_mixed", "_slow"):
        monkeypatch.setattr(Scanner, name, told(name, getattr(Scanner, name)))
    monkeypatch.setattr("opvalue.session.scanner.parsed", told("parsed", parsed))
    assert scan([data]) == slow(iter([data]))
    return taken


def test_the_fast_pass_is_the_one_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    assert passes(monkeypatch, b"".join(frequent())) == ["_fast"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"toolName":', b'"unheardOf":[1,{"a":1.5e3}],"toolName":'),
        (b'"assistant.reasoning"', b'"assistant.unheard_of"'),
        (b'"status":200', b'"status":[200]'),
        (b'"level":', b'"level":{"nested":' + b"[" * 60 + b"1e5" + b"]" * 60 + b'},"was":'),
        (b'"rpcId":', b'"rpcId":9' + b"9" * 250 + b',"was":'),
    ],
)
def test_unfamiliar_events_are_read_without_the_strict_reader(
    monkeypatch: pytest.MonkeyPatch, old: bytes, new: bytes
) -> None:
    data = b"".join(frequent())
    changed = data.replace(old, new)
    assert changed != data
    assert passes(monkeypatch, changed) == ["_fast", "_mixed"]


def started(input_: bytes) -> bytes:
    data = b'{"toolCallId":"c","toolName":"t","input":%b}' % input_
    where = b'{"component":"agent","phase":"agent","path":"p"}'
    return b'{"type":"tool.execution_start","data":%b,"provenance":%b}\n' % (data, where)


@pytest.mark.parametrize(
    "input_",
    [
        b'{"items":[%b]}' % b",".join([b'{"weight":1e-5,"note":"x, e, y"}'] * 90),
        b"[" * 100 + b"1e300" + b"]" * 100,
        b'"%b"' % ("\u00e9".encode() * 400),
        b'{"a":1e5,"b":[[1E+3]]}',
        b'{"a":"%b"}' % (b"7" * 280),
        b"[" * 125 + b"]" * 125,
    ],
)
def test_unusual_arguments_are_read_fast(monkeypatch: pytest.MonkeyPatch, input_: bytes) -> None:
    assert passes(monkeypatch, b"".join(frequent()[:20]) + started(input_)) == ["_fast"]


@pytest.mark.parametrize("input_", [b"1e400", b"[" * 130 + b"]" * 130, b"9" * 310, b'"\xff"', b'{"a":[1,1E400]}'])
def test_what_the_strict_reader_refuses_in_arguments(input_: bytes) -> None:
    around = b"".join(frequent()[:20])
    data = around + started(input_) + around
    both(data)
    assert outcome(scan, data, 1 << 16, skip=True)[2:] == (1, [21])


@given(st.one_of(st.sampled_from(HOSTILE), st.binary(max_size=12), EVENTS.map(line)))
@settings(max_examples=300, deadline=None)
def test_what_is_decoded_without_types_is_what_the_strict_reader_gives(data: bytes) -> None:
    found = event_in(data)
    assert found is None or repr(found) == repr(parsed(data))


@pytest.mark.parametrize("levels", [1, 2, 5, 128])
def test_the_deepest_that_is_taken(levels: int) -> None:
    for one, more in ((b'{"]":%b,"[":["\\"[",{}]}', 2), (b'["a\\\\",%b,[],[]]', 1)):
        data = b'"}{"'
        for _ in range(levels):
            data = one % data
        filled = data.replace(b"[],[]", b",".join([b"[]"] * 200)) if levels < 10 else data
        depth = levels + more
        assert value_of(filled, depth)
        with pytest.raises(ValueError, match=r"^$"):
            value_of(filled, depth - 1)


def test_blank_lines_are_not_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[bytes] = []

    def typed(line: bytes) -> Any:
        tried.append(line)
        return decode(line)

    monkeypatch.setattr(scanner, "_typed", typed)
    session = b"".join(frequent()[:20])
    assert scan([b"\n" * 5000 + b" \r\n" * 5000 + session]) == scan([session])
    assert tried.count(b"\n") == 1, "the one that tells that there are some"
    assert len(tried) == 41


@pytest.mark.parametrize("size", [1, 2, 3, 50, 51, 4096])
def test_blocks_of_any_size(size: int) -> None:
    data = b"".join(sessions.lines(60))
    assert scan(cut(data, size)) == scan([data])
