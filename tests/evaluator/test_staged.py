import os
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from opvalue.evaluator import CannotLay, Changed, ExitStatus, Killed, Probe, Runner, StandIn, SyntaxInvalid
from opvalue.evaluator import staged as room
from opvalue.evaluator.layout import Layout
from opvalue.limits import Limits
from opvalue.process import Command, Finished, LeftRunning, OutputTooLarge, TimedOut, run
from tests.evaluator.helpers import SIBLING, call, staged

MODES = """
case "$1" in
  --definition) printf 'definition %s' "$(cat)" ;;
  --metric) printf 'metric %s' "$(cat)" ;;
  --grade-run) printf 'graded %s' "$(cat)" ;;
esac
"""


def test_the_three_modes_get_their_input_and_give_their_output(sandboxed: bool) -> None:
    with staged(MODES, sandboxed=sandboxed) as script:
        script.check_syntax()
        assert script.definition() == b"definition "
        assert script.metric(b"evidence") == b"metric evidence"
        assert script.grade_run(b"request") == b"graded request"
        assert script.left_behind() == ()


def test_standard_error_on_success_does_not_matter(sandboxed: bool) -> None:
    assert call("echo noise >&2; echo score", sandboxed=sandboxed) == "score\n"


def test_siblings_are_sourced_from_the_private_tree(sandboxed: bool) -> None:
    script = (
        'source "$(dirname "${BASH_SOURCE[0]}")/../lib/runtime.sh"; source "$GITHUB_WORKSPACE/.github/lib/runtime.sh"'
    )
    assert call(script, (SIBLING, b"echo sourced\n"), sandboxed=sandboxed) == "sourced\nsourced\n"


def test_there_is_no_workspace_without_siblings(sandboxed: bool) -> None:
    assert call('echo "${GITHUB_WORKSPACE-unset}"', sandboxed=sandboxed) == "unset\n"


def test_each_call_starts_in_an_empty_folder_that_is_also_the_place_for_temporary_files(sandboxed: bool) -> None:
    script = 'ls -A . "$HOME"; touch left "$HOME/state"; [[ $PWD == "$TMPDIR" && $PWD != "$HOME" ]] && echo same'
    with staged(script, sandboxed=sandboxed) as ready:
        for _ in range(2):
            output = ready.call("--any", seconds=20).stdout.decode()
            assert output.endswith("same\n")
            assert "left" not in output
            assert "state" not in output


def test_what_is_left_in_the_scratch_folder_is_named(sandboxed: bool) -> None:
    script = r"""case "$1" in --definition) touch one ;; *) mkdir -p deep/er; touch $'esc\e[31m' "$(mktemp)" ;; esac"""
    with staged(script, sandboxed=sandboxed) as ready:
        ready.definition()
        ready.grade_run(b"{}")
        first, *rest = ready.left_behind()
    assert first == "one"
    assert rest[:2] == ["deep/", "esc\\u001b[31m"]
    assert rest[2].startswith("tmp.")


def test_a_scratch_folder_that_was_closed_or_removed_is_no_trouble() -> None:
    assert call("touch file; chmod 0 .; echo fine", sandboxed=False) == "fine\n"
    assert call('cd /; rmdir "$TMPDIR"; echo fine', sandboxed=False) == "fine\n"


def test_many_left_files_are_named_in_part(sandboxed: bool) -> None:
    with staged("touch {100..399}", sandboxed=sandboxed) as ready:
        ready.grade_run(b"{}")
        assert ready.left_behind() == tuple(str(number) for number in range(100, 200))


