"""Sessions that come through a pipe are read to their end, whatever their size."""

import io
import json
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from opvalue.cli.errors import SessionUnreadable
from opvalue.cli.session_input import open_session
from opvalue.process.errors import NoPrivateFolder
from tests.cli.conftest import Answer

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
        with os.fdopen(writing, "wb") as file:
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
    data = bytes(number % 251 for number in range(size))
    with standard_input(data), open_session(Path(name)) as file:
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


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_no_room_for_a_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.TemporaryFile", lambda **_how: io.FileIO("/dev/full", "r+"))
    with standard_input(starts(10)), pytest.raises(SessionUnreadable, match="No space left"), open_session(Path("-")):
        pass


def test_no_place_for_a_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("opvalue.process.private.temporary_place", lambda: tmp_path / "nowhere")
    with standard_input(starts(10)), pytest.raises(NoPrivateFolder), open_session(Path("-")):
        pass
