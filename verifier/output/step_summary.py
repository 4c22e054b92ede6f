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
"""Rows a script."""
MOST_BYTES: Final = 800_000
"""A summary page holds one mebibyte, and this may not be the only one to write to it."""
_SPECIAL: Final = "\\`*_{}[]()<>#+-.!|&~:@"


def step_summary(report: Report) -> Iterator[str]:
    """Yield the lines of the page. What would not fit any more is counted."""
    yield "## Evaluators verified"
    left = MOST_BYTES
    for number, script in enumerate(report.scripts):
        lines = ["", f"**{escaped(script.path)}**: {Counts.of(script.findings).described()}", *_table(script)]
        left -= sum(len(line.encode("utf-8", "backslashreplace")) + 1 for line in lines)
        if left < 0:
            rest = Counts.of(finding for one in report.scripts[number:] for finding in one.findings)
            yield f"\nand {len(report.scripts) - number} more evaluators: {rest.described()}"
            return
        yield from lines


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
