"""A statement that could come from a regrade, keys whose seeds are published, and envelopes bent by hand."""

import base64
import copy
import hashlib
import json
from collections.abc import Callable
from typing import Any, Final

from opvalue.attestation import PrivateKey
from opvalue.attestation.dsse import Envelope, Signature, pae
from opvalue.identity import Digest

ALICE: Final = PrivateKey.from_seed(bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"))
BOB: Final = PrivateKey.from_seed(bytes.fromhex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"))
CAROL: Final = PrivateKey.from_seed(bytes.fromhex("c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7"))
BUNDLE: Final = Digest("b" * 64)
EVALUATOR: Final = "e" * 64
CLOSURE: Final = "c" * 64
STATEMENT: Final[dict[str, Any]] = {
    "version": 1,
    "run": {"id": "123456", "attempt": 2},
    "regrade": {
        "identity": {"runId": "123456", "evaluatorDigest": EVALUATOR, "evidenceAt": "2026-09-03T10:00:00.000Z"},
        "originalEvidenceAt": "2026-08-20T10:10:00.000Z",
        "host": "github.com",
        "closureDigest": CLOSURE,
        "evidence": {"digest": BUNDLE.hex, "exchanges": 3, "undeclared": ["acme/other"]},
        "drift": [{"field": "case", "archived": None, "observed": {"issue": 42}}],
    },
    "results": [
        {
            "id": "operational-value",
            "name": "Operational Value",
            "value": 0.75,
            "unit": "ratio",
            "passed": True,
            "status": "pass",
            "source": "operational-value",
            "message": "three of four, não mais",
            "observation": {
                "subject": {
                    "type": "workflow-run",
                    "runId": "123456",
                    "attempt": 2,
                    "repository": "acme/widgets",
                    "workflow": "Issue Triage",
                    "ref": "refs/heads/main",
                    "sha": "1" * 40,
                    "eventName": "issues",
                    "createdAt": "2026-08-20T10:00:00Z",
                },
                "opportunityKey": "issue:42",
                "evidenceAt": "2026-09-03T10:00:00.000Z",
                "evidenceCutoff": "2026-09-03T10:00:00.000Z",
                "maturesAt": "2026-09-03T10:00:00.000Z",
                "mature": True,
                "case": {"issue": 42},
                "provenance": [{"repository": "acme/widgets", "kind": "issue", "ref": "42"}],
            },
            "diagnostics": {"z": 1, "a": [1.5, None]},
            "baselineValue": 0.25,
            "deltaFromBaseline": 0.5,
            "implementation": {"id": "gh-aw-graders-operational-value-regrade", "version": 1, "digest": EVALUATOR},
        }
    ],
}
URL: Final = "https://github.com/acme/widgets/actions/runs/123456/attempts/2"
PAYLOAD_TYPE: Final = "application/vnd.in-toto+json"


def statement(**at: Any) -> dict[str, Any]:
    """Return a copy of ``STATEMENT``; ``a__b__0__c=value`` changes one place, ``...`` removes it.

    The difference from the baseline follows the value.
    """
    made = copy.deepcopy(STATEMENT)
    value = at.get("results__0__value", ...)
    if value is None or isinstance(value, int | float):
        made["results"][0]["deltaFromBaseline"] = None if value is None else value - 0.25
    for path, value in at.items():
        put(made, path.split("__"), value)
    return made


def put(document: Any, path: list[str], value: Any) -> None:
    """Put ``value`` at ``path``, or remove what is there for ``...``."""
    for name in path[:-1]:
        document = document[int(name)] if isinstance(document, list) else document[name]
    last: Any = int(path[-1]) if isinstance(document, list) else path[-1]
    if value is ...:
        del document[last]
    else:
        document[last] = value


def text(value: object) -> bytes:
    """Return JSON as opvalue writes it, by the standard library alone."""
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()


def in_toto(about: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the in-toto statement about a regrade statement, made independently of the room."""
    about = STATEMENT if about is None else about
    digest = about["regrade"]["evidence"]["digest"]
    materials = [{"name": "evidence bundle", "digest": {"opvalueBundle": digest}}]
    return {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [
            {
                "name": URL,
                "digest": {"sha256": hashlib.sha256(text(about)).hexdigest()},
                "annotations": {"evaluatorDigest": EVALUATOR, "closureDigest": CLOSURE},
            }
        ],
        "predicateType": "https://opvalue.invalid/observation/v1",
        "predicate": {"statement": about, "materials": materials if digest else []},
    }


def sealed(payload: bytes, *keys: PrivateKey, payload_type: str = PAYLOAD_TYPE) -> dict[str, Any]:
    """Return the envelope of any payload, really signed, as a document that can be bent."""
    signed = pae(payload_type, payload)
    rows = sorted((key.public.id, base64.b64encode(key.sign(signed)).decode()) for key in keys or (ALICE,))
    return {
        "payload": base64.b64encode(payload).decode(),
        "payloadType": payload_type,
        "signatures": [{"keyid": key_id, "sig": value} for key_id, value in rows],
    }


def signed_document(document: dict[str, Any], *keys: PrivateKey) -> bytes:
    """Return the whole envelope over an in-toto statement."""
    return text(sealed(text(document), *keys))


def bent(envelope: bytes, change: Callable[[dict[str, Any]], object]) -> bytes:
    """Return the envelope after ``change``, written as opvalue writes it."""
    document = json.loads(envelope)
    change(document)
    return text(document)


def envelope_of(payload: bytes, *signatures: Signature) -> bytes:
    """Return an envelope with these signatures, right or wrong."""
    return Envelope(payload, signatures).encode()
