"""Somebody without the key wants a signature that verifies: by another key, a bent one, or one that fits everything."""

import base64
from pathlib import Path

import pytest

from opvalue.attestation import PublicKey, attest, parse_public_key, verify
from opvalue.attestation.dsse import Signature, read_envelope
from opvalue.errors import OpvalueError
from opvalue.limits import Limits
from tests.attestation.samples import ALICE, BOB, STATEMENT, envelope_of, statement

ORDER = 2**252 + 27742317777372353535851937790883648493
READ = read_envelope(attest(STATEMENT, ALICE), Limits())
OTHER = read_envelope(attest(statement(results__0__value=1), BOB), Limits())


def refused(data: bytes, key: PublicKey = ALICE.public) -> str:
    with pytest.raises(OpvalueError) as caught:
        verify(data, [key])
    return caught.value.code


def test_the_scalar_beyond_the_order() -> None:
    value = READ.signatures[0].value
    scalar = int.from_bytes(value[32:], "little") + ORDER
    forged = value[:32] + scalar.to_bytes(32, "little")
    assert refused(envelope_of(READ.payload, Signature(ALICE.public.id, forged))) == "attestation.signature-wrong"


def test_the_sign_of_the_commitment_turned() -> None:
    value = bytearray(READ.signatures[0].value)
    value[31] ^= 0x80
    assert refused(envelope_of(READ.payload, Signature(ALICE.public.id, bytes(value)))) == "attestation.signature-wrong"


def test_another_key_under_the_trusted_ones_id() -> None:
    forged = Signature(ALICE.public.id, BOB.sign(READ.signed))
    assert refused(envelope_of(READ.payload, forged)) == "attestation.signature-wrong"


def test_a_signature_of_another_statement() -> None:
    forged = envelope_of(OTHER.payload, Signature(ALICE.public.id, READ.signatures[0].value))
    assert refused(forged) == "attestation.signature-wrong"


def test_another_key_altogether() -> None:
    assert refused(attest(STATEMENT, BOB)) == "attestation.not-trusted"


def test_a_key_whose_signatures_fit_every_message() -> None:
    # The neutral element as public key and as commitment, with the scalar 0: right for whatever is signed.
    neutral = b"\x01" + bytes(31)
    everything = neutral + bytes(32)
    assert PublicKey(neutral).verifies(everything, b"this") is True
    assert PublicKey(neutral).verifies(everything, b"and that") is True
    with pytest.raises(OpvalueError) as caught:
        parse_public_key(PublicKey(neutral).encode())
    assert caught.value.code == "attestation.key-weak"


def test_one_point_in_two_spellings_is_not_two_signers(tmp_path: Path) -> None:
    # Reduced modulo the field these are the points with y = 3 and y = 0; the field's size added, their bytes differ.
    for second in (2**255 - 19 + 3, 2**255 - 19):
        file = tmp_path / "key.pub"
        file.write_bytes(PublicKey(second.to_bytes(32, "little")).encode())
        with pytest.raises(OpvalueError) as caught:
            parse_public_key(file.read_bytes())
        assert caught.value.code == "attestation.key-weak"


@pytest.mark.parametrize("length", [0, 63, 65, 70, 256])
def test_a_signature_of_another_kind(length: int) -> None:
    data = envelope_of(READ.payload, Signature(ALICE.public.id, bytes(length)))
    assert base64.b64encode(bytes(length)) in data
    assert refused(data) == "attestation.envelope-malformed"
