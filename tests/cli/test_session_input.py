"""Sessions that come through a pipe are read to their end, whatever their size."""

import io
import json
import os
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from opvalue.cli.errors import SessionUnreadable
from opvalue.cli.session_input import open_session, read_once, unreadable
from opvalue.limits import Limits
from opvalue.process.errors import NoPrivateFolder
from opvalue.session.errors import SessionTooLarge
from tests.cli.conftest import Answer, Process

Run = Callable[..., Answer]

_SIZES = [n + by for n in (4096, 8192, 65_536, 131_072) for by in (-1, 0, 1)]
_PLACE = '"provenance":{"component":"agent","phase":"agent","path":"p","index":0,"timestampMs":1}'
_START = '{"type":"tool.execution_start","data":{"toolCallId":"c%06d","toolName":"x"},' + _PLACE + "}\n"


def starts(count: int) -> bytes:
    """Return a session of so many calls that never ended: each is a failure."""
    return "".join(_START % number for number in range(count)).encode()


@contextmanager
def standard_input(data: bytes) -> Iterator[None]:
    """Give ``data`` on standard input, through a pipe."""
    reading, writing = os.pipe()

    def fill() -> None:
        with suppress(BrokenPipeError), os.fdopen(writing, "wb") as file:
            file.write(data)

    kept = os.dup(0)
    os.dup2(reading, 0)
    os.close(reading)
    writer = threading.Thread(target=fill, daemon=True)
    writer.start()
    try:
        yield
    finally:
        writer.join(10)
        os.dup2(kept, 0)
        os.close(kept)


@pytest.mark.parametrize("size", _SIZES)
@pytest.mark.parametrize("name", ["-", "/dev/stdin"])
def test_what_is_copied_is_there_for_every_reader(name: str, size: int) -> None:
    data = bytes(number % 250 + 1 for number in range(size))
    with standard_input(data), open_session(Path(name), skip_malformed=True) as file:
        assert os.fstat(file.descriptor).st_size == size
        assert os.pread(file.descriptor, size + 1, 0) == data
        assert b"".join(file.blocks()) == data


@pytest.mark.parametrize("count", [1, 20, 21, 22, 23, 43, 44, 348, 349, 350, 351, 352, 353, 700])
@pytest.mark.parametrize(
    ("program", "command", "name"),
    [
        ("opvalue", "run", "-"),
        ("opvalue", "run", "/dev/stdin"),
        ("opvalue", "explain", "-"),
        ("gh-aw", "run", "-"),
    ],
)
def test_every_call_counts(opvalue: Run, program: str, command: str, name: str, count: int) -> None:
    grader = ["tool-failure-count"] if command == "explain" else []
    with standard_input(starts(count)):
        answer = opvalue("graders", command, name, *grader, "--json", program=program)
    document = json.loads(answer.out)
    values = {one["id"]: one["value"] for one in document["results"]} if command == "run" else {}
    assert (answer.status, answer.err) == (0, "")
    assert values.get("tool-failure-count", document.get("value")) == count


