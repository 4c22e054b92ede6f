"""``"$@"`` written out as the arguments it stands for, where their number is known."""

import re
from typing import Final

from opvalue.bash.state import State
from opvalue.bash.tree import Opaque, Parameter, Text, Word

_FROM_ONE_ON: Final = re.compile(r"\$\{@:([1-9][0-9]{0,3})\}")


def spread(words: tuple[Word, ...], state: State) -> tuple[Word, ...]:
    """Return ``words`` with each ``$@`` and ``${@:2}`` replaced by ``$1``, ``$2`` and so on."""
    if state.positional is None:
        return words
    result: list[Word] = []
    for word in words:
        first = _first_place(word)
        if first is None:
            result.append(word)
        else:
            result.extend(_argument(place, word) for place in range(first, len(state.positional) + 1))
    return tuple(result)


def _first_place(word: Word) -> int | None:
    parts = [part for part in word.parts if not isinstance(part, Text) or part.value]
    if len(parts) != 1:
        return None
    part = parts[0]
    if isinstance(part, Parameter):
        return 1 if part.name == "@" and not part.operator else None
    found = _FROM_ONE_ON.fullmatch(part.text) if isinstance(part, Opaque) else None
    return None if found is None else int(found[1])


def _argument(place: int, word: Word) -> Word:
    quoted = isinstance(word.parts[0], Text) or getattr(word.parts[0], "quoted", False)
    return Word((Parameter(str(place), None, "", None, quoted),), word.start, word.end)
