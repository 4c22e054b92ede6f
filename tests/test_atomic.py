import errno
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from opvalue.atomic import OutputExists, OutputUnwritable, replace, write_new
from opvalue.errors import Kind

DATA = b'{"value": 0.75}\n'


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def test_a_new_file_holds_the_bytes_and_is_private(tmp_path: Path) -> None:
    target = tmp_path / "observation.json"
    write_new(target, DATA)
    assert target.read_bytes() == DATA
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert target.stat().st_nlink == 1
    assert names(tmp_path) == ["observation.json"]


def test_an_empty_file_can_be_written(tmp_path: Path) -> None:
    write_new(tmp_path / "empty", b"")
    assert (tmp_path / "empty").read_bytes() == b""
    write_new(tmp_path / "empty", b"")


def test_what_is_no_record_can_be_replaced(tmp_path: Path) -> None:
    path, elsewhere = tmp_path / "made.json", tmp_path / "elsewhere"
    replace(path, b"one")
    replace(path, b"two")
    assert path.read_bytes() == b"two"
    assert path.stat().st_mode & 0o777 == 0o600
    elsewhere.write_bytes(b"kept")
    path.unlink()
    path.symlink_to(elsewhere)
    replace(path, b"three")
    assert (elsewhere.read_bytes(), path.read_bytes(), path.is_symlink()) == (b"kept", b"three", False)
    assert sorted(tmp_path.iterdir()) == [elsewhere, path]


def test_what_cannot_be_replaced_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "folder", tmp_path / "absent" / "x"):
        with pytest.raises(OutputUnwritable):
            replace(path, b"x")
    assert [one.name for one in tmp_path.iterdir()] == ["folder"]


def test_an_identical_file_is_left_alone(tmp_path: Path) -> None:
    target = tmp_path / "observation.json"
    target.write_bytes(DATA)
    os.utime(target, ns=(1, 1))
    before = target.stat()
    write_new(target, DATA)
    after = target.stat()
    assert (after.st_ino, after.st_mtime_ns, after.st_mode) == (before.st_ino, 1, before.st_mode)
    assert names(tmp_path) == ["observation.json"]


def test_another_spelling_of_the_same_record_is_left_alone(tmp_path: Path) -> None:
    target = tmp_path / "observation.json"
    assert write_new(target, DATA)
    target.write_bytes(DATA.upper())
    assert not write_new(target, DATA, same=lambda other: other.lower() == DATA.lower())
    assert target.read_bytes() == DATA.upper()
    with pytest.raises(OutputExists):
        write_new(target, DATA, same=lambda _other: False)


@pytest.mark.parametrize("existing", [b"", b"x", DATA[:-1], DATA + b"\n", DATA.upper()])
def test_another_file_is_never_replaced(tmp_path: Path, existing: bytes) -> None:
    target = tmp_path / "observation.json"
    target.write_bytes(existing)
    with pytest.raises(OutputExists) as caught:
        write_new(target, DATA)
    assert caught.value.code == "output.exists"
    assert caught.value.kind is Kind.USAGE
    assert target.read_bytes() == existing
    assert names(tmp_path) == ["observation.json"]


def test_a_file_that_appears_meanwhile_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "observation.json"
    real = os.fsync

    def racing(descriptor: int) -> None:
        real(descriptor)
        target.write_bytes(b"theirs")

    monkeypatch.setattr(os, "fsync", racing)
    with pytest.raises(OutputExists):
        write_new(target, DATA)
    assert target.read_bytes() == b"theirs"
    assert names(tmp_path) == ["observation.json"]


def test_the_same_record_that_appears_meanwhile_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "observation.json"
    real = os.fsync

    def racing(descriptor: int) -> None:
        real(descriptor)
        target.write_bytes(b"theirs")

    monkeypatch.setattr(os, "fsync", racing)
    assert write_new(target, DATA, same=lambda found: found == b"theirs") is False
    assert target.read_bytes() == b"theirs"
    assert names(tmp_path) == ["observation.json"]


def test_no_such_folder(tmp_path: Path) -> None:
    with pytest.raises(OutputUnwritable) as caught:
        write_new(tmp_path / "none" / "observation.json", DATA)
    assert caught.value.code == "output.unwritable"
    assert "No such file" in caught.value.message
    assert names(tmp_path) == []


def test_a_file_for_a_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x")
    with pytest.raises(OutputUnwritable):
        write_new(tmp_path / "file" / "observation.json", DATA)
    assert (tmp_path / "file").read_bytes() == b"x"


def _folder(path: Path) -> None:
    path.mkdir()


def _pipe(path: Path) -> None:
    os.mkfifo(path)


@pytest.mark.parametrize("make", [_folder, _pipe])
def test_what_is_no_regular_file_is_refused_without_waiting(tmp_path: Path, make: Callable[[Path], None]) -> None:
    target = tmp_path / "observation.json"
    make(target)
    with pytest.raises(OutputUnwritable, match=r"regular file|Is a directory"):
        write_new(target, DATA)
    assert names(tmp_path) == ["observation.json"]


