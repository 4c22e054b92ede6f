"""Words expanded as far as their text tells, and the output of the few commands that paths are built with.

Nothing runs. Known outputs: ``cd`` with ``pwd``, ``dirname``, ``basename``, ``readlink -f``, ``realpath``, ``mktemp``,
``echo``, ``printf '%s'``, and functions made of these. After ``||`` the left side is taken to have succeeded.
"""

from collections.abc import Callable
from typing import Final

from opvalue.bash.spread import spread
from opvalue.bash.state import Defined, State
from opvalue.bash.tree import (
    AndOr,
    Body,
    Command,
    Declaration,
    Group,
    Opaque,
    Parameter,
    Part,
    Redirected,
    Simple,
    Text,
    Word,
)
from opvalue.bash.values import LONGEST, SCRATCH, Unknown, Value, basename, checked, dirname, normal, trimmed

_SPECIAL: Final = frozenset("@*#?$!-")
_MOST_CALLS: Final = 20
_SILENT: Final = frozenset({":", "true", "return", "set", "shopt", "unset", "umask"})
_TO_FILE: Final = frozenset({">", ">>", ">|", "&>", "&>>", ">&"})


def value_of(word: Word, state: State, *, assigned: bool = False, lenient: bool = False) -> Value:
    """Return what ``word`` expands to. An assigned word is neither split nor matched against file names.

    A variable that nothing sets is unknown, or empty if ``lenient``.
    """
    pieces: list[str] = []
    size = 0
    for part in word.parts:
        value = _part_value(part, state, assigned=assigned, first=not pieces)
        if isinstance(value, Unknown):
            if lenient and value.unset:
                continue
            return Unknown(value.why, "".join(pieces) + value.prefix, value.unset)
        pieces.append(value)
        size += len(value)
        if size > LONGEST:
            return Unknown("the value is too long")
    return "".join(pieces)


def _part_value(part: Part, state: State, *, assigned: bool, first: bool) -> Value:
    if isinstance(part, Text):
        return part.value if part.quoted else _unquoted(part.value, assigned=assigned, first=first)
    if isinstance(part, Opaque):
        return Unknown(f"{part.text} is not followed")
    value = parameter_value(part, state) if isinstance(part, Parameter) else output_of(part.body, state.fork())
    if isinstance(value, Unknown) or part.quoted or assigned:
        return value
    signs = separators(state)
    if signs is None or any(sign in value for sign in signs + "*?["):
        return Unknown("it may be split into several words", value)
    return value


def separators(state: State) -> str | None:
    """Return the characters unquoted expansions are split at, or ``None`` when they are not known."""
    found = state.variables.get("IFS", " \t\n")
    return None if isinstance(found, Unknown) else found


def positional_of(words: tuple[Word, ...], state: State) -> tuple[Value, ...] | None:
    """Return the arguments a call gets, or ``None`` when their number is not known."""
    values: list[Value] = []
    for word in words:
        value = value_of(word, state)
        if isinstance(value, Unknown) and not _is_one(word):
            return None
        values.append(value)
    return tuple(values)


def _is_one(word: Word) -> bool:
    """Tell whether a word surely becomes one argument, though which is not known."""
    return all(
        getattr(part, "quoted", False) and "@" not in {getattr(part, "name", ""), getattr(part, "subscript", "")}
        for part in word.parts
    )


def _unquoted(text: str, *, assigned: bool, first: bool) -> Value:
    if first and text.startswith("~"):
        return Unknown("~ is set from outside the script")
    if assigned:
        return text
    if any(sign in text for sign in "*?["):
        return Unknown("it is a pattern")
    return Unknown("it is a list in braces") if _lists(text) else text


def is_list(word: Word) -> bool:
    """Tell whether braces in a word make several words of it."""
    return any(isinstance(part, Text) and not part.quoted and _lists(part.value) for part in word.parts)


def _lists(text: str) -> bool:
    return "{" in text and ("," in text or ".." in text)


