"""What stands between a script's words: separators, keywords, comments, which the tree does not keep. Pure."""

import re
from collections.abc import Iterator
from typing import Final

from opvalue.bash.tree import Arithmetic, Body, Command, Simple, Word, part_bodies
from opvalue.bash.visit import commands_in, words_of
from verifier.subject import SourceFile

_COVER: Final = b"\x01"
_COMMENT: Final = re.compile(rb"(?:^|(?<=[\s;(&|]))#[^\n]*", re.MULTILINE)
_BEFORE: Final = re.compile(rb"(\()\s*(?:#[^\n]*\n\s*)+\Z")
_AFTER: Final = re.compile(rb"(?:[\s;]|(?<=[\s;])#[^\n]*)*")


def gaps(file: SourceFile, body: Body) -> bytes:
    """Return the file's bytes with every word, assigned value and comment covered, offsets unchanged."""
    return _COMMENT.sub(_covered, _covering_words(file, body))


def without_comments(file: SourceFile, body: Body) -> bytes:
    """Return the file's bytes with every comment covered."""
    result = bytearray(file.data)
    for found in _COMMENT.finditer(_covering_words(file, body)):
        result[found.start() : found.end()] = _covered(found)
    return bytes(result)


def span(body: Body) -> tuple[int, int] | None:
    """Return where the words of some commands begin and end, or ``None`` where there are none."""
    starts, ends = [], []
    for command in commands_in(body):
        for start, end in _extents(command):
            starts.append(start)
            ends.append(end)
    return (min(starts), max(ends)) if starts else None


def _extents(command: Command) -> Iterator[tuple[int, int]]:
    if isinstance(command, Simple):
        yield command.start, command.end
    for word in words_of(command):
        yield word.start, word.end


def _covering_words(file: SourceFile, body: Body) -> bytes:
    result = bytearray(file.data)
    for command in commands_in(body):
        if isinstance(command, Arithmetic):
            at = file.data.find(command.text.encode("utf-8", "surrogateescape"))
            if at >= 0 and "#" in command.text:
                result[at : at + len(command.text)] = _COVER * len(command.text)
        for word in words_of(command):
            _cover(result, file, word)
    return bytes(result)


def _cover(result: bytearray, file: SourceFile, word: Word) -> None:
    """Cover a word but for the commands inside it, whose own words are covered in their turn."""
    result[word.start : word.end] = _COVER * (word.end - word.start)
    for part in word.parts:
        for inside in part_bodies(part):
            extent = span(inside)
            if extent is not None:
                start, end = _with_comments(file.data, word, extent)
                result[start:end] = file.data[start:end]


def _with_comments(data: bytes, word: Word, extent: tuple[int, int]) -> tuple[int, int]:
    """Return the extent of the commands in a word with the comments before and after them."""
    before = _BEFORE.search(data, word.start, extent[0])
    after = _AFTER.match(data, extent[1], word.end)
    return extent[0] if before is None else before.end(1), extent[1] if after is None else after.end()


def _covered(found: "re.Match[bytes]") -> bytes:
    return _COVER * (found.end() - found.start())
