"""A number and its threshold; one grader's failure is its own row; null, zero and error stay apart."""

import math
from typing import Any

import pytest

from opvalue.graders import evaluate
from opvalue.graders.configuration import Configuration, Entry, Source, defaults
from opvalue.graders.evaluate import Graded, failed, grade, judged, reads_projection
from opvalue.graders.measured import Measured
from opvalue.graders.registry import Grader, registered
from opvalue.records import HIGHER_IS_BETTER, LOWER_IS_BETTER, Status
from tests.graders.samples import EVERYTHING, calls, lookups


def entry(identifier: str = "loops", **changes: Any) -> Entry:
    found = defaults().find(identifier)
    assert found is not None
    return found._replace(**changes)


def custom(identifier: str = "mine", **changes: Any) -> Entry:
    plain = entry()._replace(
        id=identifier, name=identifier, description=None, source=Source.INLINE, unit=None, direction=None
    )
    return plain._replace(**{"threshold": None, "script": "return 1", **changes})


@pytest.mark.parametrize(
    ("value", "threshold", "direction", "status", "passed"),
    [
        (3, 5, LOWER_IS_BETTER, Status.PASS, True),
        (10, 5, LOWER_IS_BETTER, Status.FAIL, False),
        (5, 5, LOWER_IS_BETTER, Status.PASS, True),
        (5, 5, HIGHER_IS_BETTER, Status.PASS, True),
        (4.9, 5, HIGHER_IS_BETTER, Status.FAIL, False),
        (0, 0, LOWER_IS_BETTER, Status.PASS, True),
        (1, 0, LOWER_IS_BETTER, Status.FAIL, False),
        (0, None, LOWER_IS_BETTER, Status.PASS, None),
        (3, 5, None, Status.PASS, None),
        (3, 5, "", Status.PASS, None),
        (None, 5, LOWER_IS_BETTER, Status.UNAVAILABLE, None),
        (None, None, None, Status.UNAVAILABLE, None),
    ],
)
def test_outcomes(
    value: float | None, threshold: float | None, direction: str | None, status: Status, passed: bool | None
) -> None:
    graded = judged(entry(threshold=threshold, direction=direction), Measured(value, "why" if value is None else None))
    assert graded[1:4] == (value, status, passed)
    assert graded.message == ("why" if value is None else None)
    assert judged(entry(), Measured(0.5, "call 3: ...")).message == "call 3: ..."
    assert graded.error is None


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (math.nan, "a number that is not finite"),
        (math.inf, "a number that is not finite"),
        (-math.inf, "a number that is not finite"),
        (10**400, "a number that is not finite"),
        (True, "boolean"),
        ("3", "string"),
        ([3], "array"),
    ],
)
def test_what_is_no_finite_number_is_an_error(value: Any, found: str) -> None:
    graded = judged(entry(), Measured(value))
    assert graded[1:4] == (None, Status.ERROR, None)
    assert graded.error == f"loops: the value must be a finite number or null, not {found}"


def test_minus_zero_is_zero() -> None:
    assert str(judged(entry(), Measured(-0.0)).value) == "0.0"


def test_bounds_never_clamp() -> None:
    graded = judged(entry("tool-success-rate", threshold=None, minimum=0, maximum=1), Measured(7))
    assert (graded.value, graded.status) == (7, Status.PASS)


def test_the_ten_in_order() -> None:
    graded = grade(calls(4, failed=1, distinct_names=2, repeated=1), None, defaults())
    assert [(one.entry.id, one.value, one.status.value) for one in graded] == [
        ("tool-success-rate", 0.75, "fail"),
        ("tool-failure-count", 1, "pass"),
        ("retries", None, "unavailable"),
        ("loops", 1, "pass"),
        ("trajectory-efficiency", 0.5, "pass"),
        ("execution-step-count", None, "unavailable"),
        ("execution-duration", None, "unavailable"),
        ("working-set-rebuild-factor", None, "unavailable"),
        ("context-growth", None, "unavailable"),
        ("artifact-production", None, "unavailable"),
    ]


def test_nothing_happened_though_everything_was_collected() -> None:
    graded = grade(lookups(collected=EVERYTHING), None, defaults())
    assert [one.value for one in graded] == [None, 0, 0, 0, None, 0, None, None, None, 0]


def test_one_that_throws_is_a_row_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    def throws(_lookups: object) -> Measured:
        raise RecursionError("deep\nwords " * 100)

    def broken(identifier: str) -> Grader:
        found = registered(identifier)
        return found._replace(measure=throws) if identifier == "loops" else found

    monkeypatch.setattr(evaluate, "registered", broken)
    graded = grade(calls(4), None, defaults())
    wrong = [one for one in graded if one.status is Status.ERROR]
    assert len(graded) == 10
    assert [one[:4] for one in wrong] == [(entry("loops"), None, Status.ERROR, None)]
    assert wrong[0].error is not None
    assert wrong[0].error.startswith("loops: RecursionError: deep")
    assert len(wrong[0].error) == 500


def test_disabled_and_custom_ones_are_passed_over() -> None:
    entries = (entry("loops"), entry("retries", enabled=False), custom())
    assert [one.entry.id for one in grade(calls(1), None, Configuration(entries))] == ["loops"]
    assert grade(calls(1), None, Configuration(())) == ()


def test_when_a_projection_is_needed() -> None:
    assert not reads_projection(defaults())
    assert not reads_projection(Configuration((custom(),)))
    opted = entry()._replace(id="recurrence-rate")
    assert reads_projection(Configuration((entry(), opted)))
    assert not reads_projection(Configuration((opted._replace(enabled=False),)))


def test_a_trajectory_grader_reads_the_projection_and_its_configuration(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[object] = []

    def measure(*arguments: object) -> Measured:
        given.append(arguments)
        return Measured(1)

    monkeypatch.setattr(evaluate, "registered", lambda _id: registered("recurrence-rate")._replace(measure=measure))
    opted = entry()._replace(id="recurrence-rate", config={"a": 1})
    projection: Any = object()
    assert grade(lookups(), projection, Configuration((opted,)))[0].value == 1
    assert given == [(projection, {"a": 1})]


def test_a_row_for_what_could_not_run() -> None:
    assert failed(custom(), "no runtime") == Graded(custom(), None, Status.ERROR, None, error="no runtime")
