"""Redaction of a session in memory (reference 1.6, DESIGN 8, AW-10).

1. What has the shape of a secret, and the values of named secrets, become ``***REDACTED***``.
2. What a run masked becomes ``***``; among masks the longest goes first.
3. Both again until nothing changes, so that a second redaction changes nothing.

It reaches every string and every key of an event, ids included. A number that holds a secret as it is written, or is
one in another spelling (``5e3`` for ``5000``), becomes a mark, so it is no number any more; an event whose time was
redacted is untimed. The public words of the format (known types,
components, phases, the envelope's own keys) stay. The events given are never changed; what is the same is shared.

Not found: a secret in another encoding than plain or JSON-escaped (base64, for example), or cut over two strings.
Pure: decoded values in, decoded values out; serialised JSON is looked at, never changed.
"""

import math
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from opvalue.limits import Limits
from opvalue.session.errors import TooManySecrets
from opvalue.session.secrets import PATTERNS, Secrets, decoded, forms, masks_in
from opvalue.session.vocabulary import (
    COLLECTION,
    COMPONENTS,
    ENVELOPE,
    FORMAT,
    MASKED,
    PHASES,
    REDACTED,
    TYPES,
    WARNING,
)
from opvalue.strictjson import JsonObject, JsonValue, dumps_compact, is_number

_ROUNDS: Final = 10
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,399})(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,9})?")
_ENVELOPE: Final = frozenset(ENVELOPE)
_PROVENANCE: Final = frozenset({"component", "phase", "path", "index", "timestampMs", "native"})
_ACCOUNT_FIELDS: Final = frozenset(
    {"version", "path", "code", "line", "sources", "component", "phase", "events", "timestampUnit"}
    | {"warnings", "untimedEvents", "absentComponents"}
)
_ACCOUNT_WORDS: Final = frozenset((*COMPONENTS, *PHASES, "seconds"))
_WORDS: Final = {"component": COMPONENTS, "phase": PHASES}


def redact(events: Sequence[JsonObject], secrets: Secrets, *, limits: Limits | None = None) -> list[JsonObject]:
    """Return the events without the secrets, in their order.

    ``secrets`` is what the caller knows; what the events themselves mask, and what has the shape of a secret, is taken
    out in any case. Time is the number of secrets times the length of the session. Raises ``TooManySecrets``.
    """
    # To see in its JSON that an event holds nothing takes half the time of a look into each of its texts.
    lines = [dumps_compact(event) for event in events]
    masking = (event for event, line in zip(events, lines, strict=True) if "::" in line)
    redactor = Redactor(secrets._replace(masks=(*secrets.masks, *masks_in(masking))), limits=limits)
    return [
        redactor.event(event) if redactor.may_change(line) else event for event, line in zip(events, lines, strict=True)
    ]


def is_redacted(value: JsonValue) -> bool:
    """Tell whether redaction took something out of ``value``: such a text is no evidence of what stood there.

    A text that held three stars from the start counts as redacted too.
    """
    if isinstance(value, str):
        return MASKED in value
    if isinstance(value, dict):
        return any(MASKED in key or is_redacted(item) for key, item in value.items())
    return isinstance(value, list) and any(map(is_redacted, value))


