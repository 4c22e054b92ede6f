"""Bytes cut into lines at LF alone (DESIGN 7), however long a line is. Values only; nothing is decoded here."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple


class Line(NamedTuple):
    """One line."""

    number: int
    """Counted from 1."""
    content: bytes | None
    """Without its LF; ``None`` where it is longer than was asked for, and so was not kept."""
    ended: bool
    """Whether its LF was there; only the last line can lack it. Of one that was not kept nothing is said."""


def split(blocks: Iterable[bytes], most: int) -> Iterator[Line]:
    """Yield every line of ``blocks``; one of more than ``most`` bytes without its content.

    What follows the last LF is a line only if it is not empty. A line that is too long is known before it ends. Time is
    linear in the bytes, memory that of one line.
    """
    number, size = 1, 0
    pending: list[bytes] = []
    told = False
    for block in blocks:
        start = 0
        while (end := block.find(b"\n", start)) >= 0:
            size += end - start
            if not told:
                yield Line(number, b"".join((*pending, block[start:end])) if size <= most else None, ended=True)
            number, size, start, told = number + 1, 0, end + 1, False
            pending.clear()
        size += len(block) - start
        if size <= most:
            pending.append(block[start:])
        elif not told:
            pending.clear()
            told = True
            yield Line(number, None, ended=True)
    if size and not told:
        yield Line(number, b"".join(pending), ended=False)
