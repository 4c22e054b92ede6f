"""Conclude a session on disk (Graders Specification 5).

The session, ``grader_manifest.json`` and ``grader_results.json`` are first written whole beside their places and then
renamed, the session last: it names what the others hold. A failure to write leaves everything as it was; if a rename
itself fails, concluding again puts it right. Every file is private to its user.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from opvalue.atomic import OutputUnwritable
from opvalue.collect.errors import OutputNotASession
from opvalue.collect.session import SESSION
from opvalue.collect.writing import stage
from opvalue.conclusion.conclude import Concluded
from opvalue.records import MANIFEST_FILE, RESULTS_FILE
from opvalue.strictjson import dumps, dumps_compact

_GRADERS: Final = "graders"


def session_of(path: Path) -> Path:
    """Return the session that ``path`` names: itself, or that of the run whose folder it is.

    Raises ``OutputNotASession`` where it lies behind a link inside the folder.
    """
    if not path.is_dir():
        return path
    session = path / SESSION
    if session.parent.is_symlink() or session.is_symlink():
        raise OutputNotASession(f"{session} lies behind a symbolic link", expected="a file in the folder")
    return session


def write(session: Path, concluded: Concluded) -> Path:
    """Write the concluded session and its graders' files; return the folder of those.

    Raises ``OutputUnwritable`` and ``OutputNotASession``.
    """
    folder = session.parent / _GRADERS
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise OutputUnwritable(f"cannot write {folder}: {error.strerror}") from None
    if folder.is_symlink():
        raise OutputNotASession(f"{folder} is a symbolic link", expected="a folder")
    _write_together(
        [
            (folder / MANIFEST_FILE, [dumps(concluded.manifest).encode()]),
            (folder / RESULTS_FILE, [dumps(concluded.results).encode()]),
            (session, (f"{dumps_compact(event)}\n".encode() for event in concluded.events)),
        ]
    )
    return folder


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
