"""Verify a signed statement, and say who signed what. All or nothing: what is not understood is refused."""

from collections.abc import Sequence
from typing import NamedTuple

from opvalue.attestation import errors
from opvalue.attestation.dsse import Envelope, read_envelope
from opvalue.attestation.facts import Facts
from opvalue.attestation.keys import PublicKey
from opvalue.attestation.payload import Content, read_payload
from opvalue.identity import Digest
from opvalue.limits import Limits
from opvalue.strictjson import JsonObject, dumps


class Verified(NamedTuple):
    """A statement and the trusted keys that signed it."""

    signers: tuple[PublicKey, ...]
    """In the order of their ids."""
    not_checked: tuple[str, ...]
    """Ids under which there are further signatures, by keys that were not given; anybody may have put them there."""
    statement: JsonObject
    statement_digest: Digest
    """SHA-256 of the statement's canonical bytes."""
    facts: Facts

    @property
    def subject(self) -> str:
        """The run's attempt, by its web address."""
        return self.facts.run_url

    @property
    def bundle_digest(self) -> Digest | None:
        """The digest of the evidence bundle; ``None`` when no evidence was offered."""
        return self.facts.bundle_digest


def verify(
    envelope: bytes,
    keys: Sequence[PublicKey],
    *,
    threshold: int = 1,
    observation: JsonObject | None = None,
    bundle: Digest | None = None,
    limits: Limits | None = None,
) -> Verified:
    """Return what at least ``threshold`` of the trusted ``keys`` signed.

    Steps: 1 the threshold can be met; 2 the envelope; 3 every signature whose key is given verifies, or everything is
    refused; 4 enough of them; 5 only then is the payload read; 6 ``observation``, a regrade document with or without
    ``execution``, says the same statement; 7 ``bundle``, the digest of a bundle that was read, is the signed one.
    Raises ``JsonRefused`` and this room's errors. Not checked: whose the keys are; that the statement is true; without
    ``bundle``, that there is one.
    """
    limits = limits or Limits()
    trusted = {key.id: key for key in keys}
    if not 1 <= threshold <= len(trusted):  # 1
        raise errors.ThresholdImpossible(
            "the threshold cannot be met", expected=f"from 1 to {len(trusted)}, the keys given", found=str(threshold)
        )
    read = read_envelope(envelope, limits)  # 2
    signers = _signers(read, trusted)  # 3
    if len(signers) < threshold:  # 4
        raise errors.NotTrusted(
            "too few of the trusted keys signed",
            expected=f"signatures of {threshold} of the keys given",
            found=f"{len(signers)}; signed under {', '.join(one.key_id for one in read.signatures)}"[:300],
        )
    content = read_payload(read.payload, limits)  # 5
    _check_observation(content, observation)  # 6
    _check_bundle(content, bundle)  # 7
    unknown = tuple(one.key_id for one in read.signatures if one.key_id not in trusted)
    return Verified(signers, unknown, content.statement, content.digest, content.facts)


def _signers(envelope: Envelope, trusted: dict[str, PublicKey]) -> tuple[PublicKey, ...]:
    signers = []
    for signature in envelope.signatures:
        key = trusted.get(signature.key_id)
        if key is None:
            continue
        if not key.verifies(signature.value, envelope.signed):
            raise errors.SignatureWrong("a trusted key's signature does not verify", found=f"key {key.id}")
        signers.append(key)
    return tuple(signers)


def _check_observation(content: Content, observation: JsonObject | None) -> None:
    if observation is None:
        return
    given = dumps({name: value for name, value in observation.items() if name != "execution"})
    if given != dumps(content.statement):
        raise errors.OtherObservation(
            "the observation given is not the one that was signed",
            expected=f"sha256:{content.digest}",
            found=f"sha256:{Digest.of(given.encode())}",
        )


def _check_bundle(content: Content, bundle: Digest | None) -> None:
    signed = content.facts.bundle_digest
    if bundle is not None and bundle != signed:
        raise errors.OtherBundle(
            "the bundle given is not the one of the signed statement",
            expected=str(signed) if signed is not None else "no bundle: no evidence was offered",
            found=str(bundle),
        )
