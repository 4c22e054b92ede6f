"""Run one child process within bounds, and leave nothing of it behind (DESIGN 5; SP-01, SP-03, SP-06).

A child gets an absolute program, its whole environment, a session and process group of its own, a deadline, and a cap
on each output stream that holds while it writes. Whatever goes wrong, its group is killed, every wait after the kill
is bounded, and our ends of its pipes are closed.

Processes that outlive the child are an error. They are noticed in two ways: the process group still has living
members, or somebody still holds a pipe that only the child's descendants can have inherited. The second finds those
that made a session of their own; outside the sandbox these are *not contained*: they are reported and go on running.
One that made its own session *and* closed every inherited descriptor is not noticed either.

Not judged here: the exit status. Not limited here: memory, number of processes, disk.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple, Protocol

from opvalue.process.errors import LeftRunning, SandboxFailed
from opvalue.process.exchange import Exchange
from opvalue.process.interrupts import interruptible, uninterrupted
from opvalue.process.start import filled_pipe, inherited_pipe, start
from opvalue.process.stopping import stoppable

GRACE_SECONDS = 0.5
"""How long a child's helpers, such as process substitutions, may take to end after it."""

ENDED = b"\nended\n"
"""What a sandbox reports last when the command ended and nothing was left."""
LEFT = b"\nleft "
"""What it reports instead, followed by the names of what was left and a line feed."""


class Confinement(Protocol):
    """A sandbox as ``run`` needs it."""

    @property
    def filter(self) -> bytes | None:
        """A filter of system calls, to be read from a descriptor; ``None`` for none."""
        ...

    def wrap(self, argv: tuple[str, ...], cwd: Path, report: int, filtered: int | None) -> tuple[str, ...]:
        """Return the command that runs ``argv`` in ``cwd``, both as seen inside, and reports on a descriptor.

        ``filtered`` is the descriptor that ``filter`` is read from.
        """
        ...


class Command(NamedTuple):
    """What to run. With a sandbox, ``argv``, ``cwd`` and ``env`` speak of paths inside it."""

    argv: tuple[str, ...]
    """The absolute program, then its arguments."""
    cwd: Path
    env: Mapping[str, str]
    """The whole environment: nothing of the caller's is added."""
    seconds: float
    """Until the group is killed."""
    stream_bytes: int
    """Most that is read of standard output and of standard error, each."""
    stdin: bytes = b""
    name: str = ""
    """How messages call it; the program's path if empty."""
    sandbox: Confinement | None = None
    grace: Callable[[], float] = lambda: 0.0
    """Seconds that do not count, asked for when ``seconds`` have passed: those in which the child waited for us."""

    @property
    def title(self) -> str:
        """The name for messages."""
        return self.name or self.argv[0]


class Finished(NamedTuple):
    """How a child ended."""

    status: int
    """The exit status. When a signal ended it: minus its number, or under a sandbox 128 plus its number."""
    stdout: bytes
    stderr: bytes
    seconds: float
    """By the monotonic clock."""


def run(command: Command) -> Finished:
    """Run ``command`` to its end.

    1. Start it. Raises ``ProgramMissing``, ``NotExecutable``, ``FolderMissing``, ``ArgumentsTooLong``, ``BadArgument``,
       ``CannotStart``.
    2. Feed it and read it until it ends. Raises ``TimedOut``, ``OutputTooLarge``, ``StatusLost``.
    3. Give what it started a short grace. Raises ``SandboxFailed``, ``LeftRunning`` (whose ``finished`` has the status
       and output, for a caller that judges those first).

    A ``KeyboardInterrupt`` passes through after the clean-up; SIGTERM and SIGHUP become one. ``others_stopped`` in
    another thread raises ``Interrupted`` here, or is seen as the child's death. The exit status is the
    caller's to judge.
    """
    exchange: Exchange | None = None
    with interruptible():
        try:
            with uninterrupted():
                exchange = _start(command)
            with stoppable(exchange.kill):
                exchange.until_exit()
                exchange.until_quiet(GRACE_SECONDS)
                return _judge(command, exchange)
        finally:
            with uninterrupted():
                if exchange is not None:
                    exchange.end()


def _start(command: Command) -> Exchange:
    filter_ = None if command.sandbox is None else command.sandbox.filter
    with inherited_pipe() as (watched, inherited), filled_pipe(filter_) as read:
        argv, cwd = command.argv, command.cwd
        if command.sandbox is not None:
            argv, cwd = command.sandbox.wrap(argv, cwd, inherited, read), Path("/")
        process = start(argv, cwd=cwd, env=command.env, fed=bool(command.stdin), inherited=inherited, read=read)
        return Exchange(
            process,
            watched,
            stdin=command.stdin,
            title=command.title,
            seconds=command.seconds,
            stream_bytes=command.stream_bytes,
            grace=command.grace,
        )


def _judge(command: Command, exchange: Exchange) -> Finished:
    finished = Finished(
        exchange.status, bytes(exchange.stdout), bytes(exchange.stderr), exchange.ended - exchange.started
    )
    left = exchange.left_running()
    if left is not None:
        raise LeftRunning(f"{command.title} ended and left processes running", finished, found=left)
    if command.sandbox is not None:
        _judge_report(command, finished, bytes(exchange.report))
    return finished


def _judge_report(command: Command, finished: Finished, report: bytes) -> None:
    """Read the sandbox's word. The command could write there as well; only an end in the exact form counts as clean."""
    if report.endswith(ENDED):
        return
    _, left, names = report.rpartition(LEFT)
    if left and names.endswith(b"\n"):
        found = names[:-1].decode("utf-8", "replace")
        raise LeftRunning(f"{command.title} ended and left processes running", finished, found=found)
    said = finished.stderr.decode("utf-8", "replace").strip()[-400:]
    raise SandboxFailed(
        f"the sandbox of {command.title} ended early with status {finished.status}", found=said or "no message"
    )
