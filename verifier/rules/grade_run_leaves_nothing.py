"""A script leaves nothing behind: no files outside its place for temporary files, no running processes.

In a regrade everything else is read-only or thrown away, and processes that go on make it fail. Watched are the working
folder, the home folder and, in the sandbox, ``/tmp``.

What to do: keep temporary files in a private folder, ``work="$(mktemp -d)"``, with ``trap 'rm -rf "$work"' EXIT``; wait
for what runs in the background.
"""

from collections.abc import Iterator
from typing import Final

from verifier.findings import Finding, Severity
from verifier.rule import Profile, Rule
from verifier.runs import Runs
from verifier.subject import Subject
from verifier.telling import how, short


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:
    """Yield one finding for files and one for processes, over all runs."""
    written: set[str] = set()
    left = None
    for ended in runs.made():
        written.update(ended.written)
        if ended is not runs.defined:
            left = left or ended.left_running
    if left is not None:
        text = f"a run leaves processes running: {how(left)}"
        yield RULE.finds(subject, text, "Wait for every process before ending.")
    if written:
        text = f"files are written outside TMPDIR: {short(', '.join(sorted(written)))}"
        yield RULE.finds(subject, text, 'Use a folder made by "$(mktemp -d)".', severity=Severity.WARNING)


RULE: Final = Rule(
    "grade-run-leaves-nothing",
    "nothing is left behind",
    Profile.DEFAULT,
    Severity.ERROR,
    __doc__ or "",
    check,
)
