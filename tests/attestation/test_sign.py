"""Signing: the same bytes each time, in any order, and nothing that nobody could verify."""

import itertools

import pytest

from opvalue.attestation import PrivateKey, add_signature, attest, verify
from opvalue.attestation.errors import SignatureTwice, TooManySignatures
from opvalue.errors import OpvalueError
from opvalue.identity import Digest
from opvalue.limits import Limits
from tests.attestation.samples import ALICE, BOB, CAROL, STATEMENT, in_toto, signed_document, statement, text

ENVELOPE = attest(STATEMENT, ALICE)


def test_the_envelope_is_the_one_made_by_hand() -> None:
    assert signed_document(in_toto(), ALICE) == ENVELOPE
    assert attest(STATEMENT, ALICE) == ENVELOPE


def test_the_envelope_stays_what_it_was() -> None:
    # A change of the format that an earlier reader would refuse shows here.
    assert Digest.of(ENVELOPE).hex == "42aff8e27b59563e9620089e99409f8061e01885724bc661065d0ced2f09f238"


def test_the_order_of_signing_makes_no_difference() -> None:
    made = set()
    for first, *others in itertools.permutations((ALICE, BOB, CAROL)):
        envelope = attest(STATEMENT, first)
        for key in others:
            envelope = add_signature(envelope, key)
        made.add(envelope)
    assert made == {signed_document(in_toto(), ALICE, BOB, CAROL)}
    keys = [key.public for key in (ALICE, BOB, CAROL)]
    assert verify(made.pop(), keys, threshold=3).statement == STATEMENT


def test_what_was_given_is_left_alone() -> None:
    given = statement()
    attest(given, ALICE)
    assert text(given) == text(STATEMENT)


def refused(limits: Limits | None = None, **changes: object) -> str:
    with pytest.raises(OpvalueError) as caught:
        attest(statement(**changes), ALICE, limits)
    return caught.value.code


def test_what_is_not_signed() -> None:
    assert refused(execution={}) == "attestation.execution-inside"
    assert refused(extra=1) == "attestation.statement-malformed"
    assert refused(results__0__passed=False) == "attestation.statement-contradicts"
    assert refused(results__0__observation__case={"x": float("nan")}) == "json.not-encodable"
    assert refused(Limits(attestation_bytes=len(ENVELOPE) - 1)) == "attestation.too-large"


def test_one_key_signs_once() -> None:
    with pytest.raises(OpvalueError) as caught:
        add_signature(ENVELOPE, ALICE)
    assert caught.value.code == "attestation.signed-twice"


def test_what_is_not_understood_gets_no_signature() -> None:
    bad = signed_document({**in_toto(), "predicateType": "https://slsa.dev/provenance/v1"}, ALICE)
    with pytest.raises(OpvalueError) as caught:
        add_signature(bad, BOB)
    assert caught.value.code == "attestation.predicate-type"


def test_sixty_four_signatures_and_no_more() -> None:
    keys = [PrivateKey.from_seed(bytes([number]) * 32) for number in range(65)]
    envelope = signed_document(in_toto(), *keys[:63])
    envelope = add_signature(envelope, keys[63])
    assert len(verify(envelope, [key.public for key in keys[:64]], threshold=64).signers) == 64
    with pytest.raises(OpvalueError) as caught:
        add_signature(envelope, keys[64])
    assert caught.value.code == "attestation.too-many-signatures"


def test_a_key_that_signed_is_told_so_where_no_further_one_may_sign() -> None:
    full = Limits()._replace(attestation_signatures=1)
    signed = attest(STATEMENT, ALICE, full)
    with pytest.raises(SignatureTwice) as twice:
        add_signature(signed, ALICE, full)
    assert (twice.value.expected, twice.value.found) == ("another key", ALICE.public.id)
    with pytest.raises(TooManySignatures):
        add_signature(signed, BOB, full)
