"""Conclude a session on disk (Graders Specification 5).

The session, ``grader_manifest.json`` and ``grader_results.json`` are first written whole beside their places and then
renamed, the session last: it names what the others hold. A failure to write leaves everything as it was; if a rename
itself fails, concluding again puts it right. Every file is private to its user.
"""

import stat
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from opvalue.atomic import OutputUnwritable
from opvalue.collect.errors import OutputNotASession
from opvalue.collect.session import SESSION
from opvalue.collect.writing import make_folder, stage
from opvalue.conclusion.conclude import Concluded
from opvalue.records import MANIFEST_FILE, RESULTS_FILE
from opvalue.strictjson import dumps, dumps_compact

_GRADERS: Final = "graders"
_STANDARD_INPUT: Final = Path("-")
"""As other commands read it."""
_ADVICE: Final = "Give the folder of the run, or the session's own file: it is written anew. Nothing was changed."


def session_of(path: Path) -> Path:
    """Return the session that ``path`` names: itself, or that of the run whose folder it is.

    Raises ``OutputNotASession`` where it is a link or no regular file, or lies behind a link inside the folder: it
    could not be replaced. What is not there is for its reader to refuse.
    """
    if path == _STANDARD_INPUT:
        raise _refusal(path, "standard input")
    if not stat.S_ISDIR(_mode(path, follow=True)):
        return _regular(path)
    session = path / SESSION
    if stat.S_ISLNK(_mode(session.parent, follow=False)):
        raise _refusal(session.parent, "a symbolic link")
    return _regular(session)


def write(session: Path, concluded: Concluded) -> Path:
    """Write the concluded session and its graders' files; return the folder of those.

    Raises ``OutputUnwritable`` and ``OutputNotASession``.
    """
    folder = session.parent / _GRADERS
    make_folder(folder, hint="Put a folder in its place. Nothing was changed.")
    _write_together(
        [
            (folder / MANIFEST_FILE, [dumps(concluded.manifest).encode()]),
            (folder / RESULTS_FILE, [dumps(concluded.results).encode()]),
            (session, (f"{dumps_compact(event)}\n".encode() for event in concluded.events)),
        ]
    )
    return folder


def _regular(path: Path) -> Path:
    mode = _mode(path, follow=False)
    if stat.S_ISLNK(mode):
        raise _refusal(path, "a symbolic link")
    if mode and not stat.S_ISREG(mode):
        raise _refusal(path, "a folder" if stat.S_ISDIR(mode) else "a pipe, a socket or a device")
    return path


def _refusal(path: Path, found: str) -> OutputNotASession:
    return OutputNotASession(f"{path} cannot be replaced", expected="a regular file", found=found, hint=_ADVICE)


def _mode(path: Path, *, follow: bool) -> int:
    try:
        return path.stat(follow_symlinks=follow).st_mode
    except (OSError, ValueError):  # whoever reads it says what is wrong
        return 0


def _write_together(files: Sequence[tuple[Path, Iterable[bytes]]]) -> None:
    staged: list[tuple[Path, Path]] = []
    try:
        for path, lines in files:
            staged.append((stage(path, lines), path))
        for temporary, path in staged:
            temporary.replace(path)
    except OSError as error:
        raise OutputUnwritable(f"cannot write {files[-1][0].parent}: {error.strerror}") from None
    finally:
        for temporary, _ in staged:
            with suppress(OSError):
                temporary.unlink()
