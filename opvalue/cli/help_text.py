"""How a help text is set: as wide as the terminal, options in two columns, examples that can be copied at any width.

Nothing is printed here.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

import click

WIDEST: Final = 100
"""Columns of a help text on a wide terminal."""
NARROWEST: Final = 40
"""Columns that a help text has at least."""
_MARGIN: Final = 2
_NAMES: Final = 30
"""Columns of an option's name, beyond which its text goes below it."""
_WORD: Final = re.compile(r"""(?:'[^']*'|"[^"]*"|<\([^)]*\)|[^\s'"])+""")
_RANGE: Final = re.compile(r"\[(?:(\d+)<=)?x(?:>=(\d+)|<=(\d+))\]")
"""How click writes which numbers an option takes."""
_NO_VALUE: Final = ("|", ">", "-")


class Formatter(click.HelpFormatter):
    """click's formatter, down to 40 columns; names give way to texts where there is little room."""

    def __init__(self, indent_increment: int = 2, width: int | None = None, max_width: int | None = None) -> None:
        if width is None:
            from shutil import get_terminal_size  # noqa: PLC0415 - only for those who read help

            columns = min(get_terminal_size().columns, max_width or WIDEST)
            width = max(columns, NARROWEST) - _MARGIN
        super().__init__(indent_increment, width, max_width)

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = _NAMES, col_spacing: int = 2) -> None:
        """Write names and texts in two columns."""
        rows = [(name, _RANGE.sub(_in_words, text)) for name, text in rows]
        super().write_dl(rows, min(col_max, self.width * 2 // 5), col_spacing)


class HelpContext(click.Context):
    """A context whose help is set by ``Formatter``."""

    formatter_class = Formatter


def _in_words(found: re.Match[str]) -> str:
    low, least, high = found.groups()
    if least is not None:
        return f"[{least} or more]"
    return f"[{low} to {high}]" if low is not None else f"[{high} or less]"


def example(text: str, width: int) -> Iterator[str]:
    """Yield a command line as lines of at most ``width`` columns that a shell takes for one.

    It parts before options, pipes and redirections first, at other spaces where those are too far apart, and never
    inside quotes.
    """
    row, margin = "", "  "
    for unit in _units(text, width - 10):
        joined = f"{row} {unit}" if row else f"{margin}{unit}"
        if row and len(joined) > width - len(" \\"):
            yield f"{row} \\"
            margin = "      "
            joined = f"{margin}{unit}"
        row = joined
    yield row


def _units(text: str, most: int) -> Iterator[str]:
    """Yield what is not parted: an option with its value, a pipe with its program, or a word."""
    held = ""
    for word in _WORD.findall(text):
        joined = f"{held} {word}"
        if held and not word.startswith(_NO_VALUE) and len(joined) <= most:
            yield joined
            held = ""
            continue
        if held:
            yield held
        held = word if word.startswith(_NO_VALUE) else ""
        if not held:
            yield word
    if held:
        yield held
