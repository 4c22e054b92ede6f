"""Real processes: statuses, signals, and every way in which the standard streams can be unusable."""

import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.conftest import Process

FULL = Path("/dev/full")
DRIVER = """
import sys
from opvalue.cli import programs, run
from opvalue.cli.command import LazyCommand

programs._COMMANDS["work"] = LazyCommand("work", "Work.", "Grade")
sys.exit(run("opvalue", sys.argv[1:]))
"""
SLEEPER = """
import pathlib, sys, time
from opvalue.cli.command import declare, json_option

@declare("work", examples=())
@json_option
def command(console):
    scratch = pathlib.Path("scratch")
    scratch.touch()
    try:
        with console.progress("working"):
            print("ready", file=sys.stderr, flush=True)
            time.sleep(60)
    finally:
        scratch.unlink()
"""


@pytest.fixture
def worker(process: Process) -> Process:
    """Give a program with a command that works for a minute."""
    (process.folder / "driver.py").write_text(DRIVER)
    (process.folder / "work.py").write_text(SLEEPER)
    return process


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
@pytest.mark.parametrize("json", [False, True])
def test_an_order_to_end_cleans_up_and_exits_130(worker: Process, number: signal.Signals, json: bool) -> None:
    child = worker.start("work", *(["--json"] if json else []))
    assert child.stderr is not None
    assert child.stderr.readline() == b"ready\n"
    child.send_signal(number)
    out, err = child.communicate(timeout=30)
    assert child.returncode == 130
    assert b"Traceback" not in out + err
    assert (b'"code": "interrupted"' in out) is json
    assert (b"[interrupted]" in err) is not json
    assert not (worker.folder / "scratch").exists()


def test_an_ignored_interrupt_stays_ignored(worker: Process) -> None:
    child = worker.start("work", preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
    assert child.stderr is not None
    assert child.stderr.readline() == b"ready\n"
    child.send_signal(signal.SIGINT)
    time.sleep(0.2)
    assert child.poll() is None
    child.terminate()
    child.communicate(timeout=30)
    assert child.returncode == 130


@pytest.mark.skipif(not FULL.exists(), reason="only Linux has a device that is always full")
@pytest.mark.parametrize(
    "argv", [["--version"], ["--help"], ["schema"], ["schema", "definition"], ["doctor", "--json"], ["nope", "--json"]]
)
def test_a_full_disk_is_an_error_with_a_code(process: Process, argv: list[str]) -> None:
    with FULL.open("wb") as full:
        status, _, err = process.run(*argv, stdout=full)
    assert status == 2
    assert "cannot write to standard output: No space left on device [cli.output-closed]" in err
    assert "Exception ignored" not in err
    assert "Traceback" not in err


@pytest.mark.parametrize("argv", ["--version", "--help", "schema definition", "doctor"])
def test_a_closed_standard_output_is_an_error_with_a_code(process: Process, argv: str) -> None:
    child = process.start(*argv.split(), stdout=None, preexec_fn=lambda: os.close(1))
    _, err = child.communicate(timeout=30)
    assert child.returncode == 2
    assert b"standard output is closed [cli.output-closed]" in err


def test_closed_input_and_error_are_borne(process: Process) -> None:
    def close() -> None:
        os.close(0)
        os.close(2)

    child = process.start("schema", "request", stdin=None, stderr=None, preexec_fn=close)
    out, _ = child.communicate(timeout=30)
    assert child.returncode == 0
    assert b'"title"' in out


def test_a_failure_that_cannot_be_told_keeps_its_status(process: Process) -> None:
    child = process.start("nope", stderr=None, preexec_fn=lambda: os.close(2))
    child.communicate(timeout=30)
    assert child.returncode == 2


@pytest.mark.parametrize("argv", ["--help", "help errors", "help errors --json", "completion bash", "nope --json"])
def test_a_reader_that_went_away_ends_it_quietly(process: Process, argv: str) -> None:
    read, write = os.pipe()
    os.close(read)
    child = process.start(*argv.split(), stdout=write)
    os.close(write)
    _, err = child.communicate(timeout=30)
    assert err == b""
    assert child.returncode == (2 if "nope" in argv else 141)


def test_head_is_a_reader_that_went_away(process: Process) -> None:
    child = process.start("help", "errors")
    head = subprocess.run(["head", "-n", "1"], stdin=child.stdout, capture_output=True, check=True)
    assert child.stdout is not None
    child.stdout.close()
    assert head.stdout.count(b"\n") == 1
    assert child.wait(timeout=30) in {0, 141}
    assert child.stderr is not None
    assert child.stderr.read() == b""
    child.stderr.close()


def test_a_terminal_gets_colour_and_progress_and_a_pipe_does_not(worker: Process) -> None:
    primary, secondary = os.openpty()
    child = worker.start("work", stderr=secondary, env={"TERM": "xterm"})
    os.close(secondary)
    seen = _read_until(primary, b"working", seconds=20)
    child.send_signal(signal.SIGINT)
    seen += _read_until(primary, b"[interrupted]", seconds=20)
    child.communicate(timeout=30)
    os.close(primary)
    assert child.returncode == 130
    assert b"\r\x1b[Kworking\r\x1b[K" in seen
    assert b"\x1b[31mopvalue:\x1b[0m interrupted" in seen


def _read_until(descriptor: int, wanted: bytes, *, seconds: float) -> bytes:
    seen = b""
    end = time.monotonic() + seconds
    while wanted not in seen and time.monotonic() < end:
        if select.select([descriptor], [], [], 0.2)[0]:
            seen += os.read(descriptor, 4096)
    return seen


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_narrow_locale_cannot_fail_on_text(process: Process, encoding: str) -> None:
    env = {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"}
    answer = process.run("schéma—x", env=env)
    assert answer.status == 2
    assert "[cli.unknown-command]" in answer.err
    assert process.run("schema", "definition", env=env).status == 0


def test_a_name_that_is_not_unicode_is_shown_escaped(process: Process) -> None:
    with subprocess.Popen(
        [os.fsencode(sys.executable), b"-P", b"-m", b"opvalue", b"\xff"],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=process.env,
        cwd=process.folder,
    ) as child:
        _, err = child.communicate(timeout=30)
    assert child.returncode == 2
    assert b"udcff" in err


def test_the_quick_version_answer_is_the_slow_one(process: Process) -> None:
    quick = process.run("--version")
    slow = process.run("--color", "never", "--version")
    assert quick == slow
    assert quick.status == 0


def test_a_hostile_folder_is_not_imported_from(process: Process, tmp_path: Path) -> None:
    for name in ("click", "opvalue", "yaml", "re"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('owned')")
    process.env.pop("PYTHONPATH")
    assert process.run("--help").status == 0
    assert process.run("help", "exit-codes").status == 0
