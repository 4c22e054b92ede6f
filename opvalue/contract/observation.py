"""Read what ``--grade-run`` prints: one observation (reference 2.5; DESIGN 4.9).

Not checked here: whether case, key and maturity are the archived ones (drift, reported by the caller), whether the
provenance lies in the declared repositories, and the diagnostics' values.
"""

from typing import NamedTuple

from opvalue.contract.errors import (
    ContractBroken,
    CutoffAfterEvidence,
    CutoffAfterMaturity,
    CutoffTooEarly,
    MaturityBeforeCreation,
    ObservationCase,
    ObservationCutoff,
    ObservationMaturity,
    ObservationNotObject,
    ObservationOpportunityKey,
    ObservationValue,
    ProvenanceEmpty,
    ProvenanceEntry,
    ProvenanceNotObjects,
)
from opvalue.contract.output import read_output
from opvalue.contract.values import ABSENT, is_share, is_text, positive_zero, shown
from opvalue.identity import Instant
from opvalue.strictjson import JsonObject, kind_of

_PROVENANCE_KEYS = ("repository", "kind", "ref")


class Observation(NamedTuple):
    """One answer of an evaluator that fulfils its contract."""

    value: int | float | None
    """How fully the outcome was attained, from 0 to 1; ``None`` when the evidence is missing."""
    case: JsonObject
    """What the run was bound to, as the evaluator says."""
    opportunity_key: str
    evidence_cutoff: Instant
    """The time up to which evidence was taken in."""
    matures_at: Instant
    provenance: tuple[JsonObject, ...]
    """At least one entry where there is a value."""
    message: str | None
    diagnostics: JsonObject | None


def parse_observation(stdout: bytes, *, evidence_at: Instant, created_at: Instant | None) -> Observation:
    """Return the observation in ``stdout``, asked for as of ``evidence_at`` for a run created at ``created_at``.

    Checks, each with its own error, in the order of reference 2.5: 1 one JSON object, 2 ``value``, 3 ``case``,
    4 ``opportunityKey``, 5 both times, 6 cutoff not after the evidence time, 7 nor after maturity, 8 ``provenance``,
    9 its entries; then those of DESIGN 4.9: 10 the cutoff is the earlier of evidence time and maturity, to the
    second (evaluators cut it to whole seconds), 11 maturity is not before creation, to the second, where creation
    is known. A ``message`` that is no string and ``diagnostics`` that are no object are ignored, as are unknown keys.
    """
    # 1
    document = read_output(stdout, mode="--grade-run")
    if not isinstance(document, dict):
        raise ObservationNotObject(
            "--grade-run printed a value that is not an object", expected="an object", found=kind_of(document)
        )
    value = _value(document)  # 2
    case = _case(document)  # 3
    key = _opportunity_key(document)  # 4
    # 5
    cutoff = _instant(document, "evidenceCutoff", ObservationCutoff)
    matures_at = _instant(document, "maturesAt", ObservationMaturity)
    _check_upper_bounds(cutoff, evidence_at, matures_at)  # 6, 7
    provenance = _provenance(document, value)  # 8, 9
    _check_cutoff(cutoff, min(evidence_at, matures_at))  # 10
    _check_maturity(matures_at, created_at)  # 11
    message = document.get("message")
    diagnostics = document.get("diagnostics")
    return Observation(
        value=value,
        case=case,
        opportunity_key=key,
        evidence_cutoff=cutoff,
        matures_at=matures_at,
        provenance=provenance,
        message=message if isinstance(message, str) else None,
        diagnostics=diagnostics if isinstance(diagnostics, dict) else None,
    )


def _value(document: JsonObject) -> int | float | None:
    value = document.get("value", ABSENT)
    if value is None:
        return None
    if not is_share(value):
        raise ObservationValue(
            "the observation's value is not a share", expected="null or a number in [0, 1]", found=shown(value)
        )
    return positive_zero(value)


def _case(document: JsonObject) -> JsonObject:
    case = document.get("case", ABSENT)
    if not isinstance(case, dict):
        raise ObservationCase("the observation's case is not an object", expected="an object", found=shown(case))
    return case


def _opportunity_key(document: JsonObject) -> str:
    key = document.get("opportunityKey", ABSENT)
    if not is_text(key):
        raise ObservationOpportunityKey(
            "the observation has no opportunity key", expected="a string that is not blank", found=shown(key)
        )
    return key


def _instant(document: JsonObject, name: str, refused: type[ContractBroken]) -> Instant:
    text = document.get(name, ABSENT)
    moment = Instant.parse_utc(text)
    if moment is None:
        raise refused(
            f"the observation's {name} is not a UTC time",
            expected="YYYY-MM-DDTHH:MM:SSZ, or with three digits of a second",
            found=shown(text),
        )
    return moment


def _check_upper_bounds(cutoff: Instant, evidence_at: Instant, matures_at: Instant) -> None:
    if cutoff > evidence_at:
        raise CutoffAfterEvidence(
            "the evidence cutoff lies after the evidence time", expected=f"at most {evidence_at}", found=str(cutoff)
        )
    if cutoff > matures_at:
        raise CutoffAfterMaturity(
            "the evidence cutoff lies after maturity", expected=f"at most {matures_at}", found=str(cutoff)
        )


def _provenance(document: JsonObject, value: float | None) -> tuple[JsonObject, ...]:
    given = document.get("provenance", ABSENT)
    entries = [entry for entry in given if isinstance(entry, dict)] if isinstance(given, list) else []
    if entries != given:
        raise ProvenanceNotObjects(
            "the observation's provenance is not an array of objects",
            expected="an array of objects",
            found=shown(given),
        )
    if value is not None and not entries:
        raise ProvenanceEmpty(
            "the observation has a value and no provenance", expected="at least one entry", found=shown(given)
        )
    for index, entry in enumerate(entries):
        _check_entry(index, entry)
    return tuple(entries)


def _check_entry(index: int, entry: JsonObject) -> None:
    for name in _PROVENANCE_KEYS:
        text = entry.get(name, ABSENT)
        if not isinstance(text, str) or not text:
            raise ProvenanceEntry(
                f"provenance[{index}].{name} is not a string with something in it",
                expected="a non-empty string",
                found=shown(text),
            )


def _check_cutoff(cutoff: Instant, expected: Instant) -> None:
    if cutoff.seconds != expected.seconds:
        raise CutoffTooEarly(
            "the evidence cutoff is earlier than both evidence time and maturity",
            expected=f"{expected}, to the second",
            found=str(cutoff),
        )


def _check_maturity(matures_at: Instant, created_at: Instant | None) -> None:
    if created_at is not None and matures_at.seconds < created_at.seconds:
        raise MaturityBeforeCreation(
            "the run is said to mature before it was created", expected=f"at least {created_at}", found=str(matures_at)
        )
