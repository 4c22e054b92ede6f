import os
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opvalue.process import Finished, LeftRunning, OutputTooLarge, StatusLost, TimedOut, exchange, run
from opvalue.process.child import Command
from tests.process.helpers import BASH, bash, is_alive, run_bash


def test_a_child_gets_its_input_and_gives_its_output_and_status() -> None:
    finished = run_bash("cat; echo trouble >&2; exit 3", stdin=b"evidence")
    assert finished[:3] == (3, b"evidence", b"trouble\n")
    assert 0 < finished.seconds < 20


def test_a_signal_shows_as_its_negative_number() -> None:
    assert run_bash("kill -9 $$").status == -9


def test_the_environment_is_exactly_the_given_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPVALUE_CANARY", "leaked")
    finished = run(bash("", argv=("/usr/bin/env",), env={"ONLY": "this"}))
    assert finished.stdout == b"ONLY=this\n"


def test_the_working_folder_is_the_given_one(tmp_path: Path) -> None:
    assert run_bash("pwd -P", cwd=tmp_path).stdout.decode().strip() == os.path.realpath(tmp_path)


def test_the_child_leads_a_session_and_group_of_its_own() -> None:
    finished = run(bash("", argv=(sys.executable, "-c", "import os; print(os.getpid(), os.getpgid(0), os.getsid(0))")))
    pid, group, session = finished.stdout.split()
    assert pid == group == session


def test_files_are_created_for_their_owner_alone(tmp_path: Path) -> None:
    run_bash(": >made", cwd=tmp_path)
    assert (tmp_path / "made").stat().st_mode & 0o777 == 0o600


def test_without_input_standard_input_is_empty() -> None:
    assert run_bash("cat; echo done").stdout == b"done\n"


@pytest.mark.parametrize("size", [1, 65536, 65537, 1_000_000])
def test_input_and_output_larger_than_a_pipe_do_not_block_each_other(size: int) -> None:
    data = os.urandom(size)
    finished = run_bash("tee /dev/stderr", stdin=data, stream_bytes=size)
    assert finished.stdout == finished.stderr == data


def test_a_child_that_does_not_read_its_input_is_not_at_fault() -> None:
    assert run_bash("exit 0", stdin=b"x" * 5_000_000).status == 0
    assert run_bash("exec <&-; sleep 0.05; echo on", stdin=b"x" * 5_000_000).stdout == b"on\n"


def test_a_pipe_that_is_full_after_all_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    answers = iter([BlockingIOError])

    def full_once(descriptor: int, data: bytes) -> int:
        for answer in answers:
            raise answer
        return write(descriptor, data)

    monkeypatch.setattr(os, "write", full_once)
    assert run_bash("cat", stdin=b"evidence").stdout == b"evidence"


@settings(max_examples=15, deadline=None)
@given(cap=st.integers(0, 70_000), over=st.booleans())
def test_the_cap_is_exact(cap: int, over: bool) -> None:
    size = cap + over
    command = bash(f"head -c {size} /dev/zero", stream_bytes=cap)
    if over:
        with pytest.raises(OutputTooLarge):
            run(command)
    else:
        assert len(run(command).stdout) == size


@pytest.mark.parametrize(("script", "stream"), [("yes", "standard output"), ("yes >&2", "standard error")])
def test_too_much_output_stops_the_child_while_it_writes(script: str, stream: str) -> None:
    with pytest.raises(OutputTooLarge) as caught:
        run_bash(script, stream_bytes=1000)
    assert caught.value.code == "process.output-too-large"
    assert caught.value.message == f"/bin/bash wrote more than 1000 bytes to {stream}"


def test_the_deadline_holds_and_names_what_ran_and_the_limit() -> None:
    before = time.monotonic()
    with pytest.raises(TimedOut) as caught:
        run_bash("sleep 600", seconds=0.3, name="--grade-run")
    assert time.monotonic() - before < 5
    assert caught.value.code == "process.timed-out"
    assert caught.value.message == "--grade-run did not end within 0.3 s"


def test_waiting_for_us_does_not_count() -> None:
    assert run_bash("sleep 0.4; echo late", seconds=0.2, grace=lambda: 5.0).stdout == b"late\n"
    with pytest.raises(TimedOut) as caught:
        run_bash("sleep 5", seconds=0.1, grace=lambda: 0.1)
    assert "within 0.1 s" in caught.value.message


