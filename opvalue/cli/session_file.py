"""A session's file, opened and read for the commands that look at one."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from opvalue.cli.errors import SessionUnreadable

if TYPE_CHECKING:
    from opvalue.session import Event, Losses

_BLOCK: Final = 1 << 18


def blocks(path: Path) -> Iterator[bytes]:
    """Yield the content of the file in blocks; ``-`` is standard input. Raises ``SessionUnreadable``."""
    try:
        descriptor = os.dup(0) if str(path) == "-" else os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from None
    try:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise SessionUnreadable(f"cannot read {path}: it is a folder", expected="a session file")
        while block := os.read(descriptor, _BLOCK):
            yield block
    except OSError as error:
        raise _unreadable(path, error) from None
    finally:
        os.close(descriptor)


class Reading(NamedTuple):
    """A session that is being read."""

    events: Iterator["Event"]
    losses: "Losses"
    """Complete once the events were read."""

    def losses_document(self) -> dict[str, object]:
        """Return what was lost, for ``--json``."""
        losses = self.losses
        return {"tornLine": losses.torn, "malformed": losses.malformed, "firstMalformed": losses.first}

    def losses_in_words(self) -> list[str]:
        """Return what was lost, a text each; nothing if nothing was."""
        return losses_in_words(self.losses)


def losses_in_words(losses: "Losses") -> list[str]:
    """Return what a finished reading lost, a text each; nothing if nothing was."""
    said = []
    if losses.torn is not None:
        said.append(f"the last line, {losses.torn}, breaks off and was left out")
    if losses.malformed:
        noun = "line that is no event was" if losses.malformed == 1 else "lines that are no events were"
        listed = ", ".join(map(str, losses.first)) + (", ..." if losses.malformed > len(losses.first) else "")
        said.append(f"{losses.malformed} {noun} left out: {listed}")
    return said


def read(path: Path, *, skip_malformed: bool = False) -> Reading:
    """Read the session in the file. Its events raise ``SessionUnreadable`` and what ``read_events`` raises."""
    from opvalue.session import Losses, read_events  # noqa: PLC0415 - validating needs neither

    losses = Losses()
    return Reading(read_events(blocks(path), skip_malformed=skip_malformed, losses=losses), losses)


def _unreadable(path: Path, error: Exception) -> SessionUnreadable:
    reason = error.strerror if isinstance(error, OSError) else "not a file name"
    return SessionUnreadable(f"cannot read {str(path)!r}: {reason}")
