"""Write what a compilation made: whole files, and none that an earlier one left behind.

A file that holds something else is only replaced where the caller says so; it might be an archive's.
"""

from pathlib import Path
from typing import NamedTuple

from opvalue.atomic import OutputExists, OutputUnwritable, write_new
from opvalue.atomic import replace as replace_file
from opvalue.conclusion.compile import CONCLUSION_FILE, GRADERS_JOB_FILE, Compiled
from opvalue.strictjson import dumps


class Emitted(NamedTuple):
    """The files that hold a compilation now."""

    files: tuple[Path, ...]


def emit(compiled: Compiled, folder: Path, *, replace: bool = False) -> Emitted:
    """Write the manifests to ``folder``, which is made if it is not there.

    The separate job's manifest of an earlier compilation must not outlive its graders: with ``replace`` it is removed,
    without it refused. Raises ``OutputExists`` and ``OutputUnwritable``.
    """
    job = folder / GRADERS_JOB_FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if compiled.graders_job is None and (job.exists() or job.is_symlink()):
            if not replace:
                raise OutputExists(f"{job} is of an earlier compilation, and no custom grader is enabled now")
            job.unlink()
    except OSError as error:
        raise OutputUnwritable(f"cannot write to {folder}: {error.strerror}") from None
    except ValueError:
        raise OutputUnwritable(f"cannot write to {str(folder)!r}: not a folder name") from None
    documents = [(folder / CONCLUSION_FILE, compiled.conclusion)]
    documents += [] if compiled.graders_job is None else [(job, compiled.graders_job)]
    for path, document in documents:
        data = dumps(document).encode()
        if replace:
            replace_file(path, data)
        else:
            write_new(path, data)
    return Emitted(tuple(path for path, _ in documents))
