"""Noise in place of the archive, of a member, or of any part of its structure ends in a coded refusal."""

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opvalue.errors import OpvalueError
from tests.archive import samples
from tests.archive.refusals import outcome_of, refused, refused_path
from tests.archive.test_artifact import lay_out
from tests.archive.zips import build, close

CODES = {
    samples.MANIFEST: "records.manifest-malformed",
    samples.RESULTS: "records.results-malformed",
    samples.EVALUATOR: "archive.evaluator-not-utf8",
}
NOISE = random.Random(0).randbytes(5000)  # noqa: S311 - the same noise in every run


@pytest.mark.parametrize("file", CODES)
def test_member_of_noise(tmp_path: Path, file: str) -> None:
    contents = samples.files() | {f"{samples.FOLDER}/{file}": NOISE}
    assert refused(samples.artifact(contents), tmp_path).code == CODES[file]


@pytest.mark.parametrize("file", CODES)
def test_packed_data_of_noise(tmp_path: Path, file: str) -> None:
    members = [item.with_(data=NOISE) if item.name.endswith(file.encode()) else item for item in samples.items()]
    assert refused(build(members), tmp_path).code in {"archive.corrupt-member", "archive.headers-disagree"}


@pytest.mark.parametrize("file", CODES)
def test_file_of_noise(tmp_path: Path, file: str) -> None:
    lay_out(tmp_path, samples.files() | {f"{samples.FOLDER}/{file}": NOISE})
    assert refused_path(tmp_path).code == CODES[file]


def test_archive_of_noise(tmp_path: Path) -> None:
    assert refused(NOISE, tmp_path).code == "archive.not-a-zip"
    assert refused(b"PK\x03\x04" + NOISE, tmp_path).code == "archive.cut"


@given(st.binary(max_size=200), st.integers(0, 2**32))
def test_part_overwritten_with_noise(noise: bytes, place: int) -> None:
    whole = samples.artifact()
    start = place % len(whole)
    changed = whole[:start] + noise + whole[start + len(noise) :]
    archived = outcome_of(lambda: samples.read(changed))
    if isinstance(archived, OpvalueError):
        assert archived.code.partition(".")[0] in {"archive", "records"}
    else:
        assert archived == samples.read(whole)


@given(st.binary(max_size=300))
def test_directory_of_noise(noise: bytes) -> None:
    archive = b"PK\x03\x04" + noise + close(1, len(noise), 4)
    with pytest.raises(OpvalueError) as caught:
        samples.read(archive)
    assert caught.value.code.startswith("archive.")
