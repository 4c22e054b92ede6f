"""The fields of ``-f`` and ``-F``: keys with brackets, gh's typing, files, placeholders."""

from .failure import Failed, Unsupported
from .quoting import quoted
from .streams import fault, native, read_named, variable

# What a field may hold: a text, or an integer, a truth value, nothing; arrays and maps of these.
Scalar = str | bytes | int | bool | None
Map = dict[str, "object"]
_MOST = 1 << 63
# What gh takes for an address where a repository is named.
_ADDRESSES = ("git@", "ssh:", "git+ssh:", "git:", "http:", "git+https:", "https:")


class Context:
    """Where placeholders get their values."""

    __slots__ = ("branch", "owner", "repository")

    def __init__(self, owner: str, repository: str, branch: str) -> None:
        self.owner = owner
        self.repository = repository
        self.branch = branch


def parse_fields(raw: list[str], typed: list[str], context: Context) -> Map:
    """Return the parameters: all plain fields first, then the typed ones. Raises ``Failed``, ``Unsupported``."""
    parameters: Map = {}
    for field in raw:
        _add(parameters, field, None)
    for field in typed:
        _add(parameters, field, context)
    return parameters


def fill(text: str, context: Context) -> str:
    """Return ``text`` with gh's placeholders replaced. Raises ``Failed``, ``Unsupported``."""
    filled, at = [], 0
    while at < len(text):
        length, name = _placeholder(text, at)
        filled.append(_value_of(name, context) if name else text[at : at + length])
        at += length
    return "".join(filled)


def _placeholder(text: str, at: int) -> tuple[int, str]:
    """Return the length of what begins here, and the placeholder's name if it is one."""
    if text[at] == "{":
        end = text.find("}", at)
        name = text[at + 1 : end] if end > 0 else ""
        if name in {"owner", "repo", "branch"}:
            return end + 1 - at, name
    elif text[at] == ":":
        for name in ("owner", "repo", "branch"):
            after = at + 1 + len(name)
            if text.startswith(name, at + 1) and not _is_word(text[after : after + 1]):
                return after - at, name
    return 1, ""


def _is_word(one: str) -> bool:
    return one == "_" or (one.isascii() and one.isalnum())


def _value_of(name: str, context: Context) -> str:
    named = variable("GH_REPO")
    if name == "branch":
        if named:
            raise Failed("unable to determine an appropriate value for the 'branch' placeholder")
        if not context.branch:
            raise Unsupported("the placeholder {branch} has no value here: there is no checkout")
        return context.branch
    if not named:
        return context.owner if name == "owner" else context.repository
    found = _in_address(named) if named.startswith(_ADDRESSES) else _in_short(named)
    return found[0] if name == "owner" else found[1]


def _in_short(named: str) -> "list[str]":
    """Return owner and name of ``[HOST/]OWNER/REPO``."""
    parts = named.split("/")
    if len(parts) not in {2, 3} or not all(parts):
        raise Failed(f'expected the "[HOST/]OWNER/REPO" format, got {quoted(named)}')
    return parts[-2:]


def _in_address(named: str) -> "list[str]":
    """Return owner and name of the repository that an address names, as a browser or git has it."""
    _, scheme, rest = named.partition("://")
    path = rest.partition("/")[2] if scheme else named.partition(":")[2]
    parts = path.partition("#")[0].partition("?")[0].strip("/").split("/")
    if len(parts) != 2 or not all(parts):
        raise Failed(f"invalid path: /{path}")
    return [parts[0], parts[1].removesuffix(".git")]


def _add(parameters: Map, field: str, context: "Context | None") -> None:
    keys, key, value = _split(field)
    typed: Scalar = value if context is None or value is None else _typed(key, value, context)
    place, name, is_array = _place(parameters, keys)
    if not is_array:
        if name in place:
            raise Failed(f"unexpected override existing field under {quoted(name)}")
        place[name] = typed
    elif typed is None:
        place[name] = []
    elif name not in place:
        place[name] = [typed]
    else:
        _array(place, name).append(typed)


