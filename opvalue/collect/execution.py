"""The agent's errors: all records of ``agent-errors.jsonl`` become one ``agent.execution`` (reference 1.3, step 6)."""

from collections.abc import Iterable
from typing import Final

from opvalue.strictjson import JsonObject, JsonValue

_LISTS: Final = {
    "categories": ("categories", "category"),
    "errorCodes": ("errorCodes", "errorCode", "error_codes", "error_code", "code"),
    "errorTypes": ("errorTypes", "errorType", "error_types", "error_type"),
}
_EXIT: Final = ("exitCode", "exit_code")
_HIGHEST_EXIT: Final = 255


def merged(records: Iterable[JsonObject]) -> JsonObject | None:
    """Return the payload of the one event, its lists without repeats and sorted; ``None`` without records."""
    found: dict[str, set[str | int]] = {name: set() for name in _LISTS}
    status, count = None, 0
    for record in records:
        count += 1
        for name, fields in _LISTS.items():
            found[name].update(word for field in fields for word in _words(record.get(field), name))
        status = next((code for code in map(record.get, _EXIT) if _is_exit(code)), status)
    if not count:
        return None
    data: JsonObject = {
        name: sorted(words, key=lambda word: (str(word), isinstance(word, str))) for name, words in found.items()
    }
    return data if status is None else {**data, "exitCode": status}


def _words(value: JsonValue, name: str) -> list[str | int]:
    items = value if isinstance(value, list) else [value]
    numbers = name == "errorCodes"
    return [item for item in items if isinstance(item, str) or (numbers and type(item) is int)]


def _is_exit(value: JsonValue) -> bool:
    return type(value) is int and 0 <= value <= _HIGHEST_EXIT
