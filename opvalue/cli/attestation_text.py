"""What was signed and verified, as text for people and as JSON. Pure: reads and prints nothing."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from opvalue.attestation import PREDICATE_TYPE, Facts, PublicKey, Verified
from opvalue.attestation.dsse import read_envelope
from opvalue.attestation.payload import read_payload
from opvalue.cli.bundle_text import observed
from opvalue.cli.console import Line, Style, Styled
from opvalue.cli.keys import NamedKey
from opvalue.limits import Limits
from opvalue.strictjson import dumps_compact

if TYPE_CHECKING:
    from opvalue.evidence.bundle import Bundle

SET_IN: Final = 13
"""Columns that names have, and that further lines of a long text are set in."""
_STYLES: Final = {"pass": Style.GOOD, "fail": Style.BAD}
_TRUTH: Final = "that the statement is true: a signature says who stands by it, not that they are right"
_TIMES: Final = "when the evidence was observed: the bundle's own word, which no signature covers"


class Compared(NamedTuple):
    """What was compared with the signed statement."""

    observation: bool = False
    bundle: "Bundle | None" = None


def signed_fields(envelope: bytes, key_id: str) -> dict[str, object]:
    """Return what there is to say of an envelope that was just signed with the key ``key_id``."""
    limits = Limits()
    read = read_envelope(envelope, limits)
    content = read_payload(read.payload, limits)
    return {
        "keyId": key_id,
        "signatures": len(read.signatures),
        "subject": content.facts.run_url,
        "statementDigest": content.digest.hex,
        "bundleDigest": _hex_or_none(content.facts),
    }


def as_json(verified: Verified, trusted: Sequence[NamedKey], compared: Compared) -> dict[str, object]:
    """Return the value that ``--json`` prints."""
    rests_on_bundle = verified.bundle_digest is not None
    return {
        "verified": True,
        "subject": verified.subject,
        "predicateType": PREDICATE_TYPE,
        "statementDigest": verified.statement_digest.hex,
        "bundleDigest": _hex_or_none(verified.facts),
        "signers": [{"file": _file(key, trusted), "keyId": key.id} for key in verified.signers],
        "notChecked": {
            "signatures": list(verified.not_checked),
            "observation": not compared.observation,
            "bundle": compared.bundle is None and rests_on_bundle,
            "observedAt": rests_on_bundle,
        },
        "statement": verified.statement,
    }


def as_text(verified: Verified, trusted: Sequence[NamedKey], compared: Compared) -> Iterator[Line]:
    """Yield the lines: the value, who signed it, what it rests on, what was verified, what was not.

    Long ones are to be set in by ``SET_IN``.
    """
    facts = verified.facts
    yield _headline(facts)
    yield ""
    signers = [f"{_file(key, trusted)}  sha256:{key.id}" for key in verified.signers]
    yield from _rows("signed by", signers)
    for name, value in _ground(verified, compared.bundle):
        yield from _rows(name, [value])
    yield ""
    yield from _rows("verified", _done(verified, trusted, compared), Style.GOOD)
    yield from _rows("not verified", _open(verified, compared), Style.WARN)


def _headline(facts: Facts) -> Line:
    word = "no value" if facts.value is None else facts.status
    return (
        Styled(f"{facts.name}: {dumps_compact(facts.value)}", Style.BOLD),
        "  ",
        Styled(f"({word})", _STYLES.get(facts.status, Style.WARN)),
        f"  run {facts.run_id}, attempt {facts.attempt}, {facts.repository}",
    )


def _ground(verified: Verified, bundle: "Bundle | None") -> Iterator[tuple[str, str]]:
    facts = verified.facts
    yield "opportunity", facts.opportunity_key
    yield "evidence at", str(facts.evidence_at)
    yield "matures at", f"{facts.matures_at}  ({'mature' if facts.mature else 'not yet mature'})"
    yield "evaluator", f"sha256:{facts.evaluator_digest}"
    yield "closure", str(facts.closure_digest)
    yield "bundle", "none: no evidence was offered" if facts.bundle_digest is None else _bundle(facts)
    if bundle is not None:
        yield "observed", f"{observed(one.observed_at for one in bundle.exchanges)}, by the bundle"
    yield "statement", f"sha256:{verified.statement_digest}"


def _bundle(facts: Facts) -> str:
    noun = "exchange" if facts.exchanges == 1 else "exchanges"
    return f"{facts.bundle_digest}  ({facts.exchanges} {noun})"


def _done(verified: Verified, trusted: Sequence[NamedKey], compared: Compared) -> Iterator[str]:
    given = len({one.key.id for one in trusted})
    who = "the key given" if given == 1 else f"{len(verified.signers)} of the {given} keys given"
    yield f"{who} signed this very statement"
    if compared.observation:
        yield "the observation given is the one that was signed"
    if compared.bundle is not None:
        yield "the bundle given is the one the statement rests on: digest, run, evaluator, number of exchanges"
        yield f"nothing in it was observed before the cutoff {verified.facts.evidence_cutoff}, by its own word"


def _open(verified: Verified, compared: Compared) -> Iterator[str]:
    for key_id in verified.not_checked:
        yield f"the signature under the id {key_id}: its key was not given"
    if not compared.observation:
        yield "any document beside the signed one (--observation)"
    if compared.bundle is None and verified.bundle_digest is not None:
        yield "the evidence: no bundle was given (--bundle)"
    if compared.bundle is not None:
        yield _TIMES
        yield from _declared(verified.facts, compared.bundle)
    yield _TRUTH


def _declared(facts: Facts, bundle: "Bundle") -> Iterator[str]:
    names = [one.repository for one in bundle.header.declared]
    listed = ", ".join(names) or "none"
    yield f"that the definition declares what the bundle says: {listed}"
    if facts.repository.slug.lower() not in names:
        yield f"that {facts.repository.slug}, which the bundle does not declare, is one of these by another name"


def _rows(name: str, values: Iterator[str] | list[str], style: Style = Style.DIM) -> Iterator[Line]:
    for value in values:
        yield (Styled(name.ljust(SET_IN), style), value)
        name = ""


def _file(key: PublicKey, trusted: Sequence[NamedKey]) -> str:
    return next(one.file for one in trusted if one.key == key)


def _hex_or_none(facts: Facts) -> str | None:
    return facts.bundle_digest.hex if facts.bundle_digest is not None else None
