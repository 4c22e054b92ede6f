"""A value names the evidence it rests on, in the repositories that the definition declares.

Each entry of ``provenance`` has ``repository``, ``kind`` and ``ref``; a value without one cannot be traced. The
credential is sent only to repositories in ``evidence.repositories``: elsewhere evidence is read as anybody may read it,
or refused.

What to do: print an entry for each thing that was looked at; declare the target repository of a dispatched workflow as
well.
"""

from collections.abc import Iterator
from typing import Final

from opvalue.strictjson import JsonObject
from verifier import plan
from verifier.causes import PROVENANCE
from verifier.findings import Confidence, Finding, Severity
from verifier.rule import Profile, Rule
from verifier.runs import Runs
from verifier.subject import Subject
from verifier.telling import asked_at, how

_NAMES: Final = (plan.EMPTY, plan.FIRST, plan.SECOND, plan.MATURE, plan.LATER)
_DECLARE: Final = "Add the repository to evidence.repositories of the definition."
_UNATTRIBUTED: Final = "unattributed"


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:
    """Yield a finding for the first broken provenance, and for each repository that is not declared."""
    grades = list(runs.grades(*_NAMES))
    broken = next((grade for grade in grades if isinstance(grade.broken, PROVENANCE)), None)
    if broken is not None and broken.broken is not None:
        yield RULE.finds(subject, f"in {asked_at(broken)}: {how(broken.broken)}", broken.broken.hint)
    declared = _declared(runs.document or {})
    if declared is None:
        return
    named = {
        str(entry["repository"])
        for grade in grades
        if grade.observation is not None
        for entry in grade.observation.provenance
        if str(entry["repository"]).lower() not in declared
    }
    for name in sorted(named):
        text = f"provenance names {name}, which the definition does not declare"
        yield RULE.finds(subject, text, _DECLARE, severity=Severity.WARNING)
    asked = {name for grade in grades for name in grade.undeclared} - {name.lower() for name in named}
    for name in sorted(asked):
        if name == _UNATTRIBUTED:
            text = "evidence is asked for that belongs to no repository, and is read without the credential"
            yield RULE.finds(subject, text, "Ask below a declared repository.", confidence=Confidence.LOW)
        else:
            text = f"evidence of {name} is asked for, which the definition does not declare"
            yield RULE.finds(subject, text, _DECLARE, severity=Severity.WARNING)


def _declared(document: JsonObject) -> frozenset[str] | None:
    evidence = document.get("evidence")
    names = evidence.get("repositories") if isinstance(evidence, dict) else None
    if not isinstance(names, list):
        return None
    return frozenset(name.lower() for name in names if isinstance(name, str))


RULE: Final = Rule(
    "grade-run-provenance",
    "a value names its evidence, in declared repositories",
    Profile.DEFAULT,
    Severity.ERROR,
    __doc__ or "",
    check,
)
