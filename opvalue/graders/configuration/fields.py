"""The fields of an entry, one check each: type and form. What fields owe each other is for ``configure`` to judge."""

import math
from collections.abc import Callable, Iterable
from typing import Final

from opvalue.graders.configuration import errors
from opvalue.graders.configuration.errors import ConfigurationFault
from opvalue.identity import PathRefused, RepoPath
from opvalue.limits import Limits
from opvalue.records.outcome import HIGHER_IS_BETTER, LOWER_IS_BETTER
from opvalue.strictjson import JsonValue, is_number, kind_of

Check = Callable[[str, JsonValue], ConfigurationFault | None]

_MOST_SCRIPT_BYTES: Final = Limits().grader_script_bytes
_MOST_CONFIG_LEVELS: Final = Limits().json_depth // 2
"""A session's event holds ``config`` deeper than the manifest does, and must stay one that can be read."""
_DIRECTIONS: Final = f"{HIGHER_IS_BETTER} | {LOWER_IS_BETTER}"


def _boolean(field: str, value: JsonValue) -> ConfigurationFault | None:
    return None if isinstance(value, bool) else _type(field, "a boolean", value)


def _string(field: str, value: JsonValue) -> ConfigurationFault | None:
    return None if isinstance(value, str) else _type(field, "a string", value)


def _object(field: str, value: JsonValue) -> ConfigurationFault | None:
    if not isinstance(value, dict):
        return _type(field, "an object", value)
    if not _is_deeper(value, _MOST_CONFIG_LEVELS):
        return None
    return errors.ConfigTooDeep(f"{field} is nested too deeply", expected=f"at most {_MOST_CONFIG_LEVELS} levels")


def _is_deeper(value: JsonValue, levels: int) -> bool:
    """Tell whether objects and arrays nest deeper than ``levels``, level by level: values may be deep."""
    level: list[JsonValue] = [value]
    for _ in range(levels):
        level = [inner for outer in level for inner in _inner(outer) if isinstance(inner, dict | list)]
        if not level:
            return False
    return True


def _inner(value: JsonValue) -> Iterable[JsonValue]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _number(field: str, value: JsonValue) -> ConfigurationFault | None:
    if not is_number(value):
        return _type(field, "a number", value)
    if _finite(value):
        return None
    return errors.NumberNotFinite(f"{field} is not finite", expected="a finite number", found=_short(value))


def _short(value: float) -> str:
    try:
        return str(value)[:40]
    except ValueError:
        return "an integer of thousands of digits"


def _finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # an integer that no double can hold
        return False


def _direction(field: str, value: JsonValue) -> ConfigurationFault | None:
    if value in {HIGHER_IS_BETTER, LOWER_IS_BETTER} if isinstance(value, str) else False:
        return None
    if not isinstance(value, str):
        return _type(field, "a string", value)
    return errors.DirectionUnknown(f"{field} is unknown", expected=_DIRECTIONS, found=repr(value[:80]))


def _script(field: str, value: JsonValue) -> ConfigurationFault | None:
    if not isinstance(value, str):
        return _type(field, "a string", value)
    if not value.strip():
        return errors.ScriptBlank(f"{field} is blank")
    try:
        size = len(value.encode())
    except UnicodeEncodeError:
        return errors.ScriptNotText(f"{field} holds half a surrogate pair")
    if size > _MOST_SCRIPT_BYTES:
        expected = f"at most {_MOST_SCRIPT_BYTES:,} bytes"
        return errors.ScriptTooLarge(f"{field} is too large", expected=expected, found=f"{size:,} bytes")
    return None


def _run(field: str, value: JsonValue) -> ConfigurationFault | None:
    if not isinstance(value, str):
        return _type(field, "a string", value)
    text = value.strip()
    why = _unsafe(text)
    if why is None:
        return None
    return errors.RunRefused(f"{field} {why}", expected="a safe relative path of a .sh file", found=repr(text[:80]))


def _unsafe(text: str) -> str | None:
    plain = text.removeprefix("./")
    if not plain.endswith(".sh"):
        return "does not end with .sh"
    if any(part in {"", ".", ".."} for part in plain.split("/")):
        return "is absolute or has an empty, . or .. part"
    try:
        RepoPath.parse(plain)
    except PathRefused as error:
        return error.message.partition(f"{plain[:80]!r} ")[2]
    return None


def resolved(run: str, folder: str) -> str:
    """Return a checked ``run`` as a path from the repository root; ``./`` is ``folder``, where the workflow lies."""
    text = run.strip()
    return RepoPath.declared(text, beside=folder).text


def _type(field: str, expected: str, value: JsonValue) -> ConfigurationFault:
    return errors.FieldType(f"{field} has the wrong type", expected=expected, found=kind_of(value))


CHECKS: Final[dict[str, Check]] = {
    "enabled": _boolean,
    "name": _string,
    "description": _string,
    "unit": _string,
    "direction": _direction,
    "threshold": _number,
    "min": _number,
    "max": _number,
    "config": _object,
    "script": _script,
    "run": _run,
}
"""Every field that exists, with its check."""
