"""A bundle of evidence is altered by a single byte, cut, or added to: refused, and its file stays as it is."""

from collections.abc import Iterator

import pytest

from opvalue.evidence.bundle import read_bundle, save
from opvalue.evidence.bundle.errors import BundleRefused
from tests.evidence.bundle.made import small

CODES = {
    "bundle.not-a-bundle",
    "bundle.unknown-version",
    "bundle.cut",
    "bundle.extended",
    "bundle.changed",
    "bundle.wrong-digest",
}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[bytes]:
    path = tmp_path_factory.mktemp("bundle") / "evidence.bundle"
    save(path, small())
    before = path.read_bytes()
    yield before
    assert path.read_bytes() == before


def code(altered: bytes) -> str:
    with pytest.raises(BundleRefused) as refused:
        read_bundle(altered)
    assert refused.value.code in CODES
    return refused.value.code


def test_untouched_it_is_taken(data: bytes) -> None:
    assert read_bundle(data) == small()


@pytest.mark.parametrize("mask", [0x01, 0xFF])
def test_every_single_byte_counts(data: bytes, mask: int) -> None:
    found = {code(data[:place] + bytes((byte ^ mask,)) + data[place + 1 :]) for place, byte in enumerate(data)}
    assert "bundle.changed" in found


def test_every_value_of_every_byte_of_the_seal_counts(data: bytes) -> None:
    # The only part that no digest covers.
    for place in range(512, 1024):
        for value in {*b'0123456789abcdef ,:{}"\n', 0, 255} - {data[place]}:
            code(data[:place] + bytes((value,)) + data[place + 1 :])


def test_cut_anywhere(data: bytes) -> None:
    assert {code(data[:length]) for length in range(len(data))} == {"bundle.cut"}


def test_a_byte_left_out_anywhere(data: bytes) -> None:
    for place in range(len(data)):
        code(data[:place] + data[place + 1 :])


def test_a_byte_put_in_anywhere(data: bytes) -> None:
    for place in range(len(data) + 1):
        code(data[:place] + b"0" + data[place:])


@pytest.mark.parametrize("more", [b"\0", b"\n", b"x", bytes(512), bytes(9216)])
def test_added_to(data: bytes, more: bytes) -> None:
    assert code(data + more) == "bundle.extended"
    assert code(data + data) == "bundle.extended"
    assert code(more + data) == ("bundle.not-a-bundle")
