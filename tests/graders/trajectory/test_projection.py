"""The bound over all collections, and what the sequences make of odd items."""

import pytest

from opvalue.graders.trajectory.projection import past_bound
from opvalue.graders.trajectory.sequences import event_symbols, visited_states
from tests.graders.trajectory.samples import BOUND, NAMES, made

COLLECTIONS = (
    "events",
    "states",
    "actions",
    "tool_calls",
    "observations",
    "resources",
    "provenance_edges",
    "objectives",
)


@pytest.mark.parametrize("name", COLLECTIONS)
def test_each_collection_is_bounded(name: str) -> None:
    assert past_bound(made(**{name: ({},) * BOUND})) is None
    assert past_bound(made(**{name: ({},) * (BOUND + 1)})) == NAMES.get(name, name)
    assert past_bound(made(beyond={NAMES.get(name, name): BOUND + 1})) == NAMES.get(name, name)


def test_the_reference_is_bounded() -> None:
    many = [None] * (BOUND + 1)
    assert past_bound(made(reference={"states": many[1:], "patch": {"files": many[1:]}, "other": 1})) is None
    assert past_bound(made(reference={"anything": many})) == "reference.anything"
    assert past_bound(made(reference={"patch": {"files": many}})) == "reference.patch.files"
    assert past_bound(made(reference={"patch": many})) == "reference.patch"


def test_states_stand_where_their_first_event_does() -> None:
    projection = made(
        events=({"index": 10}, {"index": 20}, "odd", {"index": True}),
        states=(
            {"id": "late", "firstEventIndex": 20},
            {"id": "early", "firstEventIndex": 10},
            {"id": "at its number", "firstEventIndex": 0.5},
            {"id": "at its place"},
            "plain",
            {"id": ""},
            {"firstEventIndex": 1},
            7,
        ),
    )
    assert visited_states(projection, at_least=0) == ["early", "at its number", "late", "at its place", "plain"]


def test_equal_places_keep_their_order() -> None:
    states = tuple({"id": name, "firstEventIndex": 3} for name in "zyx")
    assert visited_states(made(states=states), at_least=0) == ["z", "y", "x"]


def test_symbols_of_odd_events() -> None:
    events = (
        {"kind": "b", "index": "x"},
        {"kind": "a", "index": -1},
        {"kind": ""},
        None,
        {"kind": "tool_call", "ref": ""},
    )
    assert event_symbols(made(events=events), at_least=0) == ["a", "b", "tool_call"]
