"""Whether what was downloaded is what the listing offered: its content's kind, its length, its digest (AR-11). Pure.

The digest has three outcomes: verified, not offered, or a mismatch, which is refused. None of it says who made the
artifact. Not checked here: the zip's inside, which is the archive room's.
"""

import enum
import re
from typing import Final, NamedTuple

from opvalue.errors import OpvalueError
from opvalue.github import errors
from opvalue.github.facts import ArtifactFacts
from opvalue.http import Download
from opvalue.identity import Digest
from opvalue.strictjson import JsonRefused, loads

HEAD_BYTES: Final = 4096
"""How much of a download's beginning ``check_download`` wants to see."""

_DIGEST = re.compile(r"sha256:(?P<hex>[0-9a-f]{64})")
_ZIP_STARTS: Final = (b"PK\x03\x04", b"PK\x05\x06")


class TransportDigest(enum.Enum):
    """What became of the digest in the listing."""

    VERIFIED = "verified"
    NOT_OFFERED = "not offered"


class Downloaded(NamedTuple):
    """A download that is a zip, and what its digest showed."""

    download: Download
    digest: TransportDigest


def offered_digest(artifact: ArtifactFacts) -> Digest | None:
    """Return the digest the listing offers; ``None`` for none. Raises ``DigestUnreadable`` for any other form.

    Letter case is free: ``SHA256:`` in capitals is as good a digest.
    """
    if artifact.digest is None:
        return None
    found = _DIGEST.fullmatch(artifact.digest.strip().lower())
    if found is None:
        raise errors.DigestUnreadable(
            f"the digest of artifact {artifact.id} cannot be compared",
            expected="sha256: and 64 hexadecimal characters",
            found=artifact.digest[:100],
        )
    return Digest(found["hex"])


def check_download(artifact: ArtifactFacts, download: Download, head: bytes) -> Downloaded:
    """Return the download as what it is. ``head`` is its beginning, ``HEAD_BYTES`` long if there is as much.

    In this order: ``DownloadIsJson``, ``DownloadIsPage``, ``DownloadNotZip``; ``DigestUnreadable``; ``DownloadCut``,
    ``DigestMismatch``.
    """
    if not head.startswith(_ZIP_STARTS):
        raise _not_zip(artifact, download, head)
    offered = offered_digest(artifact)
    if offered is None:
        return Downloaded(download, TransportDigest.NOT_OFFERED)
    if offered == download.sha256:
        return Downloaded(download, TransportDigest.VERIFIED)
    if download.bytes < artifact.size:
        raise errors.DownloadCut(
            f"the download of {artifact.described()} ended early",
            expected=f"{artifact.size} bytes",
            found=f"{download.bytes} bytes",
        )
    raise errors.DigestMismatch(
        f"the download of {artifact.described()} does not have the digest it should",
        expected=f"sha256:{offered}",
        found=f"sha256:{download.sha256}",
    )


def _not_zip(artifact: ArtifactFacts, download: Download, head: bytes) -> OpvalueError:
    what, expected = artifact.described(), "a zip"
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if start[:1] in {b"{", b"["}:
        return errors.DownloadIsJson(
            f"a JSON document came in place of {what}", expected=expected, found=_message(start)
        )
    if start[:1] == b"<":
        shown = download.media_type or "no media type"
        return errors.DownloadIsPage(f"a web page came in place of {what}", expected=expected, found=shown)
    found = f"{download.bytes} bytes that begin with {head[:8]!r}" if head else "nothing"
    return errors.DownloadNotZip(f"what came for {what} is not a zip", expected=expected, found=found)


def _message(document: bytes) -> str:
    """Return what an error document of the API says, or that it says nothing."""
    try:
        value = loads(document, what="the document")
    except JsonRefused:
        value = None
    message = value.get("message") if isinstance(value, dict) else None
    return message[:200] if isinstance(message, str) else "a document without a message"
