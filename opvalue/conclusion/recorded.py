"""What the graders need to know of a recorded session, from one reading of its bytes whatever their number.

Only where a trajectory grader is enabled are the bytes read once more, for the projection. Nothing is opened here.
"""

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from opvalue.graders.configuration import Configuration
from opvalue.graders.evaluate import reads_projection
from opvalue.graders.trajectory.projection import Projection
from opvalue.session import Lookups, Losses, read_events, scan


class Recorded(Protocol):
    """A session whose bytes can be read from the start, more than once."""

    def blocks(self) -> Iterator[bytes]:
        """Yield its bytes from the start."""


class Known(NamedTuple):
    """What one reading of a session gave."""

    lookups: Lookups
    projection: Projection | None
    """``None`` where no enabled grader reads it."""
    losses: Losses


def know(recorded: Recorded, configuration: Configuration, *, skip_malformed: bool = False) -> Known:
    """Read what the enabled graders of ``configuration`` need. Raises the errors of ``session`` and of the source."""
    losses = Losses()
    lookups = scan(recorded.blocks(), skip_malformed=skip_malformed, losses=losses)
    if not reads_projection(configuration):
        return Known(lookups, None, losses)
    from opvalue.graders.trajectory.from_session import project  # noqa: PLC0415 - few sessions need it

    return Known(lookups, project(read_events(recorded.blocks(), skip_malformed=skip_malformed)), losses)