def _split(field: str) -> "tuple[list[str], str, str | None]":
    """Return the key's parts (an empty one is an array), the key as given, and the value."""
    keys: list[str] = []
    start = 0
    for at, one in enumerate(field):
        if one == "[":
            if start == 0:
                keys.append(field[:at])
            start = at + 1
        elif one == "]":
            keys.append(field[start:at])
        elif one == "=":
            if start == 0:
                keys.append(field[:at])
            return keys, field[:at], field[at + 1 :]
    if not keys:
        raise Failed(f"invalid key: {quoted(field)}")
    if keys[-1] != "":
        raise Failed(f"field {quoted(field)} requires a value separated by an '=' sign")
    return keys, field, None


def _place(parameters: Map, keys: list[str]) -> "tuple[Map, str, bool]":
    """Return the map that takes the value, the name in it, and whether an array is meant."""
    place, name, is_array = parameters, "", False
    for key in keys:
        if key == "":
            is_array = True
            continue
        if name != "":
            place = _map_in_array(place, name, key) if is_array else _map(place, name)
            is_array = False
        name = key
    return place, name, is_array


def _map(place: Map, name: str) -> Map:
    found = place.setdefault(name, {})
    if not isinstance(found, dict):
        raise Failed(f"expected map type under {quoted(name)}, got {_kind(found)}")
    return found


def _array(place: Map, name: str) -> "list[object]":
    found = place.setdefault(name, [])
    if not isinstance(found, list):
        raise Failed(f"expected array type under {quoted(name)}, got {_kind(found)}")
    return found


def _map_in_array(place: Map, name: str, key: str) -> Map:
    """Return the array's last map, or a new one when that has the key already."""
    array = _array(place, name)
    last = array[-1] if array else None
    if isinstance(last, dict) and (key not in last or isinstance(last[key], list)):
        return last
    made: Map = {}
    array.append(made)
    return made


def _kind(value: object) -> str:
    """Return Go's name of a value's type."""
    kinds = {str: "string", bytes: "string", bool: "bool", int: "int", list: "[]interface {}"}
    return "<nil>" if value is None else kinds.get(type(value), "map[string]interface {}")


def _typed(key: str, value: str, context: Context) -> Scalar:
    if value.startswith("@"):
        try:
            return read_named(value[1:])
        except OSError as error:
            why = fault("open", value[1:], error)
            raise Failed(f"error parsing {quoted(key)} value: {why}") from None
    number = _integer(value)
    if number is not None:
        return number
    if value in {"true", "false", "null"}:
        return {"true": True, "false": False, "null": None}[value]
    try:
        return fill(value, context)
    except Failed as failed:
        raise Failed(f"error parsing {quoted(key)} value: {failed.message}") from None


def _integer(text: str) -> "int | None":
    """Return the number that Go's ``strconv.Atoi`` reads, 64 bits wide."""
    digits = text[1:] if text[:1] in {"+", "-"} else text
    if not (digits.isascii() and digits.isdecimal()) or len(digits) > 4000:
        return None
    number = int(text)
    return number if -_MOST <= number < _MOST else None


def query_pairs(parameters: Map) -> "list[tuple[str, bytes]]":
    """Return the parameters as they stand in a query: nested names by themselves, arrays with brackets."""
    pairs: list[tuple[str, bytes]] = []
    for name, value in parameters.items():
        _flatten(pairs, name, value)
    return pairs


def _flatten(pairs: "list[tuple[str, bytes]]", name: str, value: object) -> None:
    if isinstance(value, dict):
        for below, one in value.items():
            _flatten(pairs, below, one)
    elif isinstance(value, list):
        for one in value:
            _flatten(pairs, f"{name}[]", one)
    elif isinstance(value, bytes):
        pairs.append((name, value))
    elif isinstance(value, bool):
        pairs.append((name, b"true" if value else b"false"))
    else:
        pairs.append((name, b"" if value is None else native(str(value))))
