"""Sign a regrade statement. What is signed is read back first: nobody signs what nobody could verify.

Signing says that the key's holder stands by the statement. Not checked here: that it is true, or how it was made.
"""

from collections.abc import Mapping

from opvalue.attestation import errors
from opvalue.attestation.dsse import Envelope, Signature, read_envelope
from opvalue.attestation.keys import PrivateKey
from opvalue.attestation.payload import read_payload, write_payload
from opvalue.limits import Limits


def attest(statement: Mapping[str, object], key: PrivateKey, limits: Limits | None = None) -> bytes:
    """Return the envelope: ``statement`` (a regrade document without ``execution``) signed with ``key``.

    The same statement and key give the same bytes. Raises the errors of ``read_facts`` and ``AttestationTooLarge``.
    """
    limits = limits or Limits()
    return _signed(Envelope(write_payload(statement, limits), ()), key, limits)


def add_signature(envelope: bytes, key: PrivateKey, limits: Limits | None = None) -> bytes:
    """Return ``envelope`` with one more signature; the order in which keys sign makes no difference.

    Raises ``SignatureTwice`` if the key has signed it. Not checked: the signatures that are there, for want of keys.
    """
    limits = limits or Limits()
    before = read_envelope(envelope, limits)
    if key.public.id in {one.key_id for one in before.signatures}:
        raise errors.SignatureTwice("this key has signed already", expected="another key", found=key.public.id)
    return _signed(before, key, limits)


def _signed(envelope: Envelope, key: PrivateKey, limits: Limits) -> bytes:
    read_payload(envelope.payload, limits)
    signature = Signature(key.public.id, key.sign(envelope.signed))
    data = envelope._replace(signatures=(*envelope.signatures, signature)).encode()
    read_envelope(data, limits)
    return data
