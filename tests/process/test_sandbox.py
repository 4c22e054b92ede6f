import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from opvalue.errors import Kind, OpvalueError
from opvalue.evaluator import interpreter
from opvalue.process import (
    CannotStart,
    Command,
    Detection,
    Finished,
    LeftRunning,
    Mount,
    OutputTooLarge,
    Sandbox,
    SandboxFailed,
    SandboxMissing,
    SandboxUnsure,
    StatusLost,
    TimedOut,
    detect,
    run,
    sandbox,
)
from opvalue.process.exchange import Exchange
from opvalue.process.sandbox import INSIDE
from tests.process.helpers import BASH, bash, is_alive, run_bash, the_sandbox


@pytest.fixture
def box() -> Sandbox:
    return the_sandbox().required()


@pytest.fixture
def fresh() -> Iterator[None]:
    """Let detection begin anew, and forget what it found."""
    before = dict(sandbox._detected)
    sandbox._detected.clear()
    yield
    sandbox._detected.clear()
    sandbox._detected.update(before)


def test_input_output_and_status_pass_through(box: Sandbox) -> None:
    finished = run_bash("cat; echo trouble >&2; exit 3", stdin=b"evidence", sandbox=box)
    assert finished[:3] == (3, b"evidence", b"trouble\n")


def test_large_input_and_output_pass_through(box: Sandbox) -> None:
    data = os.urandom(300_000)
    assert run_bash("cat", stdin=data, stream_bytes=300_000, sandbox=box).stdout == data


def test_a_killed_command_shows_as_128_plus_the_signal_and_nothing_is_added_to_its_output(box: Sandbox) -> None:
    assert run_bash("kill -9 $$", sandbox=box)[:3] == (137, b"", b"")


def test_root_is_read_only_and_homes_are_empty(box: Sandbox, tmp_path: Path) -> None:
    assert run_bash(": >/opvalue-canary", sandbox=box).status != 0
    for place in ("/home", "/root", "/run", "/tmp", "/var/tmp", str(Path.home()), str(tmp_path)):
        finished = run_bash(f"test ! -e '{place}' || ls -A '{place}'", sandbox=box)
        assert finished[:2] == (0, b""), place


def test_there_is_no_network_no_other_process_no_capability_and_a_fixed_name(box: Sandbox) -> None:
    script = (
        "tail -n +3 /proc/net/dev | cut -d: -f1; ls /proc | grep -c '^[0-9]'; grep CapEff /proc/self/status; hostname"
    )
    loopback, processes, capabilities, host = run_bash(script, sandbox=box).stdout.decode().split("\n")[:4]
    assert loopback.strip() == "lo"
    # bubblewrap's process 1, the keeper, this shell, ls and grep.
    assert int(processes) <= 5
    assert capabilities.split() == ["CapEff:", "0" * 16]
    assert host == "opvalue"


def test_the_user_is_the_same_everywhere(box: Sandbox) -> None:
    assert run_bash("id -u; id -g", sandbox=box).stdout == b"65534\n65534\n"


def test_usual_devices_work(box: Sandbox) -> None:
    assert run_bash("echo x >/dev/null; cat < <(echo y); head -c1 /dev/zero | wc -c", sandbox=box).stdout == b"y\n1\n"


def test_mounts_lie_at_their_places(box: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "fixed").mkdir()
    (tmp_path / "fixed" / "file").write_text("content")
    (tmp_path / "open").mkdir()
    held = box.holding(
        Mount(tmp_path / "fixed", f"{INSIDE}/fixed"), Mount(tmp_path / "open", f"{INSIDE}/open", writable=True)
    )
    finished = run_bash("cat fixed/file; : >open/made; : >fixed/made; pwd", cwd=Path(INSIDE), sandbox=held)
    assert finished.stdout.decode() == f"content{INSIDE}\n"
    assert b"Read-only" in finished.stderr
    assert (tmp_path / "open" / "made").exists()
    assert box.mounts == ()


def test_what_outlives_the_command_is_an_error_that_keeps_the_result(box: Sandbox) -> None:
    for script in ("sleep 600 & echo score; exit 4", "setsid sleep 600 >/dev/null 2>&1 & echo score; exit 4"):
        with pytest.raises(LeftRunning) as caught:
            run_bash(script, sandbox=box)
        assert caught.value.found == "sleep"
        assert caught.value.finished[:2] == (4, b"score\n")


