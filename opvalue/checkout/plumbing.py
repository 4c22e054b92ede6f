"""One git process that ends: find it, run it, bound it, say which cause stopped it."""

from collections.abc import Sequence
from pathlib import Path

from opvalue.checkout.command import Call
from opvalue.checkout.errors import GitFailed, GitMissing, GitTimedOut
from opvalue.errors import MachineFault, OpvalueError
from opvalue.limits import MIB
from opvalue.process import Command, NotExecutable, ProgramMissing, TimedOut, find_program, run

_OUTPUT_BYTES = 128 * MIB
"""Enough for the refs and for the history above a commit in the largest repositories known."""


def find_git(search_path: str) -> Path:
    """Return git's absolute path. Raises ``GitMissing``."""
    try:
        return find_program("git", search_path)
    except ProgramMissing as missing:
        raise GitMissing(missing.message, expected=missing.expected) from None


def ask(call: Call, words: Sequence[str], *, seconds: float, stdin: bytes = b"", empty_status: int = 0) -> bytes:
    """Return what git prints. ``empty_status`` is a status that means "nothing found", with no output.

    Raises ``GitFailed`` with git's own words, ``GitTimedOut`` and ``GitMissing``.
    """
    name = f"git {words[0]}"
    command = Command((*call.argv, *words), Path("/"), call.env, seconds, _OUTPUT_BYTES, stdin, name)
    try:
        finished = run(command)
    except TimedOut as timed_out:
        raise GitTimedOut(timed_out.message, expected=timed_out.expected) from None
    except (ProgramMissing, NotExecutable) as missing:
        raise GitMissing(missing.message, expected=missing.expected) from None
    except MachineFault:
        raise
    except OpvalueError as failed:
        raise GitFailed(failed.message, expected=failed.expected, found=failed.found) from None
    if finished.status == 0 or (finished.status == empty_status and not finished.stderr):
        return finished.stdout
    said = finished.stderr.decode("utf-8", "replace").strip()
    raise GitFailed(f"{name} failed: {said or 'it said nothing'}", found=f"exit status {finished.status}")
