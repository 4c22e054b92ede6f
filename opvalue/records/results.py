"""``grader_results.json``: what each grader of a run said, and the original observation (reference 1.4).

Types are checked, nothing else: identities, times and digests stay as recorded and are judged by ``trust``.
"""

from typing import NamedTuple

from opvalue.contract import Subject
from opvalue.records.errors import ResultsMalformed
from opvalue.records.fields import READ_VERSIONS, Fields, load_record
from opvalue.records.files import RESULTS_FILE
from opvalue.strictjson import JsonValue


class ArchivedObservation(NamedTuple):
    """The observation made inside the run. Times are the recorded text."""

    subject_type: str
    """``workflow-run``, if the record is right."""
    subject: Subject
    opportunity_key: str
    evidence_at: str
    evidence_cutoff: str
    matures_at: str
    mature: bool
    case: JsonValue
    """Whatever the evaluator returned; null in a broken record."""
    value: int | float | None
    """The result's value; an observation has none of its own."""


class ResultEntry(NamedTuple):
    """One grader's result."""

    id: str
    name: str
    """The id where no name was recorded."""
    value: int | float | None
    status: str
    """``pass``, ``fail``, ``unavailable`` or ``error``, if the record is right."""
    source: str
    """Empty when none was recorded."""
    implementation_digest: str | None
    """SHA-256 of the evaluator, as recorded; neither its form nor its value is checked here."""
    has_metrics: bool
    """Whether it carries a ``metrics`` array, which only one-shot evaluators return."""
    observation: ArchivedObservation | None
    error: str | None = None
    """The message of a result whose status is ``error``."""


class Results(NamedTuple):
    """The whole file, results in file order. ``run_id`` may be empty and ``attempt`` any integer."""

    version: int
    run_id: str
    attempt: int
    results: tuple[ResultEntry, ...]


def parse_results(data: bytes, *, versions: frozenset[int] = READ_VERSIONS) -> Results:
    """Read results of one of ``versions``. Raises ``ResultsMalformed`` or ``VersionUnsupported``.

    The caller bounds the size beforehand (``Limits.record_bytes``).
    """
    fields, version = load_record(data, what=RESULTS_FILE, versions=versions, malformed=ResultsMalformed)
    run = fields.inner("run")
    return Results(
        version=version,
        run_id=run.string("id"),
        attempt=run.integer("attempt"),
        results=tuple(_entry(entry) for entry in fields.each("results")),
    )


def _entry(fields: Fields) -> ResultEntry:
    identifier = fields.name("id")
    value = fields.optional_number("value")
    implementation = fields.optional_inner("implementation")
    observation = fields.optional_inner("observation")
    return ResultEntry(
        id=identifier,
        name=fields.optional_string("name") or identifier,
        value=value,
        status=fields.string("status"),
        source=fields.optional_string("source") or "",
        implementation_digest=implementation.optional_string("digest") if implementation is not None else None,
        has_metrics=fields.document.get("metrics") is not None,
        observation=_observation(observation, value) if observation is not None else None,
        error=fields.optional_string("error"),
    )


def _observation(fields: Fields, value: float | None) -> ArchivedObservation:
    subject = fields.inner("subject")
    return ArchivedObservation(
        subject_type=subject.string("type"),
        subject=_subject(subject),
        opportunity_key=fields.string("opportunityKey"),
        evidence_at=fields.string("evidenceAt"),
        evidence_cutoff=fields.string("evidenceCutoff"),
        matures_at=fields.string("maturesAt"),
        mature=fields.boolean("mature"),
        case=fields.document.get("case"),
        value=value,
    )


def _subject(fields: Fields) -> Subject:
    return Subject(
        run_id=fields.string("runId"),
        attempt=fields.integer("attempt"),
        repository=fields.string("repository"),
        workflow=fields.string("workflow"),
        ref=fields.string("ref"),
        sha=fields.string("sha"),
        event_name=fields.string("eventName"),
        created_at=fields.optional_string("createdAt"),
    )
