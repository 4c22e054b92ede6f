"""The demo's last step: the observation signed by a key made for it, and verified as a stranger would."""

import os
from pathlib import Path
from typing import Final, NamedTuple

from opvalue.atomic import write_new
from opvalue.attestation import Verified, attest, verify
from opvalue.attestation.keys import PrivateKey, parse_public_key
from opvalue.demo.story import Demo
from opvalue.evidence.bundle import read_bundle
from opvalue.regrade import Regraded

OBSERVATION: Final = "observation.json"
ENVELOPE: Final = f"{OBSERVATION}.dsse.json"
PUBLIC_KEY: Final = "observer.key.pub"
_SEED_BYTES: Final = 32


class Signed(NamedTuple):
    """Files beside the demo's own: the observation, its signature, and the key that verifies it."""

    observation: Path
    envelope: Path
    public_key: Path

    def verify(self, demo: Demo) -> Verified:
        """Verify the envelope against the key, and the bundle it names. Raises what ``attestation.verify`` does."""
        bundle = read_bundle(demo.bundle)
        key = parse_public_key(self.public_key.read_bytes())
        return verify(self.envelope.read_bytes(), [key], bundle=bundle.digest)


def sign(regraded: Regraded, folder: Path) -> Signed:
    """Write the observation, sign it, and forget the private key."""
    key = PrivateKey.from_seed(os.urandom(_SEED_BYTES))
    signed = Signed(folder / OBSERVATION, folder / ENVELOPE, folder / PUBLIC_KEY)
    write_new(signed.observation, regraded.to_json().encode())
    write_new(signed.envelope, attest(regraded.statement, key))
    write_new(signed.public_key, key.public.encode())
    return signed
