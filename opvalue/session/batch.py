"""What a stretch of a session comes down to: the few facts of its events that decide anything, in their order.

A ``Batch`` is made from decoded events (``reduction``) or from bytes (``scanner``) and applied to a ``State``. It holds
nothing but plain values, so that another process can make it. Events of no consequence are only counted here.

Facts are plain tuples, the kind first: millions pass through, and nothing else made of Python is as quick. Their
fields, by kind:

| kind | fields |
|---|---|
| ``START`` | scope, time, event id, call id, tool name, server, arguments |
| ``DONE`` | scope, time, call id, tool name, succeeded |
| ``ASKED`` | source, time, server, tool name, call id, rpc id, failed, way of recording |
| ``ANSWERED`` | source, server, rpc id, failed |
| ``ROW`` | source, time, request id, input tokens, total tokens, duration |
| ``RESULT`` | scope, time, turns, duration, input tokens, total tokens |
| ``REPORT`` | input tokens, total tokens |
| ``SESSION`` | scope |
| ``COLLECTION`` | component and phase of each source, absent components or none |
| ``RUN`` | run id, attempt, whether ``workflow.info`` says so |
| ``EXPERIMENT`` | assignments |
| ``EVAL`` | question, answer |

A source is an index into the batch's own ``sources``, a scope one into its ``scopes``. A time is that of
``provenance.timestampMs``, none where untimed. Arguments are JSON text, none where they are recorded as absent. Tokens
are -1 where not shown; turns and the duration of a result are none where not stated, -1 where what is stated is none.
"""

from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from opvalue.session.order import Rank

START: Final = 0
DONE: Final = 1
ASKED: Final = 2
ANSWERED: Final = 3
ROW: Final = 4
RESULT: Final = 5
REPORT: Final = 6
SESSION: Final = 7
COLLECTION: Final = 8
RUN: Final = 9
EXPERIMENT: Final = 10
EVAL: Final = 11

Fact: TypeAlias = tuple[Any, ...]
Place: TypeAlias = tuple[str, str]
"""Component and phase."""
Origin: TypeAlias = tuple[str, str, str]
"""Component, phase and path."""
Whereabouts: TypeAlias = tuple[str, str, str, str | None, str | None]
"""Component, phase, path, owner (agent instance, else parent tool), session if the event says so."""

MAIN: Final = frozenset({"agent", ""})
"""Phases of the main agent. An event that names none is taken as one of its own."""

FAILED: Final = frozenset({"failed", "error", "failure"})
"""Statuses that say that a call failed."""


class Bad(NamedTuple):
    """A line that is no event."""

    line: int
    """Counted from 1, within what was read."""
    cut: bool
    """Whether it is the beginning of an event and breaks off."""
    cause: str
    """Code of the error that it is."""
    reason: str


class Batch:
    """The facts of a stretch of events."""

    __slots__ = (
        "_index",
        "bad",
        "events",
        "facts",
        "final",
        "first",
        "last",
        "lines",
        "places",
        "results",
        "retries",
        "scopes",
        "settled",
        "sources",
        "types",
    )

    def __init__(self) -> None:
        self.facts: list[Fact] = []
        self.sources: list[Origin] = []
        self.scopes: list[Whereabouts] = []
        self.types: dict[str, int] = {}
        self.places: dict[Place, int] = {}
        self.events = 0
        self.retries = 0
        self.results = 0
        """``safe_output.result`` events."""
        self.lines = 0
        """Lines read, blank ones included."""
        self.last = 0
        """The last line that is not blank; 0 if there is none."""
        self.bad: list[Bad] = []
        self.settled = True
        """Whether a conclusion would leave the stretch as it is. Only a watching scanner looks for it."""
        self.first: Rank | None = None
        self.final: Rank | None = None
        """Places of the first and the last event in the canonical order, from a watching scanner."""
        self._index: dict[Origin | Whereabouts, int] = {}

    def source(self, origin: Origin) -> int:
        """Return the index of ``origin`` in ``sources``."""
        found = self._index.get(origin)
        if found is None:
            found = self._index[origin] = len(self.sources)
            self.sources.append(origin)
        return found

    def scope(self, whereabouts: Whereabouts) -> int:
        """Return the index of ``whereabouts`` in ``scopes``."""
        found = self._index.get(whereabouts)
        if found is None:
            found = self._index[whereabouts] = len(self.scopes)
            self.scopes.append(whereabouts)
        return found

    def count(self, kind: str, place: Place) -> None:
        """Count an event of this type and place."""
        self.types[kind] = self.types.get(kind, 0) + 1
        self.places[place] = self.places.get(place, 0) + 1
        self.events += 1

    def packed(self) -> tuple[Any, ...]:
        """Return plain values that ``unpacked`` makes an equal batch of."""
        bad = [tuple(one) for one in self.bad]
        return (
            self.facts,
            self.sources,
            self.scopes,
            self.types,
            self.places,
            self.events,
            self.retries,
            self.results,
            self.lines,
            self.last,
            self.settled,
            self.first,
            self.final,
            bad,
        )

    @classmethod
    def unpacked(cls, packed: tuple[Any, ...]) -> "Batch":
        """Return the batch that was packed, to be applied and not added to."""
        batch = cls()
        (
            batch.facts,
            batch.sources,
            batch.scopes,
            batch.types,
            batch.places,
            batch.events,
            batch.retries,
            batch.results,
            batch.lines,
            batch.last,
            batch.settled,
            batch.first,
            batch.final,
            bad,
        ) = packed
        batch.bad = [Bad(*one) for one in bad]
        return batch
