import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opvalue.identity import Digest

EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_digest_of_nothing() -> None:
    assert Digest.of(b"") == Digest(EMPTY)
    assert str(Digest.of(b"")) == EMPTY


def test_spelling_of_a_document_counts() -> None:
    assert len({Digest.of(data) for data in (b"1", b"1.0", b"1e0", b"1\n", b"\xef\xbb\xbf1")}) == 5


def test_read_back() -> None:
    assert Digest.parse(EMPTY) == Digest.of(b"")


@pytest.mark.parametrize(
    "text",
    [
        "",
        EMPTY.upper(),
        f"sha256:{EMPTY}",
        EMPTY[:-1],
        EMPTY + "0",
        EMPTY + "\n",
        "g" * 64,
        None,
        0,
        EMPTY.encode(),
        "\u0660" * 64,
    ],
)
def test_no_digests(text: object) -> None:
    assert Digest.parse(text) is None


@given(st.binary())
def test_digest_is_sha256_of_the_bytes(data: bytes) -> None:
    assert Digest.of(data).hex == hashlib.sha256(data).hexdigest()
