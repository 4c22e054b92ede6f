"""Findings as JSON, version 1: for programs. Pure."""

from typing import Final

from verifier.findings import Counts, Finding
from verifier.registry import rule
from verifier.report import Report, Script

VERSION: Final = 1


def document(report: Report) -> dict[str, object]:
    """Return the document. Its JSON Schema is printed by ``opvalue schema verification``."""
    return {
        "version": VERSION,
        "profile": report.profile.name.lower(),
        "contract": report.contract.value,
        "counts": report.counts._asdict(),
        "scripts": [_script(script) for script in report.scripts],
    }


def _script(script: Script) -> dict[str, object]:
    return {
        "path": script.path,
        "repositoryPath": script.repository_path,
        "counts": Counts.of(script.findings)._asdict(),
        "findings": [_finding(finding) for finding in script.findings],
        "ignored": [{**_finding(finding), "reason": ignore.reason} for finding, ignore in script.ignored],
        "work": {
            "rules": script.work.rules,
            "scriptsRun": script.work.scripts_run,
            "gradeRuns": script.work.grade_runs,
        },
    }


def _finding(finding: Finding) -> dict[str, object]:
    return {
        "rule": finding.rule,
        "severity": finding.severity.value,
        "confidence": finding.confidence.value,
        "path": finding.path,
        "line": finding.line,
        "column": finding.column,
        "message": finding.message,
        "advice": finding.advice,
        "excerpt": finding.excerpt,
        "link": rule(finding.rule).link,
    }
