"""YAML read strictly, with the place of every value: what JSON can carry, and nothing that surprises.

Scalars are those of YAML 1.2's core schema, as gh-aw reads them: ``on`` and ``yes`` are text, a date is text, ``012``
is twelve and ``0x10`` sixteen; ``.inf`` and ``.nan`` are numbers, and so refused. Bounded: depth, aliases and what they
unfold to, before any value is made. Duplicate keys are refused, and whatever JSON has no word for.

Not read here: files, and what the values mean.
"""

import math
import re
from functools import cache
from typing import Any, Final, NamedTuple

from opvalue.strictjson import MAX_NUMBER_CHARACTERS, JsonObject

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_FOREIGN: Final = re.compile("[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What YAML does not take, and what version 1.1 takes for the end of a line and 1.2 does not: to a reader that is not
ours a map with one of these might hold something else."""
_MAX_DEPTH: Final = 64
_MAX_ALIASES: Final = 64
_MAX_NODES: Final = 100_000
_TAG: Final = "tag:yaml.org,2002"
_SCALARS: Final = (
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", "-+0123456789"),
    (
        "float",
        r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)",
        "-+.0123456789",
    ),
    ("null", r"~|null|Null|NULL|", "~nN\0"),
    ("merge", r"<<", "<"),
)

_NOT_FINITE: Final = "fFnN"
"""What infinity and "no number" end with, and no other float."""


class YamlRefused(Exception):
    """The text is no YAML of this kind. Whoever reads a file says so in an error of its own."""

    def __init__(self, why: str, mark: Any = None) -> None:
        super().__init__(why)
        self.why = why
        self.mark = None if mark is None else Mark(mark.line + 1, mark.column + 1)


class Mark(NamedTuple):
    """A place in the text, both figures from 1, columns in characters."""

    line: int
    column: int


class _Form(NamedTuple):
    """What a node of one tag must be: its kind, and for most scalars a pattern."""

    id: str
    pattern: re.Pattern[str] | None


_FORMS: Final = {
    "str": _Form("scalar", None),
    "seq": _Form("sequence", None),
    "map": _Form("mapping", None),
    **{name: _Form("scalar", re.compile(pattern)) for name, pattern, _ in _SCALARS},
}


class Document(NamedTuple):
    """A mapping as it was read. Empty text is an empty mapping."""

    value: JsonObject
    root: Any
    """The library's node, from which places are read."""

    def mark(self, path: tuple[str, ...], *, key: bool = False) -> Mark | None:
        """Return where the value at ``path`` begins, or its key; where there is none, the nearest that holds it."""
        node = self.root
        for number, part in enumerate(path, start=1):
            # The last pair of a key counts: pairs merged from elsewhere stand first.
            pairs = node.value[::-1] if node is not None and node.id == "mapping" else ()
            pair = next((pair for pair in pairs if pair[0].value == part), None)
            if pair is None:
                break
            node = pair[0] if key and number == len(path) else pair[1]
        return None if node is None else Mark(node.start_mark.line + 1, node.start_mark.column + 1)


def read_mapping(data: bytes, *, first_line: int = 1) -> Document:
    """Read one document, which must be a mapping. ``first_line`` is the line of a file that ``data`` begins at.

    Raises ``YamlRefused``.
    """
    import yaml  # noqa: PLC0415 - costs more than all the rest of this room; loaded when a frontmatter is met

    try:
        text = "\n" * (first_line - 1) + data.decode("utf-8", "strict")
        _check_characters(text)
        _check_bounds(text)
        loader = _loader()(text)
        node = loader.get_single_node()
        if node is None:
            return Document({}, None)
        _Graph().check(node)
        document = loader.construct_document(node)
    except UnicodeDecodeError:
        raise YamlRefused("it is not UTF-8") from None
    except yaml.YAMLError as error:
        raise YamlRefused(" ".join(str(error).split()), getattr(error, "problem_mark", None)) from None
    if document is None:
        return Document({}, None)
    if not isinstance(document, dict):
        raise YamlRefused("it is not a mapping", node.start_mark)
    return Document(document, node)


def _check_characters(text: str) -> None:
    import yaml  # noqa: PLC0415

    found = _FOREIGN.search(text)
    if found is not None:
        place = found.start()
        mark = yaml.Mark("", place, text.count("\n", 0, place), place - text.rfind("\n", 0, place) - 1, None, 0)
        raise YamlRefused(f"it holds the character U+{ord(found[0]):04X}, which no YAML text may hold as it is", mark)


def _check_bounds(text: str) -> None:
    # Events come one by one, so depth is known before the recursive loader meets it.
    import yaml  # noqa: PLC0415

    depth = aliases = 0
    for number, event in enumerate(yaml.parse(text, Loader=_base_loader())):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        elif isinstance(event, yaml.AliasEvent):
            aliases += 1
        if depth > _MAX_DEPTH or aliases > _MAX_ALIASES:
            why = f"it nests deeper than {_MAX_DEPTH} or uses more than {_MAX_ALIASES} aliases"
            raise YamlRefused(why, event.start_mark)
        if number > 2 * _MAX_NODES:
            raise YamlRefused(f"it holds more than {_MAX_NODES} values", event.start_mark)


class _Graph:
    """Checks the nodes of a document before any value is made of them: aliases make a graph of what looks a tree."""

    def __init__(self) -> None:
        self._seen: dict[int, tuple[int, int]] = {}
        self._open: set[int] = set()

    def check(self, node: Any) -> tuple[int, int]:
        """Return how many values ``node`` unfolds to and how deep they nest.

        Refused: what JSON has no word for, a key that is not text or stands twice, a value that holds itself, and
        aliases that multiply without end. An alias stands after its anchor, so recursion goes no deeper than the text.
        """
        known = self._seen.get(id(node))
        if known is not None:
            return known
        if id(node) in self._open:
            raise YamlRefused("it holds a value that holds itself", node.start_mark)
        self._open.add(id(node))
        self._check_tag(node)
        sizes = [self.check(child) for child in self._children(node)]
        count, depth = 1 + sum(size for size, _ in sizes), 1 + max((deep for _, deep in sizes), default=0)
        if count > _MAX_NODES or depth > _MAX_DEPTH + 1:
            raise YamlRefused(f"it unfolds to more than {_MAX_NODES} values or {_MAX_DEPTH} levels", node.start_mark)
        self._open.remove(id(node))
        self._seen[id(node)] = count, depth
        return count, depth

    def _check_tag(self, node: Any) -> None:
        kind, _, name = node.tag.rpartition(":")
        form = _FORMS.get(name) if kind == _TAG else None
        if form is None or form.id != node.id:
            raise YamlRefused(f"it holds a value that JSON cannot carry: {node.tag}", node.start_mark)
        if name == "str" and _LONE_SURROGATE.search(node.value):
            # One of the two loaders refuses the escape by itself.
            raise YamlRefused("a text holds half a surrogate pair", node.start_mark)
        # A tag can be written out; the value must still be one that would have got it.
        if form.pattern is not None and form.pattern.fullmatch(node.value) is None:
            raise YamlRefused(f"{node.value[:40]!r} is no {name}", node.start_mark)
        if name == "float" and node.value[-1] in _NOT_FINITE:
            raise YamlRefused(f"{node.value[:40]} is no finite number", node.start_mark)
        if name in {"int", "float"} and not _fits(node.value, name):
            raise YamlRefused(f"the number {node.value[:40]} is too long or too large", node.start_mark)

    def _children(self, node: Any) -> list[Any]:
        if node.id == "scalar":
            return []
        if node.id == "sequence":
            return list(node.value)
        keys = [key for key, _ in node.value if key.tag != f"{_TAG}:merge"]
        for key in keys:
            self._check_tag(key)
        seen: set[str] = set()
        for key in keys:
            if key.tag != f"{_TAG}:str":
                raise YamlRefused("a key is not text", key.start_mark)
            if key.value in seen:
                raise YamlRefused("a key stands twice in one mapping", key.start_mark)
            seen.add(key.value)
        return [value for _, value in node.value]


def _base_loader() -> Any:
    import yaml  # noqa: PLC0415

    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@cache
def _loader() -> Any:
    """Return the safe loader with YAML 1.2 scalars."""
    base = _base_loader()

    class CoreLoader(base):  # type: ignore[misc, valid-type]  # one of two loaders, known only at run time
        yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - the name and form PyYAML asks for

    for name, pattern, first in _SCALARS:
        first_letters = ["" if letter == "\0" else letter for letter in first]
        CoreLoader.add_implicit_resolver(f"{_TAG}:{name}", _Whole(re.compile(pattern)), first_letters)
    CoreLoader.add_constructor(f"{_TAG}:int", lambda _, node: _integer(node.value))
    CoreLoader.add_constructor(f"{_TAG}:float", lambda _, node: float(node.value))
    return CoreLoader


def _fits(number: str, kind: str) -> bool:
    return len(number) <= MAX_NUMBER_CHARACTERS and (kind == "int" or math.isfinite(float(number)))


def _integer(text: str) -> int:
    return int(text, {"0x": 16, "0o": 8}.get(text[:2], 10))


class _Whole(NamedTuple):
    """A resolver's pattern that must match the whole scalar; PyYAML calls ``match``."""

    expression: re.Pattern[str]

    def match(self, text: str) -> bool:
        return self.expression.fullmatch(text) is not None
