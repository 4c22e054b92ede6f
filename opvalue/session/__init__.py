"""The unified session: events, order, redaction, lookups (Graders Specification 2). Pure."""

from typing import TYPE_CHECKING

from opvalue.lazy import names_of

if TYPE_CHECKING:
    from opvalue.session.events import Event
    from opvalue.session.lookups import Calls, Evals, Lookups, Requests
    from opvalue.session.losses import Losses
    from opvalue.session.reading import lookups_of, read_events, scan

__all__ = ["Calls", "Evals", "Event", "Lookups", "Losses", "Requests", "lookups_of", "read_events", "scan"]

__getattr__ = names_of(
    __name__,
    {
        "events": ("Event",),
        "lookups": ("Calls", "Evals", "Lookups", "Requests"),
        "losses": ("Losses",),
        "reading": ("lookups_of", "read_events", "scan"),
    },
)
