"""tree-sitter's tree of a script turned into ours, or ``None`` where it stumbles or is known to misread.

The parser is imported on first use. It never fails on Bash it does not know: it marks an error, or misreads in
silence. So everything unknown here, and every construct it is known to misread, is given up, for another parser to
read: backquotes, ``time``, ``coproc``, ``$"..."``, a word continued on the next line, an expansion it left as text.
"""

import functools
import re
from itertools import pairwise
from typing import TYPE_CHECKING

from opvalue.bash.tree import (
    AndOr,
    Arithmetic,
    Background,
    Body,
    Branch,
    Case,
    CaseItem,
    Command,
    Function,
    Group,
    If,
    Link,
    Loop,
    Not,
    Pipeline,
    Redirect,
    Redirected,
    Simple,
    Stumbled,
    Word,
    redirected,
)
from opvalue.bash.treesitter_simple import QUOTED_DELIMITER, REDIRECTS, SimpleReader
from opvalue.bash.treesitter_words import WordReader, escaped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tree_sitter import Node, Parser, Tree

_MISREAD = re.compile(rb"[^\s]\\\n[^\s]|\{[A-Za-z_][A-Za-z_0-9]*\}[<>]")
_PUNCTUATION = frozenset({";", ";;", ";&", ";;&", "\n", "(", ")", "{", "}", "do", "done", "then", "fi", "else", "elif"})


def read(source: bytes) -> Body | None:
    """Return the commands of ``source``, or ``None`` when this parser cannot be trusted with it.

    Nesting deeper than the interpreter's own stack ends in ``RecursionError``, which the caller turns into a refusal.
    """
    if _MISREAD.search(source):
        return None
    tree = _tree(source)
    if tree.root_node.has_error or not _backquotes_are_text(source, tree):
        return None
    reader = _Reader(source)
    try:
        return reader.body(tree.root_node.children)
    except Stumbled:
        return None


def first_error_line(source: bytes) -> int | None:
    """Return the line of the first node tree-sitter marks as an error or as missing, for messages."""
    pending = [_tree(source).root_node]
    while pending:
        node = pending.pop()
        if node.is_error or node.is_missing:
            return node.start_point[0] + 1
        pending.extend(child for child in reversed(node.children) if child.has_error)
    return None


@functools.lru_cache(maxsize=1)
def _tree(source: bytes) -> "Tree":
    # Kept for the message: with many errors a second parse takes many seconds.
    return _parser().parse(source)


@functools.cache
def _parser() -> "Parser":
    import tree_sitter  # noqa: PLC0415 - most commands never parse Bash
    import tree_sitter_bash  # noqa: PLC0415 - as above

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))


def _backquotes_are_text(source: bytes, tree: "Tree") -> bool:
    """Tell whether every backquote lies in a comment or in single quotes, or is escaped in a text."""
    position = source.find(b"`")
    while position >= 0:
        node = tree.root_node.descendant_for_byte_range(position, position + 1)
        if node is None or not _is_text(source, position, node):
            return False
        position = source.find(b"`", position + 1)
    return True


def _is_text(source: bytes, position: int, node: "Node") -> bool:
    kind = node.type
    if kind in {"comment", "raw_string"}:
        return True
    if kind not in {"string_content", "heredoc_content", "heredoc_body"}:
        return False
    return escaped(source, position) or (kind == "heredoc_body" and _is_quoted_heredoc(source, node))


def _is_quoted_heredoc(source: bytes, node: "Node") -> bool:
    parent = node.parent
    starts = [] if parent is None else [child for child in parent.children if child.type == "heredoc_start"]
    return any(QUOTED_DELIMITER.search(source[each.start_byte : each.end_byte]) for each in starts)