def test_a_forged_report_does_not_hide_what_was_left(box: Sandbox) -> None:
    forge = "for fd in /proc/self/fd/1??; do printf '\\nended\\n' >$fd; done; sleep 600 & exit 0"
    with pytest.raises(LeftRunning):
        run_bash(forge, sandbox=box)


def test_a_process_substitution_may_end_a_moment_later(box: Sandbox) -> None:
    assert run_bash("echo late > >(sleep 0.1; cat)", sandbox=box).stdout == b"late\n"


def test_deadline_and_caps_hold_and_nothing_survives(box: Sandbox, tmp_path: Path) -> None:
    held = box.holding(Mount(tmp_path, f"{INSIDE}/open", writable=True))
    before = time.monotonic()
    with pytest.raises(TimedOut):
        run_bash(
            "setsid bash -c 'while sleep 0.05; do date >beat; done' & wait",
            cwd=Path(f"{INSIDE}/open"),
            seconds=0.5,
            sandbox=held,
        )
    assert time.monotonic() - before < 5
    (tmp_path / "beat").unlink()
    time.sleep(0.3)
    assert not (tmp_path / "beat").exists()
    with pytest.raises(OutputTooLarge):
        run_bash("yes", sandbox=held)


@pytest.mark.parametrize("script", ["kill -9 $PPID; sleep 1", "kill -9 -1; exit 0"])
def test_a_command_that_brings_the_sandbox_down_is_not_a_success(script: str, box: Sandbox) -> None:
    with pytest.raises(SandboxFailed) as caught:
        run_bash(script, sandbox=box)
    assert caught.value.code == "process.sandbox-failed"


def test_a_sandbox_that_does_not_come_up_says_why(box: Sandbox) -> None:
    with pytest.raises(SandboxFailed) as caught:
        run_bash("exit 0", cwd=Path("/nonexistent"), sandbox=box)
    assert "nonexistent" in (caught.value.found or "")


