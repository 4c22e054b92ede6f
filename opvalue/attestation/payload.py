"""The in-toto statement (v1) that is signed: https://github.com/in-toto/attestation, spec/v1.

- ``subject``: one resource, the run's attempt by its web address. Its ``sha256`` is that of the regrade statement's
  canonical bytes, the one digest by which other tools may match it. The digests of evaluator and closure stand in its
  annotations: they are other files' digests, not further ones of this.
- ``predicateType``: ours. The name ends in ``.invalid`` (RFC 2606), so it is nobody's and leads nowhere.
- ``predicate``: the regrade statement, and its material: the evidence bundle by ``opvalueBundle``, the digest that
  docs/bundle.md defines. It is none of the bundle's file, so it is not called ``sha256``.

The payload is the canonical text of that, and no other text is read. Not checked here: signatures.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple, cast

from opvalue.attestation import errors
from opvalue.attestation.facts import Facts, read_facts
from opvalue.identity import Digest
from opvalue.limits import Limits
from opvalue.strictjson import JsonObject, JsonValue, dumps, kind_of, loads

STATEMENT_TYPE: Final = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE: Final = "https://opvalue.invalid/observation/v1"
BUNDLE_DIGEST: Final = "opvalueBundle"
_FIELDS: Final = ["_type", "predicate", "predicateType", "subject"]
_PREDICATE_FIELDS: Final = ["materials", "statement"]
_DEEPER: Final = 5
"""By how many levels an evaluator's own objects lie deeper in the payload than in what it printed."""


class Content(NamedTuple):
    """A payload that was understood."""

    statement: JsonObject
    facts: Facts
    digest: Digest
    """SHA-256 of the regrade statement's canonical bytes."""


def statement_of(document: bytes, limits: Limits) -> JsonObject:
    """Return the statement in a regrade document: all of it but ``execution``.

    Raises ``JsonRefused``, ``AttestationTooLarge``, and ``StatementContradicts`` where ``execution`` tells of other
    evidence than the statement. Not checked: whether it is one (``read_facts``).
    """
    if len(document) > limits.statement_bytes:
        raise errors.AttestationTooLarge(
            "the observation is too large", expected=f"at most {limits.statement_bytes} bytes"
        )
    value = loads(document, max_depth=limits.json_depth + _DEEPER, what="the observation")
    if not isinstance(value, dict):
        raise errors.StatementMalformed("the observation is no object", expected="an object", found=kind_of(value))
    _check_execution(value.pop("execution", None), value)
    return value


def _check_execution(execution: JsonValue, statement: JsonObject) -> None:
    """Raise ``StatementContradicts`` where more was asked for than the statement's evidence has; shapes are others'."""
    made, stated = _object(_object(execution), "evidence"), _object(_object(statement, "regrade"), "evidence")
    exchanges, kept = made.get("exchanges"), stated.get("exchanges")
    if not (isinstance(exchanges, int) and isinstance(kept, int)):
        return
    if exchanges > kept or (made.get("mode") == "none" and kept > 0):
        raise errors.StatementContradicts(
            "the statement's evidence is not that of its execution",
            expected=f"{kept} exchanges at most, as regrade.evidence says",
            found=f"{exchanges} exchanges, execution.evidence.mode {made.get('mode')!r}"[:200],
        )


def _object(value: JsonValue, name: str | None = None) -> JsonObject:
    if isinstance(value, dict) and name is not None:
        value = value.get(name)
    return value if isinstance(value, dict) else {}


def write_payload(statement: Mapping[str, object], limits: Limits) -> bytes:
    """Return the payload that says ``statement``. Raises the errors of ``read_facts``."""
    # As it will be read: tuples as arrays, 1.0 as 1.
    read = loads(dumps(statement).encode(), max_depth=limits.json_depth + _DEEPER, what="the statement")
    known = cast(JsonObject, read)
    return dumps(_document(known, read_facts(known))).encode()


def read_payload(data: bytes, limits: Limits) -> Content:
    """Return what a payload says.

    Steps: 1 one strict JSON object of exactly the fields; 2 the types are known; 3 the predicate is a statement and its
    materials; 4 the statement is one; 5 subject and materials are what the statement says; 6 the bytes are the
    canonical ones. Raises ``JsonRefused`` and this room's errors.
    """
    document = loads(data, max_depth=limits.json_depth + _DEEPER, what="the payload")
    known = _exactly(document, _FIELDS, "the payload")  # 1
    if known["_type"] != STATEMENT_TYPE:  # 2
        raise errors.PayloadMalformed(
            "the payload is no in-toto statement, version 1", expected=STATEMENT_TYPE, found=repr(known["_type"])[:80]
        )
    if known["predicateType"] != PREDICATE_TYPE:
        raise errors.PredicateTypeUnknown(
            "the in-toto statement is about something else",
            expected=PREDICATE_TYPE,
            found=repr(known["predicateType"])[:80],
        )
    predicate = _exactly(known["predicate"], _PREDICATE_FIELDS, "the predicate")  # 3
    statement = predicate["statement"]
    if not isinstance(statement, dict):
        raise errors.StatementMalformed("the statement is no object", expected="an object", found=kind_of(statement))
    facts = read_facts(statement)  # 4
    meant = _document(statement, facts)
    if known["subject"] != meant["subject"]:  # 5
        raise errors.SubjectDiffers("the subject is not the run and digests of the statement", expected=facts.run_url)
    if predicate["materials"] != _materials(facts):
        raise errors.MaterialDiffers(
            "the materials are not the statement's evidence", expected=str(facts.bundle_digest or "no material")
        )
    if dumps(meant).encode() != data:  # 6
        raise errors.NotCanonical("the payload is not written as opvalue writes it")
    return Content(statement, facts, statement_digest(statement))


def statement_digest(statement: JsonObject) -> Digest:
    """Return the SHA-256 of the statement's canonical bytes."""
    return Digest.of(dumps(statement).encode())


def _document(statement: JsonObject, facts: Facts) -> JsonObject:
    return {
        "_type": STATEMENT_TYPE,
        "subject": [
            {
                "name": facts.run_url,
                "digest": {"sha256": statement_digest(statement).hex},
                "annotations": {
                    "evaluatorDigest": facts.evaluator_digest.hex,
                    "closureDigest": facts.closure_digest.hex,
                },
            }
        ],
        "predicateType": PREDICATE_TYPE,
        "predicate": {"statement": statement, "materials": _materials(facts)},
    }


def _materials(facts: Facts) -> list[JsonValue]:
    if facts.bundle_digest is None:
        return []
    return [{"name": "evidence bundle", "digest": {BUNDLE_DIGEST: facts.bundle_digest.hex}}]


def _exactly(value: JsonValue, fields: list[str], what: str) -> JsonObject:
    if not isinstance(value, dict) or sorted(value) != fields:
        found = repr(sorted(value))[:200] if isinstance(value, dict) else kind_of(value)
        raise errors.PayloadMalformed(
            f"{what} does not have exactly the known fields", expected=", ".join(fields), found=found
        )
    return value
