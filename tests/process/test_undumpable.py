"""A child that tries to read its parent. Root reads everything, so the pair gives up root first."""

import ctypes
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from opvalue.process import undumpable

linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has /proc/PID/mem")

PROGRAM = textwrap.dedent(
    """
    import ctypes, os, re, sys
    sys.path.insert(0, sys.argv[1])
    from opvalue.process.undumpable import undumpable

    kept = "ghp_" + "memory" * 6
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)
        # Giving up root has closed this process already.
        ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)
    if sys.argv[2] == "closed":
        print(undumpable(), flush=True)
    child = os.fork()
    if child:
        sys.exit(os.waitpid(child, 0)[1])

    parent = os.getppid()

    def attempt(name, read):
        try:
            print(name, read())
        except OSError as error:
            print(name, error.strerror)

    def environ():
        with open(f"/proc/{parent}/environ", "rb") as file:
            return b"SECRET=value" in file.read()

    def memory():
        wanted = kept.encode()
        with open(f"/proc/{parent}/maps") as maps, open(f"/proc/{parent}/mem", "rb", 0) as mem:
            for line in maps:
                first, last, mode = re.match("([0-9a-f]+)-([0-9a-f]+) (....)", line).groups()
                if mode[:2] == "rw":
                    mem.seek(int(first, 16))
                    if wanted in mem.read(int(last, 16) - int(first, 16)):
                        return True
        return False

    attempt("environ", environ)
    attempt("memory", memory)
    attempt("descriptors", lambda: bool(os.listdir(f"/proc/{parent}/fd")))
    """
)


def told(state: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-I", "-c", PROGRAM, str(Path(__file__).parents[2]), state],
        env={"SECRET": "value", "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return list(done.stdout.splitlines())


@linux
def test_a_child_reads_nothing_of_a_closed_parent() -> None:
    assert told("closed") == [
        "True",
        "environ Permission denied",
        "memory Permission denied",
        "descriptors Permission denied",
    ]


@linux
def test_a_child_reads_an_open_parent() -> None:
    """So that the test above shows something. A machine may forbid the reading of memory to everybody."""
    environ, memory, descriptors = told("open")
    assert (environ, descriptors) == ("environ True", "descriptors True")
    assert memory in {"memory True", "memory Permission denied", "memory Operation not permitted"}


def test_elsewhere_nothing_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(ctypes, "CDLL", lambda _: pytest.fail("called"))
    assert undumpable() is False


def test_a_system_that_refuses_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    class Refusing:
        def prctl(self, *_: int) -> int:
            return -1

    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(ctypes, "CDLL", lambda _: Refusing())
    assert undumpable() is False
    monkeypatch.setattr(ctypes, "CDLL", lambda _: object())
    assert undumpable() is False


def test_it_costs_nothing_before_it_is_wanted() -> None:
    code = "import sys, opvalue.process; print('ctypes' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "False\n"
