"""The script can be read without running it.

Everything else is told from the syntax tree: which files belong to the evaluator, what it runs, what it writes. A
construct that no parser reads hides what stands around it, and a regrade refuses such a script.

What to do: write the named line in a plainer way. Lines end in LF, and there is no NUL byte.
"""

import re
from collections.abc import Iterator
from typing import Final

from opvalue.bash.errors import NotAnalysable
from verifier.findings import Finding, Severity
from verifier.rule import EVERY_CONTRACT, Profile, Rule
from verifier.runs import Runs
from verifier.subject import SourceFile, Subject
from verifier.syntax import is_bash

_LINE: Final = re.compile(r"\bline (\d+)")


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:
    """Yield one finding for each file that cannot be read; a script that Bash refuses is another rule's business."""
    found = False
    for file in subject.files:
        problem = subject.bodies[file.name] if is_bash(file) else ()
        if isinstance(problem, NotAnalysable):
            found = True
            if runs.syntax is None:
                yield _finding(subject, file, problem)
    if not found and isinstance(subject.closure, NotAnalysable) and runs.syntax is None:
        yield _finding(subject, subject.files[0], subject.closure)


def _finding(subject: Subject, file: SourceFile, problem: NotAnalysable) -> Finding:
    line = _LINE.search(f"{problem.found or ''} {problem.message}")
    at = (file.name, int(line[1]), 1) if line else None
    return RULE.finds(subject, problem.message, problem.hint or problem.advice, at=at)


RULE: Final = Rule(
    "static-analysable",
    "the script can be read without running it",
    Profile.QUICK,
    Severity.ERROR,
    __doc__ or "",
    check,
    EVERY_CONTRACT,
)
