"""What the command line itself refuses: one class a cause."""

from typing import Final

from opvalue.errors import Kind, OpvalueError, UsageError


class UnknownCommand(UsageError):
    """A command, a help topic or a schema was named that does not exist; the message lists those that do."""

    code = "cli.unknown-command"
    advice = "Use one of those."


class NotPartOfThisTool(UsageError):
    """The ``gh-aw`` program was asked for a subcommand of gh-aw that this tool does not have."""

    code = "cli.not-part-of-this-tool"
    advice = "Use GitHub's own gh-aw extension for it: gh extension install github/gh-aw."


class RepositoryNotNamed(UsageError):
    """Nobody said which repository a run is in, and the current folder's checkout, looked at instead, did not tell."""

    code = "cli.repository-not-named"
    advice = "Name the repository with -R [HOST/]OWNER/REPO, or give the run's address."


class OutputClosed(OpvalueError):
    """Standard output is closed or cannot be written, for example because the disk is full."""

    code = "cli.output-closed"
    kind = Kind.USAGE
    advice = "Redirect the output to a place that is open and has room, then run the command again."


class ProgramsMissing(OpvalueError):
    """``opvalue doctor`` did not find every program that grading needs, or one of them does not work."""

    code = "cli.programs-missing"
    kind = Kind.USAGE
    advice = "Install what is missing, then run opvalue doctor again."


class SessionUnreadable(OpvalueError):
    """A session's file does not exist, is a folder, an archive or binary data, or cannot be read."""

    code = "cli.session-unreadable"
    kind = Kind.ARTIFACT
    advice = "Give the file of a recorded session, such as usage/aw_session.jsonl of an unpacked usage artifact."


class ReaderGone(Exception):
    """The program that read our output has ended, as ``head`` does: end quietly, there is nobody to tell."""

    exit_status: Final = 128 + 13
    """What a shell reports of a program that SIGPIPE ended."""


class CommandNotInstalled(OpvalueError):
    """A command that belongs to another package of this project was asked for, and that package is not installed."""

    code = "cli.command-not-installed"
    kind = Kind.USAGE
    advice = "Install the whole distribution: pip install --force-reinstall opvalue."
