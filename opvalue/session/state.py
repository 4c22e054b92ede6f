"""Batches in, in the order of the session; lookups out. The one place where all figures of a session meet."""

from collections.abc import Callable, Container, Iterable, Mapping
from types import MappingProxyType
from typing import Final

from opvalue.limits import Limits
from opvalue.session.batch import (
    ANSWERED,
    ASKED,
    COLLECTION,
    DONE,
    EVAL,
    EXPERIMENT,
    REPORT,
    RESULT,
    ROW,
    RUN,
    SESSION,
    START,
    Batch,
)
from opvalue.session.calls import NativeCalls
from opvalue.session.context import Context
from opvalue.session.gateway import Gateway
from opvalue.session.lookups import OTHER_TYPES, Calls, Lookups
from opvalue.session.remembered import LONG, short
from opvalue.session.requests import ModelRequests
from opvalue.session.tools import Tools, millisecond
from opvalue.session.vocabulary import PHASES, TYPES


class State:
    """What is known of a session so far."""

    def __init__(
        self,
        limits: Limits,
        *,
        native: type[NativeCalls] = NativeCalls,
        gateway: type[Gateway] = Gateway,
        requests: type[ModelRequests] = ModelRequests,
    ) -> None:
        """Start with nothing. The classes can be replaced by some that also note what they are told."""
        self.tools: Final = Tools(limits)
        self.native: Final = native(self.tools, limits)
        self.gateway: Final = gateway(self.tools, limits)
        self.requests: Final = requests()
        self.context: Final = Context(limits)
        self.events = 0
        self.retries = 0
        self.results = 0
        self._types: Final = _Tally(TYPES, limits.session_kinds)
        self._phases: Final = _Tally(("", *PHASES), limits.session_kinds)
        self._rare: Final[dict[int, Callable[..., None]]] = {
            REPORT: self.requests.report,
            COLLECTION: self.context.collection,
            RUN: self.context.run,
            EXPERIMENT: self.context.assigned,
            EVAL: self.context.eval,
        }

    def apply(self, batch: Batch) -> None:
        """Take what follows. Raises ``SessionTooVaried``."""
        self.events += batch.events
        self.retries += batch.retries
        self.results += batch.results
        self._types.add(batch.types.items())
        self._phases.add((phase, count) for (_, phase), count in batch.places.items())
        self.context.see(batch.places)
        if batch.facts:
            self._take(batch, [self.native.source(origin) for origin in batch.sources])

    def lookups(self) -> Lookups:
        """Return what is known. To be asked once, when nothing follows."""
        left = self.gateway.left()
        native = self.native
        return Lookups(
            collected=self.context.collected,
            calls=Calls(
                total=native.total + left.total,
                failed=native.total - native.succeeded + left.failed,
                distinct_names=self.tools.distinct(),
                repeated=native.repeated,
                undecided=native.undecided,
                uncertain=native.uncertain or self.gateway.uncertain or self.tools.uncertain,
            ),
            requests=self.requests.made(),
            retries=self.retries,
            safe_output_results=self.results,
            session_duration_ms=self.requests.session_duration(),
            events=self.events,
            by_type=self._types.sorted(),
            phases=self._phases.sorted(),
            run_id=self.context.run_id,
            attempt=self.context.attempt,
            experiments=self.context.experiments,
            evals=self.context.evals,
        )

    def _take(self, batch: Batch, sources: list[int]) -> None:  # noqa: C901, PLR0912 - see below
        # The frequent kinds are taken here, in the order of their frequency: each runs for a large part of all events.
        native, gateway, tools = self.native, self.gateway, self.tools
        known = tools.known
        ranks = [_rank(*origin) for origin in batch.sources]
        scopes = list(map(native.scope, batch.scopes))
        for fact in batch.facts:
            kind = fact[0]
            if kind == START:
                _, scope, time, event, id_, name, server, arguments = fact
                if time.__class__ is float:
                    time = millisecond(time)
                if id_ is not None and (gateway.waiting or len(id_) > LONG):
                    id_ = self._known(id_)
                tool = known.get(name if server is None else (server, name)) or tools.native(name, server)
                call = native.start(scopes[scope], time, event, id_, tool, arguments)
                if time == gateway.early_at and call is not None:
                    gateway.claim(call)
            elif kind == DONE:
                _, scope, time, id_, name, succeeded = fact
                if time.__class__ is float:
                    time = millisecond(time)
                if id_ is not None and len(id_) > LONG:
                    id_ = short(id_)
                closed = native.complete(scopes[scope], time, id_, name, succeeded)
                if closed is None and name is not None and id_ is not None:
                    gateway.absorb(id_)
            elif kind == ASKED:
                _, source, time, server, name, id_, rpc, failed, way = fact
                if time.__class__ is float:
                    time = millisecond(time)
                gateway.ask(way, sources[source], ranks[source], time, server, name, id_, rpc, native.ids, failed)
            elif kind == ANSWERED:
                if gateway.asked or gateway.hidden or gateway.forgot:
                    _, source, server, rpc, failed = fact
                    gateway.answer(sources[source], server, rpc, failed)
            elif kind == ROW:
                _, source, time, id_, input_, total, duration = fact
                self.requests.row(ranks[source], time, id_, input_, total, duration)
            elif kind == SESSION:
                native.begin_session(batch.scopes[fact[1]])
                scopes = list(map(native.scope, batch.scopes))
            elif kind == RESULT:
                _, number, time, *shown = fact
                rank = _rank(*batch.scopes[number][:3]) if time is None else None
                self.requests.result(scopes[number].key[2], rank, *shown)
            else:
                self._rare[kind](*fact[1:])

    def _known(self, id_: str) -> str:
        """Return what a native call's id is known by; a record of the gateway with that id has its twin."""
        id_ = short(id_)
        self.gateway.absorb(id_)
        return id_


def _rank(component: str, phase: str, path: str) -> str:
    """Return what sources are put in order by, where their events have no times."""
    return f"{path}\0{component}\0{phase}"


class _Tally:
    """Counts by name: every known name, and so many others; the rest together."""

    def __init__(self, known: Container[str], most: int) -> None:
        self._known: Final = known
        self._room = most
        self._counts: dict[str, int] = {}

    def add(self, counted: Iterable[tuple[str, int]]) -> None:
        for name, count in counted:
            kind = short(name)
            if kind not in self._counts and kind not in self._known:
                # Known names take no room: a scan counts them block by block, so when they come must not matter.
                kind = kind if self._room else OTHER_TYPES
                self._room -= bool(self._room)
            self._counts[kind] = self._counts.get(kind, 0) + count

    def sorted(self) -> Mapping[str, int]:
        return MappingProxyType(dict(sorted(self._counts.items())))
