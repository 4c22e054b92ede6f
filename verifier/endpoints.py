"""Which permission of a workflow's token each endpoint needs, of those that evaluators call. Pure.

After https://docs.github.com/rest/authentication/permissions-required-for-github-apps; ``None`` stands for what every
token may read. What is not in the table is not judged.
"""

import re
from typing import Final, NamedTuple

from verifier.gh_calls import GhApi
from verifier.syntax import HOLE

_ANY: Final = "[^/]+"
_PARTS: Final = 3


class Needed(NamedTuple):
    """What a call needs: one of some scopes, each to be read."""

    repository: str | None
    """``OWNER/NAME`` as far as the text tells, else ``None``."""
    scopes: tuple[str, ...]
    what: str
    """The endpoint, for a message."""


def needed(api: GhApi) -> Needed | None:
    """Return what a call needs, or ``None`` where it needs nothing or nobody knows."""
    path = "/".join(api.path)
    if path in {"search/issues", "search/commits", "search/code"}:
        scopes = ("issues", "pull-requests") if path == "search/issues" else ("contents",)
        return Needed(None, scopes, path)
    if api.path[:1] != ("repos",):
        return None
    rest = _below_repository(api.path)
    for pattern, scopes in _TABLE:
        if rest is not None and pattern.fullmatch(rest):
            return Needed(_named(api.path), scopes, rest.replace(HOLE, "..."))
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
    return re.compile(pattern.replace("*", _ANY)), scopes


_TABLE: Final = (
    _row("issues/comments(/.+)?", "issues", "pull-requests"),
    _row("issues(/.+)?", "issues", "pull-requests"),
    _row("labels(/.+)?|milestones(/.+)?", "issues"),
    _row("pulls(/.+)?", "pull-requests"),
    _row("commits/*/(check-runs|check-suites)|check-runs(/.+)?|check-suites(/.+)?", "checks"),
    _row("commits/*/(status|statuses)|statuses/*", "statuses"),
    _row("commits/*/pulls", "pull-requests"),
    _row("commits(/.+)?|compare/.+|contents(/.*)?|readme|git/.+|tarball(/.*)?|zipball(/.*)?", "contents"),
    _row("branches(/*)?|tags|releases(/.+)?", "contents"),
    _row("actions/.+", "actions"),
    _row("deployments(/.+)?", "deployments"),
    _row("discussions(/.+)?", "discussions"),
    _row("pages(/.+)?", "pages"),
    _row("code-scanning/.+|dependabot/.+|secret-scanning/.+", "security-events"),
)
