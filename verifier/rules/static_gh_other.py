"""Of ``gh`` only ``gh api`` is used.

``gh pr view``, ``gh issue list``, ``gh run download`` and ``gh search`` send requests that change with the version of
``gh``, cut lists short without saying so, and are not answered in a regrade: the stand-in there knows ``gh api``.

What to do: the same by the API, such as ``gh api repos/OWNER/REPO/pulls/NUMBER``.
"""

from collections.abc import Iterator
from typing import Final

from verifier.findings import Finding, Severity
from verifier.rule import Profile, Rule
from verifier.runs import Runs
from verifier.subject import Subject
from verifier.syntax import syntax_of

_KNOWN: Final = frozenset({"api", "auth", "aw", "help", "version", "--version", "--help", "-h"})
_ADVICE: Final = "Ask the API: `gh api repos/OWNER/REPO/...`."


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:  # noqa: ARG001 - read, not run
    """Yield a finding for each other command of ``gh``."""
    for call in syntax_of(subject).named("gh"):
        first = call.literals()[0] if call.arguments else None
        if first is not None and first not in _KNOWN and not first.startswith("-"):
            yield RULE.finds(subject, f"gh {first} is not answered in a regrade", _ADVICE, at=call.at)


RULE: Final = Rule(
    "static-gh-other",
    "of gh only gh api is used",
    Profile.QUICK,
    Severity.ERROR,
    __doc__ or "",
    check,
)
