"""Lists are read to their end.

GitHub answers a list with 30 items, with ``per_page=100`` at most with 100, and says nothing in the body about the
rest. What is not read is then not there: the 101st event is the one that closed the issue.

What to do: ``gh api --paginate``, and join the pages with ``jq -s 'add // []'``; or a loop over ``page=`` that ends
with a page that is not full. Not reported: lists asked for with a small ``per_page`` on purpose, calls whose arguments
come out of a list, and scripts that compare ``total_count`` or the number of items with 100.
"""

import re
from collections.abc import Iterator
from typing import Final

from verifier.findings import Confidence, Finding, Severity
from verifier.gh_calls import FEW, LISTS, GhApi, gh_api_calls
from verifier.rule import Profile, Rule
from verifier.runs import Runs
from verifier.subject import Subject
from verifier.syntax import Syntax, syntax_of
from verifier.words import HOLE

_NARROWED: Final = re.compile(r"(?:^|&)(?:head|head_sha|filter|check_name|name)=")
_FULL_PAGE: Final = re.compile(rb"(?:==|<|>=|-eq|-lt|-ge|-ne|!=)\s*\"?100\b")
_NEXT: Final = ("total_count", "hasNextPage", 'rel=\\"next', 'rel="next')
_ADVICE: Final = "Use `gh api --paginate` and join the pages with `jq -s 'add // []'`."


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:  # noqa: ARG001 - read, not run
    """Yield a finding for each list of which the first page is read alone."""
    syntax = syntax_of(subject)
    watched = syntax.mentions(*_NEXT) or any(_FULL_PAGE.search(file.data) for file, _ in syntax.bodies)
    for api in gh_api_calls(syntax):
        if api.path[:1] == ("graphql",):
            yield from _graphql(subject, syntax, api)
        elif api.word is not None and not watched and _is_cut(api):
            most = api.per_page or FEW
            text = f"only the first {most} of {api.path[-1]} are read"
            low = bool(_NARROWED.search(api.query)) or (api.path[-1] == "pulls" and "commits" in api.path)
            yield RULE.finds(
                subject,
                text,
                _ADVICE,
                at=api.call.place(api.word),
                confidence=Confidence.LOW if low else Confidence.HIGH,
            )


def _is_cut(api: GhApi) -> bool:
    path = api.path
    if not path or path[-1] not in LISTS or not api.reads or api.paged or "contents" in path:
        return False
    return api.per_page is None or api.per_page >= FEW


def _graphql(subject: Subject, syntax: Syntax, api: GhApi) -> Iterator[Finding]:
    """Yield a note where a connection is read and its page info is nowhere asked for."""
    if "--paginate" in api.switches or syntax.mentions("pageInfo", "totalCount"):
        return
    fields = [(word, text) for name, word, text in api.options if name in {"--raw-field", "--field"}]
    queries = [syntax.text_of(word) or text for word, text in fields if text.startswith("query=")]
    if any(re.search(r"\bfirst:\s*(?:100|\d{2})\b", query) and HOLE not in query for query in queries):
        text = "a connection is read without its pageInfo"
        yield RULE.finds(subject, text, _ADVICE, at=api.call.at, confidence=Confidence.LOW)


RULE: Final = Rule(
    "static-unpaginated",
    "lists are read to their end",
    Profile.QUICK,
    Severity.WARNING,
    __doc__ or "",
    check,
)
