"""What a person sees of an online regrade, on a terminal and in pipes, and when it is interrupted."""

import os
import pty
import re
import select
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.online.stage import RUN_ID, Program, Stage
from tests.process.helpers import is_alive
from tests.sim import Fault, FaultKind, SimServer
from tests.support.canary import Hunt

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

ASK = ("regrade", str(RUN_ID), "--evidence-at", "2025-08-25T00:00:00Z", "--no-sandbox")
ERASED = "\r\x1b[K"


class Terminal:
    """A terminal of 80 columns with what was written to it."""

    def __init__(self) -> None:
        self.own, self.theirs = pty.openpty()
        self.written = b""

    def read(self, *, until: Callable[[], bool], seconds: float = 30) -> str:
        """Read until a condition holds and nothing more comes."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            ready, _, _ = select.select([self.own], [], [], 0.05)
            if ready:
                self.written += os.read(self.own, 65536)
            elif until():
                return self.written.decode().replace("\r\n", "\n")
        raise AssertionError(self.written)

    def close(self) -> None:
        os.close(self.own)
        os.close(self.theirs)


@pytest.fixture
def terminal() -> "Terminal":
    return Terminal()


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def test_it_says_what_it_does_and_leaves_nothing_of_it(
    served: Stage, program: Program, terminal: Terminal, hunt: Hunt
) -> None:
    served.upload()
    served.sim.faults = {1: Fault(FaultKind.DELAYED, 1.5), 4: Fault(FaultKind.DELAYED, 0.5)}
    with SimServer(served.sim, proxied=True) as server:
        env = {"HTTP_PROXY": server.proxy_url, "TERM": "xterm-256color"}
        checkout = ("--checkout", str(served.world.repository.path))
        streams = {"stdin": terminal.theirs, "stdout": terminal.theirs, "stderr": terminal.theirs}
        with program.start(*ASK, *checkout, env=env, **streams) as process:
            screen = terminal.read(until=lambda: process.poll() is not None)
    terminal.close()
    hunt.search("the terminal", screen)
    program.check(screen.encode())
    assert process.returncode == 0
    *shown, left = screen.split(ERASED)
    assert "asking for the run" in shown
    assert any(text.startswith("downloading 'agent' (id 5000") for text in shown)
    assert "running the evaluator" in shown
    lines = plain(left).splitlines()
    assert lines[0].startswith("Operational Value: 0.666")
    assert " ".join(map(str.strip, lines[:2])).endswith("run 123456, attempt 1, github.localhost/acme/widgets")
    verified = lines[next(index for index, line in enumerate(lines) if line.startswith("verified")) :]
    # Folded to the terminal's width; the words are what counts.
    told = " ".join(" ".join(verified).split())
    for words in (
        "verified GitHub's record: completed, success",
        "GitHub's record: the head is in acme/widgets (id 42), not in a fork",
        "the artifact agent has the digest that GitHub names",
        "GitHub's record agrees: attempt 1",
        "GitHub's record agrees: created 2025-08-20T10:00:00.000Z",
        "GitHub's record agrees: event issues",
        "GitHub's record agrees: repository acme/widgets (id 42)",
        f"commit {served.world.commit[:12]} is the head commit of run 123456 (issues) by GitHub's record",
    ):
        assert words in told, told
    assert "offline" not in told


def test_a_quick_one_shows_no_progress(served: Stage, program: Program, terminal: Terminal) -> None:
    served.upload()
    with SimServer(served.sim, proxied=True) as server:
        env = {"HTTP_PROXY": server.proxy_url, "TERM": "dumb"}
        checkout = ("--checkout", str(served.world.repository.path))
        with program.start(*ASK, *checkout, env=env, stderr=terminal.theirs) as process:
            out, _ = process.communicate(timeout=60)
    assert (process.returncode, terminal.read(until=lambda: True)) == (0, "")
    terminal.close()
    assert b"\x1b" not in out


@pytest.mark.parametrize("slow", [False, True])
def test_json_is_alone_on_standard_output(served: Stage, program: Program, terminal: Terminal, *, slow: bool) -> None:
    served.upload()
    served.sim.faults = {1: Fault(FaultKind.DELAYED, 1.5)} if slow else {}
    with SimServer(served.sim, proxied=True) as server:
        env = {"HTTP_PROXY": server.proxy_url, "TERM": "xterm"}
        checkout = ("--checkout", str(served.world.repository.path))
        ended = program.run(*ASK, *checkout, "--json", env=env, stderr=terminal.theirs)
    talk = terminal.read(until=lambda: True)
    terminal.close()
    assert ended.status == 0
    assert ended.document["execution"]["mode"] == "online"
    assert talk.split(ERASED)[-1] == ""
    assert ("asking for the run" in talk) is slow


def test_in_pipes_nothing_is_talked(served: Stage, program: Program) -> None:
    served.upload()
    served.sim.faults = {1: Fault(FaultKind.DELAYED, 1.5)}
    with SimServer(served.sim, proxied=True) as server:
        checkout = ("--checkout", str(served.world.repository.path))
        ended = program.run(*ASK, *checkout, env={"HTTP_PROXY": server.proxy_url})
    assert (ended.status, ended.err) == (0, "")
    assert "\x1b" not in ended.out


@pytest.mark.parametrize("number", [1, 3, 4])
@pytest.mark.parametrize("order", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_while_it_waits_for_an_answer(
    served: Stage, program: Program, number: int, order: signal.Signals
) -> None:
    served.upload()
    served.sim.faults = {number: Fault(FaultKind.DELAYED, 20)}
    output = program.folder / "out.json"
    with SimServer(served.sim, proxied=True) as server:
        more = ("--checkout", str(served.world.repository.path), "--output", str(output), "--json")
        process = program.start(*ASK, *more, env={"HTTP_PROXY": server.proxy_url})
        try:
            wait_until(lambda: len(served.sim.requests) == number)
            began = time.monotonic()
            process.send_signal(order)
            out, err = process.communicate(timeout=15)
        finally:
            process.kill()
            process.wait()
    assert time.monotonic() - began < 5
    program.check(out + err)
    assert process.returncode == 130, (out, err)
    assert b'"code": "interrupted"' in out
    assert not output.exists()
    assert not [path for path in program.cache.rglob("*") if path.is_file() and path.suffix != ".lock"]
    assert not is_alive(process.pid)


def test_interrupted_in_the_middle_of_a_download(served: Stage, program: Program) -> None:
    served.upload(chunk=100, pause=0.2)
    with SimServer(served.sim, proxied=True) as server:
        more = ("--checkout", str(served.world.repository.path))
        process = program.start(*ASK, *more, env={"HTTP_PROXY": server.proxy_url})
        try:
            wait_until(lambda: bool(parts(program.cache)))
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=15)
        finally:
            process.kill()
            process.wait()
    assert (process.returncode, out) == (130, b""), err
    program.check(out + err)
    assert parts(program.cache) == []


def parts(cache: Path) -> list[Path]:
    return [path for path in cache.rglob("*.part") if path.stat().st_size >= 0]


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)
