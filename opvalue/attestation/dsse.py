"""The DSSE envelope, version 1, as bytes: https://github.com/secure-systems-lab/dsse (envelope.md, protocol.md).

One spelling only: the fields ``payload``, ``payloadType``, ``signatures`` in this order, signatures in the order of
their key ids, standard base64, canonical JSON. What is spelt otherwise is refused, not mended. Not done here: verifying
a signature, and what the payload says.
"""

import binascii
from base64 import b64decode, b64encode
from typing import Final, NamedTuple, NoReturn

from opvalue.attestation import errors
from opvalue.identity import Digest
from opvalue.limits import Limits
from opvalue.strictjson import JsonObject, JsonRefused, JsonValue, dumps, kind_of, loads_object

PAYLOAD_TYPE: Final = "application/vnd.in-toto+json"
SIGNATURE_BYTES: Final = 64
_FIELDS: Final = ["payload", "payloadType", "signatures"]
_SIGNATURE_FIELDS: Final = ["keyid", "sig"]


class Signature(NamedTuple):
    """One signature, not yet verified. ``key_id`` is a hint until it is."""

    key_id: str
    """SHA-256 of the public key's DER, 64 hexadecimal characters."""
    value: bytes
    """64 bytes, Ed25519."""


class Envelope(NamedTuple):
    """A payload of ``PAYLOAD_TYPE`` and the signatures over ``pae`` of it."""

    payload: bytes
    signatures: tuple[Signature, ...]

    @property
    def signed(self) -> bytes:
        """The bytes that every signature is over."""
        return pae(PAYLOAD_TYPE, self.payload)

    def encode(self) -> bytes:
        """Return the canonical text."""
        rows = [{"keyid": one.key_id, "sig": b64encode(one.value).decode()} for one in sorted(self.signatures)]
        document = {"payload": b64encode(self.payload).decode(), "payloadType": PAYLOAD_TYPE, "signatures": rows}
        return dumps(document).encode()


def pae(payload_type: str, payload: bytes) -> bytes:
    """Return the pre-authentication encoding: ``DSSEv1``, then length and bytes of the type and of the payload.

    Lengths count bytes, in decimal, without leading zeros; one space parts the fields (DSSE protocol.md).
    """
    kind = payload_type.encode()
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(payload), payload)


def is_envelope(data: bytes) -> bool:
    """Tell whether ``data`` means to be an envelope, whole or not, rather than another document."""
    try:
        return "payloadType" in loads_object(data)
    except JsonRefused:
        return False


def read_envelope(data: bytes, limits: Limits) -> Envelope:
    """Return the envelope that was written as exactly these bytes.

    Steps: 1 size; 2 one strict JSON object of exactly the fields; 3 payload type; 4 canonical base64; 5 each signature,
    at least one and none twice; 6 the bytes are the canonical ones. Raises ``JsonRefused`` and this room's errors.
    """
    if len(data) > limits.attestation_bytes:  # 1
        raise errors.AttestationTooLarge(
            "the envelope is too large",
            expected=f"at most {limits.attestation_bytes} bytes",
            found=f"{len(data)} bytes",
        )
    document = loads_object(data, what="the envelope")
    payload, payload_type, rows = _values(document, _FIELDS, "the envelope")  # 2
    if payload_type != PAYLOAD_TYPE:  # 3
        raise errors.PayloadTypeUnknown(
            "the envelope's payload is of another type", expected=PAYLOAD_TYPE, found=repr(payload_type)[:80]
        )
    envelope = Envelope(_decoded(payload, "the payload"), _signatures(rows, limits))  # 4, 5
    if envelope.encode() != data:  # 6
        raise errors.NotCanonical("the envelope is not written as opvalue writes it")
    return envelope


def _signatures(rows: JsonValue, limits: Limits) -> tuple[Signature, ...]:
    if not isinstance(rows, list):
        _refuse("the envelope's signatures are no array", "an array", kind_of(rows))
    if not rows:
        raise errors.SignatureMissing("the envelope holds no signature", expected="at least one signature")
    if len(rows) > limits.attestation_signatures:
        raise errors.TooManySignatures(
            "the envelope holds too many signatures",
            expected=f"at most {limits.attestation_signatures}",
            found=str(len(rows)),
        )
    signatures = tuple(_signature(row) for row in rows)
    key_ids = [one.key_id for one in signatures]
    for key_id in key_ids:
        if key_ids.count(key_id) > 1:
            raise errors.SignatureTwice("one key signed twice", expected="one signature of each key", found=key_id)
    return signatures


def _signature(row: JsonValue) -> Signature:
    if not isinstance(row, dict):
        _refuse("a signature is no object", "an object", kind_of(row))
    key_id, value = _values(row, _SIGNATURE_FIELDS, "a signature")
    digest = Digest.parse(key_id)
    if digest is None:
        _refuse("a signature names no key", "64 lower-case hexadecimal characters", repr(key_id)[:80])
    signature = _decoded(value, "a signature")
    if len(signature) != SIGNATURE_BYTES:
        _refuse("a signature is not one by Ed25519", f"{SIGNATURE_BYTES} bytes", f"{len(signature)} bytes")
    return Signature(digest.hex, signature)


def _values(document: JsonObject, fields: list[str], what: str) -> list[JsonValue]:
    if sorted(document) != fields:
        _refuse(f"{what} does not have exactly the known fields", ", ".join(fields), repr(sorted(document))[:200])
    return [document[name] for name in fields]


def _decoded(text: JsonValue, what: str) -> bytes:
    if not isinstance(text, str):
        _refuse(f"{what} is no text", "base64", kind_of(text))
    try:
        data = b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        data = None
    # The decoder lets the bits behind the last byte be anything.
    if data is None or b64encode(data).decode() != text:
        raise errors.Base64Refused(f"{what} is not canonical base64", expected="standard base64 with padding")
    return data


def _refuse(message: str, expected: str, found: str) -> NoReturn:
    raise errors.EnvelopeMalformed(message, expected=expected, found=found)
