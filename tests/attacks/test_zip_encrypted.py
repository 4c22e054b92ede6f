"""A grader file is encrypted, so that only a chosen reader sees it."""

from pathlib import Path

import pytest

from tests.archive import samples
from tests.archive.refusals import refused
from tests.archive.zips import DESCRIPTOR, build


@pytest.mark.parametrize("name", list(samples.files()))
@pytest.mark.parametrize("flag", [0x0001, 0x0040, 0x2000])
def test_encrypted(tmp_path: Path, name: str, flag: int) -> None:
    members = [item.with_(flags=DESCRIPTOR | flag) if item.name == name.encode() else item for item in samples.items()]
    assert refused(build(members), tmp_path).code == "archive.encrypted"


@pytest.mark.parametrize("name", list(samples.files()))
def test_encrypted_in_the_local_header_only(tmp_path: Path, name: str) -> None:
    members = [
        item.with_(local_flags=DESCRIPTOR | 0x0001) if item.name == name.encode() else item for item in samples.items()
    ]
    assert refused(build(members), tmp_path).code == "archive.headers-disagree"
