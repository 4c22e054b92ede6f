"""Simple commands and redirections of tree-sitter's tree turned into ours."""

import re
from typing import TYPE_CHECKING

from opvalue.bash.tree import (
    Arithmetic,
    Assignment,
    Command,
    Declaration,
    Redirect,
    Redirected,
    Simple,
    Stumbled,
    Test,
    Text,
    Word,
)
from opvalue.bash.treesitter_words import WordReader

if TYPE_CHECKING:
    from tree_sitter import Node

REDIRECTS = frozenset({"file_redirect", "herestring_redirect", "heredoc_redirect"})
QUOTED_DELIMITER = re.compile(rb"[\\'\"]")

_MISREAD_COMMANDS = frozenset({"time", "coproc"})


class SimpleReader:
    """Reads the simple commands of one source."""

    def __init__(self, source: bytes, words: WordReader) -> None:
        self._source = source
        self._words = words

    def command(self, node: "Node") -> Command:
        """Return a command with its words. Gives up on commands the parser takes for what they are not."""
        assignments: list[Assignment] = []
        words: list[Word] = []
        redirects: list[Redirect] = []
        for child in self._words.row(node.children):
            kind = child.type
            if kind == "variable_assignment" and not words:
                assignments.append(self.assignment(child))
            elif kind in REDIRECTS:
                redirects.extend(self.redirect(child, words))
            elif child.is_named:
                words.append(self._words.word(child))
            else:
                raise Stumbled
        name = words[0].literal if words else None
        if name in _MISREAD_COMMANDS and len(words[0].parts) == 1:
            raise Stumbled
        if name == "let":
            return Arithmetic(self._words.text(node.start_byte, node.end_byte), self._words.nested(node))
        simple = Simple(tuple(assignments), tuple(words), node.start_byte, node.end_byte)
        return Redirected(simple, tuple(redirects)) if redirects else simple

    def assignments(self, node: "Node") -> Command:
        """Return a command that is assignments alone."""
        nodes = [node] if node.type == "variable_assignment" else node.children
        return Simple(tuple(self.assignment(each) for each in nodes), (), node.start_byte, node.end_byte)

    def assignment(self, node: "Node") -> Assignment:
        """Return one assignment."""
        target, sign, *values = node.children
        if len(values) > 1 or sign.type not in {"=", "+="}:
            raise Stumbled
        subscript = target.type == "subscript"
        name_node = target.children[0] if subscript else target
        name = self._words.text(name_node.start_byte, name_node.end_byte)
        append = sign.type == "+="
        index = self._words.subscript(target) if subscript else ()
        if not values:
            return Assignment(name, subscript, append, Word((), node.end_byte, node.end_byte), index)
        if values[0].type == "array":
            elements = tuple(self._words.word(each) for each in values[0].children if _is_word(each))
            return Assignment(name, subscript, append, None, elements)
        return Assignment(name, subscript, append, self._words.word(values[0]), index)

    def declaration(self, node: "Node") -> Command:
        """Return ``declare`` and its kin."""
        keyword, *rest = self._words.row(node.children)
        words = tuple(self._words.word(each) for each in rest if each.type != "variable_assignment")
        assignments = tuple(self.assignment(each) for each in rest if each.type == "variable_assignment")
        return Declaration(keyword.type, words, assignments)

    def unset(self, node: "Node") -> Command:
        """Return ``unset`` as the simple command it is."""
        keyword, *rest = self._words.row(node.children)
        name = Word((Text(keyword.type, quoted=False),), keyword.start_byte, keyword.end_byte)
        return Simple((), (name, *(self._words.word(each) for each in rest)), node.start_byte, node.end_byte)

    def test(self, node: "Node") -> Command:
        """Return ``[[ ... ]]``, or ``[ ... ]`` as the simple command it is."""
        if node.children[0].type == "[[":
            return Test(self._words.test_words(node.children[1:-1]))
        return Simple((), self._words.test_words(self._words.row(node.children)), node.start_byte, node.end_byte)

    def bare_redirect(self, node: "Node") -> Command:
        """Return a redirection without a command."""
        redirects = self.redirect(node, [])
        return Redirected(Simple((), (), node.start_byte, node.end_byte), tuple(redirects))

    def redirect(self, node: "Node", words: list[Word], follow: "list[Node] | None" = None) -> list[Redirect]:
        """Return the redirections of a node. Arguments that follow a target go to ``words``, commands to ``follow``."""
        if node.type == "heredoc_redirect":
            return self._heredoc(node, words, follow)
        if node.type not in REDIRECTS:
            raise Stumbled
        descriptor, operator = "", ""
        targets: list[Word] = []
        for child in node.children:
            if not child.is_named:
                operator = child.type
            elif child.type == "file_descriptor" and not operator:
                descriptor = self._words.text(child.start_byte, child.end_byte)
            else:
                targets.append(self._words.word(child))
        if operator in {"<&-", ">&-"}:
            targets.insert(0, Word((Text("-", quoted=False),), node.end_byte - 1, node.end_byte))
            operator = operator[:-1]
        words.extend(targets[1:])
        target = targets[0] if targets else Word((), node.end_byte, node.end_byte)
        return [Redirect(operator, descriptor, target)]

    def _heredoc(self, node: "Node", words: list[Word], follow: "list[Node] | None") -> list[Redirect]:
        operator, descriptor = "", ""
        quoted = False
        target = Word((), node.end_byte, node.end_byte)
        others: list[Redirect] = []
        for index, child in enumerate(self._words.row(node.children, lines=True)):
            kind = child.type
            if kind in {"<<", "<<-"}:
                operator = kind
            elif kind == "file_descriptor":
                descriptor = self._words.text(child.start_byte, child.end_byte)
            elif kind == "heredoc_start":
                quoted = bool(QUOTED_DELIMITER.search(self._source, child.start_byte, child.end_byte))
            elif kind == "heredoc_body":
                target = self._heredoc_body(child, quoted=quoted)
            elif kind in REDIRECTS:
                others.extend(self.redirect(child, words))
            elif kind != "heredoc_end":
                if follow is None or node.field_name_for_child(index) == "argument":
                    raise Stumbled
                follow.append(child)
        return [Redirect(operator, descriptor, target), *others]

    def _heredoc_body(self, node: "Node", *, quoted: bool) -> Word:
        if not quoted:
            return self._words.heredoc(node)
        text = Text(self._words.text(node.start_byte, node.end_byte), quoted=True)
        return Word((text,), node.start_byte, node.end_byte)


def _is_word(node: "Node") -> bool:
    return node.is_named and node.type != "comment"
