"""Grader records of a run: manifest and results, versions 1 and 2, and a value against its threshold. Pure."""

from typing import TYPE_CHECKING

from opvalue.lazy import names_of
from opvalue.records.outcome import HIGHER_IS_BETTER, LOWER_IS_BETTER, Outcome, Status, outcome

if TYPE_CHECKING:
    from opvalue.records.errors import ManifestMalformed, ResultsMalformed, VersionUnsupported
    from opvalue.records.files import MANIFEST_FILE, RESULTS_FILE
    from opvalue.records.manifest import VALUE_SOURCE, GraderEntry, Manifest, parse_manifest
    from opvalue.records.results import ArchivedObservation, ResultEntry, Results, parse_results

__all__ = [
    "HIGHER_IS_BETTER",
    "LOWER_IS_BETTER",
    "MANIFEST_FILE",
    "RESULTS_FILE",
    "VALUE_SOURCE",
    "ArchivedObservation",
    "GraderEntry",
    "Manifest",
    "ManifestMalformed",
    "Outcome",
    "ResultEntry",
    "Results",
    "ResultsMalformed",
    "Status",
    "VersionUnsupported",
    "outcome",
    "parse_manifest",
    "parse_results",
]

__getattr__ = names_of(
    __name__,
    {
        "errors": ("ManifestMalformed", "ResultsMalformed", "VersionUnsupported"),
        "files": ("MANIFEST_FILE", "RESULTS_FILE"),
        "manifest": ("VALUE_SOURCE", "GraderEntry", "Manifest", "parse_manifest"),
        "results": ("ArchivedObservation", "ResultEntry", "Results", "parse_results"),
    },
)
