"""How findings tell what a run came to. Pure."""

from typing import TYPE_CHECKING, Final

from opvalue.errors import OpvalueError, printable
from opvalue.strictjson import dumps_compact

if TYPE_CHECKING:
    from opvalue.contract import Observation
    from verifier.graded import Grade

_MOST: Final = 240


def how(problem: OpvalueError) -> str:
    """Return a problem as one short printable line."""
    found = f" (found {problem.found})" if problem.found and problem.found not in problem.message else ""
    return short(problem.message + found)


def short(text: str) -> str:
    """Return text as one printable line that is not too long: its beginning and its end."""
    line = printable(" ".join(text.split()))
    return line if len(line) <= _MOST else f"{line[: _MOST // 2]} ... {line[-_MOST // 2 :]}"


def value(number: object) -> str:
    """Return a value as JSON."""
    return short(dumps_compact(number))


def differences(one: "Observation", other: "Observation", *fields: str) -> list[str]:
    """Return how two observations differ in some fields."""
    pairs = ((name, getattr(one, name), getattr(other, name)) for name in fields)
    return [f"{_NAMES[name]} {_shown(left)} and then {_shown(right)}" for name, left, right in pairs if left != right]


def steady(one: "Grade | None", other: "Grade | None", *fields: str) -> list[str]:
    """Return the fields that are alike in two regrades of one case: elsewhere a difference tells of a place or a clock.

    All of them, where one of the two gave no observation.
    """
    if one is None or other is None or one.observation is None or other.observation is None:
        return list(fields)
    first, second = one.observation, other.observation
    return [name for name in fields if getattr(first, name) == getattr(second, name)]


def asked_at(grade: "Grade") -> str:
    """Return what a run was, for a message: ``a first grading half-way to maturity``."""
    return _RUNS.get(grade.name, f"the run {grade.name}")


def _shown(found: object) -> str:
    if isinstance(found, tuple) and not hasattr(found, "_fields"):
        return value(list(found))
    return str(found) if hasattr(found, "milliseconds") else value(found)


_NAMES: Final = {
    "value": "value",
    "case": "case",
    "opportunity_key": "opportunityKey",
    "evidence_cutoff": "evidenceCutoff",
    "matures_at": "maturesAt",
    "provenance": "provenance",
    "message": "message",
}
_RUNS: Final = {
    "empty": "a first grading an hour after the run, without an event, where nothing has happened yet",
    "verification": "the same with config.verification",
    "first": "a first grading half-way to maturity, with evidence",
    "as-of": "a first grading half-way to maturity, without what came later",
    "first-4": "a first grading half-way to maturity, where the lists hold what came later only",
    "as-of-4": "the same without what came later",
    "second": "a first grading after maturity, with evidence",
    "mature": "a regrade after maturity",
    "later": "a regrade a month after maturity, createdAt with milliseconds",
    "elsewhere": "a regrade in another folder, zone and locale",
    "first-elsewhere": "a first grading in another folder, zone and locale",
    "no-created": "a regrade with a null createdAt",
    "same": "the same regrade again",
    "at-maturity": "a regrade at maturity",
    "nothing-again": "a regrade of a run that had nothing to look at",
    "before-maturity": "a regrade a second before maturity",
}
