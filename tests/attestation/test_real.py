"""Statements that really come from a regrade are signed and verified, whatever an evaluator says."""

import json
from pathlib import Path
from typing import Any

import pytest

from opvalue.attestation import attest, statement_of, verify
from opvalue.limits import Limits
from tests.attestation.samples import ALICE
from tests.support.refusals import UNCONFINED
from tests.support.told import OBSERVATION, Told, changed
from tests.support.world import World

ODD: list[dict[str, Any]] = [
    {},
    {"value": None, "provenance": []},
    {"value": 0, "message": "none", "diagnostics": {"a": {"b": [None, True, 1.5, 1e300, 5e-324]}}},
    {"value": 1 / 3, "case": {"\ud800": "\ud800", "n": 10**60}, "opportunityKey": "\u202e\ud83d\ude00"},
    {"case": {"deep": json.loads("[" * 120 + "]" * 120)}},
]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    return Told(tmp_path_factory.mktemp("told"))


@pytest.mark.parametrize("fields", ODD, ids=range(len(ODD)))
def test_whatever_an_evaluator_says(told: Told, fields: dict[str, Any]) -> None:
    told.observe(changed(OBSERVATION, **fields))
    regraded = told.world.regrade(runner=UNCONFINED)
    envelope = attest(regraded.statement, ALICE)
    document = statement_of(regraded.to_json().encode(), Limits())
    verified = verify(envelope, [ALICE.public], observation=document)
    assert verified.facts.value == regraded.observation.value
    assert verified.facts.run_url == "https://github.com/acme/widgets/actions/runs/123456/attempts/1"
    assert verified.bundle_digest is None


def test_one_of_the_first_generation(tmp_path: Path) -> None:
    regraded = World(tmp_path, value=True).regrade(runner=UNCONFINED)
    verified = verify(attest(regraded.statement, ALICE), [ALICE.public])
    assert verified.facts.evaluator_digest == regraded.verified.consistent.evaluator_digest
    assert "functionDigest" in json.dumps(verified.statement)
