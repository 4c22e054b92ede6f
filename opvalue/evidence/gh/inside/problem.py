"""What gh says of an answer that reports a problem."""

from .documents import parse
from .failure import Failed


def reported(body: bytes, status: int) -> str:
    """Return what a JSON answer reports, or nothing. Raises ``Failed`` when it cannot be read."""
    value = parse(body)
    if value is None:
        return ""
    if not isinstance(value, dict):
        raise Failed(
            f"json: cannot unmarshal {_kind(value)} into Go value of type "
            "struct { Message string; Errors json.RawMessage }"
        )
    message = _text(value, "Message")
    errors = _field(value, "errors")
    if isinstance(errors, str) and errors:
        return f"{errors} ({message})" if message else errors
    if message:
        return f"{message} (HTTP {status})"
    if not isinstance(errors, list):
        return ""
    return "\n".join(_text(one, "Message") if isinstance(one, dict) else one for one in errors if _speaks(one))


def _speaks(error: object) -> bool:
    return isinstance(error, (dict, str))


def _text(value: "dict[str, object]", name: str) -> str:
    found = _field(value, name.lower())
    if found is None or isinstance(found, str):
        return found or ""
    raise Failed(f"json: cannot unmarshal {_kind(found)} into Go struct field .{name} of type string")


def _field(value: "dict[str, object]", name: str) -> object:
    """Return a field, letter case aside, as Go finds it."""
    found: object = None
    for key, one in value.items():
        if key.lower() == name:
            found = one
    return found


def _kind(value: object) -> str:
    kinds = {list: "array", dict: "object", str: "string", bool: "bool", int: "number", float: "number"}
    return kinds.get(type(value), "null")
