"""Answers as they would have been at an earlier time: everything dated later is taken out.

An element of a list that came into being after the time is dropped. Of what existed before, times after it become null,
and what they stand for with them: what was closed or merged later is open, what was completed later is in progress.
Times of the last change become the time itself. Only JSON is read; what has no time stays as it is.
"""

import re
from typing import Final

from opvalue.evidence.broker import Source
from opvalue.evidence.exchange import Exchange, Request
from opvalue.identity import Instant, InstantRefused
from opvalue.strictjson import JsonObject, JsonRefused, JsonValue, dumps_compact, loads
from verifier.simulated.asked import query_of, search_of

_NAMES: Final = re.compile(r".*(?:_at|At|Date)|date|timestamp")
_PLANNED: Final = re.compile(r".*expire.*|due.*|scheduled.*", re.IGNORECASE)
_CHANGED: Final = frozenset({"updated_at", "updatedAt", "pushed_at", "pushedAt", "lastEditedAt"})
_BORN: Final = ("created_at", "createdAt", "submitted_at", "submittedAt", "published_at", "publishedAt")
_ENDED: Final = {"closed_at", "closedAt", "merged_at", "mergedAt"}
_COMPLETED: Final = {"completed_at", "completedAt"}
_TOTALS: Final = ("total_count", "totalCount")


class AsOf:
    """Another source's answers, as of ``cutoff``.

    A page that is full stays as it is: GitHub would have filled it with what stands on the next ones, and a script that
    turns pages until one is not full would stop too early.
    """

    def __init__(self, source: Source, cutoff: Instant) -> None:
        self._source = source
        self._cutoff = cutoff

    def exchange(self, request: Request, *, authorised: bool) -> Exchange:
        """Return the answer without what came later. Raises what the other source raises."""
        found = self._source.exchange(request, authorised=authorised)
        try:
            document = loads(found.answer.body, what="an answer")
        except JsonRefused:
            return found
        kept = as_of(document, self._cutoff, ended_only=asks_for_ended(request))
        if kept == document or _is_full(request, document):
            return found
        return found._replace(answer=found.answer._replace(body=dumps_compact(kept).encode()))


def as_of(document: JsonValue, cutoff: Instant, *, ended_only: bool = False) -> JsonValue:
    """Return ``document`` as of ``cutoff``. With ``ended_only`` elements that are open then are dropped as well."""
    if isinstance(document, list):
        kept = [item for item in document if not _is_later(item, cutoff)]
        if ended_only:
            kept = [item for item in kept if not _ended_later(item, cutoff)]
        return [as_of(item, cutoff) for item in kept]
    if not isinstance(document, dict):
        return document
    changed = {key: as_of(value, cutoff, ended_only=ended_only) for key, value in document.items()}
    _count_again(document, changed)
    return _set_back(changed, cutoff)


def asks_for_ended(request: Request) -> bool:
    """Tell whether a list of what is closed or merged is asked for."""
    query = query_of(request)
    return query.get("state") == "closed" or bool(search_of(query.get("q", "")).kinds & {"closed", "merged"})


def _is_full(request: Request, document: JsonValue) -> bool:
    size = query_of(request).get("per_page", "30")
    lists = [document] if isinstance(document, list) else list(document.values()) if isinstance(document, dict) else []
    return size.isdigit() and any(isinstance(one, list) and len(one) >= int(size[:9]) > 0 for one in lists)


def _count_again(before: JsonObject, after: JsonObject) -> None:
    for total in _TOTALS:
        count = before.get(total)
        if isinstance(count, int):
            lost = sum(
                len(value) - len(kept)
                for key, value in before.items()
                if isinstance(value, list) and isinstance(kept := after[key], list)
            )
            after[total] = max(count - lost, 0)


def _set_back(item: JsonObject, cutoff: Instant) -> JsonObject:
    if _is_later(item, cutoff):
        return item
    later = {key for key, value in item.items() if _is_time(key, value) and _after(value, cutoff)}
    back: JsonObject = {key: (str(cutoff)[:19] + "Z" if key in _CHANGED else None) for key in later}
    if later & _ENDED:
        back |= {"state": "open", "state_reason": None, "stateReason": None, "closed": False, "merged": False}
        back |= {"closed_by": None, "merged_by": None, "mergedBy": None}
    if later & _COMPLETED:
        back |= {"status": "in_progress", "conclusion": None}
    for key, value in back.items():
        if key in item:
            item[key] = value.upper() if key in {"state", "status"} and _is_upper(item[key]) and value else value  # type: ignore[union-attr]  # a text
    return item


def _is_upper(value: JsonValue) -> bool:
    return isinstance(value, str) and value.isupper()


def _is_later(item: JsonValue, cutoff: Instant) -> bool:
    """Tell whether an element came into being after ``cutoff``."""
    if not isinstance(item, dict):
        return False
    node = item.get("node")
    if isinstance(node, dict):
        return _is_later(node, cutoff)
    born = next((item[key] for key in _BORN if _time(item.get(key)) is not None), None)
    if born is not None:
        return _after(born, cutoff)
    times = [value for key, value in item.items() if _is_time(key, value)] or list(_inner(item))
    return bool(times) and all(_after(value, cutoff) for value in times)


def _ended_later(item: JsonValue, cutoff: Instant) -> bool:
    return isinstance(item, dict) and any(_is_time(key, item.get(key)) and _after(item[key], cutoff) for key in _ENDED)


def _inner(item: JsonObject) -> list[JsonValue]:
    found: list[JsonValue] = []
    for value in item.values():
        if isinstance(value, dict):
            found += [inner for key, inner in value.items() if _is_time(key, inner)] or _inner(value)
    return found


def _is_time(key: str, value: JsonValue) -> bool:
    return bool(_NAMES.fullmatch(key)) and not _PLANNED.fullmatch(key) and _time(value) is not None


def _after(value: JsonValue, cutoff: Instant) -> bool:
    time = _time(value)
    return time is not None and time.milliseconds > cutoff.milliseconds


def _time(value: JsonValue) -> Instant | None:
    if not isinstance(value, str):
        return None
    try:
        return Instant.parse(value)
    except InstantRefused:
        return None