class _Reader:
    """Turns nodes of one source into commands."""

    def __init__(self, source: bytes) -> None:
        self._source = source
        self._words = WordReader(source, self.body)
        self._simple = SimpleReader(source, self._words)
        self._readers: dict[str, Callable[[Node], Command]] = {
            "command": self._simple.command,
            "variable_assignment": self._simple.assignments,
            "variable_assignments": self._simple.assignments,
            "declaration_command": self._simple.declaration,
            "unset_command": self._simple.unset,
            "test_command": self._simple.test,
            "redirected_statement": self._redirected,
            "file_redirect": self._simple.bare_redirect,
            "list": self._list,
            "pipeline": self._pipeline,
            "negated_command": self._negated,
            "subshell": self._subshell,
            "compound_statement": self._compound,
            "if_statement": self._if,
            "while_statement": self._while,
            "for_statement": self._for,
            "c_style_for_statement": self._counting,
            "case_statement": self._case,
            "function_definition": self._function,
        }

    def body(self, nodes: "Iterable[Node]") -> Body:
        """Return the commands among sibling nodes, separators aside."""
        commands: list[Command] = []
        for node in self._words.row(nodes, lines=True):
            kind = node.type
            if node.is_named:
                if kind != "comment":
                    commands.append(self._one(node))
            elif kind == "&" and commands:
                commands[-1] = Background(commands[-1])
            elif kind not in _PUNCTUATION:
                raise Stumbled
        return tuple(commands)

    def _one(self, node: "Node") -> Command:
        reader = self._readers.get(node.type)
        if reader is None:
            raise Stumbled
        return reader(node)

    def _field(self, node: "Node", name: str) -> "Node":
        child = node.child_by_field_name(name)
        if child is None:
            raise Stumbled
        return child

    # redirections

    def _redirected(self, node: "Node") -> Command:
        children = self._words.row(node.children)
        if children[0].type in REDIRECTS:
            command: Command = Simple((), (), node.start_byte, node.end_byte)
        else:
            command = self._one(children.pop(0))
        words: list[Word] = []
        redirects: list[Redirect] = []
        follow: list[Node] = []
        for child in children:
            redirects.extend(self._simple.redirect(child, words, follow))
        if words:
            command = _with_words(command, words)
        return self._followed(redirected(command, tuple(redirects)), follow)

    def _followed(self, command: Command, follow: "list[Node]") -> Command:
        """Join what stands on the line of a here-document's delimiter: a pipeline, or one ``&&`` or ``||``."""
        if not follow:
            return command
        if len(follow) == 1 and follow[0].type == "pipeline" and not isinstance(command, AndOr):
            following = [self._one(each) for each in follow[0].children if each.is_named]
            stages = [stage for each in following for stage in _stages(each)]
            if not any(isinstance(stage, AndOr | Redirected) for stage in stages):
                return Pipeline((*_stages(command), *stages))
        if len(follow) == 2 and follow[0].type in {"&&", "||"}:
            return _linked(command, follow[0].type, self._one(follow[1]))
        raise Stumbled

    # lists and compound commands

    def _list(self, node: "Node") -> Command:
        links: list[Link] = []
        while node.type == "list":
            named = [child for child in self._words.row(node.children, lines=True) if child.type != "comment"]
            if len(named) != 3:
                raise Stumbled
            left, operator, right = named
            following = self._one(right)
            if isinstance(following, AndOr):
                raise Stumbled
            links.append(Link(operator.type, following))
            node = left
        first = self._one(node)
        rest = tuple(reversed(links))
        return AndOr(first.first, first.rest + rest) if isinstance(first, AndOr) else AndOr(first, rest)

    def _pipeline(self, node: "Node") -> Command:
        stages = [
            self._one(child)
            for child in self._words.row(node.children, lines=True)
            if child.is_named and child.type != "comment"
        ]
        if any(isinstance(stage, AndOr) for stage in stages):
            raise Stumbled
        first, *others = stages
        if isinstance(first, Not):
            return Not(Pipeline((*_stages(first.command), *others)))
        return Pipeline((*_stages(first), *others))

    def _negated(self, node: "Node") -> Command:
        if node.children[0].end_byte == node.children[-1].start_byte and b"extglob" in self._source:
            raise Stumbled
        inner = self._one(node.children[-1])
        if isinstance(inner, AndOr):
            raise Stumbled
        return Not(inner)

    def _subshell(self, node: "Node") -> Command:
        return Group(self.body(node.children), subshell=True)

    def _compound(self, node: "Node") -> Command:
        if node.children[0].type == "((":
            return Arithmetic(self._words.text(node.start_byte, node.end_byte), self._words.nested(node))
        return Group(self.body(node.children), subshell=False)

    def _if(self, node: "Node") -> Command:
        branches = [self._branch(node.children)]
        otherwise: Body = ()
        for child in node.children:
            if child.type == "elif_clause":
                branches.append(self._branch(child.children))
            elif child.type == "else_clause":
                otherwise = self.body(child.children)
        return If(tuple(branches), otherwise)

    def _branch(self, nodes: "list[Node]") -> Branch:
        kinds = [node.type for node in nodes]
        then = kinds.index("then")
        end = next((at for at, kind in enumerate(kinds) if kind in {"elif_clause", "else_clause", "fi"}), len(nodes))
        return Branch(self.body(nodes[1:then]), self.body(nodes[then + 1 : end]))

    def _while(self, node: "Node") -> Command:
        body = self._field(node, "body")
        condition = [child for child in node.children[1:] if child.end_byte <= body.start_byte]
        until = node.children[0].type == "until"
        return Loop(None, (), self.body(condition), self.body(body.children), until)

    def _for(self, node: "Node") -> Command:
        variable = self._field(node, "variable")
        self._words.row(node.children, lines=True)
        words = tuple(self._words.word(each) for each in node.children_by_field_name("value"))
        name = self._words.text(variable.start_byte, variable.end_byte)
        return Loop(name, words, (), self.body(self._field(node, "body").children))

    def _counting(self, node: "Node") -> Command:
        body = self._field(node, "body")
        head = self._words.text(node.start_byte, body.start_byte)
        nested = tuple(
            command
            for child in node.children
            if child.end_byte <= body.start_byte
            for command in self._words.nested(child)
        )
        return Loop(None, (), (Arithmetic(head, nested),), self.body(body.children))

    def _case(self, node: "Node") -> Command:
        items = [self._item(child) for child in node.children if child.type == "case_item"]
        return Case(self._words.word(self._field(node, "value")), tuple(items))

    def _item(self, node: "Node") -> CaseItem:
        self._words.row(node.children, lines=True)
        patterns = tuple(self._words.word(each) for each in node.children_by_field_name("value"))
        last = max(word.end for word in patterns)
        if any(one.end == other.start for one, other in pairwise(patterns)):
            raise Stumbled  # one pattern, taken for two
        after = [child for child in node.children if child.start_byte >= last]
        return CaseItem(patterns, self.body(after))

    def _function(self, node: "Node") -> Command:
        name = self._field(node, "name")
        body = self._one(self._field(node, "body"))
        words: list[Word] = []
        redirects = [
            one for each in node.children_by_field_name("redirect") for one in self._simple.redirect(each, words)
        ]
        whole = redirected(body, tuple(redirects)) if redirects else body
        return Function(self._words.text(name.start_byte, name.end_byte), whole)


def _with_words(command: Command, words: list[Word]) -> Command:
    if not isinstance(command, Simple):
        raise Stumbled
    return Simple(command.assignments, (*command.words, *words), command.start, command.end)


def _stages(command: Command) -> Body:
    return command.commands if isinstance(command, Pipeline) else (command,)


def _linked(command: Command, operator: str, following: Command) -> Command:
    rest = command.rest if isinstance(command, AndOr) else ()
    first = command.first if isinstance(command, AndOr) else command
    return AndOr(first, (*rest, Link(operator, following)))
