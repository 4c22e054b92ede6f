"""The published schema of a signed observation, held against the reader."""

import base64
import json
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest

from opvalue.attestation import attest, verify
from opvalue.cli.schema import SCHEMAS
from opvalue.errors import OpvalueError
from tests.attestation.samples import ALICE, STATEMENT, in_toto, put, sealed, statement, text

SCHEMA: dict[str, Any] = SCHEMAS["attestation"]()
ENVELOPE = jsonschema.Draft202012Validator(SCHEMA)
PAYLOAD = jsonschema.Draft202012Validator({**SCHEMA["$defs"]["payload"], "$defs": SCHEMA["$defs"]})
NO_EVIDENCE = statement(regrade__evidence={"digest": None, "exchanges": 0, "undeclared": []})


def change(path: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda document: put(document, path.split("__"), value)


@pytest.mark.parametrize("about", [STATEMENT, NO_EVIDENCE])
def test_what_is_written_is_valid(about: dict[str, Any]) -> None:
    envelope = json.loads(attest(about, ALICE))
    ENVELOPE.validate(envelope)
    PAYLOAD.validate(json.loads(base64.b64decode(envelope["payload"])))


ENVELOPES = [
    change("extra", 1),
    *[change(name, ...) for name in ("payload", "payloadType", "signatures")],
    *[change(name, None) for name in ("payload", "payloadType", "signatures")],
    change("payload", "e30"),
    change("payload", "e30_"),
    change("payloadType", "application/json"),
    change("signatures", []),
    change("signatures__0__sig", ""),
    change("signatures__0__sig", base64.b64encode(bytes(63)).decode()),
    change("signatures__0__sig", base64.b64encode(bytes(64)).decode()[:-3] + "B=="),
    change("signatures__0__keyid", "x"),
    change("signatures__0__keyid", ...),
    change("signatures__0__extra", 1),
]


@pytest.mark.parametrize("bend", ENVELOPES)
def test_envelopes_that_are_not_valid(bend: Callable[[dict[str, Any]], None]) -> None:
    document = sealed(text(in_toto()))
    bend(document)
    assert not ENVELOPE.is_valid(document)
    with pytest.raises(OpvalueError):
        verify(text(document), [ALICE.public])


PAYLOADS = [
    change("extra", 1),
    *[change(name, ...) for name in in_toto()],
    change("_type", "https://in-toto.io/Statement/v0.1"),
    change("predicateType", "https://slsa.dev/provenance/v1"),
    change("subject", []),
    change("subject__0__name", "widgets"),
    change("subject__0__uri", "x"),
    change("subject__0__digest", {}),
    change("subject__0__annotations__extra", 1),
    change("predicate__extra", 1),
    change("predicate__materials__0__digest", {"sha256": "b" * 64}),
    change("predicate__materials__0__uri", "x"),
    change("predicate__statement__execution", {}),
    change("predicate__statement__version", 2),
]


@pytest.mark.parametrize("bend", PAYLOADS)
def test_payloads_that_are_not_valid(bend: Callable[[dict[str, Any]], None]) -> None:
    document = in_toto(statement())
    bend(document)
    assert not PAYLOAD.is_valid(document)
    with pytest.raises(OpvalueError):
        verify(text(sealed(text(document))), [ALICE.public])
