"""A comparable baseline was frozen before the workflow was adopted, and its evidence is pinned.

The baseline is the value without the workflow. Evidence from after the adoption already holds the workflow's doing. And
a baseline that rests on a branch, a search or "latest" is another one tomorrow.

What to do: set ``baseline.evidenceCutoff`` to a time not after ``adoption.adoptedAt``, as ``YYYY-MM-DDTHH:MM:SSZ``, and
name commits by their full id, issues, pull requests, runs and releases by number or tag. Without such evidence use
``attainment-only``.
"""

import re
from collections.abc import Iterator
from typing import Final

from opvalue.contract.fields import COMPARABLE, look_up
from opvalue.identity import Instant, InstantRefused
from opvalue.strictjson import JsonObject, JsonValue
from verifier.definition_places import place_of
from verifier.findings import Confidence, Finding, Severity
from verifier.rule import Profile, Rule
from verifier.runs import Runs
from verifier.subject import Subject
from verifier.telling import short, value

_MOVING: Final = re.compile(
    r"(?:refs/heads/.*|heads/.*|main|master|develop|trunk|head|latest|current|default[ -]branch)", re.IGNORECASE
)
_SHORT_COMMIT: Final = re.compile(r"[0-9a-f]{7,39}")
_PIN: Final = 'Name it like {"repository": "acme/widgets", "kind": "commit", "ref": "<40 hexadecimal digits>"}.'


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:
    """Yield findings about a comparable baseline."""
    document = runs.document
    if document is None or look_up(document, "baseline.mode") != COMPARABLE:
        return
    yield from _cutoff(subject, document)
    provenance = look_up(document, "baseline.provenance")
    entries: list[JsonValue] = provenance if isinstance(provenance, list) else [provenance]  # type: ignore[list-item]  # absent is of the contract
    for number, entry in enumerate(entries):
        yield from _entry(subject, document, number, entry)


def _cutoff(subject: Subject, document: JsonObject) -> Iterator[Finding]:
    texts = look_up(document, "baseline.evidenceCutoff"), look_up(document, "adoption.adoptedAt")
    cutoff, adopted = (_time(text) for text in texts)
    at = place_of(subject, document, "baseline.evidenceCutoff")
    if isinstance(texts[0], str) and texts[0].strip() and cutoff is None:
        text = f"the baseline's evidenceCutoff is no time: {value(texts[0])}"
        yield RULE.finds(subject, short(text), "Write it like 2026-08-22T00:00:00Z.", at=at)
    elif cutoff is not None and adopted is not None and cutoff > adopted:
        text = f"the baseline's evidence ends at {cutoff}, after the adoption at {adopted}"
        yield RULE.finds(subject, text, "Take evidence up to the adoption only, or use attainment-only.", at=at)


def _entry(subject: Subject, document: JsonObject, number: int, entry: JsonValue) -> Iterator[Finding]:
    where = f"baseline.provenance[{number}]"
    at = place_of(subject, document, where)
    if isinstance(entry, str) and entry.strip():
        text = f"{where} is a text, which pins nothing: {value(entry)}"
        yield RULE.finds(subject, short(text), _PIN, at=at, confidence=Confidence.LOW)
    if not isinstance(entry, dict):
        return
    missing = [key for key in ("repository", "kind", "ref") if not _text(entry.get(key))]
    if missing:
        yield RULE.finds(subject, f"{where} lacks {', '.join(missing)}", _PIN, at=at)
        return
    ref, kind = str(entry["ref"]).strip(), str(entry["kind"])
    if _MOVING.fullmatch(ref):
        yield RULE.finds(subject, short(f"{where} names what moves: {value(ref)}"), _PIN, at=at)
    elif "commit" in kind.lower() and _SHORT_COMMIT.fullmatch(ref):
        text = f"{where} shortens a commit: {value(ref)}"
        yield RULE.finds(subject, text, _PIN, at=at, severity=Severity.WARNING)


def _text(found: JsonValue) -> bool:
    return isinstance(found, str) and bool(found.strip())


def _time(text: object) -> Instant | None:
    try:
        return Instant.parse(text) if isinstance(text, str) else None
    except InstantRefused:
        return None


RULE: Final = Rule(
    "contract-baseline",
    "a comparable baseline lies before the adoption and is pinned",
    Profile.QUICK,
    Severity.ERROR,
    __doc__ or "",
    check,
)
