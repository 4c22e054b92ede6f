import pytest

from opvalue.errors import Kind, OpvalueError
from opvalue.github import TransportDigest, check_download, errors, offered_digest
from opvalue.identity import Digest
from tests.github.samples import ARTIFACT, agent_zip, downloaded

CONTENT = agent_zip()
HEX = Digest.of(CONTENT).hex
OFFERED = ARTIFACT._replace(size=len(CONTENT), digest=f"sha256:{HEX}")


@pytest.mark.parametrize(
    "spelling", [f"sha256:{HEX}", f"SHA256:{HEX}", f"sha256:{HEX.upper()}", f"Sha256:{HEX.upper()}\n", f" sha256:{HEX}"]
)
def test_the_right_digest_is_verified_in_every_spelling(spelling: str) -> None:
    artifact = OFFERED._replace(digest=spelling)
    assert offered_digest(artifact) == Digest(HEX)
    checked = check_download(artifact, downloaded(CONTENT), CONTENT[:4096])
    assert checked.digest is TransportDigest.VERIFIED
    assert checked.download.bytes == len(CONTENT)


def test_no_digest_is_an_outcome_of_its_own() -> None:
    checked = check_download(ARTIFACT._replace(digest=None), downloaded(CONTENT), CONTENT)
    assert checked.digest is TransportDigest.NOT_OFFERED


@pytest.mark.parametrize("spelling", ["sha256:" + "0" * 64, "SHA256:" + "F" * 64])
def test_a_wrong_digest_always_stops(spelling: str) -> None:
    with pytest.raises(errors.DigestMismatch) as refused:
        check_download(OFFERED._replace(digest=spelling), downloaded(CONTENT), CONTENT)
    assert (refused.value.code, refused.value.kind) == ("github.digest-mismatch", Kind.REFUSED)
    assert (refused.value.expected, refused.value.found) == (spelling.lower(), f"sha256:{HEX}")


@pytest.mark.parametrize(
    "spelling", [HEX, f"sha512:{HEX}{HEX}", f"md5:{HEX[:32]}", f"sha256:{HEX[:-1]}", f"sha256:{HEX[:-1]}g", "sha256:"]
)
def test_a_digest_that_cannot_be_compared_is_no_digest_and_no_pass(spelling: str) -> None:
    with pytest.raises(errors.DigestUnreadable) as refused:
        check_download(OFFERED._replace(digest=spelling), downloaded(CONTENT), CONTENT)
    assert (refused.value.code, refused.value.kind) == ("github.digest-unreadable", Kind.REFUSED)
    assert refused.value.found == spelling[:100]


def test_a_short_download_is_cut_rather_than_changed() -> None:
    with pytest.raises(errors.DownloadCut) as refused:
        check_download(OFFERED, downloaded(CONTENT[:-1]), CONTENT[:4096])
    assert (refused.value.code, refused.value.kind) == ("github.download-cut", Kind.ARTIFACT)
    assert (refused.value.expected, refused.value.found) == (f"{len(CONTENT)} bytes", f"{len(CONTENT) - 1} bytes")


@pytest.mark.parametrize(
    ("content", "media_type", "error", "code", "found"),
    [
        (
            b'{"message": "Must have admin rights", "status": "403"}',
            "application/json",
            errors.DownloadIsJson,
            "github.download-is-json",
            "Must have admin rights",
        ),
        (
            b'\xef\xbb\xbf\r\n {"message": "x"',
            "application/zip",
            errors.DownloadIsJson,
            "github.download-is-json",
            "a document without a message",
        ),
        (
            b"[1, 2]",
            "application/zip",
            errors.DownloadIsJson,
            "github.download-is-json",
            "a document without a message",
        ),
        (
            b"\n<!DOCTYPE html><html>Please log in</html>",
            "text/html",
            errors.DownloadIsPage,
            "github.download-is-a-page",
            "text/html",
        ),
        (
            b"<html>",
            "",
            errors.DownloadIsPage,
            "github.download-is-a-page",
            "no media type",
        ),
        (b"", "application/zip", errors.DownloadNotZip, "github.download-not-a-zip", "nothing"),
        (
            b"\x1f\x8b\x08 gzipped",
            "application/zip",
            errors.DownloadNotZip,
            "github.download-not-a-zip",
            r"11 bytes that begin with b'\x1f\x8b\x08 gzip'",
        ),
        (
            b"PK\x07\x08",
            "application/zip",
            errors.DownloadNotZip,
            "github.download-not-a-zip",
            r"4 bytes that begin with b'PK\x07\x08'",
        ),
    ],
)
@pytest.mark.parametrize("digest", [None, "right"])
def test_what_is_no_zip_is_told_by_its_content(
    content: bytes, media_type: str, error: type[OpvalueError], code: str, found: str, digest: str | None
) -> None:
    listed = f"sha256:{Digest.of(content)}" if digest else None
    with pytest.raises(error) as refused:
        check_download(ARTIFACT._replace(digest=listed), downloaded(content, media_type), content[:4096])
    assert (refused.value.code, refused.value.kind) == (code, Kind.ARTIFACT)
    assert refused.value.found == found


def test_an_empty_zip_is_a_zip() -> None:
    empty = b"PK\x05\x06" + bytes(18)
    assert check_download(ARTIFACT, downloaded(empty), empty).digest is TransportDigest.NOT_OFFERED
