"""shfmt's JSON of a script turned into our tree. The JSON is handed in; running shfmt is another room's business."""

from collections.abc import Callable, Iterable, Iterator
from typing import cast

from opvalue.bash.tree import (
    OPERATORS,
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
    Parameter,
    Part,
    Pipeline,
    Redirect,
    Redirected,
    Simple,
    Stumbled,
    Substitution,
    Test,
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


def convert(source: bytes, document: JsonValue) -> Body:
    """Return the commands of ``source`` from the JSON that shfmt wrote for it.

    Raises ``Stumbled`` for what is no such JSON and for the few constructs of other shells it may hold.
    """
    reader = _Reader(source)
    try:
        return reader.body(_object(document).get("Stmts"))
    except (KeyError, TypeError, IndexError):
        raise Stumbled from None


def _object(value: JsonValue) -> JsonObject:
    if not isinstance(value, dict):
        raise Stumbled
    return value


def _objects(value: JsonValue) -> list[JsonObject]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise Stumbled
    return [_object(item) for item in value]


def _offset(node: JsonObject, key: str) -> int:
    offset = _object(node[key])["Offset"]
    if not isinstance(offset, int):
        raise Stumbled
    return offset


def _text(value: JsonValue) -> str:
    if not isinstance(value, str):
        raise Stumbled
    return value


class _Reader:
    """Turns the JSON of one source into commands."""

    def __init__(self, source: bytes) -> None:
        self._source = source
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

    # commands

    def body(self, statements: JsonValue) -> Body:
        """Return the commands of a list of statements."""
        return tuple(self._statement(each) for each in _objects(statements))

    def _statement(self, node: JsonObject) -> Command:
        if node.get("Coprocess") or node.get("Disown"):
            raise Stumbled
        start, end = _offset(node, "Pos"), _offset(node, "End")
        inner = node.get("Cmd")
        command = Simple((), (), start, end) if inner is None else self._one(_object(inner))
        redirects = tuple(self._redirect(each) for each in _objects(node.get("Redirs")))
        if redirects:
            command = Redirected(command, redirects)
        if node.get("Negated"):
            command = Not(command)
        return Background(command) if node.get("Background") else command

    def _one(self, node: JsonObject) -> Command:
        reader = self._readers.get(_text(node["Type"]))
        if reader is None:
            raise Stumbled
        return reader(node)

    def _call(self, node: JsonObject) -> Command:
        assignments = tuple(self._assignment(each) for each in _objects(node.get("Assigns")))
        words = tuple(self._word(each) for each in _objects(node.get("Args")))
        if words and self._source.startswith(b"!(", words[0].start):
            raise Stumbled  # a negated subshell, unless extglob is on: shfmt always takes it for a pattern
        return Simple(assignments, words, _offset(node, "Pos"), _offset(node, "End"))

    def _declaration(self, node: JsonObject) -> Command:
        words: list[Word] = []
        assignments: list[Assignment] = []
        for each in _objects(node.get("Args")):
            if not each.get("Naked"):
                assignments.append(self._assignment(each))
            elif each.get("Value") is not None:
                words.append(self._word(_object(each["Value"])))
            else:
                name = Text(_text(_object(each["Name"])["Value"]), quoted=False)
                words.append(Word((name,), _offset(each, "Pos"), _offset(each, "End")))
        return Declaration(_text(_object(node["Variant"])["Value"]), tuple(words), tuple(assignments))

    def _assignment(self, node: JsonObject) -> Assignment:
        name = _text(_object(node["Name"])["Value"])
        subscript, append = node.get("Index") is not None, bool(node.get("Append"))
        index = self._subscript(node)
        array = node.get("Array")
        if array is not None:
            elements = _objects(_object(array).get("Elems"))
            return Assignment(name, subscript, append, None, tuple(self._element(each) for each in elements))
        value = node.get("Value")
        if value is None:
            end = _offset(node, "End")
            return Assignment(name, subscript, append, Word((), end, end), index)
        return Assignment(name, subscript, append, self._word(_object(value)), index)

    def _subscript(self, node: JsonObject) -> tuple[Word, ...]:
        nested = tuple(self._nested(node.get("Index")))
        start, end = _offset(node, "Pos"), _offset(node, "End")
        return (Word((Opaque(self._slice(start, end), nested, arithmetic=True),), start, end),) if nested else ()

    def _element(self, node: JsonObject) -> Word:
        value = self._word(_object(node["Value"])) if node.get("Value") is not None else None
        index = node.get("Index")
        if index is None and value is not None:
            return value
        start, end = _offset(node, "Pos"), _offset(node, "End")
        place = _object(index)
        opening = f"[{self._slice(_offset(place, 'Pos'), _offset(place, 'End'))}]="
        nested = tuple(self._nested(index))
        parts = () if value is None else value.parts
        head: Part = Opaque(opening, nested, arithmetic=True) if nested else Text(opening, quoted=False)
        return Word(merged([head, *parts]), start, end)

    def _test(self, node: JsonObject) -> Command:
        return Test(tuple(self._test_words(_object(node["X"]))))

    def _test_words(self, node: JsonObject) -> Iterator[Word]:
        kind = node["Type"]
        if kind == "Word":
            yield self._word(node)
        elif kind == "ParenTest":
            yield self._sign("(", node)
            yield from self._test_words(_object(node["X"]))
            yield self._sign(")", node)
        elif kind == "UnaryTest":
            yield self._sign(_text(node["Op"]), node)
            yield from self._test_words(_object(node["X"]))
        elif kind == "BinaryTest":
            yield from self._test_words(_object(node["X"]))
            yield self._sign(_text(node["Op"]), node)
            yield from self._test_words(_object(node["Y"]))
        else:
            raise Stumbled

    def _sign(self, text: str, node: JsonObject) -> Word:
        return Word((Text(text, quoted=False),), _offset(node, "Pos"), _offset(node, "End"))

    def _arithmetic(self, node: JsonObject) -> Command:
        return Arithmetic(self._slice(_offset(node, "Pos"), _offset(node, "End")), tuple(self._nested(node)))

    def _binary(self, node: JsonObject) -> Command:
        operator = _text(node["Op"])
        if operator in {"|", "|&"}:
            return Pipeline(tuple(self._stages(node)))
        links: list[Link] = []
        left: JsonObject = node
        while True:
            links.append(Link(_text(left["Op"]), self._statement(_object(left["Y"]))))
            statement = _object(left["X"])
            inner = _bare(statement, {"&&", "||"})
            if inner is None:
                return AndOr(self._statement(statement), tuple(reversed(links)))
            left = inner

    def _stages(self, node: JsonObject) -> Iterator[Command]:
        for side in (_object(node["X"]), _object(node["Y"])):
            inner = _bare(side, {"|", "|&"})
            if inner is None:
                yield self._statement(side)
            else:
                yield from self._stages(inner)

    def _time(self, node: JsonObject) -> Command:
        return self._statement(_object(node["Stmt"])) if node.get("Stmt") is not None else Group((), subshell=False)

    def _coproc(self, node: JsonObject) -> Command:
        return Background(self._statement(_object(node["Stmt"])))

    def _subshell(self, node: JsonObject) -> Command:
        return Group(self.body(node.get("Stmts")), subshell=True)

    def _block(self, node: JsonObject) -> Command:
        return Group(self.body(node.get("Stmts")), subshell=False)

    def _if(self, node: JsonObject) -> Command:
        branches: list[Branch] = []
        following: JsonValue = node
        while following is not None:
            clause = _object(following)
            if clause.get("Cond") is None:
                return If(tuple(branches), self.body(clause.get("Then")))
            branches.append(Branch(self.body(clause["Cond"]), self.body(clause.get("Then"))))
            following = clause.get("Else")
        return If(tuple(branches), ())

    def _while(self, node: JsonObject) -> Command:
        return Loop(None, (), self.body(node.get("Cond")), self.body(node.get("Do")), bool(node.get("Until")))

    def _for(self, node: JsonObject) -> Command:
        loop = _object(node["Loop"])
        body = self.body(node.get("Do"))
        if loop["Type"] == "CStyleLoop":
            head = self._slice(_offset(node, "Pos"), _offset(node, "DoPos"))
            return Loop(None, (), (Arithmetic(head, tuple(self._nested(loop))),), body)
        words = tuple(self._word(each) for each in _objects(loop.get("Items")))
        return Loop(_text(_object(loop["Name"])["Value"]), words, (), body)

    def _case(self, node: JsonObject) -> Command:
        items = tuple(
            CaseItem(tuple(self._word(each) for each in _objects(item.get("Patterns"))), self.body(item.get("Stmts")))
            for item in _objects(node.get("Items"))
        )
        return Case(self._word(_object(node["Word"])), items)

    def _function(self, node: JsonObject) -> Command:
        return Function(_text(_object(node["Name"])["Value"]), self._statement(_object(node["Body"])))

    def _redirect(self, node: JsonObject) -> Redirect:
        operator = _text(node["Op"])
        descriptor = _text(_object(node["N"])["Value"]) if node.get("N") is not None else ""
        target = self._word(_object(node["Word"]))
        if operator not in {"<<", "<<-"}:
            return Redirect(operator, descriptor, target)
        quoted = "\\" in self._slice(target.start, target.end) or any(
            isinstance(part, Text) and part.quoted for part in target.parts
        )
        body = node.get("Hdoc")
        return Redirect(operator, descriptor, self._heredoc(body, quoted=quoted))

    def _heredoc(self, node: JsonValue, *, quoted: bool) -> Word:
        if node is None:
            return Word((), 0, 0)
        body = _object(node)
        start, end = _offset(body, "Pos"), _offset(body, "End")
        parts = _objects(body.get("Parts"))
        if quoted:
            raw = "".join(_text(each["Value"]) for each in parts)
            return Word((Text(raw, quoted=True),), start, end)
        return Word(merged(self._parts(parts, quoted=True)), start, end)

    # words

    def _slice(self, start: int, end: int) -> str:
        return self._source[start:end].decode("utf-8", "surrogateescape")

    def _word(self, node: JsonObject) -> Word:
        parts = self._parts(_objects(node.get("Parts")), quoted=False)
        return Word(merged(parts), _offset(node, "Pos"), _offset(node, "End"))

    def _parts(self, nodes: Iterable[JsonObject], *, quoted: bool) -> list[Part]:
        parts: list[Part] = []
        for node in nodes:
            if node["Type"] == "DblQuoted":
                parts.append(Text("", quoted=True))
                parts.extend(self._parts(_objects(node.get("Parts")), quoted=True))
            else:
                parts.append(self._part(node, quoted=quoted))
        return parts

    def _part(self, node: JsonObject, *, quoted: bool) -> Part:
        kind = node["Type"]
        if kind == "Lit":
            raw = _text(node["Value"])
            return Text(unescaped_in_quotes(raw) if quoted else unescaped(raw), quoted)
        if kind == "ParamExp":
            return self._parameter(node, quoted=quoted)
        if kind == "CmdSubst":
            return Substitution(self.body(node.get("Stmts")), quoted)
        text = self._slice(_offset(node, "Pos"), _offset(node, "End"))
        if kind == "SglQuoted":
            return _single(_text(node.get("Value", "")), text, dollar=bool(node.get("Dollar")))
        if kind in {"ExtGlob", "BraceExp"}:
            return Text(text, quoted=False)
        if kind in {"ArithmExp", "ProcSubst"}:
            return Opaque(text, tuple(self._nested(node)), arithmetic=kind == "ArithmExp")
        raise Stumbled

    def _parameter(self, node: JsonObject, *, quoted: bool) -> Part:
        expansion = _object(node["Exp"]) if node.get("Exp") is not None else {}
        operator = _text(expansion.get("Op", ""))
        index = node.get("Index")
        other = any(value for key, value in node.items() if key not in _PARAMETER_KEYS) or any(self._nested(index))
        if other or (operator and operator not in OPERATORS):
            text = self._slice(_offset(node, "Pos"), _offset(node, "End"))
            return Opaque(text, tuple(self._nested(node)), arithmetic=False)
        name = _text(_object(node["Param"])["Value"])
        place = None if index is None else _object(index)
        shown = None if place is None else self._slice(_offset(place, "Pos"), _offset(place, "End"))
        argument = self._argument(expansion.get("Word"), _offset(node, "End") - 1) if operator else None
        return Parameter(name, shown, operator, argument, quoted)

    def _argument(self, node: JsonValue, end: int) -> Word:
        return Word((), end, end) if node is None else self._word(_object(node))

    def _nested(self, value: JsonValue) -> Iterator[Command]:
        if isinstance(value, list):
            for item in value:
                yield from self._nested(item)
        elif isinstance(value, dict):
            inside = value.get("Type") in _SUBSTITUTIONS
            if inside:
                yield from self.body(value.get("Stmts"))
            else:
                for item in value.values():
                    yield from self._nested(item)


def _single(value: str, text: str, *, dollar: bool) -> Part:
    plain = ansi_text(value) if dollar else value
    return Opaque(text, (), arithmetic=False) if plain is None else Text(plain, quoted=True)


def _bare(statement: JsonObject, operators: set[str]) -> JsonObject | None:
    """Return the binary command a statement consists of, when it has nothing else and one of the operators."""
    if statement.get("Redirs") or statement.get("Negated") or statement.get("Background"):
        return None
    command = cast(JsonObject | None, statement.get("Cmd"))
    if command is None or command["Type"] != "BinaryCmd" or command["Op"] not in operators:
        return None
    return command
