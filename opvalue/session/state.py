"""Batches in, in the order of the session; lookups out. The one place where all figures of a session meet."""

from collections.abc import Container, Iterable, Mapping
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
    Fact,
)
from opvalue.session.calls import NativeCalls, Scope
from opvalue.session.context import Context
from opvalue.session.gateway import Gateway
from opvalue.session.lookups import OTHER_TYPES, Calls, Lookups
from opvalue.session.remembered import short
from opvalue.session.requests import ModelRequests
from opvalue.session.tools import RPC, Tools
from opvalue.session.vocabulary import PHASES, TYPES

_LONG: Final = 160


class State:
    """What is known of a session so far."""

    def __init__(self, limits: Limits) -> None:
        self.tools: Final = Tools(limits)
        self.native: Final = NativeCalls(self.tools, limits)
        self.gateway: Final = Gateway(self.tools, limits)
        self.requests: Final = ModelRequests(limits)
        self.context: Final = Context(limits)
        self.events = 0
        self.retries = 0
        self.results = 0
        self._types: Final = _Tally(TYPES, limits.session_kinds)
        self._phases: Final = _Tally(("", *PHASES), limits.session_kinds)
        self._rare: Final = {
            RESULT: self._result,
            REPORT: self._report,
            SESSION: self._session,
            COLLECTION: self._collection,
            RUN: self._run,
            EXPERIMENT: self._experiment,
            EVAL: self._eval,
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
            numbers = [self.native.source(origin) for origin in batch.sources]
            self._take(batch.facts, numbers, [path for _, _, path in batch.sources])

    def lookups(self) -> Lookups:
        """Return what is known. To be asked once, when nothing follows."""
        left = self.gateway.left()
        native = self.native
        return Lookups(
            collected=self.context.collected,
            calls=Calls(
                total=native.total + left.total,
                failed=native.total - native.succeeded + left.failed,
                distinct_names=len(self.tools.names),
                repeated=native.repeated,
                undecided=native.undecided,
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

    def _take(self, facts: list[Fact], sources: list[int], paths: list[str]) -> None:
        # The five common kinds are taken here, in the order of their frequency: a call for each would cost a tenth.
        native, gateway, tools = self.native, self.gateway, self.tools
        scopes: dict[tuple[int, str | None, str | None], Scope] = {}
        for fact in facts:
            kind = fact[0]
            if kind == START:
                _, source, owner, session, time, event, id_, name, server, arguments = fact
                scope = scopes.get((source, owner, session))
                if scope is None:
                    scope = scopes[source, owner, session] = native.scope(sources[source], owner, session)
                if id_ is not None:
                    if len(id_) > _LONG:
                        id_ = short(id_)
                    if gateway.waiting:
                        gateway.absorb(id_)
                native.start(scope, time, event, id_, tools.native(name, server), arguments)
            elif kind == DONE:
                _, source, owner, session, time, id_, name, succeeded = fact
                scope = scopes.get((source, owner, session))
                if scope is None:
                    scope = scopes[source, owner, session] = native.scope(sources[source], owner, session)
                if id_ is not None:
                    if len(id_) > _LONG:
                        id_ = short(id_)
                    if gateway.waiting:
                        gateway.absorb(id_)
                native.complete(scope, time, id_, name, succeeded=succeeded)
            elif kind == ASKED:
                _, source, time, server, name, id_, rpc, failed, way = fact
                gateway.ask(
                    way, sources[source], paths[source], time, server, name, id_, rpc, native.ids, failed=failed
                )
            elif kind == ANSWERED:
                _, source, server, rpc, failed = fact
                gateway.answer(sources[source], server, rpc, failed=failed)
            elif kind == ROW:
                _, source, time, id_, input_, total, duration = fact
                self.requests.row(paths[source], time, id_, input_, total, duration)
            else:
                self._rare[kind](fact, sources)
                scopes.clear()

    def _result(self, fact: Fact, sources: list[int]) -> None:
        _, source, owner, session, turns, duration, input_, total = fact
        if owner is None:
            scope = self.native.scope(sources[source], None, session)
            self.requests.result(scope.key[2], turns, duration, input_, total)

    def _report(self, fact: Fact, _sources: list[int]) -> None:
        self.requests.report(*fact[1:])

    def _session(self, fact: Fact, sources: list[int]) -> None:
        _, source, owner, session = fact
        self.native.begin_session(sources[source], owner, session)

    def _collection(self, fact: Fact, _sources: list[int]) -> None:
        self.context.collection(*fact[1:])

    def _run(self, fact: Fact, _sources: list[int]) -> None:
        _, id_, attempt, of_workflow = fact
        self.context.run(id_, attempt, of_workflow=of_workflow)

    def _experiment(self, fact: Fact, _sources: list[int]) -> None:
        self.context.assigned(fact[1])

    def _eval(self, fact: Fact, _sources: list[int]) -> None:
        self.context.eval(*fact[1:])


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
