"""Bash reads the script: ``bash -n`` accepts it.

Bash reads a script while it runs it, so a fault at its end shows only after the beginning has run. A regrade asks
``bash -n`` first, and refuses. Other rules that need a run have nothing to say then.

What to do: mend the line that Bash names. Lines end in LF.
"""

import re
from collections.abc import Iterator
from typing import Final

from verifier.findings import Finding, Severity
from verifier.rule import EVERY_CONTRACT, Profile, Rule
from verifier.runs import Runs
from verifier.subject import Subject
from verifier.telling import how

_LINE: Final = re.compile(r": line ([0-9]+): ")
_ENDED: Final = re.compile(r": ended by SIG[A-Z]+\Z")
_NAMED: Final = "Mend the line that Bash names, or the one that it should end."
_NESTED: Final = "Bash itself was ended while it read the script: look for what is nested thousands deep."


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:
    """Yield a finding where ``bash -n`` refuses the script."""
    problem = runs.syntax
    if problem is None:
        return
    named = _LINE.search(problem.message)
    line = int(named[1]) if named else None
    at = (subject.name, line, 1) if line is not None and subject.line(subject.name, line) is not None else None
    advice = _NESTED if _ENDED.search(problem.message) else _NAMED
    yield RULE.finds(subject, how(problem), advice, at=at)


RULE: Final = Rule(
    "syntax",
    "Bash reads the script",
    Profile.QUICK,
    Severity.ERROR,
    __doc__ or "",
    check,
    EVERY_CONTRACT,
)
