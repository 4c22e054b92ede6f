"""Conclude a session in memory: redact, grade, append what was found (Graders Specification 5).

1. Events that an earlier conclusion appended are taken out, so that concluding twice is the same as once.
2. The rest is redacted: masks found in the events, named secrets, shapes of secrets.
3. The enabled built-ins are graded; custom graders are registered in the manifest and run elsewhere.
4. ``grader.manifest`` and ``grader.result`` are appended, with the elements of the two documents.

Pure: events in, events and documents out. The events given are not changed.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from opvalue.conclusion.selection import context_of
from opvalue.conclusion.settled import is_appended
from opvalue.graders.configuration import Configuration, Source
from opvalue.graders.evaluate import Graded, grade, reads_projection
from opvalue.graders.results import grader_events, manifest_document, results_document
from opvalue.graders.trajectory.from_session import project
from opvalue.session import lookups_of
from opvalue.session.order import canonical
from opvalue.session.redaction import redact
from opvalue.session.secrets import Secrets
from opvalue.strictjson import JsonObject


class Concluded(NamedTuple):
    """A session with its graders' results."""

    events: list[JsonObject]
    """Redacted, the graders' two events last."""
    manifest: JsonObject
    results: JsonObject
    graded: tuple[Graded, ...]
    registered: tuple[str, ...]
    """Ids of enabled custom graders, which the separate graders job runs."""
    recorded: int
    """Events of the session, without those of graders."""


def conclude(
    events: Iterable[JsonObject],
    configuration: Configuration,
    *,
    secrets: Sequence[str] = (),
    run_id: str | None = None,
    attempt: int | None = None,
) -> Concluded:
    """Return the concluded session. ``secrets`` are values of named secrets; run and attempt count where none is said.

    Raises ``SessionOfAnotherRun`` and ``TooManySecrets``.
    """
    recorded = [event for event in events if not is_appended(event)]
    # An event whose time was redacted has another place.
    redacted = canonical(redact(recorded, Secrets(tuple(secrets))))
    lookups = lookups_of(redacted)
    projection = project(redacted) if reads_projection(configuration) else None
    graded = grade(lookups, projection, configuration)
    manifest = manifest_document(configuration)
    results = results_document(graded, context_of(lookups, run_id=run_id, attempt=attempt))
    return Concluded(
        [*redacted, *grader_events(manifest, results)],
        manifest,
        results,
        graded,
        tuple(entry.id for entry in configuration.enabled if entry.source is not Source.BUILTIN),
        len(redacted),
    )
