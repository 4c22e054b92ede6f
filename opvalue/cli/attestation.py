"""``opvalue attestation``: make keys, sign an observation, verify who signed which."""

import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from opvalue.cli.command import LazyCommand, LazyGroup, declare, json_option
from opvalue.cli.console import Console
from opvalue.cli.keys import passphrase, passphrase_options, public_key, read_file, signer
from opvalue.cli.paths import OUTPUT, PATH, WrittenPath
from opvalue.limits import Limits

if TYPE_CHECKING:
    from opvalue.attestation import Verified
    from opvalue.cli.keys import Signer
    from opvalue.evidence.bundle import Bundle

_SECTION: Final = "Commands"
_PUBLIC_MODE: Final = 0o644
_ENVELOPE: Final = WrittenPath("For standard output, leave --output out.")

command: Final = LazyGroup(
    "attestation",
    lazy={
        "keygen": LazyCommand("opvalue.cli.attestation", "Make a pair of keys.", _SECTION, "keygen"),
        "sign": LazyCommand("opvalue.cli.attestation", "Sign an observation, or sign it as well.", _SECTION, "sign"),
        "verify": LazyCommand("opvalue.cli.attestation", "Say who signed which observation.", _SECTION, "verify"),
    },
    help="Sign observations, and verify who signed which. DSSE envelopes, in-toto statements, Ed25519 keys.",
    examples=(
        "opvalue attestation keygen -o observer.key",
        "opvalue attestation sign observation.json --key observer.key -o observation.dsse.json",
        "opvalue attestation verify observation.dsse.json --key alice.key.pub",
    ),
)


@declare(
    "keygen",
    examples=(
        "opvalue attestation keygen -o observer.key",
        "opvalue attestation keygen -o observer.key --passphrase-file <(pass show opvalue)",
    ),
)
@click.option(
    "-o", "--output", type=OUTPUT, required=True, metavar="KEY", help="Write KEY and KEY.pub; never over any."
)
@passphrase_options
@json_option
def keygen(console: Console, output: Path, passphrase_file: Path | None, passphrase_env: str | None) -> None:
    """Make a pair of Ed25519 keys: KEY, private (mode 0600), and KEY.pub, for those who verify.

    With a passphrase, KEY is encrypted.
    """
    from opvalue.atomic import OutputExists, write_new  # noqa: PLC0415 - nothing of it is loaded for --help
    from opvalue.attestation import PrivateKey  # noqa: PLC0415
    from opvalue.attestation.keys import SEED_BYTES  # noqa: PLC0415

    public = Path(f"{output}.pub")
    secret = passphrase(passphrase_file, passphrase_env, os.environ)
    key = PrivateKey.from_seed(secrets.token_bytes(SEED_BYTES))
    private = key.encode(secret)
    if os.path.lexists(public):
        raise OutputExists(f"{public} exists")
    write_new(output, private)
    try:
        write_new(public, key.public.encode())
    except BaseException:
        output.unlink()  # half a pair is of no use, and would stand in the way
        raise
    public.chmod(_PUBLIC_MODE)
    if console.json:
        console.data({"privateKey": str(output), "publicKey": str(public), "keyId": key.public.id})
        return
    kept = "mode 0600, " + ("not encrypted; keep it to yourself" if secret is None else "encrypted")
    console.fields((("private", f"{output}  ({kept})"), ("public", str(public)), ("id", f"sha256:{key.public.id}")))


