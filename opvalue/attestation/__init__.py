"""Signed statements: DSSE envelopes over in-toto statements, by Ed25519 (DESIGN 5).

Pure: keys come in as bytes, randomness as a seed. Reading and writing key files is the command line's business.
"""

from opvalue.attestation.dsse import is_envelope
from opvalue.attestation.facts import Facts, read_facts
from opvalue.attestation.keys import PrivateKey, PublicKey, parse_private_key, parse_public_key
from opvalue.attestation.payload import PREDICATE_TYPE, statement_of
from opvalue.attestation.sign import add_signature, attest
from opvalue.attestation.verify import Verified, verify

__all__ = [
    "PREDICATE_TYPE",
    "Facts",
    "PrivateKey",
    "PublicKey",
    "Verified",
    "add_signature",
    "attest",
    "is_envelope",
    "parse_private_key",
    "parse_public_key",
    "read_facts",
    "statement_of",
    "verify",
]
