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


def session_of(path: Path) -> Path:
    """Return the session that ``path`` names: itself, or that of the run whose folder it is.

    Raises ``OutputNotASession`` where it lies behind a link inside the folder.
    """
    if not stat.S_ISDIR(_mode(path, follow=True)):
        return path
    session = path / SESSION
    for one in (session.parent, session):
        if stat.S_ISLNK(_mode(one, follow=False)):
            raise OutputNotASession(f"{one} is a symbolic link", expected="a file in the folder")
    return session


def write(session: Path, concluded: Concluded) -> Path:
    """Write the concluded session and its graders' files; return the folder of those.

    Raises ``OutputUnwritable`` and ``OutputNotASession``.
    """
    folder = session.parent / _GRADERS
    make_folder(folder)
    _write_together(
        [
            (folder / MANIFEST_FILE, [dumps(concluded.manifest).encode()]),
            (folder / RESULTS_FILE, [dumps(concluded.results).encode()]),
            (session, (f"{dumps_compact(event)}\n".encode() for event in concluded.events)),
        ]
    )
    return folder


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
