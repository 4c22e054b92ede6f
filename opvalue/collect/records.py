"""The records of one log: JSON lines, or one JSON value. What cannot be read is left out and warned about.

A line of ``.jsonl`` is one object; lines end at LF, blank ones are nothing. A ``.json`` file is one object, or an array
of them. Neighbours of a bad record are kept. Also gathers what the log masks, read or not.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple, TypeAlias

from opvalue.session.lines import split
from opvalue.session.parsing import is_blank
from opvalue.session.secrets import mask_payloads, texts_in
from opvalue.strictjson import MAX_DEPTH, JsonObject, JsonRefused, JsonValue, loads

_DEPTH: Final = MAX_DEPTH - 2
"""An event puts a record at most two levels deeper."""

LeaveOut: TypeAlias = "Callable[[str, int | None], None]"
"""Takes the code and line of a warning about what is left out."""


class Log(NamedTuple):
    """How one log is read: its content, where warnings and masks go, and the length of its longest line."""

    blocks: Iterable[bytes]
    leave_out: LeaveOut
    masks: set[str]
    line_bytes: int


def of_lines(log: Log) -> Iterator[JsonObject]:
    """Yield the objects of a ``.jsonl`` log."""
    for _, record in numbered(log):
        yield record


def numbered(log: Log) -> Iterator[tuple[int, JsonObject]]:
    """Yield the objects of a ``.jsonl`` log, each with the number of its line."""
    for number, line in _lines(log):
        if not is_blank(line):
            for record in _objects(_parsed(line, log, "malformed_jsonl", number), log, number):
                yield number, record


def of_value(log: Log, unwrap: tuple[str, ...] = ()) -> Iterator[JsonObject]:
    """Yield the objects of a ``.json`` log; those in the first field of ``unwrap`` that holds a list, if any does."""
    content = whole(log)
    if content is None:
        return
    for parsed in _parsed(content, log, "malformed_json", None):
        value = parsed
        if isinstance(parsed, dict) and unwrap:
            value = next((parsed[key] for key in unwrap if isinstance(parsed.get(key), list)), [])
        yield from _objects(value if isinstance(value, list) else [value], log, None)


def whole(log: Log) -> bytes | None:
    """Return the whole log, or ``None`` if it is longer than a line may be; the rest is not kept, nor looked at."""
    content = bytearray()
    for block in log.blocks:
        if len(content) <= log.line_bytes:
            content += block
    if len(content) <= log.line_bytes:
        return bytes(content)
    log.leave_out("file_too_long", None)
    log.masks.update(mask_payloads(content.decode("utf-8", "replace")))
    return None


def masks_of_text(log: Log) -> None:
    """Gather what a log of plain text masks."""
    for _, line in _lines(log):
        log.masks.update(mask_payloads(line.decode("utf-8", "replace")))


def _lines(log: Log) -> Iterator[tuple[int, bytes]]:
    for line in split(log.blocks, log.line_bytes):
        if line.content is None:
            log.leave_out("line_too_long", line.number)
        else:
            yield line.number, line.content


def _objects(values: Iterable[JsonValue], log: Log, line: int | None) -> Iterator[JsonObject]:
    for value in values:
        if isinstance(value, dict):
            yield value
        else:
            log.leave_out("non_object_record", line)


def _parsed(data: bytes, log: Log, code: str, line: int | None) -> tuple[JsonValue, ...]:
    """Return the value in ``data``, or none."""
    # A colon can be written as an escape, so a backslash is looked into as well.
    masking = b"add-mask" in data.lower() or b"\\u" in data
    try:
        value = loads(data, max_depth=_DEPTH, what="record", unique_keys=False)
    except JsonRefused:
        log.leave_out(code, line)
        if masking:
            log.masks.update(mask_payloads(data.decode("utf-8", "replace")))
        return ()
    if masking:
        log.masks.update(payload for text in texts_in(value) for payload in mask_payloads(text))
    return (value,)
