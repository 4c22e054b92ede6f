"""Write what a compilation made: whole files, and none that an earlier one left behind.

A file that holds something else is only replaced where the caller says so; it might be an archive's.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from opvalue.atomic import OutputExists, OutputUnwritable, check_new, check_place, write_new
from opvalue.atomic import replace as replace_file
from opvalue.conclusion.compile import CONCLUSION_FILE, GRADERS_JOB_FILE, Compiled
from opvalue.strictjson import dumps


class Emitted(NamedTuple):
    """The files that hold a compilation now."""

    files: tuple[Path, ...]


def emit(compiled: Compiled, folder: Path, *, replace: bool = False) -> Emitted:
    """Write the manifests to ``folder``, which is made if it is not there.

    The separate job's manifest of an earlier compilation must not outlive its graders: with ``replace`` it is removed,
    without it refused. Nothing is written or removed where one of the files would be refused. Raises ``OutputExists``
    and ``OutputUnwritable``.
    """
    job = folder / GRADERS_JOB_FILE
    files = [(folder / CONCLUSION_FILE, dumps(compiled.conclusion).encode())]
    files += [] if compiled.graders_job is None else [(job, dumps(compiled.graders_job).encode())]
    with _telling(folder):
        folder.mkdir(parents=True, exist_ok=True)
        outlives = compiled.graders_job is None and (job.exists() or job.is_symlink())
    if outlives and not replace:
        raise OutputExists(f"{job} is of an earlier compilation, and no custom grader is enabled now")
    for path, data in files:
        if replace:
            check_place(path)
        else:
            check_new(path, data)
    if outlives:
        with _telling(folder):
            job.unlink()
    for path, data in files:
        if replace:
            replace_file(path, data)
        else:
            write_new(path, data)
    return Emitted(tuple(path for path, _ in files))


@contextmanager
def _telling(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputUnwritable(f"cannot write to {folder}: {error.strerror}") from None
    except ValueError:
        raise OutputUnwritable(f"cannot write to {str(folder)!r}: not a folder name") from None
