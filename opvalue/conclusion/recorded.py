"""What the graders need to know of a recorded session, from one reading of its bytes whatever their number.

Only where a trajectory grader is enabled are the bytes read once more, for the projection. Nothing is opened here.
A file may be read by several processes (see ``jobs``), a session inside an artifact by one.
"""

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from opvalue.graders.configuration import Configuration
from opvalue.graders.evaluate import reads_projection
from opvalue.graders.trajectory.projection import Projection
from opvalue.session import Lookups, Losses, read_events, scan


class Recorded(Protocol):
    """A session whose bytes can be read from the start, more than once."""

    @property
    def descriptor(self) -> int | None:
        """The open file that holds these bytes and nothing else; ``None`` where there is none."""

    def blocks(self) -> Iterator[bytes]:
        """Yield its bytes from the start."""


class Known(NamedTuple):
    """What one reading of a session gave."""

    lookups: Lookups
    projection: Projection | None
    """``None`` where no enabled grader reads it."""
    losses: Losses


def know(
    recorded: Recorded, configuration: Configuration, *, skip_malformed: bool = False, jobs: int | None = None
) -> Known:
    """Read what the enabled graders of ``configuration`` need, with ``jobs`` processes or as many as are of use.

    Raises the errors of ``session`` and of the source; ``OSError`` where the open file itself cannot be read.
    """
    losses = Losses()
    lookups = _lookups(recorded, losses, skip_malformed=skip_malformed, jobs=jobs)
    if not reads_projection(configuration):
        return Known(lookups, None, losses)
    from opvalue.graders.trajectory.from_session import project  # noqa: PLC0415 - few sessions need it

    return Known(lookups, project(read_events(recorded.blocks(), skip_malformed=skip_malformed)), losses)


def _lookups(recorded: Recorded, losses: Losses, *, skip_malformed: bool, jobs: int | None) -> Lookups:
    if recorded.descriptor is None:
        return scan(recorded.blocks(), skip_malformed=skip_malformed, losses=losses)
    from opvalue.conclusion.jobs import scan_file  # noqa: PLC0415 - not for an artifact

    return scan_file(recorded.descriptor, jobs=jobs, skip_malformed=skip_malformed, losses=losses)
