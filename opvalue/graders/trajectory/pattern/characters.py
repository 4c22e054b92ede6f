"""Sets of characters as ranges of code points, and membership without regard to letter case."""

from typing import Final

Ranges = tuple[tuple[int, int], ...]

_LAST: Final = 0x10FFFF
_WORD: Final[Ranges] = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
_DIGIT: Final[Ranges] = ((0x30, 0x39),)
# JavaScript's white space and line ends.
_SPACE: Final[Ranges] = (
    (0x09, 0x0D),
    (0x20, 0x20),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x2028, 0x2029),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
    (0xFEFF, 0xFEFF),
)

CLASSES: Final[dict[str, Ranges]] = {"d": _DIGIT, "s": _SPACE, "w": _WORD}
"""By the letter of the escape; the capital stands for all others."""

DOT: Final[Ranges] = ((0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029))
"""What a full stop does not match."""


def complement(ranges: Ranges) -> Ranges:
    """Return all other code points. ``ranges`` is sorted and without overlaps."""
    others: list[tuple[int, int]] = []
    free = 0
    for low, high in ranges:
        if low > free:
            others.append((free, low - 1))
        free = high + 1
    if free <= _LAST:
        others.append((free, _LAST))
    return tuple(others)


def is_word(character: str) -> bool:
    """Tell whether a character is one of those that make words, in ASCII."""
    return character.isascii() and (character.isalnum() or character == "_")


def contains(ranges: Ranges, character: str) -> bool:
    """Tell whether ``character``, or it in the other letter case, is in ``ranges``."""
    return any(low <= code <= high for code in _cases(character) for low, high in ranges)


def _cases(character: str) -> set[int]:
    # As in JavaScript, no letter outside ASCII equals one inside; and only single characters count.
    ascii_ = character.isascii()
    spellings = (character, character.lower(), character.upper())
    return {ord(spelling) for spelling in spellings if len(spelling) == 1 and spelling.isascii() == ascii_}
