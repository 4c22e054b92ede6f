"""The published schema of the regrade document: complete, described, and true of real documents."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from opvalue.cli.schema import SCHEMAS
from opvalue.regrade.schema import regrade_schema
from tests.support.refusals import UNCONFINED
from tests.support.told import OBSERVATION, Told, changed
from tests.support.world import World

VALIDATOR = jsonschema.Draft202012Validator(regrade_schema())


def properties(schema: object) -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(schema, dict):
        yield from schema.get("properties", {}).items()
        for part in schema.values():
            yield from properties(part)


def test_it_is_a_schema_and_is_listed() -> None:
    schema = regrade_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    assert next(iter(schema)) == "$schema"
    assert SCHEMAS["regrade"]() == schema


def test_every_field_is_described() -> None:
    found = list(properties(regrade_schema()))
    assert len(found) > 50
    assert [name for name, field in found if not field.get("description", "").endswith(".")] == []


def test_the_fields_that_may_vary_are_marked() -> None:
    marked = {name for name, field in properties(regrade_schema()) if field.get("x-varies")}
    assert marked == {"evidence", "leftBehind", "sandbox", "tools", "gradedAt", "durationMs"}


def document(world: World, evidence_at: str = "2026-08-25T00:00:00Z") -> dict[str, Any]:
    made: dict[str, Any] = json.loads(world.regrade(evidence_at, runner=UNCONFINED).to_json())
    return made


@pytest.mark.parametrize("evidence_at", ["2026-08-20T10:00:00Z", "maturity", "now"])
def test_real_documents_are_valid(world: World, evidence_at: str) -> None:
    VALIDATOR.validate(document(world, evidence_at))


def test_one_of_the_first_generation_is_valid(tmp_path: Path) -> None:
    VALIDATOR.validate(document(World(tmp_path, value=True)))


ODD: list[dict[str, Any]] = [
    {"value": None, "provenance": []},
    {"value": 0, "message": "none", "diagnostics": {"a": {"b": [None, True, 1.5]}}},
    {"message": "", "diagnostics": {}},
    {"case": {"\ud800": "\ud800", "n": 10**60}, "opportunityKey": "\u202e\ud83d\ude00"},
    {"case": {"deep": json.loads("[" * 120 + "]" * 120)}},
]


@pytest.mark.parametrize("fields", ODD)
def test_odd_observations_are_valid(told: Told, fields: dict[str, Any]) -> None:
    told.observe(changed(OBSERVATION, **fields))
    made = document(told.world)
    VALIDATOR.validate(made)
    assert ("message" in made["results"][0]) is bool(fields.get("message"))
    assert ("diagnostics" in made["results"][0]) is bool(fields.get("diagnostics"))


WRONG: list[tuple[str, Any]] = [
    ("version", 2),
    ("extra", 1),
    ("run.id", 1),
    ("run.attempt", 0),
    ("regrade.identity.evaluatorDigest", "0" * 63),
    ("regrade.identity.functionDigest", "0" * 64),
    ("regrade.identity.evidenceAt", "2026-08-25T00:00:00Z"),
    ("regrade.evidence.exchanges", -1),
    ("results", []),
    ("results.0.value", 1.5),
    ("results.0.value", "1"),
    ("results.0.status", "error"),
    ("results.0.message", None),
    ("results.0.observation.mature", None),
    ("execution.checks.0.state", "failed"),
    ("execution.durationMs", 0.5),
]


@pytest.mark.parametrize(("path", "value"), WRONG)
def test_wrong_documents_are_not(world: World, path: str, value: object) -> None:
    made = document(world)
    *parents, last = path.split(".")
    holder: Any = made
    for name in parents:
        holder = holder[int(name)] if isinstance(holder, list) else holder[name]
    holder[last] = value
    assert not VALIDATOR.is_valid(made)
