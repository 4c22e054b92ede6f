from opvalue.graders.trajectory.evidence_saturation_stopping_lag import measure
from tests.graders.trajectory.samples import BOUND, changed, check_bound, made, objective


def at(*indexes: object) -> tuple[dict[str, object], ...]:
    return tuple({"index": index, "kind": "message"} for index in indexes)


EVENTS = at(0, 1, 3, 4, 8)


def test_events_after_the_last_satisfaction() -> None:
    assert measure(made(events=EVENTS, objectives=(objective(1), objective(3))), {}).value == 2


def test_an_objective_at_every_event() -> None:
    assert measure(made(events=at(0, 1), objectives=(objective(1), objective(0))), {}).value == 0


def test_any_satisfaction_must_be_of_an_event() -> None:
    measured = measure(made(events=EVENTS, objectives=(objective(2), objective(3))), {})
    assert measured == (None, "an objective is satisfied at the index of no event")


def test_unavailable() -> None:
    projection = made(events=EVENTS, objectives=(objective(1),))
    unmet = measure(changed(projection, objectives=(objective(1), objective(None))), {})
    assert unmet == (None, "an objective is unmet")
    assert measure(changed(projection, objectives=(objective("1"),)), {}).value is None
    assert measure(changed(projection, objectives=()), {}).value is None
    assert measure(changed(projection, events=at(1, None)), {}).message == "an event has no index"
    assert measure(changed(projection, events=(1,)), {}).message == "an item of events is malformed"
    assert measure(changed(projection, events=None), {}).message == "the session records no events"


def test_bound() -> None:
    full = made(events=at(*range(BOUND)), objectives=(objective(0),))
    check_bound(measure, full, "events", BOUND - 1)
