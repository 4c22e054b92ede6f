"""Whether a call repeats the one before it (DESIGN 8): neighbours, and arguments that are equal, other or unknown."""

from typing import Any

import pytest

from opvalue.limits import Limits
from opvalue.session import Calls, arguments, lookups_of
from opvalue.session import calls as native_calls
from opvalue.session.batch import Batch
from opvalue.session.reduction import reduce
from opvalue.session.state import State
from opvalue.session.vocabulary import MASKED
from tests.session.events import Event, done, start


def calls(*session: Event) -> Calls:
    return lookups_of(session).calls


def repeated(*given: Any, name: str = "a") -> tuple[int, int]:
    found = calls(*(start(name, input=one) for one in given))
    return found.repeated, found.undecided


LONG = "x" * 3000


@pytest.fixture(params=[0, 3100, 1 << 20])
def room(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Room for no, one and many long arguments."""
    monkeypatch.setattr(native_calls, "_ROOM", request.param)


@pytest.mark.usefixtures("room")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a": 1}, {"a": 1.0}),
        ({"a": 1, "b": [2]}, {"b": [2], "a": 1}),
        ({"a": 1e22}, {"a": 10**22}),
        (None, None),
        ("  ", "  "),
        ("x", "x"),
        ([1], [1]),
        ({"a": LONG, "b": [1]}, {"b": [1.0], "a": LONG}),
        ({"a": "\u00e9"}, {"a": "\u00e9"}),
        (0, -0.0),
    ],
)
def test_equal_arguments(one: Any, other: Any) -> None:
    assert repeated(one, other) == (1, 0)
    assert repeated(other, one) == (1, 0)


@pytest.mark.usefixtures("room")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a": 1}, {"a": True}),
        ({"a": 0}, {"a": False}),
        ({"a": 0}, {"a": None}),
        ({"a": [1, 2]}, {"a": [2, 1]}),
        ({}, None),
        ({"a": 1}, {"a": "1"}),
        ({"a": LONG}, {"a": f"{LONG}y"}),
        ({"a": LONG, "b": 1}, {"a": LONG, "b": True}),
        ({"a": LONG}, None),
        ({"a": f"{LONG}***"}, {"a": 1}),
        ({"a": "***"}, {"a": "x"}),
    ],
)
def test_other_arguments(one: Any, other: Any) -> None:
    assert repeated(one, other) == (0, 0)
    assert repeated(other, one) == (0, 0)


@pytest.mark.parametrize("value", ["***", {"a": "***"}, {"a": ["x ***REDACTED*** y"]}, {"***": 1}, {"a": f"{LONG}***"}])
def test_redacted_arguments_are_never_equal(value: Any) -> None:
    assert repeated(value, value) == (0, 1)
    assert repeated(value, value, value) == (0, 2)


def test_the_mark_is_that_of_redaction() -> None:
    assert MASKED.encode() == arguments._MARK
    escaped = b'{"a":"\\u002A\\u002a*"}'
    assert arguments.compare(escaped, escaped) is arguments.Comparison.UNDECIDED
    assert arguments.compare(b'"\\u002a"', b'"*"') is arguments.Comparison.EQUAL


def test_neighbours() -> None:
    read, write = start("read", input={"p": 1}), start("write", input={"p": 1})
    assert calls(read, read, read, write).repeated == 2
    assert calls(read, write, read).repeated == 0
    elsewhere = [start("read", input={"p": 1}, agentId="x") for _ in range(2)]
    assert calls(read, elsewhere[0], read, elsewhere[1]).repeated == 2
    assert calls(done("read"), done("read")) == Calls(2, 0, 1, 0, 1), "their arguments are not known"
    assert calls(read, done("write"), read).repeated == 0, "a call stands between them"
    known = start("read", "1", input={"p": 1})
    assert calls(known, done("read", "9"), known) == Calls(3, 2, 1, 0, 2)
    assert calls(read, done(None, "9"), read).repeated == 1, "what bears no name is no call"
    assert calls(start("a", command="ls"), start("a", input={"command": "ls"})).repeated == 1
    assert calls(start("a", command="ls", input=None), start("a", command="")).repeated == 0


@pytest.mark.parametrize("later", range(6))
@pytest.mark.parametrize("earlier", range(6))
def test_arguments_compare_as_values(earlier: int, later: int) -> None:
    shown: list[dict[str, Any]] = [{}, {"input": None}, {"input": ""}, {"input": 0}, {"input": " "}, {"input": {}}]
    assert calls(start("a", **shown[earlier]), start("a", **shown[later])).repeated == (earlier == later)


def test_room_for_long_arguments_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_calls, "_ROOM", 3500)
    state = State(Limits())
    kept = []
    for scope, input_ in (("x", LONG), ("y", LONG), ("x", "short"), ("y", LONG), ("y", None), ("x", LONG)):
        batch = Batch()
        reduce(batch, start("a", agentId=scope, input=input_))
        state.apply(batch)
        kept.append(state.native.scope(batch.scopes[0]).arguments)
    assert [type(one) for one in kept] == [bytes, str, bytes, bytes, bytes, bytes]
    assert [len(one or "") for one in kept] == [3002, 64, 7, 3002, 4, 3002]
