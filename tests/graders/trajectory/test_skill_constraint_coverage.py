from typing import Any

import pytest

from opvalue.graders.trajectory import Projection, skill_constraint_coverage
from opvalue.graders.trajectory.skill_constraint_coverage import measure
from opvalue.strictjson import JsonObject
from tests.graders.trajectory.samples import BOUND, check_bound, made

GOOD: JsonObject = {"id": "good", "pattern": "search_code"}


def searched(*calls: Any, actions: tuple[Any, ...] | None = None) -> Projection:
    return made(tool_calls=calls or None, actions=actions)


def value(projection: Projection, *constraints: Any) -> float | None:
    return measure(projection, {"constraints": list(constraints)}).value


CALL: JsonObject = {"name": "search_code", "arguments": {"q": "Foo", "a": 1.0}, "success": True}


def test_malformed_constraints_count() -> None:
    assert value(searched(CALL), None, GOOD) == 0.5
    assert value(searched(CALL), {"pattern": "("}, GOOD) == 0.5
    assert value(searched(CALL), {"pattern": "(?=x)"}, {"pattern": " "}, {"id": "x"}, GOOD) == 0.25


def test_failed_matches() -> None:
    failed = CALL | {"success": False}
    assert value(searched(CALL, failed), GOOD) == 0
    assert value(searched(CALL, failed), GOOD | {"requireSuccess": False}) == 1
    assert value(searched(CALL, failed), GOOD | {"requireSuccess": None}) == 0
    assert value(searched(CALL, {"name": "other", "success": False}), GOOD) == 1


def test_an_unfinished_call_exercises_and_does_not_cover() -> None:
    unfinished = CALL | {"completed": False}
    assert value(searched(unfinished), GOOD) == 0
    assert value(searched(unfinished), GOOD | {"requireSuccess": False}) == 1


def test_never_exercised() -> None:
    assert value(searched({"name": "other"}), GOOD) == 0


@pytest.mark.parametrize(
    ("pattern", "value_"),
    [
        (r'^search_code \{"a":1,"q":"Foo"\}$', 1),
        ("SEARCH_CODE.*foo", 1),
        ("foo.*a", 0),
    ],
)
def test_the_text_of_a_call(pattern: str, value_: int) -> None:
    assert value(searched(CALL), {"pattern": pattern}) == value_


def test_texts_of_calls_without_arguments_or_name() -> None:
    assert value(searched({"name": "run"}), {"pattern": "^run$"}) == 1
    assert value(searched({"arguments": [1]}), {"pattern": r"^\[1\]$"}) == 1
    assert value(searched({"name": "run", "argumentsText": "{}"}), {"pattern": r"^run \{\}$"}) == 1
    assert value(searched({"name": "run"}, "odd"), {"pattern": "odd"}) == 0


def test_actions() -> None:
    action: JsonObject = {"type": "open", "target": "issue", "validAtIssueTime": True}
    assert value(searched(actions=(action,)), {"pattern": "open issue"}) == 1
    assert value(searched(actions=(action | {"validAtIssueTime": False},)), {"pattern": "open issue"}) == 0
    assert value(searched(actions=(action, 1)), {"pattern": "open issue"}) == 1


def test_texts_are_cut() -> None:
    long = {"name": "run", "arguments": {"a": "x" * 5_000, "b": "needle"}}
    assert value(searched(long), {"pattern": "needle"}) == 0
    assert value(searched(long), {"pattern": "x{1000}"}) == 1


def test_unavailable() -> None:
    config: Any
    constraint: Any
    for config in ({}, {"constraints": []}, {"constraints": GOOD}):
        assert measure(searched(CALL), config).message == "no constraints are configured"
    for constraint in (None, {"pattern": "("}, {"pattern": 7}, {"pattern": ""}):
        measured = measure(searched(CALL), {"constraints": [constraint]})
        assert measured == (None, "no configured constraint has a usable pattern")
    assert measure(made(), {"constraints": [GOOD]}).message == "there are no tool calls and no actions"


def test_work_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(skill_constraint_coverage, "_MOST_CHARACTERS", 100)
    measured = measure(searched(*[CALL] * 50), {"constraints": [GOOD]})
    assert measured == (None, "the constraints and the texts to search are too many together")


def test_bound() -> None:
    check_bound(measure, searched(*[CALL] * BOUND), "tool_calls", 0.5, {"constraints": [GOOD, None]})
