"""Words of tree-sitter's tree turned into ours. Whatever it left as text and should not have is given up.

tree-sitter drops blanks between the pieces of a string, and gives an expansion's node the blanks before it, so
literal text is taken from the bytes between the pieces and never from its own nodes.
"""

import re
from typing import TYPE_CHECKING

from opvalue.bash.tree import (
    OPERATORS,
    Body,
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

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tree_sitter import Node

_PLAIN = frozenset(
    {
        "word",
        "number",
        "extglob_pattern",
        "regex",
        "variable_name",
        "test_operator",
        "file_descriptor",
        "brace_expression",
    }
)
_LITERAL = _PLAIN | {"string_content", "heredoc_content", "special_variable_name"}
_EXPRESSIONS = frozenset({"binary_expression", "unary_expression", "parenthesized_expression", "postfix_expression"})
_APART = frozenset({"(", ")", "&&", "||"})
_BLANKS = b" \t\n"
_USUAL_GAPS = frozenset({b"", b" "})

_SIGN = re.compile(r"[$`'\"]")
_EVEN = r"(?<!\\)(?:\\\\)*"
_EXPANSION_LEFT = re.compile(_EVEN + r"(?:\$[A-Za-z_0-9{(\[@*#?!$-]|`)")
_QUOTING_LEFT = re.compile(_EVEN + r"(?:\$[A-Za-z_0-9{(\[@*#?!$'\"-]|[`'\"])")


def escaped(source: bytes, position: int) -> bool:
    """Tell whether a backslash that is none itself stands before a position."""
    start = position
    while start and source[start - 1 : start] == b"\\":
        start -= 1
    return (position - start) % 2 == 1


class WordReader:
    """Reads the words of one source. ``body`` turns the children of a substitution into commands."""

    def __init__(self, source: bytes, body: "Callable[[Iterable[Node]], Body]") -> None:
        self._source = source
        self._body = body

    def text(self, start: int, end: int) -> str:
        """Return the source between two offsets."""
        return self._source[start:end].decode("utf-8", "surrogateescape")

    def word(self, node: "Node") -> Word:
        """Return the word a node stands for."""
        return Word(merged(self._parts(node, quoted=False)), self._start(node), node.end_byte)

    def row(self, nodes: "Iterable[Node]", *, lines: bool = False) -> "list[Node]":
        """Return sibling nodes when nothing but blanks lies between them, nor a line's end unless ``lines``.

        Otherwise give up: the parser dropped a word, or took the next command for an argument.
        """
        result = list(nodes)
        end = result[0].start_byte if result else 0
        for node in result:
            gap = self._source[end : self._start(node)]
            if gap not in _USUAL_GAPS:
                rest = gap.replace(b"\\\n", b"").strip(_BLANKS if lines else b" \t")
                if rest:
                    raise Stumbled
            end = node.end_byte
        return result

    def test_words(self, nodes: "Iterable[Node]") -> tuple[Word, ...]:
        """Return the words of a test. Its operators may have cut one word in two: what touches is joined."""
        words: list[Word] = []
        for node in self._tokens(nodes):
            start, end = self._start(node), node.end_byte
            apart = node.type in _APART
            parts: list[Part] = [Text(self.text(start, end), quoted=False)]
            if node.is_named:
                parts = self._parts(node, quoted=False)
            last = words[-1] if words else None
            if last is not None and last.end == start and not apart and self.text(last.start, last.end) not in _APART:
                words[-1] = Word(merged([*last.parts, *parts]), last.start, end)
            else:
                words.append(Word(merged(parts), start, end))
        return tuple(words)

    def nested(self, node: "Node") -> Body:
        """Return the commands of every substitution below a node."""
        commands: list[object] = []
        pending = list(reversed(node.children))
        while pending:
            child = pending.pop()
            if child.type in {"command_substitution", "process_substitution"}:
                commands.extend(self._substituted(child))
            else:
                pending.extend(reversed(child.children))
        return tuple(commands)  # type: ignore[arg-type] # only commands were added

    def subscript(self, node: "Node") -> tuple[Word, ...]:
        """Return the word that stands for an assignment's subscript, when there are commands in it."""
        nested = self.nested(node)
        text = Opaque(self.text(node.start_byte, node.end_byte), nested, arithmetic=True)
        return (Word((text,), node.start_byte, node.end_byte),) if nested else ()

    def heredoc(self, node: "Node") -> Word:
        """Return the text of a here-document whose delimiter is not quoted."""
        parts = self._mixed(node.children, node.start_byte, node.end_byte, in_quotes=True)
        return Word(merged(parts), node.start_byte, node.end_byte)

    def _start(self, node: "Node") -> int:
        start: int = node.start_byte
        while self._source[start : start + 1] in _BLANKS and start < node.end_byte:
            start += 1
        return start

    def _tokens(self, nodes: "Iterable[Node]") -> "Iterator[Node]":
        for node in nodes:
            if node.type in _EXPRESSIONS:
                yield from self._tokens(node.children)
            else:
                yield node

    def _parts(self, node: "Node", *, quoted: bool) -> list[Part]:
        kind = node.type
        if kind in _PLAIN:
            return [self._plain(node)]
        if kind == "raw_string":
            return [Text(self.text(self._start(node) + 1, node.end_byte - 1), quoted=True)]
        if kind == "string":
            start = self._start(node)
            inside = node.children[1:-1]
            return [Text("", quoted=True), *self._mixed(inside, start + 1, node.end_byte - 1, in_quotes=True)]
        if kind in {"concatenation", "command_name"}:
            return self._joined(node)
        return [self._expansion(node, quoted=quoted)]

    def _plain(self, node: "Node") -> Text:
        raw = self.text(self._start(node), node.end_byte)
        if _SIGN.search(raw) and _QUOTING_LEFT.search(raw):
            raise Stumbled
        return Text(unescaped(raw), quoted=False)

    def _joined(self, node: "Node") -> list[Part]:
        parts: list[Part] = []
        end = self._start(node)
        for child in node.children:
            if not child.is_named or self._start(child) != end:
                raise Stumbled
            parts.extend(self._parts(child, quoted=False))
            end = child.end_byte
        return parts

    def _expansion(self, node: "Node", *, quoted: bool) -> Part:
        kind = node.type
        if kind == "simple_expansion":
            return self._short(node, quoted=quoted)
        if kind == "expansion":
            return self._braced(node, quoted=quoted)
        if kind == "command_substitution":
            return Substitution(self._substituted(node), quoted)
        if kind == "ansi_c_string":
            return self._ansi(node)
        if kind not in {"process_substitution", "arithmetic_expansion"}:
            raise Stumbled
        text = self.text(self._start(node), node.end_byte)
        if kind == "process_substitution":
            return Opaque(text, self._substituted(node), arithmetic=False)
        return Opaque(text, self.nested(node), arithmetic=True)

    def _short(self, node: "Node", *, quoted: bool) -> Part:
        name = self.text(self._start(node) + 1, node.end_byte)
        if name[:1].isspace():
            raise Stumbled  # a lone dollar, and what stands after the blank
        return Parameter(name, None, "", None, quoted)

    def _ansi(self, node: "Node") -> Part:
        raw = self.text(self._start(node) + 2, node.end_byte - 1)
        value = ansi_text(raw)
        return Opaque(f"$'{raw}'", (), arithmetic=False) if value is None else Text(value, quoted=True)

    def _substituted(self, node: "Node") -> Body:
        if node.children[0].type not in {"$(", "<(", ">("}:
            raise Stumbled
        return self._body(node.children[1:-1])

    def _braced(self, node: "Node", *, quoted: bool) -> Part:
        subject = node.children[1]
        if subject.type not in {"variable_name", "special_variable_name", "subscript"}:
            return self._opaque(node)
        if subject.type == "subscript" and self.nested(subject):
            return self._opaque(node)
        name, index = self._subject(subject)
        rest = self.text(subject.end_byte, node.end_byte - 1)
        if not rest:
            return Parameter(name, index, "", None, quoted)
        if escaped(self._source, node.end_byte - 1):
            raise Stumbled
        operator = next((sign for sign in OPERATORS if rest.startswith(sign)), None)
        if operator is None:
            return self._opaque(node)
        start, end = subject.end_byte + len(operator), node.end_byte - 1
        argument = Word(merged(self._mixed(node.children[2:-1], start, end, in_quotes=False)), start, end)
        return Parameter(name, index, operator, argument, quoted)

    def _opaque(self, node: "Node") -> Opaque:
        return Opaque(self.text(self._start(node), node.end_byte), self.nested(node), arithmetic=False)

    def _subject(self, node: "Node") -> tuple[str, str | None]:
        if node.type != "subscript":
            return self._name(node), None
        name = node.children[0]
        return self._name(name), self.text(name.end_byte + 1, node.end_byte - 1)

    def _name(self, node: "Node") -> str:
        return self.text(node.start_byte, node.end_byte)

    def _mixed(self, nodes: "Iterable[Node]", start: int, end: int, *, in_quotes: bool) -> list[Part]:
        """Return expansions and the text between them. Outside quotes, text that holds quotes was misread."""
        parts: list[Part] = []
        for node in self._pieces(nodes):
            begin = self._start(node)
            if begin < start:
                continue
            self._gap(parts, start, begin, in_quotes=in_quotes)
            parts.extend(self._parts(node, quoted=in_quotes))
            start = node.end_byte
        self._gap(parts, start, end, in_quotes=in_quotes)
        return parts

    def _gap(self, parts: list[Part], start: int, end: int, *, in_quotes: bool) -> None:
        raw = self.text(start, end)
        if _SIGN.search(raw) and (_EXPANSION_LEFT if in_quotes else _QUOTING_LEFT).search(raw):
            raise Stumbled
        if raw:
            parts.append(Text(unescaped_in_quotes(raw) if in_quotes else unescaped(raw), in_quotes))

    def _pieces(self, nodes: "Iterable[Node]") -> "Iterator[Node]":
        for node in nodes:
            if node.type == "concatenation":
                yield from self._pieces(node.children)
            elif node.is_named and node.type not in _LITERAL:
                yield node
