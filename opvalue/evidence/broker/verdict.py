"""What an answer is worth: an answer, an absence that must be proven, or no observation. Pure.

An absence (404 and its like) also stands for what the reader may not see, so it counts only below repositories that
can be read; the broker asks for those. The same for ``NOT_FOUND`` errors of a GraphQL query. Any other error leaves a
part unobserved, and so does a page for people or half a document where data was asked for: something in between
answered. Not judged here: whether a search was complete; one that was not says so in its body, which is the
evaluator's to read.
"""

import enum
from typing import Final

from opvalue.evidence.broker.errors import AnswerUnclear, QueryFailed, StatusUnusable
from opvalue.evidence.broker.policy import one_line
from opvalue.evidence.exchange import Answer, Request
from opvalue.strictjson import JsonObject, JsonRefused, JsonValue, loads

_ANSWERS: Final = frozenset({200, 204})
_ABSENCES: Final = frozenset({404, 409, 410, 422})
"""No such thing; an empty repository; gone; no such commit, or not to be searched."""
_SHOWN: Final = 200


class Worth(enum.Enum):
    """What an answer is worth."""

    ANSWER = "answer"
    ABSENCE = "absence"
    """An answer only where every repository it is about can be read."""


def worth(request: Request, answer: Answer) -> Worth:
    """Return what ``answer`` is worth. Raises ``StatusUnusable``, ``AnswerUnclear`` and ``QueryFailed``."""
    if answer.status in _ABSENCES and request.method == "GET":
        return Worth.ABSENCE
    if answer.status not in _ANSWERS:
        raise StatusUnusable("GitHub gave no answer", expected="status 200", found=f"status {answer.status}")
    if request.method == "POST":
        return _query_worth(answer.body)
    if answer.status == 200:
        _check_body(request, answer)
    return Worth.ANSWER


def shows_repository(answer: Answer) -> bool:
    """Tell whether the answer to a request for a repository shows it."""
    return answer.status == 200 and isinstance(_document(answer.body), dict)


def _check_body(request: Request, answer: Answer) -> None:
    content = (answer.header("content-type") or "").partition(";")[0].strip().lower()
    if content == "text/html" and "html" not in request.accept:
        raise AnswerUnclear("a web page came in place of an answer", expected="data", found=content)
    # Raw files have media types of their own that end in +json.
    if content == "application/json" and not _is_whole(answer.body):
        raise AnswerUnclear("an answer is not whole", expected="JSON", found=f"{len(answer.body)} bytes that are none")


def _is_whole(body: bytes) -> bool:
    """Tell whether a body is JSON, by its ends where those say enough."""
    text = body.strip()
    if text[:1] in {b"{", b"["}:
        return text[:1] + text[-1:] in {b"{}", b"[]"}
    return bool(text) and (text == b"null" or _document(text) is not None)


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
