"""Start a child: new session, given environment, pipes, one more pipe to be inherited; faults become coded errors.

No ``preexec_fn``: it would forbid the cheap way of starting a process.
"""

import errno
import fcntl
import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from opvalue.errors import OpvalueError, TooManyOpenFiles, machine_fault
from opvalue.process.errors import (
    ArgumentsTooLong,
    BadArgument,
    CannotStart,
    FolderMissing,
    NotExecutable,
    ProgramMissing,
)

# Above the numbers scripts use, below the smallest limit on open files found in practice (macOS: 256).
_INHERITED_FROM = 100
_NOT_EXECUTABLE = frozenset({errno.EACCES, errno.EPERM, errno.ENOEXEC, errno.EISDIR, errno.ELOOP, errno.ETXTBSY})


@contextmanager
def inherited_pipe() -> Iterator[tuple[int, int]]:
    """Give a pipe whose writing end a child inherits: end of file on the reading end means that all of them are gone.

    The writing end is closed here at the end of the body; the reading end as well if the body fails.
    """
    read = write = moved = -1
    try:
        read, write = os.pipe()
        moved = fcntl.fcntl(write, fcntl.F_DUPFD_CLOEXEC, _INHERITED_FROM)
        yield read, moved
    except BaseException as error:
        _close(read)
        if isinstance(error, OSError):
            raise _no_pipe(error) from None
        raise
    finally:
        _close(write)
        _close(moved)


def _no_pipe(error: OSError) -> OpvalueError:
    if error.errno == errno.EINVAL:
        # What fcntl answers where a number lies beyond the limit.
        return TooManyOpenFiles("too many open files", expected=f"a limit above {_INHERITED_FROM + 1}")
    return machine_fault(error) or CannotStart(f"cannot make a pipe: {error.strerror}")


def _close(descriptor: int) -> None:
    if descriptor >= 0:
        os.close(descriptor)


@contextmanager
def filled_pipe(data: bytes | None) -> Iterator[int | None]:
    """Give the reading end of a pipe that holds ``data``, a page at most; ``None`` for ``None``. Raises as above."""
    if data is None:
        yield None
        return
    try:
        read, write = os.pipe()
    except OSError as error:
        raise _no_pipe(error) from None
    try:
        try:
            os.write(write, data)
        finally:
            os.close(write)
        yield read
    finally:
        os.close(read)


def start(
    argv: tuple[str, ...], *, cwd: Path, env: Mapping[str, str], fed: bool, inherited: int, read: int | None = None
) -> "subprocess.Popen[bytes]":
    """Start ``argv``; standard input is a pipe if ``fed``, else empty. ``inherited`` stays open in the child.

    So does ``read``, which the child is told of by its arguments.

    Raises ``ProgramMissing``, ``NotExecutable``, ``FolderMissing``, ``ArgumentsTooLong``, ``BadArgument``,
    ``CannotStart``.
    """
    if not argv or not argv[0].startswith("/"):
        raise BadArgument("a program is started by its absolute path", found=repr(argv[:1]))
    try:
        return subprocess.Popen(
            argv,
            cwd=cwd,
            env=env,
            stdin=subprocess.PIPE if fed else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
            pass_fds=(inherited,) if read is None else (inherited, read),
            umask=0o077,
        )
    except OSError as error:
        raise _fault(argv[0], cwd, error) from None
    except (ValueError, subprocess.SubprocessError) as error:
        raise BadArgument(f"{argv[0]} cannot be started: {error}") from None


def _fault(program: str, cwd: Path, error: OSError) -> OpvalueError:
    """Say which cause it was. The child reports the folder's name when it failed to enter it."""
    # Not Path.is_dir, which raises below a closed folder.
    if not os.path.isdir(cwd) or error.filename == str(cwd):  # noqa: PTH112
        return FolderMissing(f"cannot start in {cwd}: {error.strerror}", expected="a folder that can be entered")
    if error.errno == errno.E2BIG:
        return ArgumentsTooLong(f"arguments and environment of {program} are too long")
    if error.errno in {errno.ENOENT, errno.ENOTDIR}:
        return ProgramMissing(f"the program {program} is not there", expected=program, found=error.strerror)
    if error.errno in _NOT_EXECUTABLE:
        return NotExecutable(f"the program {program} cannot be executed: {error.strerror}")
    return machine_fault(error) or CannotStart(f"cannot start {program}: {error.strerror}")
