"""The evaluator does not call ``gh aw``, the tool that grades it.

``gh aw logs`` and its like download and interpret runs with whatever version is installed. An evaluator that builds on
it gives another value after each upgrade, and in a regrade the extension is not there.

What to do: read the run, its jobs and its artifacts with ``gh api repos/OWNER/REPO/actions/runs/ID`` and below.
"""

from collections.abc import Iterator
from typing import Final

from verifier.findings import Finding, Severity
from verifier.rule import Profile, Rule
from verifier.runs import Runs
from verifier.subject import Subject
from verifier.syntax import syntax_of

_ADVICE: Final = "Ask for the run itself with `gh api repos/OWNER/REPO/actions/runs/ID` and below."


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:  # noqa: ARG001 - read, not run
    """Yield a finding for each call."""
    for call in syntax_of(subject).named("gh", "gh-aw"):
        if call.name == "gh-aw" or call.literals()[:1] == ("aw",):
            yield RULE.finds(subject, "the evaluator calls gh aw, the tool that grades it", _ADVICE, at=call.at)


RULE: Final = Rule(
    "static-gh-aw",
    "gh aw is not called",
    Profile.QUICK,
    Severity.ERROR,
    __doc__ or "",
    check,
)
