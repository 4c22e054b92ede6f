"""What a statement says, and which are none."""

import copy
import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

from opvalue.attestation.facts import _STATEMENT, Rule, read_facts
from opvalue.errors import OpvalueError
from opvalue.identity import Digest, Instant, Repository
from opvalue.regrade.schema import regrade_schema
from tests.attestation.samples import BUNDLE, CLOSURE, EVALUATOR, STATEMENT, URL, put, statement

EXECUTION: dict[str, Any] = {
    "mode": "offline",
    "checks": [],
    "evidence": {"mode": "replay", "exchanges": 3, "enforced": False},
    "leftBehind": [],
    "sandbox": {"layers": [], "reason": None},
    "tools": {},
    "gradedAt": "2026-09-03T10:00:00.000Z",
    "durationMs": 1,
}
SCHEMA: dict[str, Any] = regrade_schema()
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


EVIDENCE_AT = STATEMENT["regrade"]["identity"]["evidenceAt"]
BOTH = {"functionDigest": EVALUATOR, "evaluatorDigest": EVALUATOR}


def code(document: dict[str, Any]) -> str | None:
    try:
        read_facts(document)
    except OpvalueError as error:
        return error.code.removeprefix("attestation.")
    return None


def places(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the place of everything in a document."""
    if path:
        yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, item in inner:
        yield from places(item, (*path, str(name)))


PLACES = list(places(STATEMENT))
OWN = ("case", "diagnostics", "provenance", "archived", "observed")
"""Below these, anything goes."""


def test_what_it_says() -> None:
    facts = read_facts(statement())
    assert facts.repository == Repository.parse("acme/widgets")
    assert (facts.run_id, facts.attempt, facts.name) == ("123456", 2, "Operational Value")
    assert (facts.value, facts.status, facts.mature) == (0.75, "pass", True)
    assert facts.evidence_at == facts.matures_at == Instant.parse("2026-09-03T10:00:00Z")
    assert facts.opportunity_key == "issue:42"
    assert (facts.evaluator_digest, facts.closure_digest) == (Digest(EVALUATOR), Digest(CLOSURE))
    assert (facts.bundle_digest, facts.exchanges, facts.undeclared) == (BUNDLE, 3, ("acme/other",))
    assert facts.evidence_cutoff == facts.evidence_at
    assert facts.run_url == URL


@pytest.mark.parametrize(
    "changes",
    [
        {"results__0__message": ...},
        {"results__0__diagnostics": ...},
        {"results__0__diagnostics": {}, "results__0__observation__case": {"deep": [{"x": None}]}},
        {
            "results__0__value": None,
            "results__0__status": "unavailable",
            "results__0__passed": None,
        },
        {
            "results__0__value": 0,
            "results__0__status": "fail",
            "results__0__passed": False,
        },
        {"results__0__value": 1.0, "results__0__passed": None},
        {
            "results__0__observation__evidenceAt": "2026-09-03T10:00:00.999Z",
            "regrade__identity__evidenceAt": "2026-09-03T10:00:00.999Z",
        },
        {"results__0__baselineValue": None, "results__0__deltaFromBaseline": None},
        {"results__0__observation__provenance": [], "results__0__observation__subject__createdAt": None},
        {"regrade__drift": [], "regrade__evidence__undeclared": []},
        {"regrade__evidence": {"digest": None, "exchanges": 0, "undeclared": []}},
        {"regrade__evidence__undeclared": ["#12", "acme/*", "acme/a.b-c_d", "unattributed"]},
        {"regrade__host": "ghe.example.com:8443"},
        {
            "regrade__identity": {
                "runId": "123456",
                "functionDigest": EVALUATOR,
                "evidenceAt": "2026-09-03T10:00:00.000Z",
            }
        },
        {"results__0__observation__maturesAt": "2026-09-03T10:00:00.001Z", "results__0__observation__mature": False},
    ],
)
def test_what_may_be(changes: dict[str, Any]) -> None:
    document = statement(**changes)
    assert code(document) is None
    VALIDATOR.validate({**document, "execution": EXECUTION})


@pytest.mark.parametrize(
    ("expected", "changes"),
    [
        ("execution-inside", {"execution": EXECUTION}),
        ("execution-inside", {"execution": None}),
        ("statement-malformed", {"extra": 1}),
        ("statement-malformed", {"version": 2}),
        ("statement-malformed", {"version": True}),
        ("statement-malformed", {"version": 1.0}),
        ("statement-malformed", {"run__id": "0"}),
        ("statement-malformed", {"run__id": "1/../2"}),
        ("statement-malformed", {"run__id": "१"}),
        ("statement-malformed", {"run__id": "1" * 20}),
        ("statement-malformed", {"run__attempt": 0}),
        ("statement-malformed", {"run__attempt": True}),
        ("statement-malformed", {"run__attempt": 2.0}),
        ("statement-malformed", {"run": {"attempt": 2, "id": "123456"}}),
        ("statement-malformed", {"results": []}),
        ("statement-malformed", {"results": STATEMENT["results"] * 2}),
        ("statement-malformed", {"results": {}}),
        ("statement-malformed", {"regrade__identity__functionDigest": EVALUATOR}),
        ("statement-malformed", {"regrade__identity": {"runId": "123456", **BOTH, "evidenceAt": EVIDENCE_AT}}),
        ("statement-malformed", {"regrade__identity__evaluatorDigest": ...}),
        ("statement-malformed", {"regrade__host": "GitHub.com"}),
        ("statement-malformed", {"regrade__host": "github.com:443"}),
        ("statement-malformed", {"regrade__host": "a/b"}),
        ("statement-malformed", {"regrade__host": ""}),
        ("statement-malformed", {"results__0__observation__subject__repository": "widgets"}),
        ("statement-malformed", {"results__0__observation__subject__repository": "evil.example/acme/widgets"}),
        ("statement-malformed", {"results__0__observation__subject__repository": "acme/../widgets"}),
        *(
            ("statement-malformed", {"regrade__evidence__undeclared": [name]})
            for name in (
                "acme/other\n",
                "acme/\x1b[2J",
                "\u202eacme/other",
                "Acme/other",
                "acme",
                "#0",
                "",
                "a/b/c",
                " ",
            )
        ),
        ("statement-malformed", {"results__0__value": True}),
        ("statement-malformed", {"results__0__value": 1.0000001}),
        ("statement-malformed", {"results__0__status": "not-observed"}),
        ("statement-malformed", {"results__0__message": None}),
        ("statement-malformed", {"results__0__observation__evidenceAt": "2026-09-03T10:00:00Z"}),
        ("statement-malformed", {"results__0__observation__evidenceAt": "2026-09-31T10:00:00.000Z"}),
        ("statement-contradicts", {"run__id": "123457"}),
        ("statement-contradicts", {"regrade__identity__runId": "123457"}),
        ("statement-contradicts", {"results__0__observation__subject__runId": "123457"}),
        ("statement-contradicts", {"run__attempt": 1}),
        ("statement-contradicts", {"results__0__implementation__digest": "d" * 64}),
        ("statement-contradicts", {"regrade__identity__evidenceAt": "2026-09-04T10:00:00.000Z"}),
        ("statement-contradicts", {"results__0__observation__mature": False}),
        ("statement-contradicts", {"results__0__value": None}),
        ("statement-contradicts", {"results__0__value": None, "results__0__status": "unavailable"}),
        ("statement-contradicts", {"results__0__status": "unavailable"}),
        ("statement-contradicts", {"results__0__status": "fail"}),
        ("statement-contradicts", {"results__0__passed": False}),
        ("statement-contradicts", {"results__0__deltaFromBaseline": 0.25}),
        ("statement-contradicts", {"results__0__deltaFromBaseline": None}),
        ("statement-contradicts", {"results__0__baselineValue": None}),
        ("statement-contradicts", {"results__0__observation__evidenceCutoff": "2026-09-03T10:00:00.001Z"}),
        ("statement-contradicts", {"results__0__observation__evidenceCutoff": "2026-09-03T09:59:59.999Z"}),
        ("statement-contradicts", {"results__0__observation__maturesAt": "2026-09-01T10:00:00.000Z"}),
        ("statement-contradicts", {"regrade__evidence__digest": None}),
        ("statement-contradicts", {"regrade__evidence__exchanges": 0}),
        (
            "statement-contradicts",
            {"regrade__evidence": {"digest": None, "exchanges": 0, "undeclared": ["acme/other"]}},
        ),
        ("statement-contradicts", {"regrade__evidence__undeclared": ["acme/other", "acme/other"]}),
        ("statement-contradicts", {"regrade__evidence__undeclared": ["acme/other", "acme/a"]}),
    ],
)
def test_what_may_not_be(expected: str, changes: dict[str, Any]) -> None:
    assert code(statement(**changes)) == expected


@pytest.mark.parametrize("path", PLACES, ids="__".join)
def test_no_place_can_be_taken_away_or_be_of_another_type(path: tuple[str, ...]) -> None:
    if set(OWN).intersection(path[:-1]):
        return
    for value in (..., None, True, 7.5, "x", "", [], [1], {}, {"a": 1}):
        document = copy.deepcopy(STATEMENT)
        put(document, list(path), value)
        accepted = code(document) is None
        valid = VALIDATOR.is_valid({**document, "execution": EXECUTION})
        assert valid or not accepted, "the reader takes what the published schema refuses"


@pytest.mark.parametrize("path", [(), *PLACES], ids="__".join)
def test_no_object_takes_another_field_or_another_order(path: tuple[str, ...]) -> None:
    document: Any = copy.deepcopy(STATEMENT)
    found: Any = document
    for name in path:
        found = found[int(name)] if isinstance(found, list) else found[name]
    if not isinstance(found, dict) or set(OWN).intersection(path):
        return
    for first in (True, False):
        made = copy.deepcopy(document)
        changed = {"extra": 1, **found} if first else {**found, "extra": 1}
        put(made, list(path), changed) if path else made.update(extra=1)
        assert code(made) == "statement-malformed"
    if len(found) > 1:
        turned = dict(reversed(found.items()))
        if path:
            put(document, list(path), turned)
        assert code(document if path else turned) == "statement-malformed"


def properties(schema: dict[str, Any], prefix: str = "") -> Iterator[str]:
    """Yield the dotted names of every property of the published schema."""
    reference = schema.get("$ref")
    if reference:
        schema = SCHEMA["$defs"][reference.rpartition("/")[2]]
    if "items" in schema:
        yield from properties(schema["items"], prefix)
    for name, inner in schema.get("properties", {}).items():
        optional = "" if name in schema["required"] else "?"
        yield f"{prefix}{name}{optional}"
        yield from properties(inner, f"{prefix}{name}.")


def known(shape: Any, prefix: str = "") -> Iterator[str]:
    """Yield the same of the tables."""
    if isinstance(shape, list):
        yield from known(shape[0], prefix)
    elif not isinstance(shape, Rule):
        for name, inner in shape.items():
            yield f"{prefix}{name}"
            yield from known(inner, f"{prefix}{name}.")


def test_the_tables_have_the_fields_of_the_published_schema() -> None:
    published = {name for name in properties(SCHEMA) if not name.startswith("execution")}
    assert set(known(_STATEMENT)) == published


def test_the_sample_is_a_regrade_document() -> None:
    VALIDATOR.validate(json.loads(json.dumps({**STATEMENT, "execution": EXECUTION})))