class Redactor:
    """Takes one set of secrets out of texts, values and events."""

    def __init__(self, secrets: Secrets, *, limits: Limits | None = None) -> None:
        most = (limits or Limits()).session_secrets
        named = {form for value in secrets.values for form in forms(value)}
        masks = {form for payload in secrets.masks for form in forms(payload) | forms(decoded(payload))}
        if len(named) + len(masks) > most:
            raise TooManySecrets(
                "there are too many secrets to look for", expected=f"at most {most}", found=str(len(named) + len(masks))
            )
        self._named = _longest_first(named)
        # A mask that holds a secret is looked for as the first step leaves it, too.
        changed = {self._first_step(mask) for mask in masks}
        self._masks = _longest_first(masks | {mask for mask in changed if mask.strip("*")})
        self._named_numbers = frozenset(map(_written, filter(_NUMBER.fullmatch, self._named)))
        self._masked_numbers = frozenset(map(_written, filter(_NUMBER.fullmatch, self._masks)))

    def text(self, text: str) -> str:
        """Return ``text`` without secrets."""
        for _ in range(_ROUNDS):
            changed = _without(self._first_step(text), self._masks, MASKED)
            if changed == text:
                return text
            text = changed
        return REDACTED

    def may_change(self, line: str) -> bool:
        """Tell whether an event may hold a secret or a mark, from its JSON text; ``False`` is certain.

        The text must be ours: nothing escaped but what JSON requires and lone surrogates.
        """
        if MASKED in line or any(one.hint in line and one.also in line for one in PATTERNS):
            return True
        known = (*self._named, *self._masks, *self._named_numbers, *self._masked_numbers)
        return any(secret in line for secret in known)

    def value(self, value: JsonValue) -> JsonValue:
        """Return ``value`` without secrets in its strings, keys and numbers; the same object if it has none."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return self._object(value)
        if isinstance(value, list):
            items = [self.value(item) for item in value]
            return value if _all_same(items, value) else items
        return self._number(value) if is_number(value) else value

    def event(self, event: JsonObject) -> JsonObject:
        """Return ``event`` without secrets; the same object if it has none."""
        timed = not is_redacted(self.value(event.get("timestamp")))
        collectors = _is_collectors(event)
        items: list[JsonValue] = []
        for key, item in event.items():
            if key == "type" and isinstance(item, str):
                items.append(self._type(item))
            elif key == "provenance" and isinstance(item, dict):
                items.append(self._provenance(item, timed=timed))
            elif key == "data" and collectors:
                items.append(self._account(item))
            else:
                items.append(self.value(item))
        return self._rebuilt(event, items, public=_ENVELOPE)

    def _account(self, value: JsonValue) -> JsonValue:
        """Return the collector's account of what it read: its own words and counts stay, whatever is masked."""
        if isinstance(value, dict):
            return self._rebuilt(value, [self._account(item) for item in value.values()], public=_ACCOUNT_FIELDS)
        if isinstance(value, list):
            items = [self._account(item) for item in value]
            return value if _all_same(items, value) else items
        return self.text(value) if isinstance(value, str) and value not in _ACCOUNT_WORDS else value

    def _first_step(self, text: str) -> str:
        for hint, regex, also, left in PATTERNS:
            if hint in text and also in text:
                text = regex.sub(left, text)
        return _without(text, self._named, REDACTED)

    def _object(self, value: JsonObject) -> JsonObject:
        return self._rebuilt(value, [self.value(item) for item in value.values()])

    def _rebuilt(
        self, value: JsonObject, items: list[JsonValue], *, public: frozenset[str] = frozenset()
    ) -> JsonObject:
        keys = [key if key in public else self.text(key) for key in value]
        if keys == list(value) and _all_same(items, value.values()):
            return value
        taken = {new for new, old in zip(keys, value, strict=True) if new == old}
        found: JsonObject = {}
        for new, old, item in zip(keys, value, items, strict=True):
            key = new if new == old else _free(new, taken)
            taken.add(key)
            found[key] = item
        return found

    def _number(self, number: float) -> int | float | str:
        if not self._named and not self._masks:
            return number
        written = dumps_compact(number)
        if written in self._named_numbers or any(secret in written for secret in self._named):
            return REDACTED
        return MASKED if written in self._masked_numbers or any(mask in written for mask in self._masks) else number

    def _type(self, text: str) -> str:
        if text in TYPES:
            return text
        changed = self.text(text)
        # A type holds a dot, whatever was taken out of it.
        return changed if changed == text or "." in changed else f"{MASKED}.{MASKED}"

    def _provenance(self, provenance: JsonObject, *, timed: bool) -> JsonObject:
        kept = provenance
        if not timed and "timestampMs" in provenance:
            kept = {key: item for key, item in provenance.items() if key != "timestampMs"}
        items = [item if _is_public(key, item) else self.value(item) for key, item in kept.items()]
        return self._rebuilt(kept, items, public=_PROVENANCE)


def _longest_first(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(texts, key=lambda text: (-len(text), text)))


def _written(number: str) -> str:
    """Return a number as it would be written; as it is where that is beyond a double."""
    value = float(number)
    if math.isinf(value):
        return number
    return dumps_compact(value if any(mark in number for mark in ".eE") else int(number))


def _without(text: str, secrets: tuple[str, ...], mark: str) -> str:
    found = tuple(secret for secret in secrets if secret in text)
    if not found:
        return text
    apart = tuple(secret for secret in found if secret not in REDACTED)
    if apart:
        text = _any_of(apart).sub(mark, text)
    if len(apart) < len(found):
        # A secret such as "RED" is part of the mark itself, which must be left whole.
        marks = (REDACTED, MASKED)
        within = _any_of((*marks, *(secret for secret in found if secret in REDACTED)))
        text = within.sub(lambda match: match[0] if match[0] in marks else mark, text)
    return text


@lru_cache(maxsize=256)
def _any_of(texts: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, texts)))


def _is_collectors(event: JsonObject) -> bool:
    provenance = event.get("provenance")
    ours = isinstance(provenance, dict) and provenance.get("component") == "collector"
    return ours and event.get("type") in (FORMAT, WARNING, COLLECTION)


def _is_public(key: str, item: JsonValue) -> bool:
    return key in ("index", "timestampMs") or item in _WORDS.get(key, ())


def _free(key: str, taken: set[str]) -> str:
    # Two keys that became one are told apart by stars alone: no secret hides in those.
    candidate, stars = key, len(MASKED)
    while candidate in taken:
        candidate, stars = "*" * stars, stars + 1
    return candidate


def _all_same(left: Iterable[object], right: Iterable[object]) -> bool:
    return all(new is old for new, old in zip(left, right, strict=True))
