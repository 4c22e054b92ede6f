"""A session's file read by several processes at once: the same lookups, sooner.

The file is cut into chunks of lines. Most are reduced by workers, the rest here; all are applied here, in their order.
A worker gets the open file and a pipe, nothing else, and ends with it. If one is lost, its chunks are done here.

Only a regular file of some size that holds lines is read in this way; an array, a pipe or a small file by one process,
and so is everything where a process cannot be forked, or other threads run. Memory is that of one process each.
"""

import fcntl
import gc
import marshal
import os
import signal
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final, NamedTuple

from opvalue.limits import Limits
from opvalue.session.batch import Batch
from opvalue.session.framing import LOOKED_AT, cut, kept, opened
from opvalue.session.lookups import Lookups
from opvalue.session.losses import Losses
from opvalue.session.parsing import is_blank
from opvalue.session.reading import ledger_of, scan, scanner_for
from opvalue.session.state import State
from opvalue.session.watching import Watch

MOST: Final = 4
"""Processes that are of any use: one has to apply what all of them find."""
LEAST_BYTES: Final = 8 << 20
"""A smaller file is read sooner by one process."""
CHUNK: Final = 1 << 18
"""Bytes; what is made of many more falls out of a processor's cache before it is looked at."""

_BLOCK: Final = 1 << 17
_HEAD: Final = 1 << 12
_REST: Final = 1 << 12
"""Bytes in which the line that a chunk breaks off in mostly ends."""
_TURNS_OF_A_WORKER: Final = 2
"""Chunks that each worker reduces for one that is reduced here, where all are applied: so both have as much to do."""
_LENGTH: Final = 8
_SET_PIPE_SIZE: Final = 1031
_PIPE_BYTES: Final = 1 << 20


def scan_file(
    descriptor: int,
    *,
    jobs: int | None = None,
    skip_malformed: bool = False,
    losses: Losses | None = None,
    limits: Limits | None = None,
    watch: Watch | None = None,
) -> Lookups:
    """Return the lookups of the session in an open file, from its start, as ``session.scan`` does.

    ``watch``, where given, follows along. ``jobs`` is the number of processes; without it two, where the file is large
    and the machine has two processors to run them on. Raises what ``scan`` raises, and ``OSError``.
    """
    limits = limits or Limits()
    losses = losses or Losses()
    with without_collector():
        workers = _workers(descriptor, jobs)
        if workers > 0 and not _is_array(descriptor):
            return _shared(descriptor, workers, limits, losses, watch, skip_malformed=skip_malformed)
        return scan(_blocks(descriptor), skip_malformed=skip_malformed, losses=losses, limits=limits, watch=watch)


class _Worker(NamedTuple):
    """A process that reduces some of the chunks."""

    process: int
    pipe: int


def _shared(
    descriptor: int, workers: int, limits: Limits, losses: Losses, watch: Watch | None, *, skip_malformed: bool
) -> Lookups:
    ledger = ledger_of(losses, is_array=False, skip_malformed=skip_malformed)
    state = State(limits)
    chunks = _Chunks(descriptor, os.fstat(descriptor).st_size, limits, watch)
    with _started(chunks, workers) as pool:
        lost = set(range(len(pool), workers))
        for number in range(chunks.count):
            owner = _owner(number, workers)
            received = None
            if owner is not None and owner not in lost:
                received = _received(pool[owner].pipe)
                if received is None:
                    lost.add(owner)
            for batch in chunks.batches(number) if received is None else received:
                ledger.take(batch.lines, batch.last, batch.bad)
                state.apply(batch)
                if watch is not None:
                    watch.take(batch)
    ledger.finish()
    return state.lookups()


