"""The words in shfmt's JSON, and the readers of single values that both halves use. See ``shfmt``."""

from collections.abc import Callable, Iterable, Iterator

from opvalue.bash.tree import (
    OPERATORS,
    Body,
    Command,
    Opaque,
    Parameter,
    Part,
    Stumbled,
    Substitution,
    Text,
    Word,
    ansi_text,
    merged,
    unescaped,
    unescaped_in_quotes,
)
from opvalue.strictjson import JsonObject, JsonValue

_PARAMETER_KEYS = frozenset({"Type", "Pos", "End", "Dollar", "Rbrace", "Short", "Param", "Index", "Exp"})
_SUBSTITUTIONS = frozenset({"CmdSubst", "ProcSubst"})


def as_object(value: JsonValue) -> JsonObject:
    """Return the value as the object it must be."""
    if not isinstance(value, dict):
        raise Stumbled
    return value


def as_objects(value: JsonValue) -> list[JsonObject]:
    """Return the objects of a list; ``null`` is an empty one."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise Stumbled
    return [as_object(item) for item in value]


def offset(node: JsonObject, key: str) -> int:
    """Return the byte offset of a position."""
    offset = as_object(node[key])["Offset"]
    if not isinstance(offset, int):
        raise Stumbled
    return offset


def as_text(value: JsonValue) -> str:
    """Return the value as the text it must be."""
    if not isinstance(value, str):
        raise Stumbled
    return value


class Words:
    """Reads words. ``body`` reads the commands inside them."""

    def __init__(self, source: bytes, body: Callable[[JsonValue], Body]) -> None:
        self._source = source
        self._body = body

    def slice(self, start: int, end: int) -> str:
        """Return the source text between two byte offsets."""
        return self._source[start:end].decode("utf-8", "surrogateescape")

    def word(self, node: JsonObject) -> Word:
        """Return a word."""
        parts = self.parts(as_objects(node.get("Parts")), quoted=False)
        return Word(merged(parts), offset(node, "Pos"), offset(node, "End"))

    def parts(self, nodes: Iterable[JsonObject], *, quoted: bool) -> list[Part]:
        """Return the parts of a word, what is between double quotes among them."""
        parts: list[Part] = []
        for node in nodes:
            if node["Type"] == "DblQuoted":
                parts.append(Text("", quoted=True))
                parts.extend(self.parts(as_objects(node.get("Parts")), quoted=True))
            else:
                parts.append(self._part(node, quoted=quoted))
        return parts

    def _part(self, node: JsonObject, *, quoted: bool) -> Part:
        kind = node["Type"]
        if kind == "Lit":
            raw = as_text(node["Value"])
            return Text(unescaped_in_quotes(raw) if quoted else unescaped(raw), quoted)
        if kind == "ParamExp":
            return self._parameter(node, quoted=quoted)
        if kind == "CmdSubst":
            return Substitution(self._body(node.get("Stmts")), quoted)
        text = self.slice(offset(node, "Pos"), offset(node, "End"))
        if kind == "SglQuoted":
            return _single(as_text(node.get("Value", "")), text, dollar=bool(node.get("Dollar")))
        if kind in {"ExtGlob", "BraceExp"}:
            return Text(text, quoted=False)
        if kind in {"ArithmExp", "ProcSubst"}:
            return Opaque(text, tuple(self.nested(node)), arithmetic=kind == "ArithmExp")
        raise Stumbled

    def _parameter(self, node: JsonObject, *, quoted: bool) -> Part:
        expansion = as_object(node["Exp"]) if node.get("Exp") is not None else {}
        operator = as_text(expansion.get("Op", ""))
        index = node.get("Index")
        other = any(value for key, value in node.items() if key not in _PARAMETER_KEYS) or any(self.nested(index))
        if other or (operator and operator not in OPERATORS):
            text = self.slice(offset(node, "Pos"), offset(node, "End"))
            return Opaque(text, tuple(self.nested(node)), arithmetic=False)
        name = as_text(as_object(node["Param"])["Value"])
        place = None if index is None else as_object(index)
        shown = None if place is None else self.slice(offset(place, "Pos"), offset(place, "End"))
        argument = self._argument(expansion.get("Word"), offset(node, "End") - 1) if operator else None
        return Parameter(name, shown, operator, argument, quoted)

    def _argument(self, node: JsonValue, end: int) -> Word:
        return Word((), end, end) if node is None else self.word(as_object(node))

    def nested(self, value: JsonValue) -> Iterator[Command]:
        """Yield the commands of all substitutions in a piece of JSON."""
        if isinstance(value, list):
            for item in value:
                yield from self.nested(item)
        elif isinstance(value, dict):
            inside = value.get("Type") in _SUBSTITUTIONS
            if inside:
                yield from self._body(value.get("Stmts"))
            else:
                for item in value.values():
                    yield from self.nested(item)


def _single(value: str, text: str, *, dollar: bool) -> Part:
    plain = ansi_text(value) if dollar else value
    return Opaque(text, (), arithmetic=False) if plain is None else Text(plain, quoted=True)
