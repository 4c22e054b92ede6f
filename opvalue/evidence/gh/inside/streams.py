"""Standard input, output and error, and files by name, by file descriptor. Texts are kept as bytes."""

import posix
import sys

from .failure import Failed, ReaderGone, Unsupported

_CHUNK = 1 << 16
_READ = posix.O_RDONLY | posix.O_CLOEXEC

_CLOSED = 9  # EBADF, on every system


def native(text: str) -> bytes:
    """Return the bytes of an argument or a name as the system gave them."""
    return text.encode("utf-8", "surrogateescape")


def arguments() -> list[str]:
    """Return the command's arguments; bytes that are not UTF-8 are kept as lone surrogates, in every locale."""
    given = sys.argv[1:]
    encoding = sys.getfilesystemencoding()
    if encoding in {"utf-8", "ascii"}:
        return given
    return [one.encode(encoding, "surrogateescape").decode("utf-8", "surrogateescape") for one in given]


def variable(name: str) -> str:
    """Return an environment variable, empty when it is not set."""
    return posix.environ.get(name.encode(), b"").decode("utf-8", "surrogateescape")


def write(data: bytes) -> None:
    """Write all of it to standard output.

    Raises ``ReaderGone``, ``Failed`` where the script closed the stream, ``Unsupported`` where what was read is lost
    otherwise.
    """
    view = memoryview(data)
    while view:
        try:
            view = view[posix.write(1, view) :]
        except BrokenPipeError:
            raise ReaderGone from None
        except OSError as error:
            message = fault("write", "/dev/stdout", error)
            raise (Failed(message) if error.errno == _CLOSED else Unsupported(message)) from None


def say(line: str) -> None:
    """Write a line to standard error; where nobody listens, to nobody."""
    try:
        view = memoryview(native(f"{line}\n"))
        while view:
            view = view[posix.write(2, view) :]
    except OSError:
        pass


def read_all(descriptor: int) -> bytes:
    """Return everything up to the end of a stream."""
    parts = []
    while part := posix.read(descriptor, _CHUNK):
        parts.append(part)
    return b"".join(parts)


def read_named(name: str) -> bytes:
    """Return what a file holds, ``-`` being standard input. Raises ``OSError``."""
    if name == "-":
        return read_all(0)
    descriptor = posix.open(native(name), _READ)
    try:
        return read_all(descriptor)
    finally:
        posix.close(descriptor)


def fault(action: str, name: str, error: OSError) -> str:
    """Return the words gh has for a file it cannot read."""
    return f"{action} {name}: {posix.strerror(error.errno or 0).lower()}"
