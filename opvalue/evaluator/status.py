"""Judge how a script ended. Comes before any look at what it printed."""

import signal
from typing import Final

from opvalue.errors import printable
from opvalue.evaluator.errors import ExitStatus, Killed
from opvalue.process import Finished

_SAID_CHARACTERS = 2000
# What a shell adds to a signal's number when it reports that the signal ended a command.
_SHELL_OFFSET: Final = 128


def judge_status(finished: Finished, title: str, message: str) -> None:
    """Return if the status is 0. Else raise ``Killed`` or ``ExitStatus`` with the script's message, or the status.

    Under the sandbox a killed script shows as status 128 plus the signal's number; so does a script that itself reports
    this of a command, and both are treated alike with and without the sandbox.
    """
    if finished.status == 0:
        return
    shown = shown_status(finished.status)
    if shown.startswith("exit"):
        raise ExitStatus(f"{title} failed: {message or shown}", expected="exit status 0", found=shown)
    raise Killed(f"{title} was {shown}{f': {message}' if message else ''}", expected="exit status 0", found=shown)


def shown_status(status: int) -> str:
    """Return a status in words: ``ended by SIGSEGV`` for a signal, also one a shell reports; else ``exit status 1``."""
    number = -status if status < 0 else status - _SHELL_OFFSET
    try:
        return f"ended by {signal.Signals(number).name}"
    except ValueError:
        return f"exit status {status}"


def said(stderr: bytes, folder: str) -> str:
    """Return a script's standard error for a person: trimmed, printable, its end if long, without our folder's name."""
    text = stderr.decode("utf-8", "replace").replace(folder, "").strip()
    return printable(text[-_SAID_CHARACTERS:])
