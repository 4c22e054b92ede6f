"""The world that programs and invocations are tried on, the same each time: repositories, and canned odd answers."""

import base64
import json
from typing import Final

from opvalue.evaluator import PLACEHOLDER_TOKEN
from opvalue.identity.repository import LOCALHOST
from tests.sim import HEAD_SHA, Reply, Sim, gathered

JSON: Final = "application/json; charset=utf-8"
ISSUES: Final = "repos/acme/widgets/issues"
CANNED: Final = "repos/acme/widgets/canned"

DOCUMENTS: Final = {
    "issue": f"{ISSUES}/1",
    "issues": "repos/acme/other/issues?state=all",
    "search": "search/issues?q=repo:acme/widgets+is:closed",
    "content": "repos/acme/widgets/contents/docs/guide.md",
    "tree": "repos/acme/widgets/git/trees/main?recursive=1",
    "checks": f"repos/acme/widgets/commits/{HEAD_SHA}/check-runs",
    "timeline": f"{ISSUES}/1/timeline",
    "reviews": "repos/acme/widgets/pulls/3/reviews",
    "discussions": f"{CANNED}/discussions",
    "numbers": f"{CANNED}/numbers",
    "odd": f"{CANNED}/odd",
}
"""Where the documents are that jq programs are tried on."""

_DISCUSSIONS: Final = {
    "data": {
        "repository": {
            "discussions": {
                "nodes": [{"number": number, "isAnswered": number % 2 == 1} for number in range(5)],
                "pageInfo": {"hasNextPage": False, "endCursor": "x"},
            }
        }
    }
}
_NUMBERS: Final = (
    b"[3, 1.0, 2.50, 1e3, -0.5, 0.1, 1e-7, 1e21, 12345678901234567, 0.30000000000000004, 100000000000000000000, -7]"
)
_ODD: Final = (
    '["tab\\there", "quote \\" back \\\\", "<b>&amp;</b>", "é😀\\u2028", "\\u001b[31m\\u0000", "line\\nfeed\\r",'
    ' "\\u007f", ""]'
)
_CONTROL: Final = rb'["\u001b", "\\u001b", "\\\u001b", "\"\u0007", "\u001c", "\u009B", "\u000a\n", "\u00e9", "\u00"]'
_CANNED: Final = {
    "discussions": (200, JSON, json.dumps(_DISCUSSIONS).encode()),
    "numbers": (200, JSON, _NUMBERS),
    "file": (200, JSON, json.dumps({"content": base64.encodebytes(b"A line of some length.\n" * 9).decode()}).encode()),
    "odd": (200, JSON, _ODD.encode()),
    "control": (
        200,
        JSON,
        rb'["\u001b", "\\u001b", "\\\u001b", "\"\u0007", "\u001c", "\u009B", "\u000a\n", "\u00e9", "\u00"]',
    ),
    "spaced": (200, JSON, b'{\n  "b": [1,\n 2 ],\n  "a": {}\n}\n'),
    "vendor": (200, "application/vnd.github+json", rb'["\u001b"]'),
    "suffix": (200, "application/vnd.github.raw+json; charset=utf-8", rb'["\u001b"]'),
    "text": (200, "text/plain; charset=utf-8", b"plain \\u001b \x1b[31m\xff text"),
    "empty": (200, JSON, b""),
    "torn": (200, JSON, b'{"a": 1'),
    "twice": (200, JSON, b'{"a": 1} 2'),
    "huge": (200, JSON, b'{"a": 1e999}'),
    "scalar": (200, JSON, b'"text"'),
    "false": (200, JSON, b"false"),
    "surrogate": (200, JSON, rb'["\ud800 <&>"]'),
    "double": (200, JSON, b'{"a": 1, "a": 2}'),
    "nothing": (204, JSON, b""),
    "created": (201, JSON, b'{"id": 1}'),
    "gone": (410, JSON, b'{"message": "This was deleted"}'),
    "gone-text": (404, "text/html", b"<p>Not here</p>"),
    "gone-empty": (404, JSON, b""),
    "gone-torn": (404, JSON, b"{torn"),
    "gone-array": (404, JSON, b"[]"),
    "gone-null": (404, JSON, b"null"),
    "gone-number": (404, JSON, b'{"message": 1}'),
    "gone-mute": (404, JSON, b'{"message": ""}'),
    "invalid": (422, JSON, b'{"message": "Validation Failed", "errors": [{"message": "q is bad"}]}'),
    "invalid-text": (422, JSON, b'{"message": "Validation Failed", "errors": "one error"}'),
    "invalid-list": (422, JSON, b'{"errors": ["one", {"message": "two"}, {"code": "three"}, 4]}'),
    "invalid-only": (422, JSON, b'{"errors": "alone"}'),
    "capital": (409, JSON, b'{"Message": "Capital"}'),
}
_PAGES: Final = {
    # Each chain: its pages' bodies in order, all but the last linked to the next.
    "arrays": (b"[1, 2]", b"[3]", b"[]", b"[4]"),
    "empty-first": (b"[]", b"[1]"),
    "empty-last": (b"[1]", b"[]"),
    "newlines": (b"[1]\n", b"[2]\n"),
    "objects": (b'{"total_count": 3, "items": [1, 2]}', b'{"total_count": 3, "items": [3]}'),
    "one": (b"[1, 2, 3]",),
    "scalars": (b"1", b"2"),
}


def world() -> Sim:
    """Return the made-up GitHub that all of it is asked of."""
    sim = Sim()
    sim.token(PLACEHOLDER_TOKEN)
    sim.api_origins.add(LOCALHOST.api_url)
    gathered(sim, number=42, issues=70)
    gathered(sim, "acme/other", number=43, issues=4)
    for name, (status, kind, body) in _CANNED.items():
        sim.answer(f"/canned/{name}", Reply(status, {"content-type": kind}, body))
    sim.rewrites.append(lambda request, _: chained(request.origin, request.path, request.argument("page", "1")))
    return sim


def chained(origin: str, path: str, page: str) -> Reply | None:
    """Answer for a page of a chain."""
    name = path.rpartition("/chain/")[2]
    if "/chain/" not in path:
        return None
    number = int(page)
    if name == "broken":
        # Leads back to the first page.
        return _page(b"[1]", f"{origin}{path}?page={3 - number}")
    if name == "failing" and number == 3:
        return Reply.problem(404, "Not Found")
    pages = _PAGES["arrays"] if name == "failing" else _PAGES[name]
    following = f"{origin}{path}?page={number + 1}" if number < len(pages) else ""
    return _page(pages[number - 1], following)


def _page(body: bytes, following: str) -> Reply:
    link = {"link": f'<{following}>; rel="next", <{following}>; rel="last"'} if following else {}
    return Reply(200, {"content-type": JSON, **link}, body)
