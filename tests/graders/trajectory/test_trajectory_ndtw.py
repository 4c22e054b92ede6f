import math
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opvalue.graders.trajectory import Projection, trajectory_ndtw
from opvalue.graders.trajectory.trajectory_ndtw import distance, measure, numpy_module
from tests.graders.trajectory.samples import BOUND, changed, check_bound, events, made

_PATHS = st.lists(st.sampled_from("abc"), min_size=1, max_size=25)


@pytest.fixture(params=["numpy", "pure"], autouse=True)
def _either_way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "pure":
        monkeypatch.setattr(trajectory_ndtw, "numpy_module", lambda: None)
    else:
        pytest.importorskip("numpy")


def path(refs: str, reference: list[Any]) -> Projection:
    return made(events=events("state_change", list(refs)), reference={"states": reference})


def test_where_it_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    assert numpy_module() is None


def test_equal_paths() -> None:
    assert measure(path("ab", ["a", "b"]), {}).value == 1
    assert measure(path("aabb", [{"id": "a"}, {"id": "b"}]), {}).value == 1


def test_one_detour() -> None:
    assert measure(path("axb", ["a", "b"]), {}).value == math.exp(-1 / 2)


def test_only_changes_of_state_count() -> None:
    projection = path("ab", ["a", "b"])
    others = (*(projection.events or ()), {"kind": "message", "ref": "z"}, "odd")
    assert measure(changed(projection, events=others), {}).value == 1


def by_definition(one: list[str], other: list[str]) -> int:
    table = {(-1, -1): 0}
    for i, left in enumerate(one):
        for j, right in enumerate(other):
            ways = [table.get(cell, 10**6) for cell in ((i - 1, j), (i, j - 1), (i - 1, j - 1))]
            table[i, j] = (left != right) + min(ways)
    return table[len(one) - 1, len(other) - 1]


@given(_PATHS, _PATHS)
def test_the_distance_is_that_of_the_definition(one: list[str], other: list[str]) -> None:
    assert distance(one, other) == by_definition(one, other)


@pytest.mark.parametrize(
    ("reference", "reason"),
    [
        ([], "the reference has no states"),
        ("ab", "the reference has no states"),
        ([""], "a state of the reference is malformed"),
        ([{"id": 1}], "an item of reference states has no id"),
    ],
)
def test_a_reference_that_is_none(reference: Any, reason: str) -> None:
    assert measure(made(reference={"states": reference}), {}) == (None, reason)


def test_unavailable() -> None:
    projection = path("ab", ["a"])
    assert measure(changed(projection, reference=None), {}).message == "the reference has no states"
    assert measure(changed(projection, events=()), {}).message == "no change of state is recorded"
    odd = events("state_change", ["a", None])
    assert measure(changed(projection, events=odd), {}).message == "an item of events has no ref"


@settings(deadline=None)
@given(_PATHS)
def test_a_path_is_at_no_distance_from_itself(one: list[str]) -> None:
    assert distance(one, one) == 0


def test_bound() -> None:
    full = path("a" * (BOUND - 3) + "xxb", ["a", "b"])
    check_bound(measure, full, "events", math.exp(-2 / 2))
    crowded = changed(full, reference={"states": ["a"] * (BOUND + 1)})
    assert measure(crowded, {}).message == "reference.states holds more than 5,000 items"
