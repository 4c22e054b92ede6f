"""A command line read as gh reads it: long flags, joined short ones, flags anywhere among the arguments."""

from .failure import Failed

SWITCH, TEXT, TEXTS = 0, 1, 2
_TRUE = frozenset({"1", "t", "T", "true", "TRUE", "True"})
_FALSE = frozenset({"0", "f", "F", "false", "FALSE", "False"})
Value = str | bool | list[str]


class Flag:
    """One flag: its name, its letter or nothing, and what it takes."""

    __slots__ = ("kind", "letter", "name")

    def __init__(self, name: str, letter: str = "", kind: int = SWITCH) -> None:
        self.name = name
        self.letter = letter
        self.kind = kind

    @property
    def shown(self) -> str:
        """How messages name it."""
        return f"-{self.letter}, --{self.name}" if self.letter else f"--{self.name}"


class Parsed:
    """What was given. A flag that was not given is not in ``values``."""

    __slots__ = ("arguments", "values")

    def __init__(self) -> None:
        self.arguments: list[str] = []
        self.values: dict[str, Value] = {}

    def switch(self, name: str) -> bool:
        """Return whether a switch is on."""
        return self.values.get(name) is True

    def text(self, name: str) -> str:
        """Return a flag's text, empty when it was not given."""
        value = self.values.get(name, "")
        return value if isinstance(value, str) else ""

    def texts(self, name: str) -> list[str]:
        """Return all texts given for a flag."""
        value = self.values.get(name, [])
        return value if isinstance(value, list) else []


def parse(words: list[str], known: "tuple[Flag, ...]") -> Parsed:
    """Read a command's words. Raises ``Failed`` with gh's message."""
    parsed = Parsed()
    rest = iter(words)
    for word in rest:
        if word == "--":
            parsed.arguments += rest
        elif word.startswith("--"):
            _long(word, rest, known, parsed)
        elif word.startswith("-") and word != "-":
            _short(word, rest, known, parsed)
        else:
            parsed.arguments.append(word)
    return parsed


def _long(word: str, rest: "object", known: "tuple[Flag, ...]", parsed: Parsed) -> None:
    name, equals, value = word[2:].partition("=")
    if not name or name.startswith("-"):
        raise Failed(f"bad flag syntax: {word}", usage=True)
    flag = next((one for one in known if one.name == name), None)
    if flag is None:
        raise Failed(f"unknown flag: --{name}", usage=True)
    if equals:
        _set(parsed, flag, value)
    elif flag.kind == SWITCH:
        parsed.values[flag.name] = True
    else:
        _set(parsed, flag, _following(rest, f"flag needs an argument: --{name}"))


def _short(word: str, rest: "object", known: "tuple[Flag, ...]", parsed: Parsed) -> None:
    letters = word[1:]
    while letters:
        letter, letters = letters[0], letters[1:]
        flag = next((one for one in known if one.letter == letter), None)
        if flag is None:
            raise Failed(f"unknown shorthand flag: '{letter}' in {word}", usage=True)
        if letters.startswith("=") and (flag.kind != SWITCH or len(letters) > 1):
            _set(parsed, flag, letters[1:])
            return
        if flag.kind == SWITCH:
            parsed.values[flag.name] = True
            continue
        _set(parsed, flag, letters or _following(rest, f"flag needs an argument: '{letter}' in {word}"))
        return


def _following(rest: "object", message: str) -> str:
    for word in rest:  # type: ignore[attr-defined]  # an iterator of words
        return str(word)
    raise Failed(message, usage=True)


def _set(parsed: Parsed, flag: Flag, value: str) -> None:
    if flag.kind == TEXT:
        parsed.values[flag.name] = value
    elif flag.kind == TEXTS:
        parsed.values[flag.name] = [*parsed.texts(flag.name), value]
    elif value in _TRUE or value in _FALSE:
        parsed.values[flag.name] = value in _TRUE
    else:
        why = f'strconv.ParseBool: parsing "{value}": invalid syntax'
        raise Failed(f'invalid argument "{value}" for "{flag.shown}" flag: {why}', usage=True)
