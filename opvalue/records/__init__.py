"""Grader records of a run: manifest and results, versions 1 and 2, and a value against its threshold. Pure."""

from opvalue.records.errors import ManifestMalformed, ResultsMalformed, VersionUnsupported
from opvalue.records.manifest import MANIFEST_FILE, VALUE_SOURCE, GraderEntry, Manifest, parse_manifest
from opvalue.records.outcome import HIGHER_IS_BETTER, LOWER_IS_BETTER, Outcome, Status, outcome
from opvalue.records.results import RESULTS_FILE, ArchivedObservation, ResultEntry, Results, parse_results

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
