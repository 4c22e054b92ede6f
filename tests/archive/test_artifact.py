"""Opening an artifact by its path."""

import io
import os
from pathlib import Path

import pytest

from opvalue.archive import ArchivedRun, errors, read_archive, read_artifact
from tests.archive import samples
from tests.archive.refusals import fingerprint, outcome_of, refused_path


def lay_out(root: Path, contents: dict[str, bytes] | None = None) -> Path:
    """Write grader files below ``root``, as extraction does."""
    for name, content in (samples.files() if contents is None else contents).items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return root


def test_zip_file(tmp_path: Path) -> None:
    path = tmp_path / "agent.zip"
    path.write_bytes(samples.artifact())
    before = fingerprint(tmp_path)
    assert read_artifact(path).evaluator == samples.SCRIPT
    assert fingerprint(tmp_path) == before


@pytest.mark.parametrize("folder", ["agent/graders", "graders", "tmp/gh-aw/agent/graders", "tmp/gh-aw/graders"])
def test_folder(tmp_path: Path, folder: str) -> None:
    contents = samples.files(folder)
    zipped = samples.read(samples.artifact(contents))
    lay_out(tmp_path, contents)
    before = fingerprint(tmp_path)
    assert read_artifact(tmp_path) == zipped
    assert fingerprint(tmp_path) == before


def test_both_may_be_reached_through_a_link(tmp_path: Path) -> None:
    lay_out(tmp_path / "run")
    (tmp_path / "agent.zip").write_bytes(samples.artifact())
    for name in ("run", "agent.zip"):
        (tmp_path / f"{name}.link").symlink_to(name)
        assert read_artifact(tmp_path / f"{name}.link").layout == samples.FOLDER


def test_nothing_stays_open(tmp_path: Path) -> None:
    lay_out(tmp_path)
    lowest = os.dup(0)
    os.close(lowest)
    read_artifact(tmp_path)
    refused_path(tmp_path / "absent")
    (tmp_path / "agent.zip").write_bytes(b"no zip")
    refused_path(tmp_path / "agent.zip")
    after = os.dup(0)
    os.close(after)
    assert after == lowest


@pytest.mark.parametrize("name", ["absent", "file/below", "nul\0", "\udc80" * 10 + "\ud800"])
def test_absent(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_bytes(b"")
    assert refused_path(tmp_path / name).code == "archive.absent"


def test_name_too_long(tmp_path: Path) -> None:
    with pytest.raises(errors.ArtifactUnreadable):
        read_artifact(tmp_path / ("x" * 5000))


def test_named_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert refused_path(tmp_path / "pipe").code == "archive.not-a-file"


@pytest.mark.parametrize("name", ["agent.zip", "run", "run/agent", "run/agent/graders/grader_results.json"])
def test_no_permission(tmp_path: Path, name: str) -> None:
    (tmp_path / "agent.zip").write_bytes(samples.artifact())
    lay_out(tmp_path / "run")
    locked = tmp_path / name
    mode = locked.stat().st_mode
    locked.chmod(0)
    try:
        if os.access(locked, os.R_OK):
            pytest.skip("this user may read everything")
        with pytest.raises(errors.ArtifactUnreadable) as caught:
            read_artifact(tmp_path / name.partition("/")[0])
        assert "Permission denied" in caught.value.message
    finally:
        locked.chmod(mode)


class _Failing:
    """A file whose n-th call fails, as a disk does."""

    def __init__(self, data: bytes, calls: int) -> None:
        self._file = io.BytesIO(data)
        self._left = calls

    def seek(self, *where: int) -> int:
        self._count()
        return self._file.seek(*where)

    def read(self, size: int) -> bytes:
        self._count()
        return self._file.read(max(1, size // 2))

    def _count(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise OSError(5, "Input/output error")


def test_disk_that_fails_at_the_nth_call() -> None:
    data = samples.artifact()
    for calls in range(1000):
        archived = outcome_of(lambda: read_archive(_Failing(data, calls)))  # type: ignore[arg-type]  # noqa: B023 - at once
        if isinstance(archived, ArchivedRun):
            assert archived.evaluator == samples.SCRIPT
            assert calls > 20
            return
        assert archived.code == "archive.unreadable"
        assert "Input/output error" in archived.message
    pytest.fail("never read whole")


def test_pipe_cannot_be_read_as_a_zip() -> None:
    reader, writer = os.pipe()
    os.close(writer)
    with os.fdopen(reader, "rb") as file, pytest.raises(errors.ArtifactUnreadable):
        read_archive(file)
