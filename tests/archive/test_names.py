"""Which member names are safe, and what paths they come to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opvalue.archive import names


@pytest.mark.parametrize(
    ("name", "why"),
    [
        (b"", "is empty"),
        (b"a\0b", "holds a NUL"),
        (b"a\\b", "holds a backslash"),
        (b"\\\\server\\share", "holds a backslash"),
        (b"/etc/passwd", "is absolute"),
        (b"//x", "is absolute"),
        (b"C:x", "names a drive"),
        (b"c:/x", "names a drive"),
        (b"..", "climbs"),
        (b"../x", "climbs"),
        (b"a/../../x", "climbs"),
        (b"a/..", "climbs"),
        (b"a/../b", "climbs"),
    ],
)
def test_unsafe(name: bytes, why: str) -> None:
    assert names.why_unsafe(name) == why


@pytest.mark.parametrize(
    "name", [b"a", b"a/b/", b"..data", b"a..b", b"a/..b/c..", b"...", b".", b"./a", b"a/C:b", b"1:b", b"\xff", b"a\nb"]
)
def test_safe(name: bytes) -> None:
    assert names.why_unsafe(name) is None


@pytest.mark.parametrize(
    ("name", "path"),
    [
        (b"a/b", b"a/b"),
        (b"a/b/", b"a/b/"),
        (b"./a/b", b"a/b"),
        (b"a//b", b"a/b"),
        (b"a/./b/", b"a/b/"),
        (b"a./b", b"a./b"),
        (b"./", b"./"),
    ],
)
def test_cleaned(name: bytes, path: bytes) -> None:
    assert names.cleaned(name) == path


def test_shown_is_short() -> None:
    assert names.shown(b"\xff" + b"a" * 1000) == repr("\ufffd" + "a" * 79)


@given(st.binary(max_size=40))
def test_extra_blocks_of_noise_end_quietly(extra: bytes) -> None:
    assert all(isinstance(data, bytes) for data in names.zip64_fields(extra))
    assert names.alias(extra, b"name") is None


@given(st.lists(st.sampled_from([b"a", b"..", b".", b"", b"..b"]), min_size=1, max_size=6).map(b"/".join))
def test_a_safe_name_never_leaves_its_folder(name: bytes) -> None:
    if names.why_unsafe(name) is None:
        assert not names.cleaned(name).startswith((b"../", b"/"))
