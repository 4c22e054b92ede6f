"""How a bundle's members lie one after the other: seal, header, exchanges, bodies by digest (DESIGN 5). Pure."""

import hashlib
from collections.abc import Iterable
from typing import Final, NamedTuple

from opvalue.evidence.bundle.documents import (
    exchanges_document,
    header_document,
    identity,
    list_exchanges,
    seal_document,
)
from opvalue.evidence.bundle.model import Bundle
from opvalue.evidence.bundle.tar import END, head, padding
from opvalue.identity import Digest

SEAL: Final = "opvalue-bundle.json"
HEADER: Final = "header.json"
EXCHANGES: Final = "exchanges.json"
BLOBS: Final = "blobs/"


class Laid(NamedTuple):
    """A bundle laid out. ``pieces`` holds the bodies themselves, not copies."""

    digest: Digest
    """The digest of the evidence."""
    index_bytes: int
    """The length of the list of exchanges."""
    pieces: tuple[bytes, ...]
    """One after the other, the bytes of the file."""


def lay_out(bundle: Bundle) -> Laid:
    """Return the one layout of a bundle. Not checked: sizes, and whether it holds a secret."""
    listed = list_exchanges(bundle.exchanges)
    index = exchanges_document(listed)
    following = [
        *_member(HEADER, header_document(bundle.header)),
        *_member(EXCHANGES, index),
        *(piece for name in sorted(listed.blobs) for piece in _member(BLOBS + name, listed.blobs[name])),
        END,
    ]
    sha256 = hashlib.sha256()
    for piece in following:
        sha256.update(piece)
    digest = Digest.of(identity(bundle.header, listed))
    seal = seal_document(digest, sum(map(len, following)), Digest(sha256.hexdigest()))
    return Laid(digest, len(index), (*_member(SEAL, seal), *following))


def _member(name: str, data: bytes) -> Iterable[bytes]:
    return (head(name, len(data)), data, bytes(padding(len(data))))
