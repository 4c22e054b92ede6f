"""Which endpoints a script calls, and which permission of a workflow's token each needs. Pure.

After https://docs.github.com/rest/authentication/permissions-required-for-github-apps; ``None`` stands for what every
token may read. What is not in the table is not judged.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from opvalue.bash.tree import Word
from verifier.gh_calls import gh_api_calls
from verifier.syntax import Syntax
from verifier.words import HOLE

_ANY: Final = "[^/]+"
_PARTS: Final = 3
_FOUND: Final = ("issues", "pull-requests")


class Needed(NamedTuple):
    """What a call needs: one of some scopes, each to be read."""

    repository: str | None
    """``OWNER/NAME`` as far as the text tells, else ``None``."""
    scopes: tuple[str, ...]
    what: str
    """The endpoint, for a message."""


class Endpoint(NamedTuple):
    """An endpoint that the script calls, or hands to a function of its own."""

    path: tuple[str, ...]
    """Its segments, with a hole for each expansion."""
    at: tuple[str, int, int]


def endpoints(syntax: Syntax) -> Iterator[Endpoint]:
    """Yield what calls of ``gh api`` name, and what is handed to functions and begins as an endpoint does."""
    for api in gh_api_calls(syntax):
        if api.word is not None:
            yield Endpoint(_segments(_filled(syntax, api.word)), api.call.at)
    for call in syntax.calls:
        for word in call.arguments if syntax.is_function(call) else ():
            text = _filled(syntax, word)
            if text.startswith(("repos/", "/repos/")):
                yield Endpoint(_segments(text), call.place(word))


def _filled(syntax: Syntax, word: Word) -> str:
    """Return a word's text with the variables in it that are assigned one text, and holes for what is not known."""
    parts = (Word((part,), word.start, word.end) for part in word.parts)
    return "".join(HOLE if (found := syntax.text_of(part)) is None else found for part in parts)


def _segments(text: str) -> tuple[str, ...]:
    path = re.sub(r"^https://[^/]+/(?:api/v3/)?", "", text).partition("?")[0]
    return tuple(piece for piece in path.split("/") if piece)


def needed(path: tuple[str, ...]) -> Needed | None:
    """Return what an endpoint needs, or ``None`` where it needs nothing or nobody knows."""
    whole = "/".join(path)
    if whole in {"search/issues", "search/commits", "search/code"}:
        return Needed(None, _FOUND if whole == "search/issues" else ("contents",), whole)
    if path[:1] != ("repos",):
        return None
    rest = _below_repository(path)
    for pattern, scopes in _TABLE:
        if rest is not None and pattern.fullmatch(rest):
            return Needed(_named(path), scopes, rest.replace(HOLE, "..."))
    return None


def _below_repository(path: tuple[str, ...]) -> str | None:
    # `repos/$REPOSITORY/issues`: the owner and the name are one expansion.
    if len(path) > 1 and path[1] == HOLE:
        for skipped in (2, _PARTS):
            rest = "/".join(path[skipped:])
            if rest and any(pattern.fullmatch(rest) for pattern, _ in _TABLE):
                return rest
        return None
    return "/".join(path[_PARTS:]) or None


def _named(path: tuple[str, ...]) -> str | None:
    owner, name = (*path[1:_PARTS], "", "")[:2]
    return None if HOLE in owner + name or "{" in owner else f"{owner}/{name}"


def _row(pattern: str, *scopes: str) -> tuple["re.Pattern[str]", tuple[str, ...]]:
    return re.compile(pattern.replace("#", _ANY)), scopes


_TABLE: Final = (
    _row("issues/comments(/.+)?", "issues", "pull-requests"),
    _row("issues(/.+)?", "issues", "pull-requests"),
    _row("labels(/.+)?|milestones(/.+)?", "issues"),
    _row("pulls(/.+)?", "pull-requests"),
    _row("commits/#/(check-runs|check-suites)|check-runs(/.+)?|check-suites(/.+)?", "checks"),
    _row("commits/#/(status|statuses)|statuses/#", "statuses"),
    _row("commits/#/pulls", "pull-requests"),
    _row("commits(/.+)?|compare/.+|contents(/.*)?|readme|git/.+|tarball(/.*)?|zipball(/.*)?", "contents"),
    _row("branches(/#)?|tags|releases(/.+)?", "contents"),
    _row("actions/.+", "actions"),
    _row("deployments(/.+)?", "deployments"),
    _row("discussions(/.+)?", "discussions"),
    _row("pages(/.+)?", "pages"),
    _row("code-scanning/.+|dependabot/.+|secret-scanning/.+", "security-events"),
)
