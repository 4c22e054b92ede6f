"""The request an evaluator's ``--grade-run`` reads on standard input (reference 2.4).

Built from what the archive recorded and the evidence time that was asked for; nothing is added: ``event`` is always
null and ``config.verification`` is there only when the archive has it. Not checked here: whether the subject, case
and configuration are the run's. That is the chain's business (reference 2.2).
"""

from typing import Final, NamedTuple

from opvalue.identity import Instant
from opvalue.strictjson import JsonObject, dumps_compact

REQUEST_SCHEMA_VERSION: Final = 1


class Subject(NamedTuple):
    """The run an observation is about, as the archive recorded it. Ids stay text (BS-06)."""

    run_id: str
    """The run's number, in decimal."""
    attempt: int
    """1 for the first attempt."""
    repository: str
    """``OWNER/REPO``, in the spelling the run had."""
    workflow: str
    """The workflow's display name."""
    ref: str
    """The full ref, such as ``refs/heads/main``."""
    sha: str
    """The commit the run ran at."""
    event_name: str
    """The event that started the run."""
    created_at: str | None
    """When the run was created, as recorded; some archives hold null here (AW-02)."""


def build_request(subject: Subject, evidence_at: Instant, *, case: JsonObject, config: JsonObject) -> JsonObject:
    """Return the request object, its keys in the documented order and ``evidenceAt`` normalised to milliseconds.

    ``case`` and ``config`` are passed on as the archive has them; they are not copied.
    """
    return {
        "schemaVersion": REQUEST_SCHEMA_VERSION,
        "run": {
            "id": subject.run_id,
            "attempt": subject.attempt,
            "repository": subject.repository,
            "workflow": subject.workflow,
            "ref": subject.ref,
            "sha": subject.sha,
            "eventName": subject.event_name,
            "createdAt": subject.created_at,
        },
        "evidenceAt": str(evidence_at),
        "case": case,
        "event": None,
        "config": config,
    }


def encode(request: JsonObject) -> bytes:
    """Return the bytes for standard input: one line of compact JSON in UTF-8, without a trailing line feed."""
    return dumps_compact(request).encode()
