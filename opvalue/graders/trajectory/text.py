"""The arguments of a call as text: what a constraint's pattern is tried on."""

from typing import Final

from opvalue.limits import Limits
from opvalue.strictjson import JsonValue, dumps_compact

LONGEST: Final = Limits().trajectory_text_characters
"""Characters of a text that are searched."""

ARGUMENTS_TEXT: Final = "argumentsText"
"""The field of a projected call that holds its arguments as text, the arguments themselves being left out."""


def arguments_text(arguments: JsonValue) -> str:
    """Return arguments as compact JSON, keys sorted, cut."""
    return dumps_compact(_sorted(arguments))[:LONGEST]


def _sorted(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return [_sorted(item) for item in value] if isinstance(value, list) else value
