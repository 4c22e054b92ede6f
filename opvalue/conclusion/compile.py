"""Compile a workflow's graders into manifests (Graders Specification 3 and 5).

1. The workflow's ``graders`` map and those of its imports become one configuration; every fault is reported at once.
2. The evaluator that ``operational-value`` names is read and frozen where that grader is enabled.
3. The conclusion's manifest registers every grader, and carries data only. Where a custom grader is enabled, the
   manifest of the separate job repeats the enabled custom ones with their code and its digest.

No clock, and nothing of the machine: equal files give equal documents. Nothing is written here.
"""

from pathlib import Path
from typing import Final, NamedTuple

from opvalue.conclusion.errors import EvaluatorFault
from opvalue.conclusion.evaluator_file import frozen
from opvalue.conclusion.repository import WorkingTree, located
from opvalue.conclusion.workflow import WorkflowFile, merged, owned_jobs, read_files
from opvalue.graders.configuration import (
    OPERATIONAL_VALUE,
    Configuration,
    ConfigurationRefused,
    Entry,
    Position,
    Source,
)
from opvalue.graders.configuration.entry import in_manifest_order
from opvalue.graders.configuration.errors import ManifestTooLarge
from opvalue.graders.results import VERSION, manifest_document
from opvalue.identity import Digest, RepoPath
from opvalue.limits import Limits
from opvalue.records import MANIFEST_FILE
from opvalue.strictjson import JsonObject, dumps

CONCLUSION_FILE: Final = MANIFEST_FILE
GRADERS_JOB_FILE: Final = "graders_job_manifest.json"


class Compiled(NamedTuple):
    """What a workflow's graders come to."""

    workflow: RepoPath
    configuration: Configuration
    conclusion: JsonObject
    """The data-only manifest, version 2."""
    graders_job: JsonObject | None
    """The separate job's manifest, with code; ``None`` where no custom grader is enabled."""


def compile_workflow(file: Path) -> Compiled:
    """Compile the workflow ``file``, which is only read.

    Raises ``ConfigurationRefused`` with every fault, its line and column; the errors of ``read_files``; what
    ``process.run`` raises where Bash is missing.
    """
    tree, path = located(file)
    files = read_files(tree, path)
    found = owned_jobs(files)
    configuration, evaluator = _with_evaluator(tree, files, merged(files, found))
    conclusion = manifest_document(configuration)
    compiled = Compiled(path, configuration, conclusion, _graders_job(configuration, conclusion, evaluator))
    _check_size(files, compiled)
    return compiled


def _check_size(files: tuple[WorkflowFile, ...], compiled: Compiled) -> None:
    """Refuse manifests that the jobs would refuse, at the end of a run that was paid for."""
    most = Limits().record_bytes
    for name, document in ((CONCLUSION_FILE, compiled.conclusion), (GRADERS_JOB_FILE, compiled.graders_job)):
        size = 0 if document is None else len(dumps(document).encode())
        if size > most:
            fault = ManifestTooLarge(
                f"{name} is too large", expected=f"at most {most:,} bytes", found=f"{size:,} bytes"
            )
            fault.position = files[-1].layer.place((), True)
            raise ConfigurationRefused([fault])


def _with_evaluator(
    tree: WorkingTree, files: tuple[WorkflowFile, ...], configuration: Configuration
) -> tuple[Configuration, bytes]:
    """Return the configuration with the evaluator's digest, and the evaluator; nothing of it where none is enabled."""
    entry = configuration.find(OPERATIONAL_VALUE)
    if entry is None or not entry.enabled or entry.run is None:
        return configuration, b""
    try:
        data = frozen(tree, RepoPath.parse(entry.run))
    except EvaluatorFault as fault:
        fault.position = _declared_at(files)
        raise ConfigurationRefused([fault]) from None
    others = (one for one in configuration.entries if one is not entry)
    return in_manifest_order((*others, entry._replace(digest=Digest.of(data).hex))), data


def _declared_at(files: tuple[WorkflowFile, ...]) -> Position | None:
    """Return where ``run`` was declared last."""
    return next(
        layer.place((key, "run"), False)
        for layer in reversed([file.layer for file in files])
        for key, entry in (layer.value.items() if isinstance(layer.value, dict) else ())
        if isinstance(entry, dict) and "run" in entry  # no other grader has one
    )


def _graders_job(configuration: Configuration, conclusion: JsonObject, evaluator: bytes) -> JsonObject | None:
    enabled = {entry.id: entry for entry in configuration.custom if entry.enabled}
    if not enabled:
        return None
    listed = conclusion["graders"]
    declared = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    return {
        "version": VERSION,
        "graders": [one | _code(enabled[str(one["id"])], evaluator) for one in declared if one["id"] in enabled],
    }


def _code(entry: Entry, evaluator: bytes) -> JsonObject:
    """Return a custom grader's code as text; its digest is of that text in UTF-8."""
    if entry.source is Source.OPERATIONAL_VALUE:
        return {"run": entry.run, "evaluator": evaluator.decode()}
    return {"script": entry.script}
