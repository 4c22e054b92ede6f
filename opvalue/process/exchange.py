"""Talk with a started child: feed it, read it against caps, watch for its end and for what outlives it.

One selector serves all pipes, so that no side can block the other. After ``end`` nothing is open and the child's group
is dead, however the exchange went.
"""

import contextlib
import os
import selectors
import time
from collections.abc import Callable
from typing import IO, TYPE_CHECKING

from opvalue.process.errors import OutputTooLarge, StatusLost, TimedOut
from opvalue.process.group import kill_group, living_members

if TYPE_CHECKING:
    import subprocess

_BLOCK = 65536
_REPORT_BYTES = 4096
# Without a descriptor that tells of the child's end (macOS) it is asked for this often.
_ASK_SECONDS = 0.005
# A killed process that does not go away within this time hangs in the system; waiting longer would not help.
_KILLED_SECONDS = 2.0
# A sandbox takes its processes along a moment after it was killed itself.
_SETTLED_SECONDS = 0.5


class Exchange:
    """The parent's side of one child: ``until_exit``, ``until_quiet``, then always ``end``."""

    def __init__(
        self,
        process: "subprocess.Popen[bytes]",
        watched: int,
        *,
        stdin: bytes,
        title: str,
        seconds: float,
        stream_bytes: int,
        grace: Callable[[], float] = lambda: 0.0,
    ) -> None:
        """Take over a child just started, and the reading end of the pipe that its descendants inherit."""
        self.stdout = bytearray()
        self.stderr = bytearray()
        self.report = bytearray()
        self.status = 0
        self.started = self.ended = time.monotonic()
        self._title = title
        self._seconds = seconds
        self._grace = grace
        self._stream_bytes = stream_bytes
        self._process = process
        self._exited = False
        self._selector = selectors.PollSelector()
        self._watched = watched
        self._reading = {watched}
        self._selector.register(watched, selectors.EVENT_READ, self._reader(watched, self._take_report))
        self._pipes = [pipe for pipe in (process.stdout, process.stderr, process.stdin) if pipe is not None]
        for pipe, take in zip(self._pipes, (self._take_stdout, self._take_stderr), strict=False):
            self._reading.add(pipe.fileno())
            self._selector.register(pipe, selectors.EVENT_READ, self._reader(pipe.fileno(), take))
        if process.stdin is not None:
            os.set_blocking(process.stdin.fileno(), False)
            self._selector.register(process.stdin, selectors.EVENT_WRITE, self._feeder(process.stdin, stdin))
        self._exit_descriptor = _exit_descriptor(process.pid)
        if self._exit_descriptor is not None:
            self._selector.register(self._exit_descriptor, selectors.EVENT_READ, self._note_exit)

    def until_exit(self) -> None:
        """Serve the pipes until the child ends. Raises ``TimedOut``, ``OutputTooLarge``, ``StatusLost``."""
        deadline = self.started + self._seconds
        while not self._exited:
            left = deadline - time.monotonic()
            if left <= 0:
                left += self._grace()
            if left <= 0:
                raise TimedOut(f"{self._title} did not end within {self._seconds:g} s")
            self._serve(left)
            if self._exit_descriptor is None:
                self._note_exit()

    def until_quiet(self, grace: float) -> None:
        """Serve the pipes until nobody is left who could write, at most ``grace`` seconds."""
        deadline = time.monotonic() + grace
        while self._reading or living_members(self._process.pid):
            left = deadline - time.monotonic()
            if left <= 0:
                return
            self._serve(min(left, _ASK_SECONDS))

    def left_running(self) -> str | None:
        """Say what outlived the child, or ``None``. To be asked after ``until_quiet``."""
        members = living_members(self._process.pid)
        if members:
            return f"{len(members)} in its process group: {', '.join(members[:10])}"
        if self._reading:
            return "a process in a session of its own, which was not killed"
        return None

    def kill(self) -> None:
        """Kill the child and its group, for another thread; whoever waits for it sees that it ended."""
        if not self._exited:
            kill_group(self._process.pid)

    def end(self) -> None:
        """Kill what is left, wait for it within bounds, close everything. Once, in any state."""
        if not self._exited or living_members(self._process.pid):
            kill_group(self._process.pid)
            self._settle()
        self._selector.close()
        for pipe in self._pipes:
            # Closing flushes nothing, the pipes are unbuffered.
            pipe.close()
        os.close(self._watched)
        if self._exit_descriptor is not None:
            os.close(self._exit_descriptor)

    def _settle(self) -> None:
        """Wait until the killed are gone, so that nobody writes into a folder that is being removed."""
        killed = time.monotonic()
        while (waited := time.monotonic() - killed) < _KILLED_SECONDS:
            with contextlib.suppress(StatusLost):
                self._note_exit()
            dead = self._exited and not living_members(self._process.pid)
            if dead and (self._watched not in self._reading or waited > _SETTLED_SECONDS):
                return
            with contextlib.suppress(OutputTooLarge):
                self._serve(_ASK_SECONDS)

    def _serve(self, seconds: float) -> None:
        limit = seconds if self._exit_descriptor is not None else min(seconds, _ASK_SECONDS)
        for key, _ in self._selector.select(limit):
            key.data()

    def _reader(self, descriptor: int, take: Callable[[bytes], None]) -> Callable[[], None]:
        def read() -> None:
            block = os.read(descriptor, _BLOCK)
            if block:
                take(block)
                return
            self._selector.unregister(descriptor)
            self._reading.discard(descriptor)

        return read

    def _take_report(self, block: bytes) -> None:
        self.report += block
        del self.report[:-_REPORT_BYTES]

    def _take_stdout(self, block: bytes) -> None:
        self._take(self.stdout, block, "standard output")

    def _take_stderr(self, block: bytes) -> None:
        self._take(self.stderr, block, "standard error")

    def _take(self, kept: bytearray, block: bytes, stream: str) -> None:
        if len(kept) + len(block) > self._stream_bytes:
            raise OutputTooLarge(f"{self._title} wrote more than {self._stream_bytes} bytes to {stream}")
        kept += block

    def _feeder(self, pipe: IO[bytes], data: bytes) -> Callable[[], None]:
        unsent = memoryview(data)

        def feed() -> None:
            nonlocal unsent
            try:
                sent = os.write(pipe.fileno(), unsent[:_BLOCK])
            except BlockingIOError:
                sent = 0
            except OSError:
                # The child does not read on. That is its own affair; its status says whether it minded.
                sent = len(unsent)
            unsent = unsent[sent:]
            if not unsent:
                self._selector.unregister(pipe)
                pipe.close()

        return feed

    def _note_exit(self) -> None:
        """Ask whether the child has ended, and keep its status.

        ``Popen.poll`` would report 0 for a status that the system threw away, which turns a failure into success.
        """
        if self._exited:
            return
        try:
            pid, status = os.waitpid(self._process.pid, os.WNOHANG)
        except ChildProcessError:
            self._keep(0)
            raise StatusLost(f"the exit status of {self._title} was lost", found="SIGCHLD is ignored") from None
        if pid:
            self._keep(os.waitstatus_to_exitcode(status))

    def _keep(self, status: int) -> None:
        self.status = self._process.returncode = status
        self.ended = time.monotonic()
        self._exited = True
        if self._exit_descriptor is not None:
            self._selector.unregister(self._exit_descriptor)


def _exit_descriptor(pid: int) -> int | None:
    """Return a descriptor that becomes readable when the process ends, where the system has such a thing."""
    if not hasattr(os, "pidfd_open"):
        return None
    try:
        return os.pidfd_open(pid)
    except OSError:
        return None
