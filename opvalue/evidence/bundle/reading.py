"""Read a bundle whole or not at all (DESIGN 5).

In order: 1. it begins as a bundle, 2. of a known version, 3. it is as long as its seal says, 4. and the very bytes,
5. the documents have their shapes and each body its digest, 6. it is the only spelling of what it holds, 7. and the
evidence has the digest that the seal states. A single byte changed, missing or added is refused.

Not checked: who recorded it, which a digest cannot show, and what it was recorded for (``check_for``, ``check_fresh``).
"""

import hashlib
import os
import stat
from pathlib import Path
from typing import Final, NamedTuple

from opvalue.evidence.bundle.documents import FORMAT, VERSION, seal_document
from opvalue.evidence.bundle.errors import (
    BundleChanged,
    BundleCut,
    BundleExtended,
    BundleMalformed,
    BundleMissing,
    BundleTooLarge,
    BundleUnreadable,
    NotABundle,
    UnknownVersion,
    WrongDigest,
)
from opvalue.evidence.bundle.fields import Fields
from opvalue.evidence.bundle.layout import BLOBS, EXCHANGES, HEADER, SEAL, Laid, lay_out
from opvalue.evidence.bundle.model import Bundle, body_bytes
from opvalue.evidence.bundle.parsing import blob_named, exchanges_in, header_in
from opvalue.evidence.bundle.tar import BLOCK, Member, is_whole, member_at, members
from opvalue.identity import Digest
from opvalue.limits import Limits
from opvalue.strictjson import JsonRefused, loads_object

_DEFAULT: Final = Limits()
# Without O_NONBLOCK a named pipe would wait for its writer.
_FLAGS: Final = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
_BEGINNING: Final = SEAL.encode().ljust(100, b"\0")
_MOST_SEAL: Final = 2048


class _Seal(NamedTuple):
    digest: Digest
    following: int
    sha256: Digest
    end: int
    """Where the sealed bytes begin."""


def read_bundle(source: Path | bytes, limits: Limits = _DEFAULT) -> Bundle:
    """Return the bundle in a file, or in its bytes.

    Raises a ``BundleRefused``, and for a file ``BundleMissing`` and ``BundleUnreadable``.
    """
    data = source if isinstance(source, bytes) else _content(source, limits)
    if len(data) > limits.bundle_bytes:
        raise _too_large(limits.bundle_bytes, f"{len(data)} bytes")
    view = memoryview(data)
    seal = _seal(view)
    _check_seal(seal, view)
    bundle = _bundle(view, seal, limits)
    laid = lay_out(bundle)
    _check_spelling(laid, view, seal)
    if laid.digest != seal.digest:
        raise WrongDigest(
            "the evidence has another digest than the bundle states", expected=seal.digest.hex, found=laid.digest.hex
        )
    return bundle


def _content(path: Path, limits: Limits) -> bytes:
    try:
        with open(path, "rb", opener=lambda name, _: os.open(name, _FLAGS)) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise BundleUnreadable(f"{path} is no regular file", expected="a file")
            return file.read(limits.bundle_bytes + 1)
    except (FileNotFoundError, NotADirectoryError, ValueError):  # ValueError: a NUL or an unencodable character
        raise BundleMissing(f"{path} does not exist", expected="a bundle of evidence") from None
    except OSError as error:
        raise BundleUnreadable(f"{path} cannot be read: {error.strerror}") from None


