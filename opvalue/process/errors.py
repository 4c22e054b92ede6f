"""Why a child process could not be started, or was stopped, or left something behind. One class a cause."""

from typing import TYPE_CHECKING

from opvalue.errors import Kind, OpvalueError

if TYPE_CHECKING:
    from opvalue.process.child import Finished


class ProgramMissing(OpvalueError):
    """A program that is needed is not installed, or not where it was looked for."""

    code = "process.program-missing"
    kind = Kind.USAGE
    advice = "Install the program; `opvalue doctor` says what is missing and how to get it."


class NotExecutable(OpvalueError):
    """The program's file exists and cannot be executed: no permission, or not a program of this system."""

    code = "process.not-executable"
    kind = Kind.USAGE
    advice = "Repair the installation of this program, or name another."


class FolderMissing(OpvalueError):
    """The folder a child should start in is gone or cannot be entered."""

    code = "process.folder-missing"
    kind = Kind.USAGE
    advice = "Check that nothing removes temporary folders while they are in use."


class ArgumentsTooLong(OpvalueError):
    """Arguments and environment together are larger than the system passes to a program."""

    code = "process.arguments-too-long"
    kind = Kind.EVALUATOR
    advice = "Pass large data on standard input."


class BadArgument(OpvalueError):
    """An argument or environment entry that no program can be given, such as one that holds a NUL."""

    code = "process.bad-argument"
    kind = Kind.EVALUATOR
    advice = "Remove NUL characters, and equals signs from the names of variables."


class CannotStart(OpvalueError):
    """The system refused to start a process: out of memory, processes or file descriptors."""

    code = "process.cannot-start"
    kind = Kind.EVALUATOR
    advice = "Free memory, processes or open files, and run the command again."


class TimedOut(OpvalueError):
    """A child did not end within its limit. It and its process group were killed."""

    code = "process.timed-out"
    kind = Kind.EVALUATOR
    advice = "Find out what it waits for; the limit is fixed."


class OutputTooLarge(OpvalueError):
    """A child wrote more to standard output or standard error than is read. It and its group were killed."""

    code = "process.output-too-large"
    kind = Kind.EVALUATOR
    advice = "Print the answer only; the limit is fixed."


class LeftRunning(OpvalueError):
    """A child ended while processes that it started went on. Those in its process group or sandbox were killed.

    ``finished`` is what the child itself gave, for a caller that judges its exit status first.
    """

    code = "process.left-running"
    kind = Kind.EVALUATOR
    advice = "Wait for every process before ending, and start none that detaches itself."

    def __init__(self, message: str, finished: "Finished", *, found: str | None = None) -> None:
        super().__init__(message, expected="no process left", found=found)
        self.finished = finished


class StatusLost(OpvalueError):
    """A child ended and the system kept no exit status, because the calling process ignores SIGCHLD."""

    code = "process.status-lost"
    kind = Kind.EVALUATOR
    advice = "Start this command from a process that does not ignore SIGCHLD."


class SandboxFailed(OpvalueError):
    """The sandbox did not come up, or was brought down before the command in it had ended."""

    code = "process.sandbox-failed"
    kind = Kind.EVALUATOR
    advice = "Run `opvalue doctor`; it says whether the sandbox works here."


class SandboxMissing(OpvalueError):
    """A sandbox is required and does not work on this machine; the message says why."""

    code = "process.sandbox-missing"
    kind = Kind.USAGE
    advice = "Install bubblewrap on a Linux that allows user namespaces, or do without --require-sandbox."


class SandboxUnsure(OpvalueError):
    """Whether the sandbox works could not be found out; nothing is run without it for that."""

    code = "process.sandbox-unsure"
    kind = Kind.EVALUATOR
    advice = "Run the command again when the machine has more to spare. If it stays so, decide with --no-sandbox."


class NoPrivateFolder(OpvalueError):
    """No private temporary folder can be made: no place for one, no permission, or the disk is full."""

    code = "process.no-private-folder"
    kind = Kind.USAGE
    advice = "Point TMPDIR at a folder that can be written and has room."


class NotRemoved(OpvalueError):
    """A private temporary folder could not be removed; the message names it."""

    code = "process.not-removed"
    kind = Kind.EVALUATOR
    advice = "Remove the folder by hand, and look for a process that still writes into it."