def parameter_value(part: Parameter, state: State) -> Value:
    """Return what one expansion stands for. ``:=`` assigns."""
    found = _subject(part, state)
    operator = part.operator
    if operator in {"#", "##", "%", "%%"}:
        return _trimmed(found, part, state)
    if isinstance(found, Unknown):
        return found
    unset = found is None or (found == "" and operator.startswith(":"))
    if operator in {":+", "+"}:
        return "" if unset else _argument(part, state)
    if not unset and found is not None:
        return found
    if operator in {":-", "-"}:
        return _argument(part, state)
    if operator in {":=", "="}:
        value = _argument(part, state)
        state.assign(part.name, value)
        return value
    return Unknown(f"{part.name} is not set", unset=True)


def _argument(part: Parameter, state: State) -> Value:
    return "" if part.argument is None else value_of(part.argument, state, assigned=True)


def _trimmed(found: Value | None, part: Parameter, state: State) -> Value:
    if found is None:
        return Unknown(f"{part.name} is not set", unset=True)
    if isinstance(found, Unknown):
        return Unknown(found.why)
    pattern = _argument(part, state)
    return pattern if isinstance(pattern, Unknown) else trimmed(found, part.operator, pattern)


def _subject(part: Parameter, state: State) -> Value | None:
    name, index = part.name, part.subscript
    if name == "BASH_SOURCE":
        return _file(index or "0", state)
    if index is not None:
        return Unknown(f"{name} is an array")
    if name == "0":
        return state.zero
    if name.isdigit():
        return _positional(int(name[:9]), state)
    if name == "#" and state.positional is not None:
        return str(len(state.positional))
    if name in _SPECIAL:
        return Unknown(f"${name} is known only to a run")
    return state.lookup(name)


def _file(index: str, state: State) -> Value | None:
    """Return ``BASH_SOURCE[index]``: the files from the current one outwards."""
    if not index.lstrip("-").isdigit() or len(index) > 9:
        return Unknown(f"BASH_SOURCE[{index}] is not followed")
    place = int(index)
    outwards = state.files[::-1]
    return outwards[place] if -len(outwards) <= place < len(outwards) else None


def _positional(place: int, state: State) -> Value | None:
    if state.positional is None:
        return Unknown(f"${place} is an argument")
    return state.positional[place - 1] if place <= len(state.positional) else None


def output_of(body: Body, state: State) -> Value:
    """Return what commands print, without the line ends at its end. ``state`` follows them; pass a fork."""
    state.effort.spend()
    said = ""
    for command in body:
        printed = _printed(command, state)
        if isinstance(printed, Unknown):
            return Unknown(printed.why)
        if printed and said:
            return Unknown("several commands print")
        said = said or printed
    return said.rstrip("\n")


def _printed(command: Command, state: State) -> Value:
    if isinstance(command, Simple):
        return _said(command, state)
    if isinstance(command, Redirected):
        return _redirected(command, state)
    if isinstance(command, AndOr):
        taken = [command.first, *(link.command for link in command.rest if link.operator == "&&")]
        return output_of(tuple(taken), state)
    if isinstance(command, Group):
        return output_of(command.body, state.fork() if command.subshell else state)
    if isinstance(command, Declaration):
        for one in command.assignments:
            state.assign(one.name, _assigned(one.value, state))
        return ""
    return Unknown("the output of a compound command is not followed")


def _redirected(command: Redirected, state: State) -> Value:
    printed = _printed(command.command, state)
    elsewhere = any(one.operator in _TO_FILE and one.descriptor in {"", "1"} for one in command.redirects)
    return "" if elsewhere and isinstance(printed, str) else printed


def _assigned(word: Word | None, state: State) -> Value:
    return Unknown("it is an array") if word is None else value_of(word, state, assigned=True)


