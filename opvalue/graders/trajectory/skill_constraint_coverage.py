"""``skill-constraint-coverage``: configured constraints that the run's calls and actions met (reference 3.2).

Formula: covered / all constraints of ``config.constraints``, each ``{id, pattern, requireSuccess}``. The pattern is
searched, in any letter case, in ``name arguments`` of each call and ``type target`` of each action, arguments as JSON
with sorted keys, every text cut to 4,096 characters. Covered: something matched, and either every match succeeded or
``requireSuccess`` is false. A call failed with ``success`` or ``completed`` false, an action with ``validAtIssueTime``
false. A malformed constraint, or a pattern that cannot be searched, counts and is not covered.
Source: tool calls and actions.
Unavailable: no constraints; no usable pattern; no calls and no actions; more to search than is bounded.
"""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from opvalue.graders.trajectory.measuring import Missing, trajectory
from opvalue.graders.trajectory.pattern import Machine, PatternRefused, Work, WorkExceeded, compiled
from opvalue.graders.trajectory.projection import Projection
from opvalue.graders.trajectory.reading import is_text
from opvalue.graders.trajectory.text import ARGUMENTS_TEXT, LONGEST, arguments_text
from opvalue.limits import Limits
from opvalue.strictjson import JsonObject, JsonValue

_MOST_CHARACTERS: Final = Limits().trajectory_matched_characters


class _Constraint(NamedTuple):
    machine: Machine
    require_success: bool


class _Subject(NamedTuple):
    text: str
    succeeded: bool


@trajectory
def measure(projection: Projection, config: JsonObject) -> float:
    """Return the share of covered constraints."""
    declared = config.get("constraints")
    if not isinstance(declared, list) or not declared:
        raise Missing("no constraints are configured")
    work = Work(_MOST_CHARACTERS)
    usable = [constraint for constraint in (_constraint(one, work) for one in declared) if constraint is not None]
    if not usable:
        raise Missing("no configured constraint has a usable pattern")
    subjects = [*_calls(projection), *_actions(projection)]
    if not subjects:
        raise Missing("there are no tool calls and no actions")
    try:
        return sum(_covered(constraint, subjects) for constraint in usable) / len(declared)
    except WorkExceeded:
        raise Missing("the constraints and the texts to search are too many together") from None


def _constraint(declared: JsonValue, work: Work) -> _Constraint | None:
    pattern = declared.get("pattern") if isinstance(declared, dict) else None
    if not isinstance(declared, dict) or not isinstance(pattern, str) or not pattern.strip():
        return None
    try:
        return _Constraint(compiled(pattern, work), declared.get("requireSuccess") is not False)
    except PatternRefused:
        return None


def _covered(constraint: _Constraint, subjects: Iterable[_Subject]) -> bool:
    exercised = False
    for subject in subjects:
        if constraint.machine.search(subject.text):
            if constraint.require_success and not subject.succeeded:
                return False
            exercised = True
    return exercised


def _calls(projection: Projection) -> Iterator[_Subject]:
    for call in projection.tool_calls or ():
        if isinstance(call, dict):
            succeeded = call.get("success") is not False and call.get("completed") is not False
            yield _Subject(_text(call.get("name"), _arguments(call)), succeeded)


def _actions(projection: Projection) -> Iterator[_Subject]:
    for action in projection.actions or ():
        if isinstance(action, dict):
            text = _text(action.get("type"), action.get("target"))
            yield _Subject(text, action.get("validAtIssueTime") is not False)


def _arguments(call: JsonObject) -> JsonValue:
    if ARGUMENTS_TEXT in call:
        return call[ARGUMENTS_TEXT]
    return arguments_text(call["arguments"]) if "arguments" in call else None


def _text(first: JsonValue, second: JsonValue) -> str:
    return " ".join(word for word in (first, second) if is_text(word))[:LONGEST]
