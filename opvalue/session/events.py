"""What an event of a unified session is (reference 1.1): an object with a dotted type, data and provenance.

Unknown types and fields are carried whole. Not checked: the payload, the words of the provenance, optional fields; see
``validation`` for everything that is wrong with a session.
"""

from typing import TypeAlias

from opvalue.session.errors import NotAnEvent
from opvalue.strictjson import JsonObject, JsonValue, kind_of

Event: TypeAlias = JsonObject
"""As read: ``type``, ``data``, ``provenance`` and whatever else was there."""


def parts(event: JsonObject) -> tuple[str, JsonObject, JsonObject]:
    """Return type, data and provenance. Raises ``NotAnEvent``."""
    kind, data, provenance = event.get("type"), event.get("data"), event.get("provenance")
    if not isinstance(kind, str) or "." not in kind:
        found = repr(kind)[:80] if isinstance(kind, str) else None
        raise _wrong(event, "type", "a text that holds a dot", found)
    if not isinstance(data, dict):
        raise _wrong(event, "data", "an object")
    if not isinstance(provenance, dict):
        raise _wrong(event, "provenance", "an object")
    return kind, data, provenance


def event_of(value: JsonValue) -> Event:
    """Return ``value`` if it is an event. Raises ``NotAnEvent``."""
    if not isinstance(value, dict):
        raise NotAnEvent("an event is an object", expected="an object", found=kind_of(value))
    parts(value)
    return value


def _wrong(event: JsonObject, name: str, expected: str, found: str | None = None) -> NotAnEvent:
    if name not in event:
        return NotAnEvent(f"an event has no {name}", expected=expected)
    return NotAnEvent(
        f"the {name} of an event is not {expected}", expected=expected, found=found or kind_of(event[name])
    )
