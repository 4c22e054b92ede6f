"""An artifact extracted to a folder: no link followed, no special file opened, exact names."""

import os
import socket
from pathlib import Path

import pytest

from opvalue.archive import read_artifact
from opvalue.errors import OpvalueError
from opvalue.limits import Limits
from tests.archive import samples
from tests.archive.refusals import fingerprint, refused_path
from tests.archive.test_artifact import lay_out

FILES = [samples.MANIFEST, samples.RESULTS, samples.EVALUATOR]


def test_no_grader_data(tmp_path: Path) -> None:
    (tmp_path / "agent").mkdir()
    assert refused_path(tmp_path).code == "archive.no-grader-data"


def test_file_in_place_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "agent").write_bytes(b"")
    assert refused_path(tmp_path).code == "archive.no-grader-data"


def test_session_contract(tmp_path: Path) -> None:
    lay_out(tmp_path, {"usage/graders/grader_results.json": b"{}", "usage/graders/value_function.sh": b""})
    assert refused_path(tmp_path).code == "archive.session-contract"


def test_names_compare_exactly(tmp_path: Path) -> None:
    lay_out(tmp_path, {f"agent/graders/{name.upper()}": b"{}" for name in FILES})
    lay_out(tmp_path, {f"Graders/{name}": b"{}" for name in FILES})
    assert refused_path(tmp_path).code == "archive.no-grader-data"


@pytest.mark.parametrize(
    ("file", "code"),
    [
        (samples.MANIFEST, "archive.manifest-too-large"),
        (samples.RESULTS, "archive.results-too-large"),
        (samples.EVALUATOR, "archive.evaluator-too-large"),
    ],
)
def test_too_large(tmp_path: Path, file: str, code: str) -> None:
    path = lay_out(tmp_path) / samples.FOLDER / file
    with path.open("ab") as target:
        target.truncate(11 << 20)
    assert refused_path(tmp_path).code == code


def test_exactly_the_limit(tmp_path: Path) -> None:
    lay_out(tmp_path)
    limits = Limits(
        record_bytes=max(len(content) for content in samples.files().values()), evaluator_bytes=len(samples.SCRIPT)
    )
    assert read_artifact(tmp_path, limits).layout == samples.FOLDER


@pytest.mark.parametrize("file", FILES)
def test_socket(tmp_path: Path, file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = lay_out(tmp_path) / samples.FOLDER / file
    path.unlink()
    monkeypatch.chdir(path.parent)  # socket paths are short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(file)
        assert refused_path(tmp_path).code == "archive.not-regular"


@pytest.mark.parametrize("file", FILES)
def test_named_pipe(tmp_path: Path, file: str) -> None:
    path = lay_out(tmp_path) / samples.FOLDER / file
    path.unlink()
    os.mkfifo(path)
    assert refused_path(tmp_path).code == "archive.not-regular"


@pytest.mark.parametrize("name", ["listdir", "stat", "open", "fstat", "read"])
def test_system_call_that_fails_at_the_nth_call(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lay_out(tmp_path / "run")
    before = fingerprint(tmp_path)
    real = getattr(os, name)
    for calls in range(100):
        left = iter(range(calls))

        def failing(*args: object, **options: object) -> object:
            if next(left, None) is None:  # noqa: B023 - used within this turn of the loop only
                raise PermissionError(13, "Permission denied")
            return real(*args, **options)

        with monkeypatch.context() as patch:
            patch.setattr(os, name, failing)
            refusal: OpvalueError | None = None
            try:
                read_artifact(tmp_path / "run")
            except OpvalueError as error:
                refusal = error
        if refusal is None:
            assert calls > 0
            assert fingerprint(tmp_path) == before
            return
        assert refusal.code == "archive.unreadable"
    pytest.fail("never read whole")
