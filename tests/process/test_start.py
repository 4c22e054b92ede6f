import errno
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from opvalue.errors import OpvalueError, TooManyOpenFiles
from opvalue.process import (
    ArgumentsTooLong,
    BadArgument,
    CannotStart,
    FolderMissing,
    NotExecutable,
    ProgramMissing,
    run,
)
from tests.process.helpers import bash


@pytest.fixture
def plain_file(tmp_path: Path) -> Path:
    file = tmp_path / "program"
    file.write_bytes(b"neither a program nor a script\n\0")
    return file


def test_a_program_that_is_not_there() -> None:
    with pytest.raises(ProgramMissing) as caught:
        run(bash("", argv=("/nonexistent/bash",)))
    assert (caught.value.code, caught.value.expected) == ("process.program-missing", "/nonexistent/bash")
    with pytest.raises(ProgramMissing):
        run(bash("", argv=("/bin/bash/below-a-file",)))


def test_a_file_that_cannot_be_executed(plain_file: Path) -> None:
    with pytest.raises(NotExecutable) as caught:
        run(bash("", argv=(str(plain_file),)))
    assert caught.value.code == "process.not-executable"
    plain_file.chmod(0o755)
    with pytest.raises(NotExecutable):
        run(bash("", argv=(str(plain_file),)))
    with pytest.raises(NotExecutable):
        run(bash("", argv=(str(plain_file.parent),)))


def test_a_working_folder_that_is_gone(tmp_path: Path) -> None:
    with pytest.raises(FolderMissing) as caught:
        run(bash("exit", cwd=tmp_path / "gone"))
    assert caught.value.code == "process.folder-missing"
    (tmp_path / "file").touch()
    with pytest.raises(FolderMissing):
        run(bash("exit", cwd=tmp_path / "file"))


@pytest.mark.parametrize(
    "changes",
    [{"env": {f"V{number}": "x" * 100_000 for number in range(400)}}, {"argv": ("/bin/bash", "x" * 20_000_000)}],
)
def test_arguments_and_environment_that_are_too_long(changes: dict[str, Any]) -> None:
    with pytest.raises(ArgumentsTooLong) as caught:
        run(bash("exit", **changes))
    assert caught.value.code == "process.arguments-too-long"


@pytest.mark.parametrize(
    "changes",
    [
        {"argv": ("/bin/bash", "-c", "exit", "\0")},
        {"argv": ("bash", "-c", "exit")},
        {"argv": ()},
        {"env": {"A": "\0"}},
        {"env": {"A=B": "c"}},
        {"argv": ("/bin/bash", "\ud800")},
    ],
)
def test_arguments_no_program_can_be_given(changes: dict[str, Any]) -> None:
    with pytest.raises(BadArgument) as caught:
        run(bash("exit", **changes))
    assert caught.value.code == "process.bad-argument"


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (errno.ENOMEM, "machine.out-of-memory"),
        (errno.EAGAIN, "process.cannot-start"),
        (errno.EMFILE, "machine.too-many-open-files"),
    ],
)
def test_a_system_out_of_something(number: int, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object, **_options: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(subprocess, "Popen", refuse)
    with pytest.raises(OpvalueError) as caught:
        run(bash("exit"))
    assert caught.value.code == code
    assert os.strerror(number).lower() in caught.value.message.lower()


@pytest.mark.parametrize(
    ("failing", "number", "kind"),
    [
        ("os.pipe", errno.EMFILE, TooManyOpenFiles),
        ("fcntl.fcntl", errno.EMFILE, TooManyOpenFiles),
        ("fcntl.fcntl", errno.EINVAL, TooManyOpenFiles),
        ("os.pipe", errno.EIO, CannotStart),
    ],
)
def test_a_system_that_gives_no_pipe(
    failing: str, number: int, kind: type[OpvalueError], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_arguments: object) -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(failing, refuse)
    with pytest.raises(kind):
        run(bash("exit"))


def test_faults_leave_nothing_open() -> None:
    folder = Path("/proc/self/fd" if Path("/proc/self/fd").exists() else "/dev/fd")
    before = len(list(folder.iterdir()))
    for command in (bash("", argv=("/nonexistent",)), bash("", cwd=Path("/nonexistent")), bash("\0")):
        with pytest.raises(OpvalueError):
            run(command)
    assert len(list(folder.iterdir())) == before
