"""The evaluator that ``operational-value`` runs, as it is frozen: bytes of the working tree (Graders Specification 5).

1. A regular file below the repository root, no link on the way, at most 64 KiB.
2. UTF-8, whose first line is a Bash shebang.
3. ``bash -n`` accepts it; that executes nothing.

Not checked: what it does. The rule against file writes and dynamic execution (``grader-shell-file-write``) needs the
syntax tree and is not part of compiling yet.
"""

from pathlib import Path
from typing import Final

from opvalue.archive.errors import EvaluatorNoShebang, EvaluatorNotUtf8
from opvalue.archive.script import check_script
from opvalue.conclusion import errors
from opvalue.conclusion.errors import EvaluatorFault, FileAbsent, FileRefused, FileTooLarge, FileUnreadable
from opvalue.conclusion.repository import WorkingTree
from opvalue.errors import OpvalueError
from opvalue.identity import RepoPath
from opvalue.limits import Limits
from opvalue.process import Command, find_program, run, usual_path

_LIMITS: Final = Limits()
_WHY: Final[dict[type[OpvalueError], type[EvaluatorFault]]] = {
    FileAbsent: errors.EvaluatorAbsent,
    FileUnreadable: errors.EvaluatorUnreadable,
    FileRefused: errors.EvaluatorNotRegular,
    FileTooLarge: errors.EvaluatorTooLarge,
    EvaluatorNotUtf8: errors.EvaluatorNotText,
    EvaluatorNoShebang: errors.EvaluatorWithoutShebang,
}


def frozen(tree: WorkingTree, path: RepoPath) -> bytes:
    """Return the evaluator's bytes. Raises ``EvaluatorFault``, and what ``process.run`` raises without a Bash."""
    try:
        data = tree.read(path, _LIMITS.evaluator_bytes)
        check_script(data, path.text)
    except tuple(_WHY) as error:
        fault = _WHY[type(error)]
        raise fault(error.message, expected=error.expected, found=error.found) from None
    _check_syntax(data, path)
    return data


def _check_syntax(data: bytes, path: RepoPath) -> None:
    finished = run(
        Command(
            argv=(str(find_program("bash", usual_path())), "-n"),
            cwd=Path("/"),
            env={"LC_ALL": "C"},
            seconds=_LIMITS.syntax_seconds,
            stream_bytes=_LIMITS.stream_bytes,
            stdin=data,
            name="bash -n",
        )
    )
    if finished.status != 0:
        lines = finished.stderr.decode("utf-8", "replace").splitlines()
        said = " ".join((lines or [f"exit status {finished.status}"])[0].split())
        raise errors.EvaluatorSyntax(f"{path} is not valid Bash", found=said[:200])
