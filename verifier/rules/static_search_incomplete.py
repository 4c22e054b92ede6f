"""Whoever searches looks at ``incomplete_results``.

GitHub's search stops at 1,000 results, and when it runs out of time it answers with what it has and says
``"incomplete_results": true``. A count of such an answer is no count.

What to do: give null when ``incomplete_results`` is true or ``total_count`` is above what was read; better still, list
instead of searching.
"""

from collections.abc import Iterator
from typing import Final

from verifier.findings import Finding, Severity
from verifier.gh_calls import gh_api_calls
from verifier.rule import Profile, Rule
from verifier.runs import Runs
from verifier.subject import Subject
from verifier.syntax import syntax_of

_ADVICE: Final = (
    "Give null when the answer says incomplete_results, as in `if .incomplete_results then null else ... end`."
)


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:  # noqa: ARG001 - read, not run
    """Yield a finding for each search, where the field is nowhere looked at."""
    syntax = syntax_of(subject)
    if syntax.mentions("incomplete_results"):
        return
    for api in gh_api_calls(syntax):
        if api.path[:1] == ("search",) and api.word is not None:
            text = "whether the search was complete is not looked at"
            yield RULE.finds(subject, text, _ADVICE, at=api.call.place(api.word))


RULE: Final = Rule(
    "static-search-incomplete",
    "incomplete searches are told from complete ones",
    Profile.QUICK,
    Severity.WARNING,
    __doc__ or "",
    check,
)