@pytest.mark.parametrize("device", ["/dev/null", "/dev/full"])
def test_devices_are_refused(device: str) -> None:
    if not Path(device).exists():
        pytest.skip(f"no {device} on this system")
    with pytest.raises(OutputUnwritable):
        write_new(Path(device), DATA)


@pytest.mark.parametrize("name", [".", "..", "/"])
def test_names_of_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OutputUnwritable):
        write_new(Path(name), DATA)
    assert names(tmp_path) == []


def test_a_dangling_link_is_not_followed(tmp_path: Path) -> None:
    target = tmp_path / "observation.json"
    target.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OutputExists):
        write_new(target, DATA)
    assert names(tmp_path) == ["observation.json"]


def test_a_link_to_an_identical_file_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "kept").write_bytes(DATA)
    (tmp_path / "link").symlink_to("kept")
    write_new(tmp_path / "link", DATA)
    assert (tmp_path / "link").is_symlink()


@pytest.mark.parametrize("name", ["a\x00b", "a\ud800"])
def test_what_cannot_be_a_name(tmp_path: Path, name: str) -> None:
    with pytest.raises(OutputUnwritable) as caught:
        write_new(tmp_path / name, DATA)
    assert "\x00" not in caught.value.diagnostics()
    assert names(tmp_path) == []


def test_a_name_as_long_as_the_file_system_allows(tmp_path: Path) -> None:
    longest = "x" * os.pathconf(tmp_path, "PC_NAME_MAX")
    write_new(tmp_path / longest, DATA)
    assert names(tmp_path) == [longest]
    with pytest.raises(OutputUnwritable):
        write_new(tmp_path / (longest + "x"), DATA)


def test_a_name_in_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_new(Path("observation.json"), DATA)
    assert names(tmp_path) == ["observation.json"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_no_permission(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(OutputUnwritable, match="Permission denied"):
        write_new(tmp_path / "observation.json", DATA)
    tmp_path.chmod(0o700)
    assert names(tmp_path) == []


class Stop(BaseException):
    """Stands for Ctrl-C, which is no Exception either."""


FAILURES = [OSError(errno.ENOSPC, "No space left on device"), OSError(errno.EIO, "Input/output error"), Stop()]


@pytest.mark.parametrize("call", ["open", "fsync", "link"])
@pytest.mark.parametrize("failure", FAILURES)
def test_any_failing_call_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, failure: BaseException
) -> None:
    target = tmp_path / "observation.json"
    real = getattr(os, call)
    seen = 0

    def failing(*arguments: object, **keywords: object) -> object:
        nonlocal seen
        seen += 1
        # Opening fails on its own the first time, when the target is looked for.
        if call == "open" and seen == 1:
            return real(*arguments, **keywords)
        raise failure

    with monkeypatch.context() as patched:
        patched.setattr(os, call, failing)
        expected = Stop if isinstance(failure, Stop) else OutputUnwritable
        with pytest.raises(expected):
            write_new(target, DATA)
    assert seen >= 1
    assert names(tmp_path) == []
    write_new(target, DATA)
    assert target.read_bytes() == DATA


def test_an_unreadable_existing_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "observation.json"
    target.write_bytes(DATA)

    def failing(*_arguments: object) -> int:
        raise PermissionError(errno.EACCES, "Permission denied")

    with monkeypatch.context() as patched:
        patched.setattr(os, "open", failing)
        with pytest.raises(OutputUnwritable, match="Permission denied"):
            write_new(target, DATA)
    assert target.read_bytes() == DATA


_FULL_DISK = """
import resource, signal, sys
from pathlib import Path
from opvalue.atomic import OutputUnwritable, write_new
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    write_new(Path(sys.argv[1]), b"x" * 100_000)
except OutputUnwritable as error:
    print(error.code)
"""


def test_a_write_that_stops_half_way_leaves_nothing_behind(tmp_path: Path) -> None:
    """The system itself stops the write after 1000 bytes, as a full disk would."""
    ended = subprocess.run(
        [sys.executable, "-B", "-c", _FULL_DISK, str(tmp_path / "observation.json")],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[1],
    )
    assert (ended.stdout, ended.stderr) == ("output.unwritable\n", "")
    assert names(tmp_path) == []


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(first=st.binary(max_size=20), second=st.binary(max_size=20))
def test_the_first_content_always_stays(tmp_path: Path, first: bytes, second: bytes) -> None:
    target = tmp_path / "observation"
    target.unlink(missing_ok=True)
    write_new(target, first)
    try:
        write_new(target, second)
        accepted = True
    except OutputExists:
        accepted = False
    assert accepted is (first == second)
    assert target.read_bytes() == first
    assert names(tmp_path) == ["observation"]
