"""The archive is exchanged behind its name while it is read (DG-06): what was opened is what is read."""

import io
import os
from pathlib import Path
from typing import Any

import pytest

from opvalue.archive import read_archive, read_artifact
from opvalue.errors import OpvalueError
from tests.archive import samples
from tests.archive.refusals import outcome_of
from tests.archive.test_artifact import lay_out

OTHER = {name: content.replace(b"12345", b"66666") for name, content in samples.files().items()}


def test_zip_swapped_right_after_it_was_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, other = tmp_path / "agent.zip", tmp_path / "other.zip"
    path.write_bytes(samples.artifact())
    other.write_bytes(samples.artifact(OTHER))
    opened = []
    real = os.open

    def swapping(*args: Any, **options: Any) -> int:
        descriptor = real(*args, **options)
        opened.append(args[0])
        other.rename(path)
        return descriptor

    monkeypatch.setattr(os, "open", swapping)
    archived = read_artifact(path)
    assert archived.results.run_id == "12345"
    assert opened == [path]
    assert path.read_bytes() == samples.artifact(OTHER)


class _Rewritten(io.BytesIO):
    """A file whose content changes in place after so many reads."""

    def __init__(self, data: bytes, other: bytes, reads: int) -> None:
        super().__init__(data)
        self._other = other
        self._left = reads

    def read(self, size: int | None = -1, /) -> bytes:
        if self._left == 0:
            position = self.tell()
            self.seek(0)
            self.write(self._other)
            self.truncate()
            self.seek(position)
        self._left -= 1
        return super().read(size)


def test_zip_rewritten_in_place_after_any_read() -> None:
    good, other = samples.artifact(), samples.artifact(OTHER)
    expected = [samples.read(data).results for data in (good, other)]
    for reads in range(40):
        archived = outcome_of(lambda: read_archive(_Rewritten(good, other, reads)))  # noqa: B023 - called at once
        if isinstance(archived, OpvalueError):
            assert archived.code.startswith("archive.")
            continue
        assert archived.results in expected
        assert archived.evaluator == samples.SCRIPT


def test_folder_swapped_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay_out(tmp_path / "run")
    lay_out(tmp_path / "other", OTHER)
    real = os.read
    swapped: list[bool] = []

    def swapping(*args: Any) -> bytes:
        if not swapped:
            swapped.append(True)
            (tmp_path / "run").rename(tmp_path / "old")
            (tmp_path / "other").rename(tmp_path / "run")
        return real(*args)

    monkeypatch.setattr(os, "read", swapping)
    assert read_artifact(tmp_path / "run").results.run_id == "12345"
    assert swapped


def test_file_turned_into_a_link_after_the_folder_was_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay_out(tmp_path / "run")
    secret = tmp_path / "secret"
    secret.write_bytes(samples.SCRIPT)
    evaluator = tmp_path / "run" / samples.FOLDER / samples.EVALUATOR
    real = os.read

    def swapping(*args: Any) -> bytes:
        if not evaluator.is_symlink():
            evaluator.unlink()
            evaluator.symlink_to(secret)
        return real(*args)

    monkeypatch.setattr(os, "read", swapping)
    with pytest.raises(OpvalueError) as caught:
        read_artifact(tmp_path / "run")
    assert caught.value.code == "archive.symbolic-link"


def test_folder_turned_into_a_link_after_it_was_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay_out(tmp_path / "run")
    lay_out(tmp_path / "other", OTHER)
    real = os.stat

    def swapping(name: Any, **options: Any) -> os.stat_result:
        found = real(name, **options)
        if name == "graders":
            (tmp_path / "run/agent/graders").rename(tmp_path / "old")
            (tmp_path / "run/agent/graders").symlink_to(tmp_path / "other/agent/graders")
        return found

    monkeypatch.setattr(os, "stat", swapping)
    with pytest.raises(OpvalueError) as caught:
        read_artifact(tmp_path / "run")
    assert caught.value.code == "archive.unreadable"
