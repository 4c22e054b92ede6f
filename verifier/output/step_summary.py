"""Findings as Markdown for a job's summary page. Pure.

Every text from a script is escaped: it can end neither its cell nor its line, and no link or image comes of it.
"""

from collections.abc import Iterator
from typing import Final

from opvalue.errors import printable
from verifier.findings import Counts, Finding
from verifier.registry import rule
from verifier.report import Report, Script

MOST: Final = 100
"""Rows a script; a summary page holds one mebibyte."""
_SPECIAL: Final = "\\`*_{}[]()<>#+-.!|&~:@"


def step_summary(report: Report) -> Iterator[str]:
    """Yield the lines of the page."""
    yield "## Evaluators verified"
    for script in report.scripts:
        yield ""
        yield f"**{escaped(script.path)}**: {Counts.of(script.findings).described()}"
        yield from _table(script)


def escaped(text: str) -> str:
    """Return ``text`` as Markdown that shows it and does nothing else."""
    shown = printable(text).replace("\n", " ").replace("\t", " ")
    return "".join(f"&#{ord(letter)};" if letter in _SPECIAL else letter for letter in shown)


def _table(script: Script) -> Iterator[str]:
    if not script.findings:
        return
    yield ""
    yield "| | line | finding | what to do |"
    yield "|---|---:|---|---|"
    for finding in script.findings[:MOST]:
        yield _row(finding)
    if len(script.findings) > MOST:
        yield f"| | | and {len(script.findings) - MOST} more | |"


def _row(finding: Finding) -> str:
    line = "" if finding.line is None else str(finding.line)
    name = f"[{finding.rule}]({rule(finding.rule).link})"
    return f"| {finding.severity.value} | {line} | {escaped(finding.message)} {name} | {escaped(finding.advice)} |"
