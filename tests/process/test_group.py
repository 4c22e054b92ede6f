import os
import subprocess
import time
from pathlib import Path

import pytest

from opvalue.process import group


def refuse(_group: int, _number: int) -> None:
    raise PermissionError


def gone(_group: int, _number: int) -> None:
    raise ProcessLookupError


def test_a_group_that_is_gone_or_not_ours_is_no_error_to_kill(monkeypatch: pytest.MonkeyPatch) -> None:
    for answer in (refuse, gone):
        monkeypatch.setattr(os, "killpg", answer)
        group.kill_group(1)


def test_members_are_named_until_they_are_killed() -> None:
    process = subprocess.Popen(["/bin/bash", "-c", "sleep 600 & sleep 600"], start_new_session=True)
    try:
        expected = ("bash", "sleep", "sleep") if Path("/proc/self/stat").exists() else ("a process",)
        deadline = time.monotonic() + 10
        while (found := group.living_members(process.pid)) != expected:
            assert time.monotonic() < deadline, found
    finally:
        group.kill_group(process.pid)
        process.wait()
    while group.living_members(process.pid):
        pass
    assert group.living_members(process.pid) == ()


def test_a_group_without_members_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "killpg", gone)
    assert group.living_members(1) == ()


def test_without_a_list_of_processes_they_only_count(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(group, "_PROC", tmp_path)
    assert group.living_members(os.getpgid(0)) == ("a process",)
    monkeypatch.setattr(os, "killpg", refuse)
    assert group.living_members(os.getpgid(0)) == ()


@pytest.fixture
def proc(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A made-up list of processes, of which some answer a signal."""
    monkeypatch.setattr(group, "_PROC", tmp_path)
    monkeypatch.setattr(os, "killpg", lambda _group, _number: None)
    write(tmp_path, "self", b"")
    write(tmp_path, "11", b"11 (dead) Z 1 77 77 0")
    write(tmp_path, "12", b"12 (other) R 1 78 78 0")
    (tmp_path / "13").mkdir()
    return tmp_path


def write(proc: Path, pid: str, stat: bytes) -> None:
    (proc / pid).mkdir()
    (proc / pid / "stat").write_bytes(stat)


def test_zombies_and_vanished_processes_do_not_count(proc: Path) -> None:
    assert group.living_members(77) == ()
    write(proc, "10", b"10 (a (strange) name) S 1 77 77 0")
    assert group.living_members(77) == ("a (strange) name",)


def test_members_of_another_user_count(proc: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(proc, "10", b"10 (sudo) S 1 77 77 0")
    monkeypatch.setattr(os, "killpg", refuse)
    assert group.living_members(77) == ("sudo",)


@pytest.mark.usefixtures("proc")
def test_a_group_that_answers_and_is_never_seen_is_taken_for_alive() -> None:
    assert group.living_members(79) == ("a process",)
