"""What GitHub answers to the recipes of the skill: one table, and nothing else."""

import base64
import json
from typing import Any, Final

from opvalue.errors import OpvalueError
from opvalue.evidence.exchange import Answer, Exchange, Request
from opvalue.identity import Instant

_ROOT: Final = "/repos/octo-org/widgets"
_JSON: Final = "application/json; charset=utf-8"
_NOW: Final = Instant.parse("2026-10-01T00:00:00Z")


def _event(kind: str, day: str, **more: Any) -> dict[str, Any]:
    return {"event": kind, "created_at": f"2026-{day}T12:00:00Z", **more}


_LABELS: Final = (("labeled", "bug", "08-24"), ("labeled", "stale", "08-24"), ("unlabeled", "stale", "08-26"))
_LATER: Final = (("labeled", "team/ui", "08-29"), ("unlabeled", "bug", "09-02"))
_CLOSED: Final = [
    _event("closed", "08-25", state_reason="completed"),
    _event("labeled", "08-25"),
    _event("reopened", "09-03"),
]
_NODES: Final = [
    {"__typename": f"{kind.capitalize()}Event", "createdAt": f"2026-{day}T12:00:00Z", "label": {"name": name}}
    for kind, name, day in (*_LABELS, *_LATER)
]


def _review(login: str, state: str, day: str) -> dict[str, Any]:
    return {"user": {"login": login}, "state": state, "submitted_at": f"2026-{day}T12:00:00Z"}


def _check(name: str, conclusion: str, day: str) -> dict[str, Any]:
    return {"name": name, "conclusion": conclusion, "completed_at": f"2026-{day}T12:00:00Z"}


PAGES: Final[dict[str, list[Any]]] = {
    f"{_ROOT}/issues/42/events": [_CLOSED[:2], _CLOSED[2:]],
    f"{_ROOT}/issues/43/events": [[]],
    f"{_ROOT}/issues/44/events": [{"message": "Server Error"}],
    f"{_ROOT}/issues/42/timeline": [
        [_event(kind, day, label={"name": name}) for kind, name, day in _LABELS],
        [_event(kind, day, label={"name": name}) for kind, name, day in _LATER],
    ],
    f"{_ROOT}/pulls/43": [{"number": 43, "merged": True, "merged_at": "2026-08-28T09:00:00Z"}],
    f"{_ROOT}/pulls/43/reviews": [
        [
            _review("mona", "CHANGES_REQUESTED", "08-25"),
            _review("mona", "APPROVED", "08-27"),
            _review("mona", "COMMENTED", "08-28"),
            _review("hubot", "CHANGES_REQUESTED", "08-27"),
            _review("hubot", "APPROVED", "09-02"),
        ]
    ],
    f"{_ROOT}/commits/5e1f/check-runs": [
        {"total_count": 4, "check_runs": [_check("build", "failure", "08-24"), _check("build", "success", "08-25")]},
        {"total_count": 4, "check_runs": [_check("test", "failure", "08-25"), _check("test", "success", "09-01")]},
    ],
    f"{_ROOT}/commits": [[{"sha": "5e1f"}]],
    f"{_ROOT}/git/trees/5e1f": [
        {"sha": "5e1f", "truncated": False, "tree": [{"path": "README.md", "type": "blob", "size": 120, "sha": "b10b"}]}
    ],
    f"{_ROOT}/git/blobs/b10b": [{"encoding": "base64", "content": base64.encodebytes(b"# Widgets").decode()}],
    f"{_ROOT}/actions/runs/17000000042/jobs": [
        {
            "total_count": 2,
            "jobs": [
                {**_check("agent", "failure", "08-29"), "run_attempt": 1},
                {**_check("agent", "success", "09-01"), "run_attempt": 2},
            ],
        }
    ],
    "/search/issues": [{"total_count": 2, "incomplete_results": False, "items": [{"number": 1}, {"number": 2}]}],
}


class Unexpected(OpvalueError):
    """A recipe asked for what the table does not have."""

    code = "tests.unexpected"


class Table:
    """The table as a source of evidence."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def exchange(self, request: Request, *, authorised: bool) -> Exchange:  # noqa: ARG002
        """Return the answer. Raises ``Unexpected``."""
        self.asked.append(request.target)
        if request.path == "/graphql":
            return _exchange(request, _graphql(request))
        if request.path.endswith("/issues/45/events"):
            return _exchange(request, {"message": "Bad Gateway"}, status=502)
        pages = PAGES.get(request.path)
        if pages is None:
            raise Unexpected(f"nothing is known of {request.target}")
        query, _, page = request.query.partition("&page=")
        number = int(page or 1)
        following = f"https://api.github.com{request.path}?{query}&page={number + 1}"
        link = f'<{following}>; rel="next"' if number < len(pages) else None
        document = pages[number - 1]
        if "slow" in query:
            document = {**document, "incomplete_results": True}
        return _exchange(request, document, link=link)


def _graphql(request: Request) -> object:
    variables = json.loads(request.body)["variables"]
    assert (variables["owner"], variables["name"], variables["number"]) == ("octo-org", "widgets", 42)
    first = not variables.get("endCursor")
    info = {"hasNextPage": first, "endCursor": "more" if first else None}
    items = {"pageInfo": info, "nodes": _NODES[:3] if first else _NODES[3:]}
    return {"data": {"repository": {"issue": {"timelineItems": items}}}}


def _exchange(request: Request, document: object, *, status: int = 200, link: str | None = None) -> Exchange:
    headers = {"content-type": _JSON, **({"link": link} if link else {})}
    return Exchange(request, Answer(status, tuple(sorted(headers.items())), json.dumps(document).encode()), None, _NOW)