class _Chunks:
    """The lines of a file, by where they begin."""

    def __init__(self, descriptor: int, size: int, limits: Limits, watch: Watch | None = None) -> None:
        self._descriptor: Final = descriptor
        self._size: Final = size
        self._most: Final = limits.session_line_bytes
        self._scanner: Final = scanner_for(watch, limits)
        self.count: Final = -(-size // CHUNK)

    def batches(self, number: int) -> Iterator[Batch]:
        """Yield what the lines that begin in a chunk come down to: one batch, or none."""
        start, end = number * CHUNK, (number + 1) * CHUNK
        # From one byte before: a line begins behind the LF of another. One that begins at ``end`` is the next chunk's.
        lines = cut(self._read(max(0, start - 1), end))
        if number:
            del lines[0]
        rest = lines.pop() if lines and not lines[-1].endswith(b"\n") else b""
        contents = list(kept(lines, self._most, CHUNK + 1))
        if rest:
            contents.append(self._whole(rest, end))
        if contents:
            yield self._scanner.batch(contents)

    def _whole(self, line: bytes, position: int) -> bytes | None:
        """Return a line that begins in a chunk and goes on behind it; none if it is too long."""
        held = [line]
        size = len(line)
        step = _REST
        while size <= self._most and (more := self._read(position, position + step)):
            step = _BLOCK
            end = more.find(b"\n")
            held.append(more if end < 0 else more[:end])
            size += len(held[-1])
            position += len(more)
            if end >= 0:
                break
        return b"".join(held) if size <= self._most else None

    def _read(self, start: int, end: int) -> bytes:
        return os.pread(self._descriptor, max(0, min(end, self._size) - start), start)


def _owner(number: int, workers: int) -> int | None:
    """Return which worker does a chunk; none for the process that also applies all of them."""
    turn = number % (workers * _TURNS_OF_A_WORKER + 1)
    return turn // _TURNS_OF_A_WORKER if turn < workers * _TURNS_OF_A_WORKER else None


def _workers(descriptor: int, jobs: int | None) -> int:
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode) or status.st_size < LEAST_BYTES or not hasattr(os, "fork"):
        return 0
    if threading.active_count() > 1:  # a lock that one of them holds would stay locked in a forked process
        return 0
    return min(MOST, jobs if jobs is not None else min(2, _processors())) - 1


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _is_array(descriptor: int) -> bool:
    head = os.pread(descriptor, _HEAD, 0)
    return opened([os.pread(descriptor, LOOKED_AT, 0) if is_blank(head) else head]).is_array


def _blocks(descriptor: int) -> Iterator[bytes]:
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.lseek(descriptor, 0, os.SEEK_SET)
    while block := os.read(descriptor, _BLOCK):
        yield block


@contextmanager
def without_collector() -> Iterator[None]:
    """Read without Python's search for cycles: reading makes none, and the search costs an eighth or more."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


@contextmanager
def _started(chunks: _Chunks, workers: int) -> Iterator[list[_Worker]]:
    pool: list[_Worker] = []
    try:
        with suppress(OSError):  # no more processes: what they would do is done here
            for number in range(workers):
                pool.append(_start(chunks, number, workers, [worker.pipe for worker in pool]))
        yield pool
    finally:
        for worker in pool:
            os.close(worker.pipe)
        for worker in pool:
            with suppress(OSError):
                os.kill(worker.process, signal.SIGKILL)
            with suppress(OSError):
                os.waitpid(worker.process, 0)


def _start(chunks: _Chunks, number: int, workers: int, others: list[int]) -> _Worker:
    reading, writing = os.pipe()
    with suppress(OSError):
        fcntl.fcntl(writing, _SET_PIPE_SIZE, _PIPE_BYTES)
    try:
        process = os.fork()
    except OSError:
        os.close(reading)
        os.close(writing)
        raise
    if process:
        os.close(writing)
        return _Worker(process, reading)
    try:
        for descriptor in (reading, *others):
            os.close(descriptor)
        _work(chunks, number, workers, writing)
    finally:
        # Whatever happened: nothing of the process that was forked may be finished twice.
        os._exit(0)


def _work(chunks: _Chunks, number: int, workers: int, pipe: int) -> None:
    with suppress(BaseException):  # the reader sees the end of the pipe, and does the rest itself
        for chunk in range(chunks.count):
            if _owner(chunk, workers) == number:
                _send(pipe, [batch.packed() for batch in chunks.batches(chunk)])


def _send(pipe: int, packed: list[tuple[Any, ...]]) -> None:
    message = marshal.dumps(packed)
    view = memoryview(len(message).to_bytes(_LENGTH, "big") + message)
    while view:
        view = view[os.write(pipe, view) :]


def _received(pipe: int) -> list[Batch] | None:
    """Return the batches of a worker's next chunk; none if it is lost."""
    head = _exactly(pipe, _LENGTH)
    message = head and _exactly(pipe, int.from_bytes(head, "big"))
    if not message:
        return None
    return [Batch.unpacked(packed) for packed in marshal.loads(message)]  # noqa: S302 - written by our own fork


def _exactly(pipe: int, size: int) -> bytes | None:
    parts = []
    while size and (part := os.read(pipe, size)):
        parts.append(part)
        size -= len(part)
    return None if size else b"".join(parts)
