"""A session on disk: whole or not at all, and nothing else replaced."""

import errno
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from opvalue.atomic import OutputUnwritable
from opvalue.collect import collect, default_output, write
from opvalue.collect.errors import OutputNotASession, SourceUnreadable
from opvalue.errors import Interrupted, OpvalueError
from tests.collect.conftest import CALL, Run

OLD = b'{"type":"session.format","data":{"version":1}}\n{"old":1}\n'


def collected(run: Run) -> tuple[None, Iterable[bytes]]:
    return None, collect(run.folder).lines


def test_a_new_session_is_private_and_whole(run: Run, tmp_path: Path) -> None:
    run.lines("agent-session.jsonl", CALL)
    out = tmp_path / "s.jsonl"
    write(out, lambda: collected(run))
    assert out.read_bytes() == b"".join(collect(run.folder).lines)
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run", "s.jsonl"]


def test_a_session_is_replaced_and_twice_is_the_same(run: Run, tmp_path: Path) -> None:
    run.lines("agent-session.jsonl", CALL)
    out = tmp_path / "s.jsonl"
    out.write_bytes(OLD)
    write(out, lambda: collected(run))
    first = out.read_bytes()
    assert first != OLD
    write(out, lambda: collected(run))
    assert out.read_bytes() == first


@pytest.mark.parametrize("content", [b"precious", b'{"type":"session.start"}', b"{"])
def test_another_file_is_not_replaced(run: Run, tmp_path: Path, content: bytes) -> None:
    out = tmp_path / "s.jsonl"
    out.write_bytes(content)
    with pytest.raises(OutputNotASession):
        write(out, lambda: collected(run))
    assert out.read_bytes() == content


def test_neither_a_folder_nor_a_pipe_nor_a_link(run: Run, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "target").write_bytes(OLD)
    (tmp_path / "link").symlink_to("target")
    for name, refused in (("run", OutputNotASession), ("pipe", OutputNotASession), ("link", OutputUnwritable)):
        with pytest.raises(refused):
            write(tmp_path / name, lambda: collected(run))
    assert (tmp_path / "target").read_bytes() == OLD


@pytest.mark.parametrize("path", ["nowhere/s.jsonl", "run/file/s.jsonl", "a\0b"])
def test_a_place_that_cannot_be_written(run: Run, tmp_path: Path, path: str) -> None:
    run.put("file", "x")
    with pytest.raises(OutputUnwritable):
        write(tmp_path / path, lambda: collected(run))


@pytest.mark.parametrize(
    "failure", [SourceUnreadable("cannot read x"), Interrupted("interrupted"), KeyboardInterrupt()]
)
def test_a_failure_to_collect_leaves_no_session(tmp_path: Path, failure: BaseException) -> None:
    out = tmp_path / "s.jsonl"
    out.write_bytes(OLD)

    def fail() -> Any:
        raise failure

    with pytest.raises(type(failure)):
        write(out, fail)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_failure_to_write_leaves_nothing(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    out = tmp_path / "s.jsonl"
    out.write_bytes(OLD)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os if step == "fsync" else Path, step, full)
    with pytest.raises(OutputUnwritable, match="No space left"):
        write(out, lambda: collected(run))
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_a_temporary_file_of_another_run_is_left_alone(run: Run, tmp_path: Path) -> None:
    (tmp_path / "s.jsonl.tmp").write_bytes(b"at work")
    with pytest.raises(OutputUnwritable) as refused:
        write(tmp_path / "s.jsonl", lambda: collected(run))
    assert refused.value.hint.startswith("Another run may be at work")
    assert (tmp_path / "s.jsonl.tmp").read_bytes() == b"at work"


def test_what_the_lines_raise_comes_through(tmp_path: Path) -> None:
    def lines() -> Iterator[bytes]:
        yield OLD
        raise Interrupted("interrupted")

    with pytest.raises(Interrupted):
        write(tmp_path / "s.jsonl", lambda: (None, lines()))
    assert list(tmp_path.iterdir()) == []


class TestDefaultOutput:
    def test_it_lies_in_the_folder_and_is_no_source(self, run: Run) -> None:
        run.lines("agent-session.jsonl", CALL)
        out = default_output(run.folder)
        assert out == run.folder / "usage" / "aw_session.jsonl"
        write(out, lambda: collected(run))
        first = out.read_bytes()
        write(default_output(run.folder), lambda: collected(run))
        assert out.read_bytes() == first

    def test_not_behind_a_link(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "elsewhere").mkdir()
        (run.folder / "usage").symlink_to(tmp_path / "elsewhere")
        with pytest.raises(OutputNotASession):
            default_output(run.folder)
        (run.folder / "usage").unlink()
        (run.folder / "usage").symlink_to(tmp_path / "nowhere")
        with pytest.raises(OpvalueError):
            default_output(run.folder)
        assert list((tmp_path / "elsewhere").iterdir()) == []

    def test_a_file_in_the_way(self, run: Run) -> None:
        run.put("usage", "x")
        with pytest.raises(OutputUnwritable):
            default_output(run.folder)
