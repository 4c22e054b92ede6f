"""Builtins that change variables, arguments or the current directory."""

from collections.abc import Callable
from typing import Final

from opvalue.bash.declarations import set_by_word
from opvalue.bash.errors import NotAnalysable
from opvalue.bash.expand import change_folder, value_of
from opvalue.bash.state import State
from opvalue.bash.tree import Text, Word
from opvalue.bash.values import Unknown, Value

_READ_OPTIONS_WITH_VALUE: Final = "adinNptu"
_MAPFILE_OPTIONS_WITH_VALUE: Final = "CcdnOsu"


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
            state.unset(literal.partition("[")[0])


def _options(words: tuple[Word, ...], with_value: str) -> tuple[dict[str, Word], tuple[Word, ...]]:
    """Return one-letter options with the word or rest of a word that is their value, and the operands."""
    found: dict[str, Word] = {}
    while words and (words[0].literal or "").startswith("-") and words[0].literal != "-":
        letters = (words[0].literal or "")[1:]
        start, end = words[0].start, words[0].end
        words = words[1:]
        if letters == "-":
            break
        while letters:
            letter, letters = letters[0], letters[1:]
            found[letter] = Word((), start, end)
            if letter in with_value:
                attached = Word((Text(letters, quoted=True),), start, end)
                found[letter] = attached if letters else words[0] if words else Word((), start, end)
                words = words if letters else words[1:]
                break
    return found, words


def _read(words: tuple[Word, ...], state: State) -> None:
    options, names = _options(words[1:], _READ_OPTIONS_WITH_VALUE)
    for word in (*names, *(value for letter, value in options.items() if letter == "a")):
        set_by_word(word, state)
    if not names:
        state.assign("REPLY", Unknown("REPLY is set by a command"))


def _mapfile(words: tuple[Word, ...], state: State) -> None:
    options, names = _options(words[1:], _MAPFILE_OPTIONS_WITH_VALUE)
    if "C" in options:
        raise NotAnalysable("the script has mapfile call it back with a text", expected="a loop over the lines")
    for word in names:
        set_by_word(word, state)
    if not names:
        state.assign("MAPFILE", Unknown("MAPFILE is an array"))


def _printf(words: tuple[Word, ...], state: State) -> None:
    options, _ = _options(words[1:3], "v")
    if "v" in options:
        set_by_word(options["v"], state)


def _getopts(words: tuple[Word, ...], state: State) -> None:
    for name in ("OPTARG", "OPTIND"):
        state.assign(name, Unknown(f"{name} is set by a command"))
    if len(words) > 2:
        set_by_word(words[2], state)


def _declare(words: tuple[Word, ...], state: State) -> None:
    for word in words[1:]:
        if not (word.literal or "").startswith("-"):
            set_by_word(word, state)


def _shopt(words: tuple[Word, ...], state: State) -> None:
    options, names = _options(words[1:], "")
    if "s" not in options:
        return
    state.last_pipe = state.last_pipe or any(word.literal in {"lastpipe", None} for word in names)
    if any(word.literal == "expand_aliases" for word in names):
        raise NotAnalysable(
            "the script turns aliases on, so its commands are not what they seem", expected="functions, not aliases"
        )


def _alias(words: tuple[Word, ...], _state: State) -> None:
    """Refuse an alias: it has a meaning only where aliases are on, and POSIX mode and ``sh`` turn them on unseen."""
    if any("=" in (word.literal or "=") for word in words[1:]):
        raise NotAnalysable("the script defines an alias, which may hide a command", expected="functions, not aliases")


def _enable(words: tuple[Word, ...], _state: State) -> None:
    if any((word.literal or "-f").startswith("-") for word in words[1:]):
        raise NotAnalysable("the script changes what Bash's own commands are", expected="the builtins Bash comes with")


BUILTINS: Final[dict[str, Callable[[tuple[Word, ...], State], None]]] = {
    "alias": _alias,
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
