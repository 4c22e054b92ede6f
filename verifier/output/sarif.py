"""Findings as SARIF 2.1.0, for code scanning. Pure.

A finding's fingerprint is made of its rule, its file and its line's text, so that it stays the same when lines move.
"""

from collections.abc import Iterator
from typing import Final
from urllib.parse import quote

from opvalue import __version__
from opvalue.identity import Digest
from verifier.findings import Finding, Severity
from verifier.registry import rule
from verifier.report import Report
from verifier.rule import Rule
from verifier.settings import Ignore

SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}


def sarif(report: Report) -> dict[str, object]:
    """Return the log with one run."""
    found = [(finding, None) for script in report.scripts for finding in script.findings]
    ignored = [pair for script in report.scripts for pair in script.ignored]
    every: list[tuple[Finding, Ignore | None]] = [*found, *ignored]
    used = {finding.rule: rule(finding.rule) for finding, _ in every}
    order = sorted(used)
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "opvalue verify",
                        "version": __version__,
                        "semanticVersion": __version__,
                        "rules": [_rule(used[name]) for name in order],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "results": [_result(finding, ignore, order.index(finding.rule)) for finding, ignore in every],
            }
        ],
    }


def _rule(found: Rule) -> dict[str, object]:
    return {
        "id": found.id,
        "shortDescription": {"text": found.title},
        "fullDescription": {"text": found.explanation.strip()},
        "helpUri": found.link,
        "defaultConfiguration": {"level": _LEVELS[found.severity]},
    }


def _result(finding: Finding, ignore: Ignore | None, index: int) -> dict[str, object]:
    result: dict[str, object] = {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": _LEVELS[finding.severity],
        "message": {"text": f"{finding.message}. {finding.advice}"},
        "locations": [{"physicalLocation": dict(_location(finding))}],
        "partialFingerprints": {"findingHash/v1": _fingerprint(finding)},
    }
    if ignore is not None:
        result["suppressions"] = [{"kind": "external", "justification": ignore.reason}]
    return result


def _location(finding: Finding) -> Iterator[tuple[str, object]]:
    yield "artifactLocation", {"uri": quote(finding.path), "uriBaseId": "%SRCROOT%"}
    if finding.line is not None:
        region: dict[str, object] = {"startLine": finding.line}
        if finding.column is not None:
            region["startColumn"] = finding.column
        if finding.excerpt is not None:
            region["snippet"] = {"text": finding.excerpt}
        yield "region", region


def _fingerprint(finding: Finding) -> str:
    text = "\0".join((finding.rule, finding.path, (finding.excerpt or finding.message).strip()))
    return Digest.of(text.encode("utf-8", "surrogateescape")).hex
