"""Somebody changes a signed observation, at any byte, or writes it anew: it is refused, and nothing of it is said."""

import base64
import json
from collections.abc import Callable
from typing import Any

import pytest

from opvalue.attestation import add_signature, attest, verify
from opvalue.errors import OpvalueError
from tests.attestation.samples import ALICE, BOB, STATEMENT, bent, in_toto, put, sealed, statement, text

ENVELOPE = attest(STATEMENT, ALICE)
BOTH = add_signature(ENVELOPE, BOB)
KEYS = [ALICE.public, BOB.public]


def refused(data: bytes, threshold: int = 1) -> str:
    with pytest.raises(OpvalueError) as caught:
        verify(data, KEYS, threshold=threshold)
    assert caught.value.kind.exit_status == 5
    return caught.value.code


@pytest.mark.parametrize("mask", [0x01, 0x20, 0x80, 0xFF])
def test_every_byte_changed(mask: int) -> None:
    for position in range(len(ENVELOPE)):
        changed = bytearray(ENVELOPE)
        changed[position] ^= mask
        code = refused(bytes(changed))
        assert code.startswith(("attestation.", "json.")), position


def test_every_byte_changed_where_two_must_sign() -> None:
    for position in range(len(BOTH)):
        changed = bytearray(BOTH)
        changed[position] ^= 0x01
        refused(bytes(changed), threshold=2)


def test_cut_at_every_byte() -> None:
    for size in range(len(ENVELOPE)):
        assert refused(ENVELOPE[:size]) in {"json.refused", "attestation.not-canonical"}, size


def test_a_byte_too_many_anywhere() -> None:
    for position in range(len(ENVELOPE) + 1):
        for more in (b" ", b"\n", b"0", b"\0"):
            refused(ENVELOPE[:position] + more + ENVELOPE[position:])


def test_every_byte_of_the_payload_changed() -> None:
    payload = base64.b64decode(json.loads(ENVELOPE)["payload"])
    for position in range(len(payload)):
        changed = bytearray(payload)
        changed[position] ^= 0x01
        again = base64.b64encode(changed).decode()
        assert refused(bent(ENVELOPE, lambda d: d.update(payload=again))) == "attestation.signature-wrong"  # noqa: B023 - called at once


def payload_of(document: dict[str, Any]) -> str:
    return base64.b64encode(text(document)).decode()


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda d: d.update(payloadType="application/json"), "attestation.payload-type"),
        (
            lambda d: d.update(payload=payload_of(in_toto(statement(results__0__value=1)))),
            "attestation.signature-wrong",
        ),
        (lambda d: d.update(extra=None), "attestation.envelope-malformed"),
        (lambda d: d["signatures"][0].update(cert=""), "attestation.envelope-malformed"),
        (lambda d: d["signatures"].clear(), "attestation.no-signature"),
        (lambda d: d["signatures"].append(d["signatures"][0]), "attestation.signed-twice"),
        (lambda d: d["signatures"][0].update(keyid=BOB.public.id), "attestation.signature-wrong"),
        (lambda d: d["signatures"][0].update(keyid="0" * 64), "attestation.not-trusted"),
        (lambda d: d["signatures"][0].update(sig=base64.b64encode(bytes(64)).decode()), "attestation.signature-wrong"),
    ],
)
def test_a_part_exchanged(change: Callable[[dict[str, Any]], object], code: str) -> None:
    assert refused(bent(ENVELOPE, change)) == code


def test_stripped_of_a_signature_it_still_needs_as_many() -> None:
    verify(BOTH, KEYS, threshold=2)
    stripped = bent(BOTH, lambda d: d["signatures"].pop())
    assert refused(stripped, threshold=2) == "attestation.not-trusted"


def test_a_signature_over_the_bare_payload_or_another_type() -> None:
    payload = text(in_toto())
    for signature in (
        ALICE.sign(payload),
        base64.b64decode(sealed(payload, payload_type="text/x")["signatures"][0]["sig"]),
    ):
        document = sealed(payload)
        document["signatures"][0]["sig"] = base64.b64encode(signature).decode()
        assert refused(text(document)) == "attestation.signature-wrong"


ENCODINGS: dict[str, Callable[[Any], bytes]] = {
    "compact": lambda value: json.dumps(value, separators=(",", ":")).encode(),
    "one space": lambda value: (json.dumps(value, indent=1, ensure_ascii=False) + "\n").encode(),
    "sorted": lambda value: (json.dumps(value, indent=2, ensure_ascii=False, sort_keys=True) + "\n").encode(),
    "ASCII": lambda value: (json.dumps(value, indent=2) + "\n").encode(),
    "no line feed": lambda value: text(value)[:-1],
    "carriage returns": lambda value: text(value).replace(b"\n", b"\r\n"),
}


@pytest.mark.parametrize("name", ["compact", "one space", "no line feed", "carriage returns"])
def test_the_envelope_written_anew(name: str) -> None:
    assert refused(ENCODINGS[name](json.loads(ENVELOPE))) == "attestation.not-canonical"


@pytest.mark.parametrize("name", ENCODINGS)
def test_the_payload_written_anew_and_really_signed(name: str) -> None:
    again = text(sealed(ENCODINGS[name](in_toto())))
    expected = "attestation.statement-malformed" if name == "sorted" else "attestation.not-canonical"
    assert refused(again) == expected


SIGNED: list[tuple[str, Any, str]] = [
    ("_type", "https://in-toto.io/Statement/v0.1", "payload-malformed"),
    ("predicateType", "https://slsa.dev/provenance/v1", "predicate-type"),
    ("extra", 1, "payload-malformed"),
    ("predicate__extra", 1, "payload-malformed"),
    ("predicate__statement__extra", 1, "statement-malformed"),
    ("predicate__statement__execution", {}, "execution-inside"),
    ("predicate__statement__results__0__value", 0, "statement-contradicts"),
    ("predicate__statement__results__0__unit", "count", "subject-differs"),
    ("predicate__statement__regrade__evidence__exchanges", 4, "subject-differs"),
    ("predicate__statement__regrade__evidence__exchanges", 0, "statement-contradicts"),
    ("predicate__statement__regrade__evidence__digest", None, "statement-contradicts"),
    ("predicate__statement__regrade__evidence__undeclared", ["acme/other\u001b[2J"], "statement-malformed"),
    ("subject__0__digest__sha256", "0" * 64, "subject-differs"),
    ("subject__0__name", "https://github.com/acme/other/actions/runs/123456/attempts/2", "subject-differs"),
    ("predicate__materials", [], "material-differs"),
    ("predicate__materials__0__digest__opvalueBundle", "0" * 64, "material-differs"),
]


@pytest.mark.parametrize(("path", "value", "code"), SIGNED)
def test_what_a_trusted_key_signed_by_mistake(path: str, value: Any, code: str) -> None:
    document = in_toto(statement())
    put(document, path.split("__"), value)
    assert refused(text(sealed(text(document), ALICE, BOB))) == f"attestation.{code}"


def test_two_keys_in_one_object() -> None:
    twice = text(in_toto()).replace(b'"version": 1,', b'"version": 1,\n      "version": 1,', 1)
    assert refused(text(sealed(twice))) == "json.refused"
    twice = ENVELOPE.replace(b'"signatures"', b'"payload": "",\n  "signatures"')
    assert refused(twice) == "json.refused"
