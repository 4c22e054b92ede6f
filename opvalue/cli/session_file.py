"""A session's file, read once for the commands that look at one, and what was lost in reading."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from opvalue.cli.console import Console
from opvalue.cli.session_input import read_once
from opvalue.errors import UsageError

if TYPE_CHECKING:
    from opvalue.session import Event, Losses

_NUMBER: Final = re.compile(r"[1-9][0-9]{0,19}")
_SHOWN: Final = 80


def check_run_id(run_id: str | None) -> None:
    """Raise ``UsageError`` for what is no run's number: an address, or empty, as an unset variable leaves it."""
    if run_id is None or _NUMBER.fullmatch(run_id):
        return
    what = f"is not a run's number: {run_id[:_SHOWN]!r}" if run_id else "is empty"
    raise UsageError(f"--run-id {what}", expected="the number of a run", hint="Give it, or leave --run-id out.")


def tell(console: Console, losses: "Losses") -> None:
    """Tell on standard error what a finished reading lost."""
    for text in losses_in_words(losses):
        console.warn(text)


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
    """Read the session in the file. Its events raise what ``read_once`` and ``read_events`` raise."""
    from opvalue.session import Losses, read_events  # noqa: PLC0415 - validating needs neither

    losses = Losses()
    blocks = read_once(path, skip_malformed=skip_malformed)
    return Reading(read_events(blocks, skip_malformed=skip_malformed, losses=losses), losses)
