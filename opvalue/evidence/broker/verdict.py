"""What an answer is worth: an answer, an absence that must be proven, or no observation. Pure.

An absence (404 and its like) also stands for what the reader may not see, so it counts only below repositories that
can be read; the broker asks for those. The same for ``NOT_FOUND`` errors of a GraphQL query. Any other error leaves a
part unobserved, and so does a page for people, a text or half a document where data was asked for: something in
between answered. What says that it is JSON, and what says nothing where JSON was asked for, is read to its end. Not
judged here: whether a search was complete; one that was not says so in its body, which is the evaluator's to read.
"""

import enum
import re
from typing import Final

from opvalue.evidence.broker.errors import AnswerUnclear, QueryFailed, StatusUnusable
from opvalue.evidence.broker.policy import one_line
from opvalue.evidence.broker.whole import is_whole_json
from opvalue.evidence.exchange import Answer, Request
from opvalue.strictjson import JsonObject, JsonRefused, JsonValue, loads

_ANSWERS: Final = frozenset({200, 204})
_ABSENCES: Final = frozenset({404, 409, 410, 422})
"""No such thing; an empty repository; gone; no such commit, or not to be searched."""
_SHOWN: Final = 200
_PAGES: Final = frozenset({"text/html", "application/xhtml+xml"})
# What GitHub gives in place of JSON, on request.
_OTHER_FORMS: Final = re.compile(r"\.(?:raw|diff|patch|sha|html)(?:\+json)?\Z")
_ACCEPT_OTHERS: Final = re.compile(r"\.(?:raw|diff|patch|sha)\b|octet-stream|text/|html")
# Log files and one line of wisdom are text, whatever was asked for.
_TEXTS: Final = re.compile(
    r"/zen|/(?:repos/[^/]+/[^/]+|repositories/[0-9]+)/actions/(?:runs|jobs)/[0-9]+(?:/attempts/[0-9]+)?/logs"
)


class Worth(enum.Enum):
    """What an answer is worth."""

    ANSWER = "answer"
    ABSENCE = "absence"
    """An answer only where every repository it is about can be read."""


def worth(request: Request, answer: Answer) -> Worth:
    """Return what ``answer`` is worth. Raises ``StatusUnusable``, ``AnswerUnclear`` and ``QueryFailed``."""
    absent = answer.status in _ABSENCES and request.method == "GET"
    if not absent and answer.status not in _ANSWERS:
        raise StatusUnusable("GitHub gave no answer", expected="status 200", found=f"status {answer.status}")
    if request.method == "POST":
        return _query_worth(answer.body)
    if answer.status == 200 or answer.body:
        _check_body(request, answer)
    return Worth.ABSENCE if absent else Worth.ANSWER


def shows_repository(answer: Answer) -> bool:
    """Tell whether the answer to a request for a repository shows it."""
    return answer.status == 200 and isinstance(_document(answer.body), dict)


def _check_body(request: Request, answer: Answer) -> None:
    if answer.status == 204:
        raise _unclear("an answer without content has some", "no body", answer)
    kind = _media_type(answer)
    if kind in _PAGES and "html" not in request.accept:
        raise AnswerUnclear("a web page came in place of an answer", expected="data", found=kind)
    if _must_be_json(kind, request) and not is_whole_json(answer.body):
        raise _unclear("an answer is not whole, or no JSON", "one JSON document", answer)


def _media_type(answer: Answer) -> str:
    given = answer.header("content-type") or ""
    # Two of them, or a list: each reader would choose another.
    if "," in given:
        raise AnswerUnclear("an answer says that it is several things", expected="one media type", found=given[:_SHOWN])
    return given.partition(";")[0].strip().lower()


def _must_be_json(kind: str, request: Request) -> bool:
    if kind.endswith(("/json", "+json")):
        return not _OTHER_FORMS.search(kind)
    asked = not _ACCEPT_OTHERS.search(request.accept.lower())
    return asked and (not kind or (kind.startswith("text/") and not _TEXTS.fullmatch(request.path)))


def _unclear(what: str, expected: str, answer: Answer) -> AnswerUnclear:
    return AnswerUnclear(what, expected=expected, found=f"{len(answer.body)} bytes that are none")


def _query_worth(body: bytes) -> Worth:
    document = _document(body)
    if not isinstance(document, dict):
        raise QueryFailed("a query was answered with something that is no GraphQL answer")
    if "errors" not in document:
        if "data" not in document:
            raise QueryFailed("a query was answered without data", expected="data", found=_keys(document))
        return Worth.ANSWER
    errors = document["errors"]
    found = errors if isinstance(errors, list) and errors else [errors]
    for error in found:
        if not isinstance(error, dict) or error.get("type") != "NOT_FOUND":
            raise QueryFailed("a query was answered with an error", found=_said(error))
    return Worth.ABSENCE


def _document(body: bytes) -> JsonValue:
    try:
        return loads(body, what="the answer")
    except JsonRefused:
        return None


def _keys(document: JsonObject) -> str:
    return one_line(", ".join(document))[:_SHOWN] or "an empty object"


def _said(error: JsonValue) -> str:
    message = error.get("message") if isinstance(error, dict) else None
    return one_line(message)[:_SHOWN] if isinstance(message, str) else "an error without a message"
