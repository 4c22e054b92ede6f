"""Manifest and results of a session's graders, version 2, and the events that repeat them (Graders Specification 5).

Documents are values with their keys in order; ``strictjson.dumps`` gives their bytes. They hold no time and nothing of
the machine, so equal input gives equal bytes. A manifest is data only: neither a script nor a path to one is in it.
Nothing is written here.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from opvalue.graders.configuration import Configuration, Entry
from opvalue.graders.evaluate import Graded
from opvalue.records import MANIFEST_FILE, RESULTS_FILE, Status
from opvalue.strictjson import JsonObject, JsonValue

VERSION: Final = 2
"""Of manifest and results alike."""

IMPLEMENTATION: Final[JsonObject] = {"id": "opvalue/graders", "version": 1}
"""Whose formulas measured. The version goes up when a formula, or what it reads, changes."""

FOLDER: Final = "usage/graders"
MANIFEST_PATH: Final = f"{FOLDER}/{MANIFEST_FILE}"
RESULTS_PATH: Final = f"{FOLDER}/{RESULTS_FILE}"

_COUNTED: Final = {"passed": Status.PASS, "failed": Status.FAIL, "errors": Status.ERROR}


class Context(NamedTuple):
    """Which run was graded, and what else was observed in it."""

    run_id: str = ""
    """Empty where neither the session nor the caller names the run."""
    attempt: int = 1
    experiments: JsonObject | None = None
    """Experiment to assigned variant; ``None`` where none was observed."""
    evals: JsonObject | None = None
    """Tallied answers; ``None`` where none was observed."""


def manifest_document(configuration: Configuration) -> JsonObject:
    """Return the manifest: every configured grader in manifest order, disabled ones included."""
    return {"version": VERSION, "graders": [_declared(entry) for entry in configuration.entries]}


def results_document(graded: Sequence[Graded], context: Context) -> JsonObject:
    """Return the results in the order given. Unavailable ones are in ``graderCount`` and in no other counter."""
    counters: JsonObject = {name: sum(1 for one in graded if one.status is status) for name, status in _COUNTED.items()}
    return {
        "version": VERSION,
        "run": {"id": context.run_id, "attempt": context.attempt, "graderCount": len(graded), **counters},
        "context": _present({"experiments": context.experiments, "evals": context.evals}),
        "results": [_result(one) for one in graded],
    }


def grader_events(manifest: JsonObject, results: JsonObject) -> tuple[JsonObject, JsonObject]:
    """Return ``grader.manifest`` and ``grader.result``: elements equal to the documents', conclusion provenance.

    They carry no time, so they are ordered last. The documents are not copied.
    """
    return (
        _event("grader.manifest", {"graders": manifest["graders"]}, MANIFEST_PATH),
        _event("grader.result", {"results": results["results"]}, RESULTS_PATH),
    )


def _declared(entry: Entry) -> JsonObject:
    return {
        "id": entry.id,
        "name": entry.name,
        **_present({"description": entry.description}),
        "source": entry.source.value,
        "enabled": entry.enabled,
        **_present(
            {
                "unit": entry.unit,
                "direction": entry.direction,
                "threshold": entry.threshold,
                "max": entry.maximum,
                "min": entry.minimum,
                "digest": entry.digest,
            }
        ),
        **({"config": entry.config} if entry.config else {}),
    }


def _result(graded: Graded) -> JsonObject:
    entry = graded.entry
    return {
        "id": entry.id,
        "name": entry.name,
        **_present({"description": entry.description}),
        "value": graded.value,
        **_present({"unit": entry.unit}),
        "passed": graded.passed,
        "status": graded.status.value,
        "source": entry.source.value,
        "implementation": {**IMPLEMENTATION, **_present({"digest": entry.digest})},
        **_present({"message": graded.message, "error": graded.error}),
    }


def _event(kind: str, data: JsonObject, path: str) -> JsonObject:
    provenance: JsonObject = {"component": "grader", "phase": "conclusion", "path": path, "index": 0}
    return {"type": kind, "data": data, "provenance": provenance}


def _present(fields: dict[str, JsonValue]) -> JsonObject:
    return {name: value for name, value in fields.items() if value is not None}
