"""Verifying: who signed what, and what was not checked."""

from typing import Any

import pytest

from opvalue.attestation import PublicKey, add_signature, attest, verify
from opvalue.attestation.dsse import Signature, read_envelope
from opvalue.errors import Kind, OpvalueError
from opvalue.identity import Digest
from opvalue.limits import Limits
from tests.attestation.samples import ALICE, BOB, BUNDLE, CAROL, STATEMENT, URL, envelope_of, statement, text

ENVELOPE = attest(STATEMENT, ALICE)
BOTH = add_signature(ENVELOPE, BOB)
A, B, C = ALICE.public, BOB.public, CAROL.public


def refused(envelope: bytes, *keys: PublicKey, **options: Any) -> OpvalueError:
    with pytest.raises(OpvalueError) as caught:
        verify(envelope, keys, **options)
    return caught.value


def test_who_signed_what() -> None:
    verified = verify(ENVELOPE, [A])
    assert verified.signers == (A,)
    assert verified.not_checked == ()
    assert verified.statement == STATEMENT
    assert verified.statement_digest == Digest.of(text(STATEMENT))
    assert verified.subject == URL
    assert verified.bundle_digest == BUNDLE
    assert verified.facts.value == 0.75


def test_several_signers_in_the_order_of_their_ids() -> None:
    verified = verify(BOTH, [B, A, C], threshold=2)
    assert verified.signers == tuple(sorted((A, B), key=lambda key: key.id))
    assert verified.not_checked == ()


def test_a_signature_by_another_key_is_not_checked_and_said_so() -> None:
    assert verify(BOTH, [B]).not_checked == (A.id,)
    read = read_envelope(ENVELOPE, Limits())
    forged = envelope_of(read.payload, *read.signatures, Signature("0" * 64, bytes(64)))
    assert verify(forged, [A, B]).not_checked == ("0" * 64,)


def test_one_bad_signature_of_a_known_key_refuses_everything() -> None:
    read = read_envelope(ENVELOPE, Limits())
    forged = envelope_of(read.payload, *read.signatures, Signature(B.id, bytes(64)))
    error = refused(forged, A, B)
    assert (error.code, error.kind) == ("attestation.signature-wrong", Kind.REFUSED)
    assert B.id in str(error.found)
    assert verify(forged, [A]).not_checked == (B.id,)


@pytest.mark.parametrize(
    ("envelope", "keys", "threshold"),
    [(ENVELOPE, (B,), 1), (ENVELOPE, (A, B), 2), (BOTH, (A, C), 2), (BOTH, (A, B, C), 3)],
)
def test_too_few(envelope: bytes, keys: tuple[PublicKey, ...], threshold: int) -> None:
    error = refused(envelope, *keys, threshold=threshold)
    assert error.code == "attestation.not-trusted"
    assert A.id in str(error.found)


@pytest.mark.parametrize(
    ("keys", "threshold"), [((), 1), ((), 0), ((A,), 0), ((A,), -1), ((A,), 2), ((A, A), 2), ((A, A, B), 3)]
)
def test_a_threshold_that_cannot_be_met(keys: tuple[PublicKey, ...], threshold: int) -> None:
    error = refused(BOTH, *keys, threshold=threshold)
    assert (error.code, error.kind) == ("attestation.threshold", Kind.USAGE)


def test_one_key_given_twice_counts_once() -> None:
    assert verify(BOTH, [A, A]).signers == (A,)


@pytest.mark.parametrize("document", [STATEMENT, {**STATEMENT, "execution": {"mode": "offline"}}])
def test_the_observation_that_was_signed(document: dict[str, Any]) -> None:
    assert verify(ENVELOPE, [A], observation=document).statement == STATEMENT
    assert "execution" not in STATEMENT


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"execution": {}},
        statement(results__0__value=0.5),
        statement(results__0__message=...),
        statement(extra=1),
        dict(reversed(STATEMENT.items())),
    ],
)
def test_another_observation(document: dict[str, Any]) -> None:
    error = refused(ENVELOPE, A, observation=document)
    assert error.code == "attestation.other-observation"
    assert error.expected == f"sha256:{Digest.of(text(STATEMENT))}"


def test_the_bundle_that_was_signed() -> None:
    assert verify(ENVELOPE, [A], bundle=BUNDLE).bundle_digest == BUNDLE


def test_another_bundle() -> None:
    error = refused(ENVELOPE, A, bundle=Digest("0" * 64))
    assert (error.code, error.expected) == ("attestation.other-bundle", BUNDLE.hex)
    without = attest(statement(regrade__evidence={"digest": None, "exchanges": 0, "undeclared": []}), ALICE)
    assert verify(without, [A]).bundle_digest is None
    error = refused(without, A, bundle=BUNDLE)
    assert error.code == "attestation.other-bundle"
    assert "no bundle" in str(error.expected)


def test_signatures_are_looked_at_before_what_they_sign() -> None:
    signed = envelope_of(b"[", Signature(A.id, bytes(64)))
    assert refused(signed, A).code == "attestation.signature-wrong"
    assert refused(signed, B).code == "attestation.not-trusted"
    right = envelope_of(b"[", Signature(A.id, ALICE.sign(read_envelope(signed, Limits()).signed)))
    assert refused(right, A).code == "json.refused"


def test_bounds() -> None:
    assert refused(ENVELOPE, A, limits=Limits(attestation_bytes=1000)).code == "attestation.too-large"
