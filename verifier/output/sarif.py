"""Findings as SARIF 2.1.0, for code scanning. Pure.

A finding's fingerprint is made of its rule, its file and its line's text, so that it stays the same when lines move;
equal ones are numbered. Files are named from the repository's root.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple
from urllib.parse import quote

from opvalue import __version__
from opvalue.identity import Digest
from verifier.findings import Finding, Severity
from verifier.registry import rule
from verifier.report import Report, Script
from verifier.rule import Rule
from verifier.settings import Ignore

SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}


class _Row(NamedTuple):
    finding: Finding
    path: str
    ignore: Ignore | None


def sarif(report: Report) -> dict[str, object]:
    """Return the log with one run."""
    rows = [row for script in report.scripts for row in _rows(script)]
    order = sorted({row.finding.rule for row in rows})
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
                        "rules": [_rule(rule(name)) for name in order],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "results": list(_results(rows, order)),
            }
        ],
    }


def _rows(script: Script) -> Iterator[_Row]:
    yield from (_Row(finding, script.place(finding), None) for finding in script.findings)
    yield from (_Row(finding, script.place(finding), ignore) for finding, ignore in script.ignored)


def _rule(found: Rule) -> dict[str, object]:
    return {
        "id": found.id,
        "shortDescription": {"text": found.title},
        "fullDescription": {"text": found.explanation.strip()},
        "help": {"text": found.explanation.strip()},
        "helpUri": found.link,
        "defaultConfiguration": {"level": _LEVELS[found.severity]},
    }


def _results(rows: Sequence[_Row], order: Sequence[str]) -> Iterator[dict[str, object]]:
    times: Counter[str] = Counter()
    for row in rows:
        finding, fingerprint = row.finding, _fingerprint(row)
        times[fingerprint] += 1
        result: dict[str, object] = {
            "ruleId": finding.rule,
            "ruleIndex": order.index(finding.rule),
            "level": _LEVELS[finding.severity],
            "message": {"text": f"{finding.message}. {finding.advice}"},
            "locations": [{"physicalLocation": dict(_location(row))}],
            "partialFingerprints": {"primaryLocationLineHash": f"{fingerprint}:{times[fingerprint]}"},
        }
        if row.ignore is not None:
            result["suppressions"] = [{"kind": "external", "justification": row.ignore.reason}]
        yield result


def _location(row: _Row) -> Iterator[tuple[str, object]]:
    finding = row.finding
    uri = quote(row.path.encode("utf-8", "surrogateescape"))
    yield "artifactLocation", {"uri": uri, "uriBaseId": "%SRCROOT%"}
    if finding.line is not None:
        region: dict[str, object] = {"startLine": finding.line}
        if finding.column is not None:
            region["startColumn"] = finding.column
        if finding.excerpt is not None:
            region["snippet"] = {"text": finding.excerpt}
        yield "region", region


def _fingerprint(row: _Row) -> str:
    finding = row.finding
    text = "\0".join((finding.rule, row.path, (finding.excerpt or finding.message).strip()))
    return Digest.of(text.encode("utf-8", "surrogateescape")).hex
