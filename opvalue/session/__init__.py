"""The unified session: events, order, redaction, lookups (Graders Specification 2). Pure."""

from opvalue.session.events import Event
from opvalue.session.lookups import Calls, Evals, Lookups, Requests
from opvalue.session.losses import Losses
from opvalue.session.reading import lookups_of, read_events, scan

__all__ = ["Calls", "Evals", "Event", "Lookups", "Losses", "Requests", "lookups_of", "read_events", "scan"]
