"""What moved since the archived observation is reported, never dropped and never refused."""

from typing import Any

import pytest

from tests.support.refusals import UNCONFINED
from tests.support.told import OBSERVATION, Told, changed

ARCHIVED: dict[str, Any] = {"maturesAt": "2026-09-03T10:00:00Z", "opportunityKey": "issue:42", "case": {"issue": 42}}
ROWS: list[tuple[dict[str, Any], list[str]]] = [
    ({}, []),
    ({"maturesAt": "2026-09-03T10:00:00.000Z"}, []),
    ({"case": {"issue": 42.0}}, []),
    ({"maturesAt": "2026-09-03T10:00:00.001Z"}, ["maturesAt"]),
    ({"opportunityKey": "Issue:42"}, ["opportunityKey"]),
    ({"case": {}}, ["case"]),
    ({"case": {"issue": True}}, ["case"]),
    ({"case": {"issue": "42"}}, ["case"]),
    (
        {"maturesAt": "2026-09-10T00:00:00Z", "opportunityKey": "x", "case": {"y": None}},
        ["maturesAt", "opportunityKey", "case"],
    ),
]


@pytest.mark.parametrize(("fields", "moved"), ROWS)
def test_drift(told: Told, fields: dict[str, Any], moved: list[str]) -> None:
    told.observe(changed(OBSERVATION, **fields))
    regraded = told.world.regrade(runner=UNCONFINED)
    assert [drift.field for drift in regraded.drift] == moved
    for drift in regraded.drift:
        assert drift.archived == ARCHIVED[drift.field]
        expected = f"{fields[drift.field][:19]}.000Z" if drift.field == "maturesAt" else fields[drift.field]
        assert drift.observed in (expected, fields[drift.field])
    reported: Any = regraded.statement["regrade"]
    assert reported["drift"] == [drift._asdict() for drift in regraded.drift]
