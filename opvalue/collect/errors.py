"""Why a run's raw logs cannot be made a session. What is merely odd in them is a warning in the session instead."""

from opvalue.errors import Kind, OpvalueError

_UNPACK = "Give the folder that the run's artifact was unpacked to, such as the one gh run download made."


class FolderAbsent(OpvalueError):
    """The folder of raw logs does not exist, or is no folder."""

    code = "collect.no-folder"
    kind = Kind.ARTIFACT
    advice = _UNPACK


class SourceUnreadable(OpvalueError):
    """A log or a folder of logs cannot be read: no permission, a read error. Nothing is written without it."""

    code = "collect.unreadable"
    kind = Kind.ARTIFACT
    advice = "Check that you may read the file and that the disk is sound. A session of an earlier try was removed."


class SourceTooLarge(OpvalueError):
    """A log, or all logs of the run together, are over the limit."""

    code = "collect.too-large"
    kind = Kind.ARTIFACT
    advice = "Look at what grew: a log of this size is not one run's."


class TooManyFiles(OpvalueError):
    """The folders of logs hold more entries than are looked at."""

    code = "collect.too-many-files"
    kind = Kind.ARTIFACT
    advice = _UNPACK


class OutputNotASession(OpvalueError):
    """What would be replaced is no session, or is a link or a pipe, or lies behind a link inside the folder."""

    code = "collect.output-not-a-session"
    kind = Kind.USAGE
    advice = "Choose another file with -o. Nothing was changed."


class NothingToCollect(OpvalueError):
    """There is a session, and no raw log of its run: what would be written tells less than what is there."""

    code = "collect.nothing-to-collect"
    kind = Kind.ARTIFACT
    advice = (
        "Give the folder that holds the raw logs of the run, or another file with -o. The session was left as it is."
    )