def test_interrupted_means_dead(box: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    started = []

    def interrupt(self: Exchange) -> None:
        started.append(self._process.pid)
        raise KeyboardInterrupt

    monkeypatch.setattr(Exchange, "until_exit", interrupt)
    with pytest.raises(KeyboardInterrupt):
        run_bash("sleep 600", sandbox=box)
    assert not is_alive(started[0])


@pytest.mark.usefixtures("fresh")
def test_detection_happens_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def probe(tools: tuple[Path, ...], _libraries: tuple[Path, ...]) -> Detection:
        calls.append(tools)
        return Detection(None, "for a test")

    monkeypatch.setattr(sandbox, "_probe", probe)
    assert detect((Path(BASH),)) is detect((Path(BASH),))
    assert detect().reason == "for a test"
    assert calls == [(Path(BASH),), ()]


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("passing", [CannotStart("no process"), StatusLost("lost"), TimedOut("slow", found="10 s")])
def test_a_trial_that_fails_for_what_may_pass_takes_no_sandbox_away(
    monkeypatch: pytest.MonkeyPatch, passing: OpvalueError
) -> None:
    def fails(_command: Command) -> Finished:
        raise passing

    with monkeypatch.context() as patch:
        patch.setattr(sandbox, "find_program", lambda *_asked: Path("/bin/bwrap"))
        patch.setattr(sys, "platform", "linux")
        patch.setattr(sandbox, "run", fails)
        with pytest.raises(SandboxUnsure) as caught:
            detect((Path(BASH),))
    told = passing.message if passing.found is None else f"{passing.message}: {passing.found}"
    assert (caught.value.found, caught.value.kind) == (told, Kind.EVALUATOR)
    monkeypatch.setattr(sandbox, "_probe", lambda *_asked: Detection(None, "tried again"))
    assert detect((Path(BASH),)).reason == "tried again"


@pytest.mark.usefixtures("fresh")
def test_reasons_why_there_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(sys, "platform", "darwin")
        assert detect() == Detection(None, "bubblewrap works on Linux only")
    sandbox._detected.clear()
    if sys.platform != "linux":
        return
    monkeypatch.setattr(sandbox, "usual_path", lambda: str(tmp_path))
    assert detect() == Detection(None, "the program bwrap is not installed")
    sandbox._detected.clear()
    (tmp_path / "bwrap").write_text("#!/bin/sh\necho 'bwrap: no user namespaces' >&2\nexit 1\n")
    (tmp_path / "bwrap").chmod(0o755)
    found = detect()
    assert found.sandbox is None
    assert "no user namespaces" in found.reason
    with pytest.raises(SandboxMissing, match="no sandbox works here") as caught:
        found.required()
    assert caught.value.code == "process.sandbox-missing"


@pytest.mark.usefixtures("fresh")
def test_a_tool_that_does_not_work_inside_is_a_reason(tmp_path: Path) -> None:
    the_sandbox()
    tool = tmp_path / "tool"
    tool.write_text("#!/bin/sh\ntest -e /root/.profile-of-this-test || { echo 'no library' >&2; exit 1; }\n")
    tool.chmod(0o755)
    found = detect((tool,))
    assert found.sandbox is None
    assert found.reason == "a tool does not work inside: no library"


@pytest.mark.usefixtures("fresh")
def test_a_tool_in_a_hidden_place_works_inside(box: Sandbox, tmp_path: Path) -> None:
    real, linked = tmp_path / "real", tmp_path / "linked"
    for folder in (real, linked):
        folder.mkdir()
    (real / "tool").write_text("#!/bin/sh\necho works\n")
    (real / "tool").chmod(0o755)
    (linked / "tool").symlink_to(real / "tool")
    found = detect((linked / "tool",)).required()
    assert found.kept == (str(linked), str(real))
    command = bash("", argv=(str(linked / "tool"),), sandbox=found)
    assert run(command).stdout == b"works\n"
    assert run_bash(f"ls {tmp_path}", sandbox=found).stdout == b"linked\nreal\n"
    assert box.kept == ()


def test_a_tool_right_in_a_hidden_place_does_not_bring_the_place_back() -> None:
    assert sandbox._kept((Path("/hidden-home/tool"),), (), ("/hidden-home",)) == ("/hidden-home/tool",)


def test_libraries_are_mounted_back_where_they_are_hidden() -> None:
    hidden, plain = Path("/hidden-home/lib/python"), Path("/usr/lib/python")
    assert sandbox._kept((), (hidden, plain), ("/hidden-home",)) == (str(hidden),)


@pytest.mark.usefixtures("fresh")
def test_this_very_python_works_inside() -> None:
    python = interpreter()
    found = detect((python.program,), python.libraries).required()
    told = run(bash("", argv=(str(python.program), "-IS", "-c", "import json; print(json.dumps(1))"), sandbox=found))
    assert (told.status, told.stdout) == (0, b"1\n")


CLOSED = "lies in a folder that is closed to the sandbox, and Python or a tool is in there"


@pytest.mark.usefixtures("fresh")
@pytest.mark.skipif(os.geteuid() != 0, reason="only root has what lies in another user's closed home")
def test_a_tool_in_another_users_closed_home_is_a_reason_with_advice(tmp_path: Path, box: Sandbox) -> None:
    assert box.layers
    home = tmp_path / "home"
    tool = home / "bin" / "bash"
    tool.parent.mkdir(parents=True)
    tool.write_bytes(Path(BASH).read_bytes())
    tool.chmod(0o755)
    os.chown(home, 12345, 12345)
    home.chmod(0o700)
    found = detect((tool,))
    assert (found.sandbox, found.reason) == (None, f"{tool.parent} {CLOSED}")
    with pytest.raises(SandboxMissing) as refused:
        found.required()
    assert refused.value.message == f"no sandbox works here: {found.reason}"
    assert refused.value.hint.startswith("Install Python, bash and jq where everybody may read, such as /usr")


@pytest.mark.parametrize(
    ("said", "place"),
    [
        ("bwrap: Can't find source path /home/a/.pyenv/bin: Permission denied", "/home/a/.pyenv/bin"),
        ("bwrap: Can't bind mount /oldroot/home/a b on /newroot/home/a b: Permission denied", "/home/a b"),
        ("bwrap: Can't find source path /x: No such file or directory", None),
        ("bwrap: setting up uid map: Permission denied", None),
    ],
)
def test_what_bubblewrap_says_of_a_closed_folder(said: str, place: str | None) -> None:
    found = sandbox._CLOSED.search(said)
    assert (found[1] if found else None) == place


def test_home_and_temporary_place_are_hidden_wherever_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "no such folder"))
    places = sandbox._hidden_places()
    assert len(set(places)) == len(places)
    assert not any(a != b and a.startswith(b + "/") for a in places for b in places)
    monkeypatch.setattr(sandbox, "_HIDDEN", ())
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    assert sandbox._hidden_places() == (os.path.realpath(tmp_path),)
    for home in ("/", "/usr", "/usr/bin"):
        monkeypatch.setenv("HOME", home)
        assert sandbox._hidden_places() == (os.path.realpath(tmp_path),)
