"""A download ends early, or a byte changes on the way: at every position of a small archive."""

import io
from pathlib import Path

import pytest

from opvalue.archive import read_archive
from opvalue.errors import OpvalueError
from tests.archive import samples
from tests.archive.refusals import outcome_of, refused, refused_path
from tests.archive.zips import STORED, Item, build

ARCHIVES = {
    "as uploaded": samples.artifact(),
    "zip64": build(samples.items(), wide=True),
    "stored": build([item.with_(method=STORED, flags=0) for item in samples.items()]),
    "commented": build(samples.items(), comment=b"a comment"),
}

CODES_WITHOUT_BEGINNING = {
    "archive.not-a-zip",
    "archive.malformed",
    # What is left of zip64 records states the largest count there is.
    "archive.too-many-members",
}


@pytest.mark.parametrize("kind", ARCHIVES)
def test_cut_at_every_byte(kind: str) -> None:
    whole = ARCHIVES[kind]
    for size in range(len(whole)):
        with pytest.raises(OpvalueError) as caught:
            samples.read(whole[:size])
        assert caught.value.code == ("archive.not-a-zip" if size < 4 else "archive.cut"), size


@pytest.mark.parametrize("kind", ARCHIVES)
def test_beginning_missing_at_every_byte(kind: str) -> None:
    whole = ARCHIVES[kind]
    for start in range(1, len(whole)):
        with pytest.raises(OpvalueError) as caught:
            samples.read(whole[start:])
        assert caught.value.code in CODES_WITHOUT_BEGINNING, start


@pytest.mark.parametrize("size", [0, 3, 4, 100, 1000])
def test_cut_file(tmp_path: Path, size: int) -> None:
    code = "archive.not-a-zip" if size < 4 else "archive.cut"
    assert refused(ARCHIVES["as uploaded"][:size], tmp_path).code == code


def test_archive_inside_the_archive_does_not_take_over(tmp_path: Path) -> None:
    inner = samples.artifact()
    outer = build([Item(b"agent/inner.zip", inner, flags=0, method=STORED), *samples.items()])
    assert samples.read(outer).layout == samples.FOLDER
    assert refused(outer[: outer.index(inner) + len(inner)], tmp_path).code == "archive.malformed"


@pytest.mark.parametrize("kind", ARCHIVES)
@pytest.mark.parametrize("mask", [0x01, 0x80])
def test_every_byte_changed_is_refused_or_means_the_same(kind: str, mask: int) -> None:
    whole = ARCHIVES[kind]
    expected = samples.read(whole)
    for position in range(len(whole)):
        changed = bytearray(whole)
        changed[position] ^= mask
        archived = outcome_of(lambda: samples.read(bytes(changed)))  # noqa: B023 - called at once
        if isinstance(archived, OpvalueError):
            assert archived.code.startswith("archive."), position
        else:
            assert archived == expected, position


class _Shrinking(io.BytesIO):
    """A file that loses its second half once its end was looked at."""

    def read(self, size: int | None = -1, /) -> bytes:
        self.truncate(len(self.getvalue()) // 2)
        return super().read(size)


def test_file_that_shrinks_while_it_is_read() -> None:
    with pytest.raises(OpvalueError) as caught:
        read_archive(_Shrinking(ARCHIVES["as uploaded"]))
    assert caught.value.code == "archive.cut"


def test_folder_with_every_file_cut(tmp_path: Path) -> None:
    for name, content in samples.files().items():
        folder = tmp_path / name.rpartition("/")[2]
        for other, whole in samples.files().items():
            path = folder / other
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content[:10] if other == name else whole)
        assert refused_path(folder).code in {
            "records.manifest-malformed",
            "records.results-malformed",
            "archive.evaluator-no-shebang",
        }
