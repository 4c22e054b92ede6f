"""What the graders need to know of a recorded session, from one reading of its bytes whatever their number.

Only where a trajectory grader is enabled are the bytes read once more, for the projection; and where the session is
not in order or holds secrets, to grade it as a conclusion does (see ``settled``). Nothing is opened here.
A file may be read by several processes (see ``jobs``), a session inside an artifact by one.
"""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from opvalue.graders.configuration import Configuration
from opvalue.graders.evaluate import reads_projection
from opvalue.session import Lookups, Losses, read_events, scan
from opvalue.session.batch import Bad
from opvalue.session.order import is_header
from opvalue.session.parsing import parsed
from opvalue.session.watching import Watch

if TYPE_CHECKING:
    from opvalue.conclusion.settled import Settled
    from opvalue.graders.trajectory.projection import Projection

_LARGE: Final = 8 << 20


class Recorded(Protocol):
    """A session whose bytes can be read from the start, more than once."""

    @property
    def descriptor(self) -> int | None:
        """The open file that holds these bytes and nothing else; ``None`` where there is none."""

    def blocks(self) -> Iterator[bytes]:
        """Yield its bytes from the start."""


class Known(NamedTuple):
    """What the readings of a session gave."""

    lookups: Lookups
    projection: "Projection | None"
    """``None`` where no enabled grader reads it."""
    losses: Losses
    settled: "Settled | None"
    """The session as it was graded, where that is not as it is recorded."""


def know(
    recorded: Recorded, configuration: Configuration, *, skip_malformed: bool = False, jobs: int | None = None
) -> Known:
    """Read what the enabled graders of ``configuration`` need, with ``jobs`` processes or as many as are of use.

    A session that a conclusion would not leave as it is, is graded as a conclusion grades it. Raises the errors of
    ``session`` and of the source, and ``SessionUnordered``; ``OSError`` where the open file itself cannot be read.
    """
    losses = Losses()
    watch = Watch(is_redacted=_is_collected(recorded))
    lookups = _lookups(recorded, losses, watch, skip_malformed=skip_malformed, jobs=jobs)
    settled = None
    if not watch.settled:
        from opvalue.conclusion.settled import Settled  # noqa: PLC0415 - few sessions need it

        settled = Settled(recorded, skip_malformed=skip_malformed)
        lookups = scan(settled.blocks(), limits=settled.line_limits)
    if not reads_projection(configuration):
        return Known(lookups, None, losses, settled)
    from opvalue.graders.trajectory.from_session import project  # noqa: PLC0415 - few sessions need it

    if settled is None:
        events = read_events(recorded.blocks(), skip_malformed=skip_malformed)
    else:
        events = read_events(settled.blocks(), limits=settled.line_limits)
    return Known(lookups, project(events), losses, settled)


def _lookups(recorded: Recorded, losses: Losses, watch: Watch, *, skip_malformed: bool, jobs: int | None) -> Lookups:
    if recorded.descriptor is None:
        return scan(recorded.blocks(), skip_malformed=skip_malformed, losses=losses, watch=watch)
    from opvalue.conclusion.jobs import scan_file  # noqa: PLC0415 - not for an artifact

    return scan_file(recorded.descriptor, jobs=jobs, skip_malformed=skip_malformed, losses=losses, watch=watch)


def _is_collected(recorded: Recorded) -> bool:
    """Tell whether a large file begins as a collector begins one: what such a one writes is redacted.

    To look for secrets in it would take half as long as to grade it. In a small one they are looked for in any case.
    """
    if recorded.descriptor is None or os.fstat(recorded.descriptor).st_size < _LARGE:
        return False
    first = next(recorded.blocks(), b"").partition(b"\n")[0]
    event = parsed(first)
    return not isinstance(event, Bad) and is_header(event)