def _said(command: Simple, state: State) -> Value:
    if not command.words:
        for one in command.assignments:
            state.assign(one.name, _assigned(one.value, state))
        return ""
    values = [value_of(word, state) for word in spread(command.words, state)]
    while len(values) > 1 and values[0] in {"command", "builtin"}:
        values = values[1:]
    name = values[0]
    if isinstance(name, Unknown):
        return name
    definitions = state.functions.get(name, ())
    if len(definitions) > 1:
        return Unknown(f"{name} has more than one definition")
    if definitions:
        return _call(definitions[0], values[1:], state)
    if name in _SILENT:
        return ""
    arguments: list[str] = []
    for value in values[1:]:
        if isinstance(value, Unknown):
            return value
        arguments.append(value)
    builder = _BUILDERS.get(name)
    return Unknown(f"the output of {name[:40]} is not known") if builder is None else builder(arguments, state)


def _call(defined: Defined, arguments: list[Value], state: State) -> Value:
    inside = state.fork()
    inside.files = (*state.files, defined.file)
    inside.positional = tuple(arguments)
    if len(inside.files) > _MOST_CALLS:
        return Unknown(f"{defined.name} calls too deeply")
    return output_of((defined.body,), inside)


def change_folder(arguments: list[str], state: State) -> Value:
    """Follow ``cd``; it prints nothing."""
    operands = _operands(arguments, "PLe@")
    if operands is None or len(operands) != 1 or operands[0] == "-":
        state.assign("PWD", Unknown("the directory it changes to is not known"))
    elif state.lookup("CDPATH") not in {None, ""} and operands[0].split("/")[0] not in {"", ".", ".."}:
        state.assign("PWD", Unknown("CDPATH may lead elsewhere"))
    else:
        state.assign("PWD", normal(operands[0], state.variables["PWD"]))
    return ""


def _operands(arguments: list[str], flags: str) -> list[str] | None:
    """Return the operands after single-letter flags, or ``None`` for a flag that is not among them."""
    for place, argument in enumerate(arguments):
        if argument == "--":
            return arguments[place + 1 :]
        if not argument.startswith("-") or argument == "-":
            return arguments[place:]
        if set(argument[1:]) - set(flags):
            return None
    return []


def _pwd(arguments: list[str], state: State) -> Value:
    return state.variables["PWD"] if _operands(arguments, "PL") == [] else Unknown("pwd is given what it does not take")


def _dirname(arguments: list[str], _state: State) -> Value:
    operands = _operands(arguments, "")
    return dirname(operands[0]) if operands and len(operands) == 1 else Unknown("dirname is given several names")


def _basename(arguments: list[str], _state: State) -> Value:
    operands = _operands(arguments, "")
    return basename(*operands) if operands and len(operands) <= 2 else Unknown("basename is given several names")


def _readlink(arguments: list[str], state: State) -> Value:
    operands = _operands(arguments, "femnqs")
    if operands is None or len(operands) != 1 or not {"-f", "-e", "-m"} & {each[:2] for each in arguments}:
        return Unknown("readlink without -f is not followed")
    return normal(operands[0], state.variables["PWD"])


def _realpath(arguments: list[str], state: State) -> Value:
    operands = _operands(arguments, "emsqPL")
    if operands is None or len(operands) != 1:
        return Unknown("realpath is given what is not followed")
    return normal(operands[0], state.variables["PWD"])


def _mktemp(_arguments: list[str], _state: State) -> Value:
    return f"{SCRATCH}/temporary"


def _echo(arguments: list[str], _state: State) -> Value:
    if arguments and arguments[0].startswith("-"):
        arguments = arguments[1:] if arguments[0] == "-n" else ["\0"]
    return checked(" ".join(arguments))


def _printf(arguments: list[str], _state: State) -> Value:
    operands = _operands(arguments, "")
    if not operands or operands[0] not in {"%s", "%s\\n"} or len(operands) != 2:
        return Unknown("the output of printf is not followed")
    return operands[1]


_BUILDERS: Final[dict[str, Callable[[list[str], State], Value]]] = {
    "cd": change_folder,
    "pwd": _pwd,
    "dirname": _dirname,
    "basename": _basename,
    "readlink": _readlink,
    "realpath": _realpath,
    "mktemp": _mktemp,
    "echo": _echo,
    "printf": _printf,
}