@declare(
    "sign",
    examples=(
        "opvalue attestation sign observation.json --key observer.key -o observation.dsse.json",
        "opvalue attestation sign observation.dsse.json --key second.key -o observation.dsse.2.json",
    ),
)
@click.argument("file", metavar="FILE", type=PATH)
@click.option("--key", type=PATH, required=True, metavar="KEY", help="The private key.")
@passphrase_options
@click.option("-o", "--output", type=_ENVELOPE, metavar="FILE", help="Write the envelope here; never over another.")
@json_option
def sign(
    console: Console,
    file: Path,
    key: Path,
    passphrase_file: Path | None,
    passphrase_env: str | None,
    output: Path | None,
) -> None:
    """Sign FILE: the document of opvalue regrade, or a signed one, which gets one more signature.

    What is signed is the statement: the document without its block execution. Without --output, the envelope is
    printed.
    """
    sign_with = signer(key, passphrase_file, passphrase_env, os.environ)
    envelope = _signed(file, sign_with)
    if output is None:
        console.raw(envelope)
        return
    from opvalue.atomic import write_new  # noqa: PLC0415
    from opvalue.cli.attestation_text import signed_fields  # noqa: PLC0415

    written = write_new(output, envelope)
    if console.json:
        console.data({"file": str(output), **signed_fields(envelope, sign_with.key_id)})
        return
    console.note(f"wrote {output}" if written else f"{output} holds this envelope already", hang=4)


@declare(
    "verify",
    examples=(
        "opvalue attestation verify observation.dsse.json --key alice.key.pub",
        "opvalue attestation verify observation.dsse.json --key alice.key.pub --key bob.key.pub --threshold 2",
        "opvalue attestation verify observation.dsse.json --key alice.key.pub --bundle evidence.bundle",
    ),
)
@click.argument("file", metavar="FILE", type=PATH)
@click.option(
    "--key",
    "keys",
    type=PATH,
    required=True,
    multiple=True,
    metavar="PUB",
    help="A public key you trust. May be repeated.",
)
@click.option(
    "--threshold", type=int, default=1, metavar="N", help="How many of the keys must have signed. Default: 1."
)
@click.option("--observation", type=PATH, metavar="FILE", help="Check that this document is the one that was signed.")
@click.option("--bundle", type=PATH, metavar="FILE", help="Check that this evidence bundle is what was signed.")
@json_option
def verify(
    console: Console,
    file: Path,
    keys: tuple[Path, ...],
    threshold: int,
    observation: Path | None,
    bundle: Path | None,
) -> None:
    """Verify the signed observation FILE: who signed which statement, resting on which evidence.

    A signature by a key you gave that does not verify refuses everything. Those by other keys are named as not checked.
    With --bundle, everything that the statement says of its evidence is compared with it. When it was observed is the
    bundle's own word.
    """
    from opvalue.attestation import statement_of  # noqa: PLC0415
    from opvalue.attestation import verify as verify_envelope  # noqa: PLC0415
    from opvalue.cli.attestation_text import SET_IN, Compared, as_json, as_text  # noqa: PLC0415

    limits = Limits()
    given = None
    trusted = tuple(public_key(path) for path in keys)
    envelope = read_file(file, limits.attestation_bytes, what="the signed observation")
    if observation is not None:
        given = statement_of(read_file(observation, limits.statement_bytes, what="the observation"), limits)
    with console.progress("reading the bundle"):
        evidence = _read_bundle(bundle)
    verified = verify_envelope(
        envelope,
        [one.key for one in trusted],
        threshold=threshold,
        observation=given,
        bundle=None if evidence is None else evidence.digest,
    )
    if evidence is not None:
        _check_stated(evidence, verified)
    compared = Compared(observation is not None, evidence)
    if console.json:
        console.data(as_json(verified, trusted, compared))
        return
    console.lines(as_text(verified, trusted, compared), hang=SET_IN)


def _signed(file: Path, sign_with: "Signer") -> bytes:
    from opvalue.attestation import is_envelope, statement_of  # noqa: PLC0415

    limits = Limits()
    data = read_file(file, limits.attestation_bytes, what="the observation")
    return sign_with.add(data) if is_envelope(data) else sign_with(statement_of(data, limits))


def _read_bundle(path: Path | None) -> "Bundle | None":
    if path is None:
        return None
    from opvalue.evidence.bundle import read_bundle  # noqa: PLC0415

    return read_bundle(path)


def _check_stated(evidence: "Bundle", verified: "Verified") -> None:
    from opvalue.cli.bundle_text import clock  # noqa: PLC0415
    from opvalue.evidence.bundle import check_stated  # noqa: PLC0415

    check_stated(evidence, verified.facts, clock())