@pytest.mark.parametrize(
    "words",
    ["graders run -", "graders explain - loops", "session show -", "session stats -", "session redact - -o out"],
)
@pytest.mark.parametrize(
    ("endless", "status", "code"),
    [
        (["cat", "/dev/zero"], 6, "cli.session-unreadable"),
        (["bash", "-c", "printf '{'; cat /dev/zero"], 5, "session.encoding"),
        (["yes"], 5, "session.line-malformed"),
        (["yes", '{"type":"a"}'], 5, "session.not-an-event"),
        (["bash", "-c", "tr '\\0' x </dev/zero"], 5, "session.line-too-long"),
    ],
)
def test_what_has_no_end_is_refused_at_its_beginning(
    process: Process, words: str, endless: list[str], status: int, code: str
) -> None:
    with subprocess.Popen(endless, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as source:
        answer = process.run(*words.split(), "--json", stdin=source.stdout, env={"TMPDIR": str(process.folder)})
        assert source.stdout is not None
        source.stdout.close()
    assert (answer.status, answer.error["code"]) == (status, code)
    assert [*process.folder.iterdir()] == []


@pytest.mark.parametrize("words", ["graders run", "session validate", "session show", "session stats"])
def test_a_device_is_looked_at_first(opvalue: Run, words: str) -> None:
    assert opvalue(*words.split(), "/dev/zero", "--json").error["code"] == "cli.session-unreadable"


def test_a_pipe_is_read_up_to_a_bound() -> None:
    data = starts(2000)
    for most in (len(data), len(data) - 1):
        limits = Limits(session_bytes=most)
        for read in (_copied, read_once):
            with standard_input(data):
                if most == len(data):
                    assert b"".join(read(Path("-"), limits=limits)) == data
                    continue
                with pytest.raises(SessionTooLarge) as refused:
                    list(read(Path("-"), limits=limits))
            assert refused.value.code == "session.too-large"
            assert refused.value.found == "more"


def test_a_file_has_no_bound(tmp_path: Path) -> None:
    file = tmp_path / "s.jsonl"
    file.write_bytes(starts(10))
    assert b"".join(read_once(file, limits=Limits(session_bytes=1))) == starts(10)


def _copied(path: Path, limits: Limits) -> Iterator[bytes]:
    with open_session(path, limits=limits) as file:
        yield from file.blocks()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_no_room_for_a_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.TemporaryFile", lambda **_how: io.FileIO("/dev/full", "r+"))
    with standard_input(starts(10)), pytest.raises(NoPrivateFolder, match="No space left"), open_session(Path("-")):
        pass


def test_a_folder_without_a_session_may_hold_the_logs_of_one(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "usage" / "aw_session.jsonl"):
        with pytest.raises(SessionUnreadable) as refused:
            next(read_once(path))
        assert refused.value.hint.endswith(f"make its session first: opvalue session collect {tmp_path}")
    assert unreadable(tmp_path, PermissionError(13, "no")).hint == "Make it readable, or give another file."
    nowhere = unreadable(tmp_path / "no" / "usage" / "aw_session.jsonl", FileNotFoundError(2, "nothing"))
    assert nowhere.hint == SessionUnreadable.advice


@pytest.mark.parametrize(
    ("begins", "found"), [(b"PK\x03\x04", "a ZIP archive"), (b"\x1f\x8b\x08\0", "gzip"), (b"\x28\xb5\x2f\xfd", "zstd")]
)
def test_an_archive_has_to_be_unpacked(tmp_path: Path, begins: bytes, found: str) -> None:
    (tmp_path / "usage.zip").write_bytes(begins + b"...")
    with pytest.raises(SessionUnreadable, match="it is an archive") as refused:
        next(read_once(tmp_path / "usage.zip"))
    assert (refused.value.found, refused.value.hint[:10]) == (found, "Unpack it.")
    with pytest.raises(SessionUnreadable, match="it is an archive"):
        next(_copied(tmp_path / "usage.zip", Limits()))


def test_no_place_for_a_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("opvalue.process.private.temporary_place", lambda: tmp_path / "nowhere")
    with standard_input(starts(10)), pytest.raises(NoPrivateFolder), open_session(Path("-")):
        pass


@pytest.mark.parametrize(
    "content",
    [
        b"\x7fELF\x02\x01",
        b"\x89PNG\r\n\x1a\n",
        b"SQLite format 3\0",
        bytes(5000),
        b"caf\xe9 x",
        b"\xff" * 5000 + b"\n{}\n",
    ],
)
def test_binary_data_is_no_session(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "s.jsonl"
    file.write_bytes(content)
    for read in (read_once, _copied):
        with pytest.raises(SessionUnreadable, match="it is no session") as refused:
            next(read(file, limits=Limits()))
        assert (refused.value.found, refused.value.hint) == ("binary data", SessionUnreadable.advice)
        with standard_input(content), pytest.raises(SessionUnreadable, match="it is no session"):
            next(read(Path("-"), limits=Limits()))
    # Behind a damaged beginning there may be events.
    assert b"".join(read_once(file, skip_malformed=True)) == content
    with open_session(file, skip_malformed=True) as session:
        assert b"".join(session.blocks()) == content


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        b"a log\x1b[0m\n",
        b"caf\xc3\xa9" * 1000,
        b"\xff\n {}\n",
        b"\0\0\0[",
        b"\xef\xbb\xbf{}",
        '{"a"'.encode("utf-16"),
        '{"a"'.encode("utf-16-be"),
        '\ufeff["a"'.encode("utf-32-be"),
    ],
)
def test_what_may_be_a_session_is_for_its_reader_to_judge(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "s.jsonl"
    file.write_bytes(content)
    assert b"".join(read_once(file)) == content


def test_an_archive_through_a_pipe() -> None:
    with standard_input(b"PK\x03\x04..."), pytest.raises(SessionUnreadable, match="it is an archive"):
        next(read_once(Path("-")))


def test_a_folder_that_is_closed_to_us(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(path: Any, *arguments: Any, **more: Any) -> os.stat_result:
        if "usage" in str(path):
            raise PermissionError(13, "Permission denied")
        return status(path, *arguments, **more)

    status = os.stat
    monkeypatch.setattr(os, "stat", closed)
    with pytest.raises(SessionUnreadable, match="it is a folder"):
        next(read_once(tmp_path))
    away = unreadable(tmp_path / "usage" / "x" / "usage" / "aw_session.jsonl", FileNotFoundError(2, "nothing"))
    assert away.hint == SessionUnreadable.advice


def test_a_socket_is_no_session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("s")
        with pytest.raises(SessionUnreadable, match="it is a socket, or a device"):
            next(read_once(Path("s")))
