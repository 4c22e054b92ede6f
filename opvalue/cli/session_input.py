"""A session's file, opened once and readable from its start as often as needed. Nothing is ever written to it.

What cannot be read twice, such as a pipe, is copied to a temporary file first; only up to ``Limits.session_bytes``, and
no further than its first event or line that is none, if that is refused anyway.
"""

import errno
import os
import stat
from codecs import getincrementaldecoder
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, cast

from opvalue.cli.errors import SessionUnreadable

if TYPE_CHECKING:
    from opvalue.errors import OpvalueError
    from opvalue.limits import Limits

_BLOCK: Final = 1 << 17
_STANDARD_INPUT: Final = Path("-")
_ARCHIVES: Final = {b"PK\x03\x04": "a ZIP archive", b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd"}
"""What no session begins with, and an archive of one does."""
_BEGUN: Final = 4096
"""Bytes that are looked at for what the whole is."""
_BEFORE: Final = b" \t\r\0\xef\xbb\xbf\xfe\xff"
"""What may stand before an event: white space, also of two or four bytes, and byte order marks."""
_CONTROLS: Final = bytes({*range(0x20), 0x7F} - {*b"\t\n\v\f\r\x1b"})
"""What no text holds."""


class SessionFile:
    """An open file with a session in it."""

    def __init__(self, file: BinaryIO, path: Path) -> None:
        self._file = file
        self._path = path

    @property
    def descriptor(self) -> int:
        """The open file, which is a regular one."""
        return self._file.fileno()

    def blocks(self) -> Iterator[bytes]:
        """Yield its bytes from the start. Raises ``SessionUnreadable``."""
        try:
            self._file.seek(0)
        except OSError as error:
            raise unreadable(self._path, error) from None
        while block := _read(self._file, self._path):
            yield block


@contextmanager
def open_session(path: Path, *, skip_malformed: bool = False, limits: "Limits | None" = None) -> Iterator[SessionFile]:
    """Open the session at ``path`` for reading; ``-`` is standard input.

    Raises ``SessionUnreadable``, also for an ``OSError`` of whoever reads the open file itself; ``NoPrivateFolder``
    where there is no place for a copy. What has to be copied is looked at: raises ``SessionTooLarge``, and what reading
    raises up to the first event.
    """
    descriptor, mode = _open(path)
    with os.fdopen(descriptor, "rb", buffering=0) as file, ExitStack() as stack:
        if stat.S_ISREG(mode):
            _check_file(file, path, skip_malformed=skip_malformed)
            session = SessionFile(file, path)
        else:
            copy = stack.enter_context(_temporary())
            _copy(_bounded(file, path, limits, skip_malformed=skip_malformed), copy, skip_malformed=skip_malformed)
            session = SessionFile(copy, path)
        try:
            yield session
        except OSError as error:
            raise unreadable(path, error) from None


def read_once(path: Path, *, skip_malformed: bool = False, limits: "Limits | None" = None) -> Iterator[bytes]:
    """Yield the bytes of the session at ``path``, as they come. Raises ``SessionUnreadable``, ``SessionTooLarge``."""
    descriptor, mode = _open(path)
    with os.fdopen(descriptor, "rb", buffering=0) as file:
        if stat.S_ISREG(mode):
            _check_file(file, path, skip_malformed=skip_malformed)
            yield from SessionFile(file, path).blocks()
        else:
            yield from _bounded(file, path, limits, skip_malformed=skip_malformed)


def _open(path: Path) -> tuple[int, int]:
    try:
        descriptor = os.dup(0) if path == _STANDARD_INPUT else os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from None
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISDIR(mode):
        os.close(descriptor)
        raise _folder(path)
    return descriptor, mode


def _temporary() -> BinaryIO:
    # Only what cannot be read again, such as a pipe, is copied. Without a buffer: others read the descriptor itself.
    import tempfile  # noqa: PLC0415

    from opvalue.process.private import temporary_place  # noqa: PLC0415

    try:
        return cast(BinaryIO, tempfile.TemporaryFile(buffering=0, dir=temporary_place()))
    except OSError as error:
        raise _no_copy(error) from None


def _no_copy(error: OSError) -> "OpvalueError":
    from opvalue.process.errors import NoPrivateFolder  # noqa: PLC0415

    return NoPrivateFolder(f"cannot write a temporary file: {error.strerror}")


def _check_file(file: BinaryIO, path: Path, *, skip_malformed: bool) -> None:
    try:
        begun = os.pread(file.fileno(), _BEGUN, 0)
    except OSError as error:
        raise unreadable(path, error) from None
    _check_form(begun, path, skip_malformed=skip_malformed)


def _check_form(begun: bytes, path: Path, *, skip_malformed: bool) -> None:
    """Raise ``SessionUnreadable`` for an archive, such as a usage artifact is downloaded as, and for binary data.

    ``begun`` is what it begins with. Where malformed lines are skipped, events may follow whatever that is.
    """
    found = next((name for magic, name in _ARCHIVES.items() if begun.startswith(magic)), None)
    if found is not None:
        raise SessionUnreadable(
            f"cannot read {path}: it is an archive",
            expected="a session file",
            found=found,
            hint="Unpack it. A session is usage/aw_session.jsonl of an unpacked usage artifact.",
        )
    if not skip_malformed and _is_binary(begun):
        raise SessionUnreadable(
            f"cannot read {path}: it is no session", expected="events in JSON, one a line", found="binary data"
        )


def _is_binary(begun: bytes) -> bool:
    """Tell whether bytes are no text, and none of their lines begins as an event does, in whatever encoding."""
    if any(line.lstrip(_BEFORE)[:1] in {b"{", b"["} for line in begun.split(b"\n")):
        return False
    try:
        getincrementaldecoder("utf-8")().decode(begun)
    except UnicodeDecodeError:
        return True
    return begun.translate(None, _CONTROLS) != begun


def _copy(source: Iterator[bytes], target: BinaryIO, *, skip_malformed: bool) -> None:
    from opvalue.session import read_events  # noqa: PLC0415 - for what is copied alone

    def copied() -> Iterator[bytes]:
        for block in source:
            rest = memoryview(block)
            try:
                while rest:
                    rest = rest[target.write(rest) :]
            except OSError as error:
                raise _no_copy(error) from None
            yield block

    blocks = copied()
    next(read_events(blocks, skip_malformed=skip_malformed), None)
    for _ in blocks:
        pass


def _bounded(file: BinaryIO, path: Path, limits: "Limits | None", *, skip_malformed: bool) -> Iterator[bytes]:
    from opvalue.limits import Limits  # noqa: PLC0415 - for what is no file of its own
    from opvalue.session.errors import SessionTooLarge  # noqa: PLC0415

    most = (limits or Limits()).session_bytes
    size = 0
    while block := _read(file, path):
        if not size:
            _check_form(block[:_BEGUN], path, skip_malformed=skip_malformed)
        size += len(block)
        if size > most:
            raise SessionTooLarge(f"what {path} gives is too large", expected=f"at most {most:,} bytes", found="more")
        yield block


def _read(file: BinaryIO, path: Path) -> bytes:
    try:
        return file.read(_BLOCK)
    except OSError as error:
        raise unreadable(path, error) from None


def _folder(path: Path) -> SessionUnreadable:
    session = path / "usage" / "aw_session.jsonl"
    # pathlib raises where a folder above is closed to us.
    hint = f"Give {session}." if os.path.isfile(session) else _no_session_in(path)  # noqa: PTH113
    return SessionUnreadable(f"cannot read {path}: it is a folder", expected="a session file", hint=hint)


def unreadable(path: Path, error: Exception) -> SessionUnreadable:
    """Return the refusal for a failed system call."""
    reason = error.strerror if isinstance(error, OSError) else "not a file name"
    if isinstance(error, OSError) and error.errno == errno.ENXIO:
        reason = "it is a socket, or a device that is not there"
    hint = "Make it readable, or give another file." if isinstance(error, PermissionError) else None
    if isinstance(error, FileNotFoundError) and path.parts[-2:] == ("usage", "aw_session.jsonl"):
        hint = _no_session_in(path.parent.parent)
    return SessionUnreadable(f"cannot read {str(path)!r}: {reason}", hint=hint)


def _no_session_in(folder: Path) -> str | None:
    """Return what to do where a folder holds no session; ``None`` where there is no folder."""
    if not os.path.isdir(folder):  # noqa: PTH112 - pathlib raises where a folder above is closed to us
        return None
    return f"If {folder} holds a run's raw logs, make its session first: opvalue session collect {folder}"
