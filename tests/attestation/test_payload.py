"""The in-toto statement: written one way, and nothing else is read."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from opvalue.attestation import statement_of
from opvalue.attestation.errors import AttestationTooLarge, StatementContradicts
from opvalue.attestation.payload import read_payload, write_payload
from opvalue.errors import OpvalueError
from opvalue.identity import Digest
from opvalue.limits import Limits
from tests.attestation.samples import BUNDLE, STATEMENT, URL, in_toto, put, statement, text

LIMITS = Limits()
NO_EVIDENCE = statement(regrade__evidence={"digest": None, "exchanges": 0, "undeclared": []})
PAYLOAD = write_payload(STATEMENT, LIMITS)


def code(data: bytes) -> str:
    with pytest.raises(OpvalueError) as caught:
        read_payload(data, LIMITS)
    return caught.value.code.removeprefix("attestation.")


@pytest.mark.parametrize("about", [STATEMENT, NO_EVIDENCE])
def test_what_is_written(about: dict[str, Any]) -> None:
    assert write_payload(about, LIMITS) == text(in_toto(about))


def test_what_is_read() -> None:
    content = read_payload(PAYLOAD, LIMITS)
    assert content.statement == STATEMENT
    assert content.facts.run_url == URL
    assert content.digest == Digest.of(text(STATEMENT))


def test_values_are_signed_as_they_are_read() -> None:
    made = statement(results__0__value=1.0, results__0__baselineValue=1.0, regrade__drift=())
    put(made, ["results", "0", "deltaFromBaseline"], -0.0)
    plain = statement(results__0__value=1, results__0__baselineValue=1, regrade__drift=[])
    put(plain, ["results", "0", "deltaFromBaseline"], 0)
    assert write_payload(made, LIMITS) == write_payload(plain, LIMITS) == text(in_toto(plain))


def change(path: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda document: put(document, path.split("__"), value)


SUBJECT = in_toto()["subject"][0]
MATERIAL = in_toto()["predicate"]["materials"][0]


@pytest.mark.parametrize(
    ("expected", "bend"),
    [
        ("payload-malformed", change("extra", 1)),
        *[("payload-malformed", change(name, ...)) for name in ("subject", "predicateType", "predicate")],
        ("payload-malformed", lambda d: d.pop("_type")),
        ("payload-malformed", lambda d: d.update(_type="https://in-toto.io/Statement/v0.1")),
        ("payload-malformed", lambda d: d.update(_type=["https://in-toto.io/Statement/v1"])),
        ("payload-malformed", change("predicate", [])),
        ("payload-malformed", change("predicate__extra", None)),
        ("payload-malformed", change("predicate__materials", ...)),
        ("payload-malformed", change("predicate__statement", ...)),
        ("predicate-type", change("predicateType", "https://opvalue.invalid/observation/v2")),
        ("predicate-type", change("predicateType", "https://opvalue.invalid/observation/v1/")),
        ("predicate-type", change("predicateType", "https://slsa.dev/provenance/v1")),
        ("predicate-type", change("predicateType", None)),
        ("statement-malformed", change("predicate__statement", [])),
        ("statement-malformed", change("predicate__statement__extra", 1)),
        ("statement-contradicts", change("predicate__statement__run__attempt", 3)),
        ("execution-inside", change("predicate__statement__execution", {})),
        ("subject-differs", change("subject", [])),
        ("subject-differs", change("subject", [SUBJECT, SUBJECT])),
        ("subject-differs", change("subject", SUBJECT)),
        ("subject-differs", change("subject__0__name", URL + "0")),
        ("subject-differs", change("subject__0__uri", URL)),
        ("subject-differs", change("subject__0__digest__sha256", "0" * 64)),
        ("subject-differs", change("subject__0__digest__sha512", "0" * 128)),
        ("subject-differs", change("subject__0__digest", ...)),
        ("subject-differs", change("subject__0__annotations__evaluatorDigest", "0" * 64)),
        ("subject-differs", change("subject__0__annotations__closureDigest", "0" * 64)),
        ("subject-differs", change("subject__0__annotations", {})),
        ("subject-differs", change("predicate__statement__results__0__unit", "count")),
        ("material-differs", change("predicate__materials", [])),
        ("material-differs", change("predicate__materials", [MATERIAL, MATERIAL])),
        ("material-differs", change("predicate__materials__0__digest__opvalueBundle", "0" * 64)),
        ("material-differs", change("predicate__materials__0__digest", {"sha256": BUNDLE.hex})),
        ("material-differs", change("predicate__materials__0__name", "something else")),
        ("material-differs", change("predicate__materials__0__uri", "x")),
    ],
)
def test_what_is_not_read(expected: str, bend: Callable[[dict[str, Any]], None]) -> None:
    document = in_toto(statement())
    bend(document)
    assert code(text(document)) == expected


def test_materials_without_evidence() -> None:
    document = in_toto(NO_EVIDENCE)
    document["predicate"]["materials"] = [MATERIAL]
    assert code(text(document)) == "material-differs"


@pytest.mark.parametrize(
    "data",
    [
        PAYLOAD[:-1],
        PAYLOAD + b"\n",
        json.dumps(in_toto()).encode(),
        text(dict(reversed(in_toto().items()))),
        text({**in_toto(), "predicate": dict(reversed(in_toto()["predicate"].items()))}),
        PAYLOAD.replace("não".encode(), b"n\\u00e3o"),
        PAYLOAD.replace(b"0.75", b"0.750"),
        PAYLOAD.replace(b'"value": 0.75', b'"value": 7.5e-1'),
        PAYLOAD.replace(b'"attempt": 2', b'"attempt": 2 '),
    ],
)
def test_another_spelling(data: bytes) -> None:
    assert data != PAYLOAD
    assert code(data) == "not-canonical"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "json.refused"),
        (PAYLOAD + PAYLOAD, "json.more-than-one-value"),
        (PAYLOAD.replace(b'"version": 1,', b'"version": 1, "version": 1,'), "json.refused"),
        (b"[]", "payload-malformed"),
        (b"null", "payload-malformed"),
    ],
)
def test_what_is_no_statement(data: bytes, expected: str) -> None:
    assert code(data) == expected


def nested(levels: int) -> Any:
    return json.loads("[" * levels + "]" * levels)


def test_what_an_evaluator_may_nest_can_be_signed() -> None:
    deepest = LIMITS.json_depth - 1  # within the one object it prints
    about = statement(results__0__observation__case={"deep": nested(deepest - 1)})
    assert read_payload(write_payload(about, LIMITS), LIMITS).statement == about
    assert statement_of(text({**about, "execution": {}}), LIMITS) == about
    about = statement(results__0__observation__case={"deep": nested(deepest)})
    with pytest.raises(OpvalueError) as caught:
        read_payload(write_payload(about, LIMITS), LIMITS)
    assert caught.value.code == "json.refused"


def test_the_statement_of_a_document() -> None:
    assert statement_of(text({**STATEMENT, "execution": {"x": 1}}), LIMITS) == STATEMENT
    assert statement_of(text(STATEMENT), LIMITS) == STATEMENT


@pytest.mark.parametrize(
    ("data", "limits", "expected"),
    [
        (b"[]", LIMITS, "attestation.statement-malformed"),
        (b"{", LIMITS, "json.refused"),
        (text(STATEMENT), LIMITS._replace(statement_bytes=100), "attestation.too-large"),
    ],
)
def test_what_is_no_document(data: bytes, limits: Limits, expected: str) -> None:
    with pytest.raises(OpvalueError) as caught:
        statement_of(data, limits)
    assert caught.value.code == expected


@pytest.mark.parametrize(
    ("evidence", "contradicts"),
    [
        ({"mode": "live", "exchanges": 3}, False),
        ({"mode": "live", "exchanges": 4}, True),
        ({"mode": "replay", "exchanges": 0}, False),
        ({"mode": "none", "exchanges": 0}, True),
        ({"mode": "none"}, False),
        ({"exchanges": "4"}, False),
        (None, False),
    ],
)
def test_an_execution_with_more_evidence_than_the_statement_is_refused(evidence: object, contradicts: bool) -> None:
    document = text({**STATEMENT, "execution": {"evidence": evidence}})
    if not contradicts:
        assert statement_of(document, LIMITS) == STATEMENT
        return
    with pytest.raises(StatementContradicts) as refused:
        statement_of(document, LIMITS)
    assert refused.value.expected == "3 exchanges at most, as regrade.evidence says"


def test_an_observation_may_be_as_large_as_its_bound() -> None:
    document = text(STATEMENT)
    assert statement_of(document, LIMITS._replace(statement_bytes=len(document))) == STATEMENT
    with pytest.raises(AttestationTooLarge):
        statement_of(document, LIMITS._replace(statement_bytes=len(document) - 1))
