"""Which graders of a configuration are replayed, and under which run's name. Pure."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from opvalue.graders.configuration import Configuration, Entry
from opvalue.graders.configuration.entry import declared, in_manifest_order
from opvalue.graders.metadata import BUILTIN
from opvalue.graders.results import Context
from opvalue.strictjson import JsonObject

if TYPE_CHECKING:
    from opvalue.session.lookups import Evals, Lookups


def select(configuration: Configuration, ids: Sequence[str]) -> Configuration:
    """Return the named graders alone, in manifest order; all of them where ``ids`` is empty.

    A built-in that is neither configured nor a default is opted into by naming it, as the registry declares it. Raises
    ``GraderUnknown`` and ``GraderDisabled``.
    """
    if not ids:
        return configuration
    return in_manifest_order([_named(configuration, grader_id) for grader_id in dict.fromkeys(ids)])


def context_of(lookups: "Lookups", *, run_id: str | None = None, attempt: int | None = None) -> Context:
    """Return which run was graded: as the session says, else as the caller does; never as the environment does.

    Raises ``SessionOfAnotherRun`` where the two contradict each other.
    """
    for what, named, recorded in (("run", run_id, lookups.run_id), ("attempt", attempt, lookups.attempt)):
        if named is not None and recorded is not None and named != recorded:
            from opvalue.conclusion.errors import SessionOfAnotherRun  # noqa: PLC0415 - few sessions are refused

            raise SessionOfAnotherRun(
                f"the session is of another {what}", expected=f"{what} {named}", found=f"{what} {recorded}"
            )
    return Context(
        run_id=lookups.run_id or run_id or "",
        attempt=lookups.attempt or attempt or 1,
        experiments={**lookups.experiments} or None,
        evals=_tally(lookups.evals) if lookups.evals.total else None,
    )


def _named(configuration: Configuration, grader_id: str) -> Entry:
    entry = configuration.find(grader_id)
    if entry is None and grader_id in BUILTIN:
        return declared(BUILTIN[grader_id])
    from opvalue.conclusion.errors import GraderDisabled, GraderUnknown  # noqa: PLC0415 - as above

    if entry is None:
        known = [*BUILTIN, *(custom.id for custom in configuration.custom)]
        near = _near(grader_id, known)
        raise GraderUnknown(
            f"there is no grader {grader_id!r}" + (f"; did you mean {near}?" if near else ""),
            expected=near or f"one of {len(known)} ids",
            found=grader_id,
        )
    if not entry.enabled:
        raise GraderDisabled(f"the grader {grader_id} is disabled", expected="an enabled grader", found=grader_id)
    return entry


def _near(word: str, known: Sequence[str]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - for who mistypes an id

    return " or ".join(get_close_matches(word.lower(), known))


def _tally(evals: "Evals") -> JsonObject:
    return {
        "total": evals.total,
        "yes": evals.yes,
        "no": evals.no,
        "unknown": evals.unknown,
        "byQuestion": {**evals.by_question},
    }
