"""Findings as workflow commands, which a workflow run shows beside the lines. Pure.

GitHub shows ten errors, ten warnings and ten notices a step; what is beyond is counted in one line that is no command.
Every text is escaped, so that no finding can issue a command of its own.
"""

from collections.abc import Iterator
from typing import Final

from opvalue.errors import printable
from verifier.findings import Finding, Severity
from verifier.report import Report

CAP: Final = 10
_COMMANDS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def annotations(report: Report) -> Iterator[str]:
    """Yield the lines."""
    findings = [(finding, script.place(finding)) for script in report.scripts for finding in script.findings]
    for severity in Severity:
        of_it = [(finding, path) for finding, path in findings if finding.severity is severity]
        yield from (_command(finding, path) for finding, path in of_it[:CAP])
        if len(of_it) > CAP:
            yield f"and {len(of_it) - CAP} more of severity {severity.value}"


def _command(finding: Finding, path: str) -> str:
    place = {"file": path, "line": finding.line, "col": finding.column, "title": finding.rule}
    properties = ",".join(f"{name}={_property(str(value))}" for name, value in place.items() if value is not None)
    return f"::{_COMMANDS[finding.severity]} {properties}::{_data(f'{finding.message}. {finding.advice}')}"


def _data(text: str) -> str:
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return printable(text)


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
