"""Builtins that change variables, arguments or the current directory."""

from collections.abc import Callable
from typing import Final

from opvalue.bash.declarations import set_by_word
from opvalue.bash.errors import NotAnalysable
from opvalue.bash.expand import change_folder, value_of
from opvalue.bash.state import State
from opvalue.bash.tree import Word
from opvalue.bash.values import Unknown, Value

_READ_OPTIONS_WITH_VALUE: Final = "dinNptu"


def _cd(words: tuple[Word, ...], state: State) -> None:
    arguments: list[str] = []
    for word in words[1:]:
        value = value_of(word, state)
        if isinstance(value, Unknown):
            state.assign("PWD", Unknown(value.why))
            return
        arguments.append(value)
    change_folder(arguments, state)


def _popd(_words: tuple[Word, ...], state: State) -> None:
    state.assign("PWD", Unknown("popd changes to a directory that is not followed"))


def _set(words: tuple[Word, ...], state: State) -> None:
    arguments = words[1:]
    while arguments:
        literal = arguments[0].literal
        if literal == "--":
            state.positional = _values(arguments[1:], state)
            return
        if literal is None or literal[:1] not in {"-", "+"}:
            state.positional = _values(arguments, state)
            return
        takes_name = not literal.startswith("--") and literal.endswith("o") and len(arguments) > 1
        name = arguments[1].literal if takes_name else ""
        if literal.startswith("-") and ("a" in literal or name == "allexport"):
            state.all_exported = True
        arguments = arguments[2:] if takes_name else arguments[1:]


def _values(words: tuple[Word, ...], state: State) -> tuple[Value, ...] | None:
    values = tuple(value_of(word, state) for word in words)
    return None if any(isinstance(value, Unknown) for value in values) else values


def _shift(words: tuple[Word, ...], state: State) -> None:
    count = words[1].literal if len(words) > 1 else "1"
    if state.positional is None or count is None or not count.isdigit():
        state.positional = None
    else:
        state.positional = state.positional[int(count[:6]) :]


def _unset(words: tuple[Word, ...], state: State) -> None:
    if any(word.literal == "-f" for word in words):
        return
    for word in words[1:]:
        literal = word.literal
        if literal is None:
            state.blur("unset may have taken it away")
        else:
            state.unset(literal)


def _read(words: tuple[Word, ...], state: State) -> None:
    names = list(words[1:])
    while names:
        word = names.pop(0)
        literal = word.literal or ""
        if not literal.startswith("-"):
            set_by_word(word, state)
        elif literal[-1] in _READ_OPTIONS_WITH_VALUE:
            names = names[1:]


def _mapfile(words: tuple[Word, ...], state: State) -> None:
    if any((word.literal or "").startswith("-C") for word in words[1:]):
        raise NotAnalysable("the script has mapfile call it back with a text", expected="a loop over the lines")
    if len(words) > 1:
        set_by_word(words[-1], state)


def _printf(words: tuple[Word, ...], state: State) -> None:
    if len(words) > 2 and words[1].literal == "-v":
        set_by_word(words[2], state)


def _getopts(words: tuple[Word, ...], state: State) -> None:
    if len(words) > 2:
        set_by_word(words[2], state)


def _declare(words: tuple[Word, ...], state: State) -> None:
    for word in words[1:]:
        if not (word.literal or "").startswith("-"):
            set_by_word(word, state)


def _shopt(words: tuple[Word, ...], _state: State) -> None:
    if any(word.literal == "expand_aliases" for word in words) and any(word.literal == "-s" for word in words):
        raise NotAnalysable(
            "the script turns aliases on, so its commands are not what they seem", expected="functions, not aliases"
        )


def _enable(words: tuple[Word, ...], _state: State) -> None:
    if any((word.literal or "-f").startswith("-") for word in words[1:]):
        raise NotAnalysable("the script changes what Bash's own commands are", expected="the builtins Bash comes with")


BUILTINS: Final[dict[str, Callable[[tuple[Word, ...], State], None]]] = {
    "cd": _cd,
    "pushd": _cd,
    "popd": _popd,
    "set": _set,
    "shift": _shift,
    "unset": _unset,
    "read": _read,
    "enable": _enable,
    "mapfile": _mapfile,
    "readarray": _mapfile,
    "printf": _printf,
    "getopts": _getopts,
    "shopt": _shopt,
    **dict.fromkeys(("declare", "export", "local", "readonly", "typeset"), _declare),
}
"""What each builtin does to the state, by name."""
