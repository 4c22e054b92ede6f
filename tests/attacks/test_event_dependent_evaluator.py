"""An evaluator that needs the event, or a marker of the check script: a replay has neither to give."""

from pathlib import Path

from tests.support.probe import telling_evaluator
from tests.support.refusals import UNCONFINED, refused
from tests.support.world import World


def test_the_event_is_null_and_nothing_is_added(tmp_path: Path) -> None:
    told = World(tmp_path, evaluator=telling_evaluator()).regrade(runner=UNCONFINED).observation.diagnostics
    assert told is not None
    assert told["event"] is None
    assert told["verification"] is False
    assert told["keys"] == ["case", "config", "event", "evidenceAt", "run", "schemaVersion"]
    assert told["evidenceAt"] == "2026-08-25T00:00:00.000Z"


def test_an_evaluator_that_insists_on_it_fails(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.adopt(world.evaluator.replace(b"request=$(cat)", b'request=$(cat); jq -e .event.action <<<"$request" >&2'))
    assert refused(world).code == "evaluator.exit-status"


def test_what_it_put_in_its_case_comes_back(tmp_path: Path) -> None:
    world = World(tmp_path, evaluator=telling_evaluator())
    world.observation["case"] = {"issue": 42, "event": {"action": "opened"}}
    told = world.regrade(runner=UNCONFINED).observation.diagnostics
    assert told is not None
    assert told["case"] == {"issue": 42, "event": {"action": "opened"}}
