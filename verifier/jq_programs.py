"""Every jq program that a script holds as literal text, with the names its call declares. Pure.

Found: the argument of ``jq`` (also put together from variables that hold one literal text, or out of a here-document),
``gh api --jq``, functions that pass their arguments on to ``jq``, ``-f`` with a here-document, here-documents written
to a ``.jq`` file, and the ``.jq`` files of the closure. A program with anything else expanded in it is left out.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple, TypeGuard

from opvalue.bash.tree import Opaque, Parameter, Part, Substitution, Text, Word, merged
from verifier.gh_calls import gh_api_calls
from verifier.subject import SourceFile
from verifier.syntax import Call, Syntax, is_bash
from verifier.words import may_be_several, printed_heredoc, template

_NAMING: Final = frozenset({"--arg", "--argjson", "--slurpfile", "--rawfile", "--argfile"})
_LIKE_A_PROGRAM: Final = re.compile(r"[\s|{\[(]|^\.(?!/)|^\$")
_ENVIRONMENT: Final = re.compile(r"(?:\$ENV|(?<![.$\w])env)\s*\.?\s*\[?\s*\"?([A-Za-z_]\w*)")
_ONE_VALUE: Final = frozenset({"--indent", "-L", "--library-path"})


class JqProgram(NamedTuple):
    """One program."""

    text: str
    file: SourceFile
    start: int
    """Byte offset at which the word that gives it begins."""
    end: int
    exact: bool
    """Whether the text stands in the file as it is, from one byte after ``start`` for a quoted word."""
    names: frozenset[str]
    """The named arguments of its call."""
    open: bool
    """Whether there may be further named arguments."""
    call: Call | None = None

    def at(self, text: str = "", line: int | None = None) -> tuple[str, int, int]:
        """Return where a piece of the program stands in the file, or a line of it, or its beginning."""
        if line is not None and line > 1 and self.exact:
            offset = self.start
            for _ in range(line - 1):
                offset = self.file.data.find(b"\n", offset, self.end) + 1 or offset
            return self.file.place(offset)
        found = self.file.data.find(text.encode(), self.start, self.end) if text else self.start
        return self.file.place(found if found >= 0 else self.start)

    def environment(self) -> Iterator[tuple[str, str]]:
        """Yield the environment's variables that the program reads, ``env.NAME`` or ``$ENV.NAME``, with how it does."""
        return ((found[1], found[0]) for found in _ENVIRONMENT.finditer(self.text))


class JqCall(NamedTuple):
    """The arguments of ``jq`` sorted out."""

    program: Word | None
    names: frozenset[str]
    open: bool
    from_file: bool


@lru_cache(maxsize=4)
def jq_programs(syntax: Syntax) -> tuple[JqProgram, ...]:
    """Return every literal program of a script and what it sources."""
    return tuple(_unique((*_called(syntax), *_of_gh(syntax), *_passed_on(syntax), *_files(syntax))))


def jq_call(arguments: tuple[Word, ...]) -> JqCall:
    """Sort out the arguments of ``jq``."""
    names: set[str] = set()
    operands: list[Word] = []
    opened = from_file = rest = False
    words = list(arguments)
    while words:
        word = words.pop(0)
        text = template(word)
        if rest and operands:
            break
        if text in _NAMING:
            if words and words[0].literal is not None:
                names.add(words[0].literal)
            else:
                opened = True
            words = words[2:]
        elif text in _ONE_VALUE:
            words = words[1:]
        elif text in {"--args", "--jsonargs"}:
            rest = True
        elif text == "--from-file" or (_is_short(text) and "f" in text and "L" not in text):
            from_file = True
        elif not text.startswith("-") or text == "-":
            if may_be_several(word):
                opened = True
            operands.append(word)
    return JqCall(_first_program(operands), frozenset(names), opened, from_file)


def _first_program(operands: list[Word]) -> Word | None:
    """Return the first operand; one after a list of options only where it looks like a program, not like a file."""
    for place, word in enumerate(operands):
        if not may_be_several(word):
            return word if place == 0 or _LIKE_A_PROGRAM.search(template(word)) else None
        if any(getattr(part, "name", "") == "@" for part in word.parts):
            return None
    return None


def _is_short(text: str) -> bool:
    return text.startswith("-") and not text.startswith("--")


def _called(syntax: Syntax) -> Iterator[JqProgram]:
    for call in syntax.named("jq"):
        given = jq_call(call.arguments)
        word = given.program
        if given.from_file:
            word = _fed(call, word)
        if word is not None:
            yield from _program(word, call, given, syntax)


def _fed(call: Call, word: Word | None) -> Word | None:
    """Return the here-document that ``-f`` reads: by standard input or by a process substitution."""
    if word is None:
        return None
    if word.literal in {"/dev/stdin", "-", "/dev/fd/0"}:
        return next((one.target for one in call.site.redirects if one.operator in {"<<", "<<-"}), None)
    part = word.parts[0] if len(word.parts) == 1 else None
    return printed_heredoc(part.nested) if isinstance(part, Opaque) else None


