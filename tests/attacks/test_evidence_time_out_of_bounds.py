"""Evidence as of a time that has not come, or before the run was there to leave any."""

from pathlib import Path

import pytest

from opvalue.identity import Instant
from tests.support.refusals import UNCONFINED, refused_before_running
from tests.support.world import NOW, World

ROWS = [
    ("2026-08-20T09:59:59.999Z", "regrade.evidence-before-run"),
    ("1970-01-01T00:00:00Z", "regrade.evidence-before-run"),
    ("0001-01-01T00:00:00Z", "regrade.evidence-before-run"),
    ("2026-10-01T00:00:00.001Z", "regrade.evidence-in-future"),
    ("2026-09-30T23:59:59.999-00:01", "regrade.evidence-in-future"),
    ("9999-12-31T23:59:59.999Z", "regrade.evidence-in-future"),
]


@pytest.mark.parametrize(("time", "code"), ROWS)
def test_out_of_bounds(tmp_path: Path, time: str, code: str) -> None:
    error = refused_before_running(World(tmp_path), time)
    assert (error.code, error.kind.exit_status) == (code, 2)


def test_an_archive_cannot_move_maturity_into_the_future_unnoticed(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.observation["maturesAt"] = "2027-01-01T00:00:00Z"
    assert refused_before_running(world, "maturity").code == "regrade.evidence-in-future"
    drifted = world.regrade("now", runner=UNCONFINED).drift
    assert [(drift.field, drift.observed) for drift in drifted] == [("maturesAt", "2026-09-03T10:00:00.000Z")]


def test_an_evaluator_cannot_look_past_the_evidence_time(tmp_path: Path) -> None:
    """Closed at 16:00: a millisecond before, nobody could know."""
    world = World(tmp_path)
    before, after = Instant.parse("2026-08-31T15:59:59.999Z"), Instant.parse("2026-08-31T16:00:00Z")
    assert before < after < NOW
    assert world.regrade(str(before), runner=UNCONFINED).observation.value == 2 / 3
    assert world.regrade(str(after), runner=UNCONFINED).observation.value == 1
