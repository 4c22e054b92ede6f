import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opvalue.graders.trajectory.event_entropy_rate import measure
from tests.graders.trajectory.samples import BOUND, check_bound, kinds, made


@pytest.mark.parametrize(
    ("sequence", "value"), [("ab", 0), ("ababab", 0), ("aaa", 0), ("abcacbaa", 0.7891027163265469)]
)
def test_reference_values(sequence: str, value: float) -> None:
    assert measure(kinds(sequence), {}).value == pytest.approx(value, rel=1e-15)


def test_fewer_than_two_events() -> None:
    assert measure(kinds("a"), {}) == (None, "fewer than 2 events")
    assert measure(made(events=({"index": 0}, {"kind": ""}, "x", {"kind": "a"})), {}).value is None
    assert measure(made(), {}) == (None, "the session records no events")


def test_a_tool_calls_symbol_holds_its_ref() -> None:
    calls = tuple({"kind": "tool_call", "ref": ref} for ref in ("x", "y", "x", "x"))
    assert measure(made(events=calls), {}).value == pytest.approx(2 / 3)
    assert measure(made(events=tuple({"kind": "message", "ref": ref} for ref in "xyxx")), {}).value == 0


def test_events_go_by_their_index() -> None:
    shuffled = made(events=tuple({"index": index, "kind": "abcacbaa"[index]} for index in (3, 1, 0, 2, 7, 6, 5, 4)))
    assert measure(shuffled, {}) == measure(kinds("abcacbaa"), {})


@given(st.text("abcd", min_size=2, max_size=60))
def test_within_its_bounds(sequence: str) -> None:
    value = measure(kinds(sequence), {}).value
    assert value is not None
    assert 0 <= value <= 1


def test_bound() -> None:
    # After a comes b or c, each as often; after b and c always a.
    check_bound(measure, kinds("abac" * (BOUND // 4)), "events", (2500 / 4999) / math.log2(3))