def test_a_timed_out_child_and_its_children_are_dead(tmp_path: Path) -> None:
    with pytest.raises(TimedOut):
        run_bash("sleep 600 & echo $! $$ >pids; wait", seconds=0.5, cwd=tmp_path)
    assert not any(is_alive(int(pid)) for pid in (tmp_path / "pids").read_text().split())


def test_a_child_that_ignores_signals_is_killed_all_the_same() -> None:
    with pytest.raises(TimedOut):
        run_bash("trap '' TERM INT HUP; while :; do sleep 1; done", seconds=0.3)


def test_a_process_substitution_may_end_a_moment_later() -> None:
    assert run_bash("echo late > >(sleep 0.1; cat)").stdout == b"late\n"


def test_what_outlives_the_child_is_an_error_that_keeps_the_result() -> None:
    with pytest.raises(LeftRunning) as caught:
        run_bash("sleep 600 & echo score; exit 4")
    assert caught.value.code == "process.left-running"
    assert caught.value.finished[:3] == (4, b"score\n", b"")
    assert caught.value.found in {"1 in its process group: sleep", "1 in its process group: a process"}


def test_the_wait_after_a_kill_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    end = exchange.Exchange.end
    took = []

    def end_and_wait(self: exchange.Exchange) -> None:
        before = time.monotonic()
        end(self)
        took.append(time.monotonic() - before)
        self._process.wait()

    monkeypatch.setattr(exchange, "_KILLED_SECONDS", 0.1)
    monkeypatch.setattr(exchange, "kill_group", lambda _group: None)
    monkeypatch.setattr(exchange.Exchange, "end", end_and_wait)
    with pytest.raises(TimedOut):
        run_bash("sleep 0.6", seconds=0.1)
    assert 0.1 <= took[0] < 0.4


def test_a_status_that_the_system_threw_away_is_not_taken_for_success(monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(_pid: int, _options: int) -> tuple[int, int]:
        raise ChildProcessError

    started = exchange.Exchange.until_exit

    def until_exit(self: exchange.Exchange) -> None:
        with monkeypatch.context() as patch:
            os.waitpid(self._process.pid, 0)
            patch.setattr(os, "waitpid", lost)
            started(self)

    monkeypatch.setattr(exchange.Exchange, "until_exit", until_exit)
    with pytest.raises(StatusLost) as caught:
        run_bash("exit 1")
    assert caught.value.code == "process.status-lost"


@pytest.fixture
def no_exit_descriptor(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a system without one, where the child's end has to be asked for."""
    monkeypatch.setattr(exchange, "_exit_descriptor", lambda _pid: None)


@pytest.mark.usefixtures("no_exit_descriptor")
def test_the_end_is_noticed_by_asking_as_well() -> None:
    assert run_bash("sleep 0.05; exit 5").status == 5
    assert run_bash("exec >&- 2>&-; sleep 0.05; exit 6").status == 6
    with pytest.raises(TimedOut):
        run_bash("sleep 600", seconds=0.2)


def test_no_descriptor_for_the_end_where_the_system_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_pid: int) -> int:
        raise PermissionError

    monkeypatch.setattr(os, "pidfd_open", refused, raising=False)
    assert exchange._exit_descriptor(1) is None
    monkeypatch.delattr(os, "pidfd_open")
    assert exchange._exit_descriptor(1) is None


def test_nothing_stays_open() -> None:
    folder = Path("/proc/self/fd" if Path("/proc/self/fd").exists() else "/dev/fd")
    before = len(list(folder.iterdir()))
    for _ in range(3):
        run_bash("cat", stdin=b"x")
        with pytest.raises(TimedOut):
            run_bash("sleep 600", seconds=0.05)
        with pytest.raises(OutputTooLarge):
            run_bash("yes", stream_bytes=10)
    assert len(list(folder.iterdir())) == before


def test_names_and_shapes() -> None:
    command = Command(argv=(BASH,), cwd=Path("/"), env={}, seconds=1, stream_bytes=1)
    assert command.title == BASH
    assert command._replace(name="bash -n").title == "bash -n"
    assert Finished._fields == ("status", "stdout", "stderr", "seconds")
