from typing import Any

import pytest

from opvalue.graders.trajectory.dependency_order_violation_rate import measure
from opvalue.strictjson import JsonObject
from tests.graders.trajectory.samples import BOUND, check_bound, made


def one(identifier: Any, satisfied: Any = None, depends: Any = None) -> JsonObject:
    return {"id": identifier, "satisfiedAtEventIndex": satisfied, "dependsOn": depends}


def value(*declared: JsonObject) -> float | None:
    return measure(made(objectives=declared), {}).value


def test_one_of_two_completed_violates() -> None:
    assert value(one("a", 5), one("b", 4, ["a"]), one("c", 6, ["a"]), one("d", None, ["a"])) == 0.5


@pytest.mark.parametrize(("prerequisite", "expected"), [(4, 0), (5, 1), (None, 1), (-1, 1), ("x", 1)])
def test_what_violates(prerequisite: object, expected: int) -> None:
    assert value(one("a", prerequisite), one("b", 4, ["a"])) == expected


def test_a_dependent_without_a_valid_index_is_not_completed() -> None:
    assert value(one("a", 1), one("b", -1, ["a"]), one("c", 2, ["a"])) == 0


def test_unavailable() -> None:
    def reason(*declared: Any) -> str | None:
        return measure(made(objectives=declared), {}).message

    assert reason(one(None, 1)) == "an item of objectives has no id"
    assert reason(one("a", 1), one("a", 2, ["a"])) == "two objectives have one id"
    assert reason(one("a", 1), one("b", 2, "a")) == "the dependencies of an objective are no list"
    assert reason(one("a", 1), one("b", 2, ["z"])) == "an objective depends on an unknown one"
    assert reason(one("a", 1), one("b", 2, [1])) == "an objective depends on an unknown one"
    assert reason(one("a", 1), one("b", 2, [])) == "no objective depends on another"
    assert reason(one("a", 1), one("b", None, ["a"])) == "no dependent objective was completed"
    assert reason("a") == "an item of objectives is malformed"


def test_bound() -> None:
    full = (one("o0", 0), *(one(f"o{number}", number, ["o0"]) for number in range(1, BOUND)))
    check_bound(measure, made(objectives=full), "objectives", 0)
