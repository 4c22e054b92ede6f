"""shfmt's JSON of a script turned into our tree. The JSON is handed in; running shfmt is another room's business."""

from collections.abc import Callable, Iterator
from typing import cast

from opvalue.bash.shfmt_words import Words, as_object, as_objects, as_text, offset
from opvalue.bash.tree import (
    AndOr,
    Arithmetic,
    Assignment,
    Background,
    Body,
    Branch,
    Case,
    CaseItem,
    Command,
    Declaration,
    Function,
    Group,
    If,
    Link,
    Loop,
    Not,
    Opaque,
    Part,
    Pipeline,
    Redirect,
    Redirected,
    Simple,
    Stumbled,
    Test,
    Text,
    Word,
    merged,
)
from opvalue.strictjson import JsonObject, JsonValue


def convert(source: bytes, document: JsonValue) -> Body:
    """Return the commands of ``source`` from the JSON that shfmt wrote for it.

    Raises ``Stumbled`` for what is no such JSON and for the few constructs of other shells it may hold.
    """
    reader = _Reader(source)
    try:
        return reader.body(as_object(document).get("Stmts"))
    except (KeyError, TypeError, IndexError):
        raise Stumbled from None


class _Reader:
    """Turns the JSON of one source into commands."""

    def __init__(self, source: bytes) -> None:
        self._source = source
        self._words = Words(source, self.body)
        self._readers: dict[str, Callable[[JsonObject], Command]] = {
            "CallExpr": self._call,
            "DeclClause": self._declaration,
            "TestClause": self._test,
            "ArithmCmd": self._arithmetic,
            "LetClause": self._arithmetic,
            "BinaryCmd": self._binary,
            "TimeClause": self._time,
            "CoprocClause": self._coproc,
            "Subshell": self._subshell,
            "Block": self._block,
            "IfClause": self._if,
            "WhileClause": self._while,
            "ForClause": self._for,
            "CaseClause": self._case,
            "FuncDecl": self._function,
        }

    def body(self, statements: JsonValue) -> Body:
        """Return the commands of a list of statements."""
        return tuple(self._statement(each) for each in as_objects(statements))

    def _statement(self, node: JsonObject) -> Command:
        if node.get("Coprocess") or node.get("Disown"):
            raise Stumbled
        start, end = offset(node, "Pos"), offset(node, "End")
        inner = node.get("Cmd")
        command = Simple((), (), start, end) if inner is None else self._one(as_object(inner))
        redirects = tuple(self._redirect(each) for each in as_objects(node.get("Redirs")))
        if redirects:
            command = Redirected(command, redirects)
        if node.get("Negated"):
            command = Not(command)
        return Background(command) if node.get("Background") else command

    def _one(self, node: JsonObject) -> Command:
        reader = self._readers.get(as_text(node["Type"]))
        if reader is None:
            raise Stumbled
        return reader(node)

    def _call(self, node: JsonObject) -> Command:
        assignments = tuple(self._assignment(each) for each in as_objects(node.get("Assigns")))
        words = tuple(self._words.word(each) for each in as_objects(node.get("Args")))
        if words and self._source.startswith(b"!(", words[0].start):
            raise Stumbled  # a negated subshell, unless extglob is on: shfmt always takes it for a pattern
        return Simple(assignments, words, offset(node, "Pos"), offset(node, "End"))

    def _declaration(self, node: JsonObject) -> Command:
        words: list[Word] = []
        assignments: list[Assignment] = []
        for each in as_objects(node.get("Args")):
            if not each.get("Naked"):
                assignments.append(self._assignment(each))
            elif each.get("Value") is not None:
                words.append(self._words.word(as_object(each["Value"])))
            else:
                name = Text(as_text(as_object(each["Name"])["Value"]), quoted=False)
                words.append(Word((name,), offset(each, "Pos"), offset(each, "End")))
        return Declaration(as_text(as_object(node["Variant"])["Value"]), tuple(words), tuple(assignments))

    def _assignment(self, node: JsonObject) -> Assignment:
        name = as_text(as_object(node["Name"])["Value"])
        subscript, append = node.get("Index") is not None, bool(node.get("Append"))
        index = self._subscript(node)
        array = node.get("Array")
        if array is not None:
            elements = as_objects(as_object(array).get("Elems"))
            return Assignment(name, subscript, append, None, tuple(self._element(each) for each in elements))
        value = node.get("Value")
        if value is None:
            end = offset(node, "End")
            return Assignment(name, subscript, append, Word((), end, end), index)
        return Assignment(name, subscript, append, self._words.word(as_object(value)), index)

    def _subscript(self, node: JsonObject) -> tuple[Word, ...]:
        nested = tuple(self._words.nested(node.get("Index")))
        start, end = offset(node, "Pos"), offset(node, "End")
        return (Word((Opaque(self._words.slice(start, end), nested, arithmetic=True),), start, end),) if nested else ()

    def _element(self, node: JsonObject) -> Word:
        value = self._words.word(as_object(node["Value"])) if node.get("Value") is not None else None
        index = node.get("Index")
        if index is None and value is not None:
            return value
        start, end = offset(node, "Pos"), offset(node, "End")
        place = as_object(index)
        opening = f"[{self._words.slice(offset(place, 'Pos'), offset(place, 'End'))}]="
        nested = tuple(self._words.nested(index))
        parts = () if value is None else value.parts
        head: Part = Opaque(opening, nested, arithmetic=True) if nested else Text(opening, quoted=False)
        return Word(merged([head, *parts]), start, end)

    def _test(self, node: JsonObject) -> Command:
        return Test(tuple(self._test_words(as_object(node["X"]))))

    def _test_words(self, node: JsonObject) -> Iterator[Word]:
        kind = node["Type"]
        if kind == "Word":
            yield self._words.word(node)
        elif kind == "ParenTest":
            yield self._sign("(", node)
            yield from self._test_words(as_object(node["X"]))
            yield self._sign(")", node)
        elif kind == "UnaryTest":
            yield self._sign(as_text(node["Op"]), node)
            yield from self._test_words(as_object(node["X"]))
        elif kind == "BinaryTest":
            yield from self._test_words(as_object(node["X"]))
            yield self._sign(as_text(node["Op"]), node)
            yield from self._test_words(as_object(node["Y"]))
        else:
            raise Stumbled

    def _sign(self, text: str, node: JsonObject) -> Word:
        return Word((Text(text, quoted=False),), offset(node, "Pos"), offset(node, "End"))

    def _arithmetic(self, node: JsonObject) -> Command:
        return Arithmetic(self._words.slice(offset(node, "Pos"), offset(node, "End")), tuple(self._words.nested(node)))

    def _binary(self, node: JsonObject) -> Command:
        operator = as_text(node["Op"])
        if operator in {"|", "|&"}:
            return Pipeline(tuple(self._stages(node)))
        links: list[Link] = []
        left: JsonObject = node
        while True:
            links.append(Link(as_text(left["Op"]), self._statement(as_object(left["Y"]))))
            statement = as_object(left["X"])
            inner = _bare(statement, {"&&", "||"})
            if inner is None:
                return AndOr(self._statement(statement), tuple(reversed(links)))
            left = inner

    def _stages(self, node: JsonObject) -> Iterator[Command]:
        for side in (as_object(node["X"]), as_object(node["Y"])):
            inner = _bare(side, {"|", "|&"})
            if inner is None:
                yield self._statement(side)
            else:
                yield from self._stages(inner)

    def _time(self, node: JsonObject) -> Command:
        return self._statement(as_object(node["Stmt"])) if node.get("Stmt") is not None else Group((), subshell=False)

    def _coproc(self, node: JsonObject) -> Command:
        return Background(self._statement(as_object(node["Stmt"])))

    def _subshell(self, node: JsonObject) -> Command:
        return Group(self.body(node.get("Stmts")), subshell=True)

    def _block(self, node: JsonObject) -> Command:
        return Group(self.body(node.get("Stmts")), subshell=False)

    def _if(self, node: JsonObject) -> Command:
        branches: list[Branch] = []
        following: JsonValue = node
        while following is not None:
            clause = as_object(following)
            if clause.get("Cond") is None:
                return If(tuple(branches), self.body(clause.get("Then")))
            branches.append(Branch(self.body(clause["Cond"]), self.body(clause.get("Then"))))
            following = clause.get("Else")
        return If(tuple(branches), ())

    def _while(self, node: JsonObject) -> Command:
        return Loop(None, (), self.body(node.get("Cond")), self.body(node.get("Do")), bool(node.get("Until")))

    def _for(self, node: JsonObject) -> Command:
        loop = as_object(node["Loop"])
        body = self.body(node.get("Do"))
        if loop["Type"] == "CStyleLoop":
            head = self._words.slice(offset(node, "Pos"), offset(node, "DoPos"))
            return Loop(None, (), (Arithmetic(head, tuple(self._words.nested(loop))),), body)
        words = tuple(self._words.word(each) for each in as_objects(loop.get("Items")))
        return Loop(as_text(as_object(loop["Name"])["Value"]), words, (), body)

    def _case(self, node: JsonObject) -> Command:
        items = tuple(
            CaseItem(
                tuple(self._words.word(each) for each in as_objects(item.get("Patterns"))), self.body(item.get("Stmts"))
            )
            for item in as_objects(node.get("Items"))
        )
        return Case(self._words.word(as_object(node["Word"])), items)

    def _function(self, node: JsonObject) -> Command:
        return Function(as_text(as_object(node["Name"])["Value"]), self._statement(as_object(node["Body"])))

    def _redirect(self, node: JsonObject) -> Redirect:
        operator = as_text(node["Op"])
        descriptor = as_text(as_object(node["N"])["Value"]) if node.get("N") is not None else ""
        target = self._words.word(as_object(node["Word"]))
        if operator not in {"<<", "<<-"}:
            return Redirect(operator, descriptor, target)
        quoted = "\\" in self._words.slice(target.start, target.end) or any(
            isinstance(part, Text) and part.quoted for part in target.parts
        )
        body = node.get("Hdoc")
        return Redirect(operator, descriptor, self._heredoc(body, quoted=quoted))

    def _heredoc(self, node: JsonValue, *, quoted: bool) -> Word:
        if node is None:
            return Word((), 0, 0)
        body = as_object(node)
        start, end = offset(body, "Pos"), offset(body, "End")
        parts = as_objects(body.get("Parts"))
        if quoted:
            raw = "".join(as_text(each["Value"]) for each in parts)
            return Word((Text(raw, quoted=True),), start, end)
        return Word(merged(self._words.parts(parts, quoted=True)), start, end)


def _bare(statement: JsonObject, operators: set[str]) -> JsonObject | None:
    """Return the binary command a statement consists of, when it has nothing else and one of the operators."""
    if statement.get("Redirs") or statement.get("Negated") or statement.get("Background"):
        return None
    command = cast(JsonObject | None, statement.get("Cmd"))
    if command is None or command["Type"] != "BinaryCmd" or command["Op"] not in operators:
        return None
    return command
