"""What is known of a script before it grades: its repository, its workflow, when a run of it may have been created."""

import posixpath
from typing import Final

from opvalue.contract.values import is_slug
from opvalue.identity import Instant, InstantRefused
from opvalue.strictjson import JsonObject
from verifier.plan import CREATED, Known, guessed
from verifier.simulated import hints_of
from verifier.simulated.setting import DAY
from verifier.subject import Subject

_REPOSITORY: Final = "octo-org/widgets"
_EVENT: Final = "schedule"
_AFTER_ADOPTION: Final = 10 * DAY


def known_before(subject: Subject, document: JsonObject) -> Known:
    """Return what the definition and the script's text tell."""
    repository = document.get("repository")
    source = document.get("sourcePath")
    name = document.get("workflowName")
    stem = posixpath.basename(source if isinstance(source, str) else "").removesuffix(".md")
    setting = guessed(
        _created(document),
        repository=repository if is_slug(repository) else _REPOSITORY,
        workflow=name if isinstance(name, str) and name.strip() else "Workflow",
        workflow_id=stem or "workflow",
        hints=hints_of("\n".join(file.data.decode("utf-8", "replace") for file in subject.files)),
    )
    return Known(setting, dict(subject.asked.config), event_name(setting.hints.of("eventName")))


def event_name(compared: tuple[str, ...]) -> str:
    """Return the event that starts the run: one that the script knows, else a schedule."""
    return compared[0] if compared else _EVENT


def _created(document: JsonObject) -> Instant:
    """Return a time some days after the adoption, in whole seconds."""
    adoption = document.get("adoption")
    adopted = adoption.get("adoptedAt") if isinstance(adoption, dict) else None
    try:
        moment = Instant.parse(adopted) if isinstance(adopted, str) else CREATED
    except InstantRefused:
        moment = CREATED
    return Instant(moment.seconds * 1000 + _AFTER_ADOPTION)
