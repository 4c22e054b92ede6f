"""Write a bundle: the same bytes for the same value, and nothing that has the shape of a secret (DESIGN 5)."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from opvalue.atomic import write_new
from opvalue.errors import OpvalueError
from opvalue.evidence.bundle.errors import BundleTooLarge, HoldsASecret
from opvalue.evidence.bundle.layout import lay_out
from opvalue.evidence.bundle.model import Bundle, body_bytes
from opvalue.evidence.bundle.reading import read_bundle
from opvalue.evidence.errors import SecretInRequest, SecretNotRemovable
from opvalue.evidence.exchange import Exchange
from opvalue.evidence.redaction import check_request, redact_answer, redact_cut, redact_text
from opvalue.identity import Digest
from opvalue.limits import Limits

_DEFAULT: Final = Limits()


def write(bundle: Bundle, limits: Limits = _DEFAULT) -> bytes:
    """Return the bytes of a bundle. Raises ``BundleTooLarge`` and ``HoldsASecret``."""
    _check("exchanges", len(bundle.exchanges), limits.bundle_exchanges)
    _check("bytes of bodies in its exchanges", body_bytes(bundle.exchanges), limits.bundle_bytes)
    check_clean(bundle)
    laid = lay_out(bundle)
    _check("bytes in its list of exchanges", laid.index_bytes, limits.bundle_index_bytes)
    _check("bytes", sum(map(len, laid.pieces)), limits.bundle_bytes)
    return b"".join(laid.pieces)


def save(path: Path, bundle: Bundle, limits: Limits = _DEFAULT) -> bool:
    """Write a bundle to the new file ``path``, for its owner only, and return true.

    A bundle of the same evidence that is there already is left as it is: false. Raises ``OutputExists``,
    ``OutputUnwritable`` and what ``write`` raises.
    """
    return write_new(path, write(bundle, limits), same=same_evidence(bundle, limits))


def same_evidence(bundle: Bundle, limits: Limits = _DEFAULT) -> Callable[[bytes], bool]:
    """Return what tells whether some bytes are a bundle of the same evidence, whenever it was observed."""
    digest = bundle.digest
    return lambda found: _digest_of(found, limits) == digest


def check_clean(bundle: Bundle) -> None:
    """Raise ``HoldsASecret`` when something in ``bundle`` has the shape of a secret."""
    for exchange in bundle.exchanges:
        _check_exchange(exchange)
    header = bundle.header
    named = (header.host.name, *(one.repository for one in header.declared))
    texts = (*named, *header.profile, *(text for failure in header.failures for text in failure))
    if any(redact_text(text) != text for text in texts):
        raise HoldsASecret("the header holds a secret")


def _check_exchange(exchange: Exchange) -> None:
    try:
        check_request(exchange.request)
        clean = redact_answer(exchange.answer) == exchange.answer
    except (SecretInRequest, SecretNotRemovable):
        clean = False
    if not clean:
        raise HoldsASecret("an exchange holds a secret", found=redact_cut(exchange.request.described()))


def _digest_of(data: bytes, limits: Limits) -> Digest | None:
    try:
        return read_bundle(data, limits).digest
    except OpvalueError:
        return None


def _check(what: str, found: int, most: int) -> None:
    if found > most:
        raise BundleTooLarge("the bundle is too large", expected=f"at most {most} {what}", found=str(found))