def _seal(view: memoryview) -> _Seal:
    begun = bytes(view[: len(_BEGINNING)])
    if not _BEGINNING.startswith(begun):
        raise NotABundle("the file is not a bundle of evidence", expected=f"an archive that begins with {SEAL}")
    member = _seal_member(view)
    document = bytes(view[member.start : member.end])
    try:
        value = loads_object(document, what="the seal")
    except JsonRefused as error:
        raise BundleChanged(error.message, expected=error.expected, found=error.found) from None
    if value.get("format") != FORMAT:
        raise BundleChanged("the seal is not one", expected=FORMAT)
    if value.get("version") != VERSION or isinstance(value["version"], bool | float):
        raise UnknownVersion(
            "the bundle has a version that is not known", expected=str(VERSION), found=repr(value.get("version"))[:40]
        )
    try:
        seal = _read_seal(Fields(value, ("format", "version", "digest", "following"), "the seal"), member)
    except BundleMalformed as error:
        raise BundleChanged(error.message, expected=error.expected, found=error.found) from None
    if document != seal_document(seal.digest, seal.following, seal.sha256):
        raise BundleChanged("the seal is not in its one spelling")
    return seal


def _seal_member(view: memoryview) -> Member:
    member = member_at(view, 0) if len(view) >= BLOCK else None
    if len(view) < BLOCK or (member and member.size <= _MOST_SEAL and member.following > len(view)):
        raise BundleCut("the bundle is cut off within its seal", found=f"{len(view)} bytes")
    if member is None or not is_whole(view, member):
        raise BundleChanged("the archive does not begin as it was written")
    return member


def _read_seal(fields: Fields, member: Member) -> _Seal:
    following = Fields(fields.value("following"), ("bytes", "sha256"), "the seal")
    return _Seal(
        fields.digest("digest"),
        following.number("bytes", least=0, most=2**63 - 1),
        following.digest("sha256"),
        member.following,
    )


def _check_seal(seal: _Seal, view: memoryview) -> None:
    expected, found = seal.end + seal.following, len(view)
    if found < expected:
        raise BundleCut("the bundle is cut off", expected=f"{expected} bytes", found=f"{found} bytes")
    if found > expected:
        raise BundleExtended("something was added to the bundle", expected=f"{expected} bytes", found=f"{found} bytes")
    sha256 = Digest(hashlib.sha256(view[seal.end :]).hexdigest())
    if sha256 != seal.sha256:
        raise BundleChanged("the bundle was changed", expected=seal.sha256.hex, found=sha256.hex)


def _bundle(view: memoryview, seal: _Seal, limits: Limits) -> Bundle:
    found = {member.name: member for member in members(view, seal.end)}
    for name in (HEADER, EXCHANGES):
        if name not in found:
            raise BundleMalformed(f"the bundle has no {name}")
        if found[name].size > limits.bundle_index_bytes:
            raise _too_large(limits.bundle_index_bytes, f"{name} of {found[name].size} bytes")
    documents = {name: bytes(view[at.start : at.end]) for name, at in found.items()}
    blobs = {
        name.removeprefix(BLOBS): blob_named(name.removeprefix(BLOBS), body)
        for name, body in documents.items()
        if name.startswith(BLOBS)
    }
    header = header_in(documents[HEADER])
    exchanges = exchanges_in(documents[EXCHANGES], blobs, header.host)
    if len(exchanges) > limits.bundle_exchanges:
        raise BundleTooLarge(
            "the bundle is too large",
            expected=f"at most {limits.bundle_exchanges} exchanges",
            found=f"{len(exchanges)}",
        )
    # Many exchanges may share a body, which is looked at for each of them.
    if body_bytes(exchanges) > limits.bundle_bytes:
        raise _too_large(limits.bundle_bytes, f"bodies of {body_bytes(exchanges)} bytes in its exchanges")
    return Bundle.of(header, exchanges)


def _check_spelling(laid: Laid, view: memoryview, seal: _Seal) -> None:
    # Piece by piece, so that a large bundle is not in memory once more. The seal was read already. The last piece ends
    # every archive, so nothing follows it.
    position = 0
    for piece in laid.pieces:
        if position >= seal.end and bytes(view[position : position + len(piece)]) != piece:
            raise BundleMalformed("the bundle is not in its one spelling", found=f"at byte {position}")
        position += len(piece)


def _too_large(most: int, found: str) -> BundleTooLarge:
    return BundleTooLarge("the bundle is too large", expected=f"at most {most} bytes", found=found)