def test_the_syntax_is_checked_without_running_anything(tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    with staged(f'touch "{marker}"\nif true; then', sandboxed=False) as ready, pytest.raises(SyntaxInvalid) as caught:
        ready.check_syntax()
    assert caught.value.code == "evaluator.syntax"
    assert ".github/graders/value.sh: line 4: syntax error" in caught.value.message
    assert "/tmp" not in caught.value.message
    assert not marker.exists()


def test_a_script_is_asked_about_once(monkeypatch: pytest.MonkeyPatch) -> None:
    room._sound.clear()
    ran: list[str] = []

    def counted(command: Command) -> Finished:
        ran.append(command.name)
        return run(command)

    monkeypatch.setattr(room, "run", counted)
    for script in ("echo one", "echo one", "echo two"):
        with staged(script, sandboxed=False) as ready:
            ready.check_syntax()
            ready.check_syntax()
    assert ran == ["bash -n", "bash -n"]


def test_the_exit_status_is_judged_before_the_output(sandboxed: bool) -> None:
    script = "echo 0.5; echo ' went wrong ' >&2; exit 3"
    with staged(script, sandboxed=sandboxed) as ready, pytest.raises(ExitStatus) as caught:
        ready.grade_run(b"{}")
    assert caught.value.code == "evaluator.exit-status"
    assert caught.value.message == "the evaluator's --grade-run failed: went wrong"
    assert caught.value.found == "exit status 3"


def test_a_message_names_repository_paths_and_steers_no_terminal(sandboxed: bool) -> None:
    script = "nosuchcommand; printf '\\e[31mred' >&2; exit 1"
    with staged(script, sandboxed=sandboxed) as ready, pytest.raises(ExitStatus) as caught:
        ready.definition()
    assert caught.value.message == (
        "the evaluator's --definition failed: .github/graders/value.sh: line 2: nosuchcommand: command not found\n"
        "\\u001b[31mred"
    )


def test_a_killed_script_is_named_alike_with_and_without_the_sandbox(sandboxed: bool) -> None:
    with staged("kill -9 $$", sandboxed=sandboxed) as ready, pytest.raises(Killed) as caught:
        ready.grade_run(b"{}")
    assert caught.value.code == "evaluator.killed"
    assert caught.value.message == "the evaluator's --grade-run was ended by SIGKILL"


def test_a_deadline_names_mode_and_limit(sandboxed: bool) -> None:
    limits = Limits(definition_seconds=0.3, grade_run_seconds=0.4)
    with staged("sleep 600", sandboxed=sandboxed, limits=limits) as ready:
        with pytest.raises(TimedOut, match=r"the evaluator's --definition did not end within 0\.3 s"):
            ready.definition()
        with pytest.raises(TimedOut, match=r"the evaluator's --metric did not end within 0\.3 s"):
            ready.metric(b"")
        with pytest.raises(TimedOut, match=r"the evaluator's --grade-run did not end within 0\.4 s"):
            ready.grade_run(b"")


def test_output_is_capped(sandboxed: bool) -> None:
    with staged("yes", sandboxed=sandboxed) as ready, pytest.raises(OutputTooLarge) as caught:
        ready.grade_run(b"{}")
    assert caught.value.message == "the evaluator's --grade-run wrote more than 1048576 bytes to standard output"


def test_leftovers_come_after_the_exit_status(sandboxed: bool) -> None:
    with staged("sleep 600 & exit ${1#--}", sandboxed=sandboxed) as ready:
        with pytest.raises(LeftRunning):
            ready.call("--0", seconds=20)
        with pytest.raises(ExitStatus):
            ready.call("--7", seconds=20)


def test_a_script_without_arguments_can_be_run(sandboxed: bool) -> None:
    with staged('echo "$#"', sandboxed=sandboxed) as ready:
        assert ready.call(seconds=20).stdout == b"0\n"
    with staged("exit 1", sandboxed=sandboxed) as ready, pytest.raises(ExitStatus, match="the evaluator failed"):
        ready.call(seconds=20)


def test_without_a_stand_in_there_is_no_gh_of_ours(sandboxed: bool) -> None:
    with staged(
        "case $(command -v gh) in *stand-in*) exit 1 ;; esac; echo fine", sandboxed=sandboxed, stand_in=StandIn()
    ) as ready:
        assert ready.grade_run(b"{}") == b"fine\n"


def test_the_brokers_folder_lies_beside_the_stand_ins(sandboxed: bool) -> None:
    script = 'gh=$(command -v gh); cat "${gh%/*}/../broker/word"; echo x >"${gh%/*}/../broker/mine" || echo kept'
    with staged(script, sandboxed=sandboxed, stand_in=StandIn((("gh", b"#!/bin/sh\n"),))) as ready:
        (ready.broker_folder / "word").write_text("here\n")
        assert ready.broker_folder.stat().st_mode & 0o777 == 0o700
        assert ready.grade_run(b"{}") == (b"here\nkept\n" if sandboxed else b"here\n")


def test_a_stand_in_of_the_caller_comes_first_and_brings_variables(sandboxed: bool) -> None:
    stand_in = StandIn(
        files=(("gh", b'#!/bin/sh\necho "answer for $GREETING"\n'), ("jq", b"#!/bin/sh\necho ours\n")),
        environment={"GREETING": "you", "PATH": "/nowhere"},
    )
    assert call("gh; jq", stand_in=stand_in, sandboxed=sandboxed) == "answer for you\nours\n"


def test_a_full_disk_is_a_coded_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with staged("echo", sandboxed=False) as ready:

        def refuse(*_arguments: object, **_options: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(Path, "mkdir", refuse)
        with pytest.raises(CannotLay, match="No space left on device"):
            ready.definition()


def test_everything_is_gone_afterwards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sandboxed: bool) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with staged("mkdir -p a/b; chmod 0 a/b a", sandboxed=sandboxed) as ready:
        ready.grade_run(b"{}")
        (private,) = tmp_path.iterdir()
        assert private.stat().st_mode & 0o777 == 0o700
    assert list(tmp_path.iterdir()) == []


def test_the_copy_is_compared_before_and_after(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    monkeypatch.setattr(Layout, "verify", lambda _self: seen.append("compared"))
    with staged("echo", sandboxed=False) as ready:
        ready.definition()
    assert len(seen) == 2


def test_a_change_between_calls_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with staged("echo honest", sandboxed=False) as ready:
        ready.definition()
        (script,) = tmp_path.glob("*/tree/.github/graders/value.sh")
        script.chmod(0o700)
        script.write_text("echo forged\n")
        for attempt in (ready.check_syntax, ready.definition):
            with pytest.raises(Changed) as caught:
                attempt()
            assert caught.value.code == "evaluator.changed"


def test_an_interrupt_removes_the_private_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    parent = os.getpid()
    with pytest.raises(KeyboardInterrupt), staged(f"kill -INT {parent}; sleep 600", sandboxed=False) as ready:
        ready.grade_run(b"{}")
    assert list(tmp_path.iterdir()) == []
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_one_runner_serves_several_threads(sandboxed: bool) -> None:
    runner = Runner(sandboxed=sandboxed)
    with ThreadPoolExecutor(2) as pool:
        outputs = list(pool.map(lambda number: call(f"echo {number}", runner=runner), range(8)))
    assert outputs == [f"{number}\n" for number in range(8)]


@pytest.mark.parametrize("place", ["$TMPDIR", "$HOME"])
@pytest.mark.parametrize("probed", [False, True])
def test_a_link_in_place_of_a_call_s_own_folder_is_not_followed(tmp_path: Path, place: str, probed: bool) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    outside.chmod(0o755)
    (outside / "kept").touch()
    probe = Probe() if probed else None
    with staged(f'cd /\nrmdir "{place}"\nln -s {outside} "{place}"', sandboxed=False) as ready:
        for _ in range(2):
            assert ready.call("--definition", seconds=10, probe=probe).status == 0
        assert ready.left_behind() == ()
    assert list(outside.iterdir()) == [outside / "kept"]
    assert outside.stat().st_mode & 0o777 == 0o755
    assert probe is None or probe.written == ()
