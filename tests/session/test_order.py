"""The canonical order."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from opvalue.session.order import canonical, is_header


def event(name: str, component: str = "agent", ms: Any = None, phase: str = "agent") -> Any:
    provenance = {"component": component, "phase": phase} | ({} if ms is None else {"timestampMs": ms})
    return {"type": name, "data": {}, "provenance": provenance}


def test_the_order() -> None:
    ordered = [
        event("session.format", "collector"),
        event("a.timed", ms=-1.5),
        event("b.timed", ms=0),
        event("a.also-0", ms=0),
        event("session.format", ms=7),
        event("z.untimed"),
        event("a.untimed", ms="5"),
        event("session.collection"),
        event("grader.result", "grader"),
        event("session.collection_warning", "collector"),
        event("session.collection", "collector"),
        event("grader.manifest", "grader", phase="conclusion"),
        event("grader.result", "grader", ms=1, phase="conclusion"),
    ]
    assert canonical(ordered) == ordered
    mixed = [ordered[index] for index in (12, 10, 5, 2, 6, 4, 0, 3, 7, 8, 9, 1)]
    assert [one["type"] for one in canonical(mixed)] == [
        ordered[i]["type"] for i in (0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 9, 12)
    ]


def test_the_header_is_the_collectors() -> None:
    assert is_header(event("session.format", "collector", ms=5))
    assert not is_header(event("session.format"))
    assert not is_header(event("session.collection", "collector"))


def test_what_has_no_provenance_is_untimed() -> None:
    odd: Any = [{"provenance": 5}, {}, event("a.timed", ms=1)]
    assert canonical(odd) == [odd[2], odd[0], odd[1]]


@given(
    st.lists(
        st.tuples(st.sampled_from(["agent", "collector", "grader"]), st.none() | st.integers(0, 3) | st.booleans())
    )
)
def test_twice_is_once_and_nothing_is_lost(places: list[Any]) -> None:
    events: list[Any] = [
        event("session.format", component, ms) | {"id": index} for index, (component, ms) in enumerate(places)
    ]
    once: list[Any] = canonical(events)
    assert canonical(once) == once
    assert sorted(one["id"] for one in once) == [one["id"] for one in events]
