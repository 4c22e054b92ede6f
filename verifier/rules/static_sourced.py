"""What the script sources, or runs as its own helper, is in the repository and can be told from its text.

A regrade lays the evaluator out with everything it sources, as the recorded commit has it. A path that only a run
would tell, one outside the repository, or a file that is not there makes that impossible.

What to do: start the path with ``$(dirname "${BASH_SOURCE[0]}")`` or ``$GITHUB_WORKSPACE`` and write the rest out.
"""

import re
from collections.abc import Iterator
from typing import Final

from opvalue.bash.errors import NotAnalysable
from opvalue.errors import OpvalueError
from verifier.findings import Finding, Severity
from verifier.rule import EVERY_CONTRACT, Profile, Rule
from verifier.runs import Runs
from verifier.subject import Subject

_PLACE: Final = re.compile(r"^(?P<file>.*), line (?P<line>\d+): (?P<what>.*)$", re.DOTALL)


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:  # noqa: ARG001 - read, not run
    """Yield why the closure cannot be told, unless the script cannot be analysed at all."""
    problem = subject.closure
    if not isinstance(problem, OpvalueError) or isinstance(problem, NotAnalysable):
        return
    found = _PLACE.match(problem.message)
    if found is None:
        yield RULE.finds(subject, problem.message, problem.advice)
        return
    name = subject.name if found["file"] == str(subject.path) else found["file"]
    line = int(found["line"])
    text = subject.line(name, line)
    column = 1 if text is None else len(text) - len(text.lstrip()) + 1
    yield RULE.finds(subject, found["what"], problem.advice, at=(name, line, column))


RULE: Final = Rule(
    "static-sourced",
    "sourced files and helpers are found in the repository",
    Profile.QUICK,
    Severity.ERROR,
    __doc__ or "",
    check,
    EVERY_CONTRACT,
)
