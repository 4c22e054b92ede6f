"""What must not change any figure of a session: DESIGN 8, reference 1.2."""

import copy
import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from opvalue.session import Lookups, lookups_of
from tests.session.strategies import EVENTS, SESSIONS, Event
from tests.support import sessions


def figures(found: Lookups) -> Lookups:
    """Without what merely counts events."""
    return found._replace(events=0, by_type={}, phases={})


def shuffled(value: Any, generator: random.Random) -> Any:
    if isinstance(value, dict):
        keys = list(value)
        generator.shuffle(keys)
        return {key: shuffled(value[key], generator) for key in keys}
    return [shuffled(item, generator) for item in value] if isinstance(value, list) else value


def source(event: Event) -> tuple[Any, ...]:
    where = event["provenance"]
    found = (where.get(name) for name in ("component", "phase", "path"))
    return tuple(value if isinstance(value, str) else "" for value in found)


def untimed(event: Event) -> Event:
    # An event id names one event.
    event = {key: value for key, value in event.items() if key != "id"}
    return event | {"provenance": {k: v for k, v in event["provenance"].items() if k != "timestampMs"}}


@given(SESSIONS)
@settings(max_examples=60, deadline=None)
def test_events_are_never_changed(session: list[Event]) -> None:
    before = copy.deepcopy(session)
    lookups_of(session)
    assert session == before


@given(SESSIONS, st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_key_order(session: list[Event], generator: random.Random) -> None:
    assert lookups_of(shuffled(session, generator)) == lookups_of(session)


@given(st.lists(EVENTS.map(untimed), max_size=16), st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_order_of_untimed_events_of_different_sources(session: list[Event], generator: random.Random) -> None:
    """The order within each source is kept."""
    session = [event for event in session if event["type"] not in ("workflow.info", "experiment.state", "eval.result")]
    queues: dict[tuple[Any, ...], list[Event]] = {}
    for event in session:
        queues.setdefault(source(event), []).append(event)
    merged = []
    while queues:
        chosen = generator.choice(sorted(queues))
        merged.append(queues[chosen].pop(0))
        if not queues[chosen]:
            del queues[chosen]
    assert lookups_of(merged) == lookups_of(session)


@given(SESSIONS, st.lists(st.integers(0, 14), max_size=4))
@settings(max_examples=60, deadline=None)
def test_unknown_events_and_fields(session: list[Event], places: list[int]) -> None:
    changed = [event | {"unknown": 1, "data": event["data"] | {"unheardOf": [1]}} for event in session]
    for place in places:
        changed.insert(place, {"type": "never.heard", "data": {"a": 1}, "provenance": {}})
    assert figures(lookups_of(changed)) == figures(lookups_of(session))


def test_duplicated_gateway_evidence() -> None:
    session = list(sessions.events(1500))
    doubled = [copy for event in session for copy in [event] * (2 if event["type"].startswith("mcp.rpc") else 1)]
    assert len(doubled) > len(session)
    assert figures(lookups_of(doubled)) == figures(lookups_of(session))


def test_gateway_evidence_of_native_calls_changes_no_call() -> None:
    session = list(sessions.events(1500))
    native = [event for event in session if not event["type"].startswith("mcp.rpc")]
    assert lookups_of(session).calls == lookups_of(native).calls


def test_one_visit_an_event() -> None:
    class Counted(dict[str, Any]):
        visits = 0

        def get(self, *arguments: Any) -> Any:
            type(self).visits += arguments[0] == "type"
            return super().get(*arguments)

    session = [Counted(event) for event in sessions.events(500)]
    lookups_of(iter(session))
    assert Counted.visits == len(session)