def _of_gh(syntax: Syntax) -> Iterator[JqProgram]:
    for api in gh_api_calls(syntax):
        for word in api.jq():
            plain = _without_option(word)
            if plain is not None:
                yield from _program(plain, api.call, JqCall(plain, frozenset(), open=False, from_file=False), syntax)


def _without_option(word: Word) -> Word | None:
    """Return the word without ``--jq=`` or ``-q`` glued to it."""
    first = word.parts[0] if word.parts else None
    for option in ("--jq=", "-q"):
        if isinstance(first, Text) and not first.quoted and first.value.startswith(option):
            kept = first.value[len(option) :]
            parts = (Text(kept, quoted=False), *word.parts[1:]) if kept else word.parts[1:]
            return Word(parts, word.start + len(option), word.end)
    return word


def _passed_on(syntax: Syntax) -> Iterator[JqProgram]:
    """Yield the programs given to functions that hand an argument, or all of them, on to ``jq``."""
    for inner in syntax.named("jq"):
        name = inner.site.function
        if name is None:
            continue
        given = jq_call(inner.arguments)
        everything = any(template(word) == "\0" and may_be_several(word) for word in inner.arguments)
        place = _positional(given.program)
        for outer in syntax.calls:
            if outer.name != name:
                continue
            if everything and given.program is None:
                own = jq_call(outer.arguments)
                named = own._replace(names=own.names | given.names)
                if own.program is not None and not own.from_file:
                    yield from _program(own.program, outer, named, syntax)
            elif given.program is not None and place is not None and place <= len(outer.arguments):
                yield from _program(_with_argument(given.program, outer.arguments[place - 1]), outer, given, syntax)


def _positional(word: Word | None) -> int | None:
    """Return the number of the one positional parameter in a word."""
    found = [int(part.name) for part in (word.parts if word else ()) if _is_positional(part)]
    return found[0] if len(found) == 1 else None


def _is_positional(part: Part) -> TypeGuard[Parameter]:
    return isinstance(part, Parameter) and not part.operator and part.name.isdigit() and part.name != "0"


def _with_argument(word: Word, argument: Word) -> Word:
    """Return the word with an argument in place of its positional parameter."""
    parts: list[Part] = []
    for part in word.parts:
        parts.extend(argument.parts if _is_positional(part) else (part,))
    return Word(merged(parts), argument.start, argument.end)


def _files(syntax: Syntax) -> Iterator[JqProgram]:
    for file in syntax.subject.files:
        if file.name.endswith(".jq") and not is_bash(file):
            text = file.data.decode("utf-8", "replace")
            yield JqProgram(text, file, 0, len(file.data), exact=True, names=frozenset(), open=True)
    for site in syntax.sites:
        targets = [one.target for one in site.redirects]
        if any(template(one).endswith(".jq") for one in targets):
            for redirect in site.redirects:
                if redirect.operator in {"<<", "<<-"} and redirect.target.literal is not None:
                    word = redirect.target
                    yield JqProgram(
                        word.literal or "", site.file, word.start, word.end, exact=True, names=frozenset(), open=True
                    )


def _program(word: Word, call: Call, given: JqCall, syntax: Syntax) -> Iterator[JqProgram]:
    text = syntax.text_of(word)
    if text is None:
        return
    file, place = call.site.file, word
    exact = word.literal is not None
    source = _source(word, syntax)
    if not exact and source is not None:
        file, place, exact = *source, True
    yield JqProgram(text, file, place.start, place.end, exact, given.names, given.open, call)


def _source(word: Word, syntax: Syntax) -> tuple[SourceFile, Word] | None:
    """Return the literal word that a variable or a substitution stands for, and its file."""
    parts = [part for part in word.parts if not (isinstance(part, Text) and not part.value)]
    part = parts[0] if len(parts) == 1 else None
    if isinstance(part, Parameter):
        entries = syntax.assigned.get(part.name, ())
        file, inner = entries[0] if len(entries) == 1 else (None, None)
        if file is not None and inner is not None:
            if inner.literal is not None:
                return file, inner
            return _source(inner, syntax) or _heredoc(inner, file)
    return None


def _heredoc(word: Word, file: SourceFile) -> tuple[SourceFile, Word] | None:
    for part in word.parts:
        if isinstance(part, Substitution):
            inner = printed_heredoc(part.body)
            if inner is not None:
                return file, inner
    return None


def _unique(programs: tuple[JqProgram, ...]) -> Iterator[JqProgram]:
    seen: dict[tuple[str, str, int], None] = {}
    for program in programs:
        key = (program.text, program.file.name, program.start)
        if key not in seen:
            seen[key] = None
            yield program
