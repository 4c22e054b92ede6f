"""The broker: a Unix socket in the parent, at which a child asks for evidence (DESIGN 5).

Two kinds of threads: one takes connections, and for each connection one serves it, at most so many at a time; further
ones wait in the socket's queue. What a request may be and what an answer is worth is in ``grading``. Plain sockets and
threads, because this is on the way of every regrade.

Not done here: starting the child, and deciding what a failure makes of the result. Not stopped at the end: a thread in
which the source is still waiting for the network. It ends when the source does, and what it brings is not used here.
"""

import select
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Self

from opvalue.errors import OpvalueError
from opvalue.evidence.broker.connection import Connection
from opvalue.evidence.broker.errors import AnswerNotTaken, BrokerFailed
from opvalue.evidence.broker.grading import Grading
from opvalue.evidence.broker.ledger import Failure, Ledger
from opvalue.evidence.broker.listening import listening
from opvalue.evidence.broker.policy import Received
from opvalue.evidence.broker.source import Source
from opvalue.evidence.exchange import Answer, Exchange
from opvalue.evidence.scope import Scope
from opvalue.identity import Host
from opvalue.limits import Limits

_END_SECONDS: Final = 5.0
"""For threads to end that have nothing left to wait for but their turn."""
_SHOWN: Final = 200
_PAUSE_SECONDS: Final = 0.05
"""Before connections are taken again when the system gives no more descriptors or threads."""


class Broker:
    """Answers one child's requests for evidence while it listens. To be listened at once."""

    def __init__(
        self,
        source: Source,
        scope: Scope,
        *,
        host: Host,
        enforce: bool = False,
        limits: Limits = Limits(),  # noqa: B008 - an immutable value
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Open nothing yet. With ``enforce`` what ``scope`` does not declare is refused."""
        self._limits = limits
        self._ledger = Ledger(limits, clock)
        self._grading = Grading(source, scope, self._ledger, host=host, enforce=enforce)
        self._places = threading.Semaphore(limits.evidence_workers)
        self._lock = threading.Lock()
        self._serving: dict[threading.Thread, Connection] = {}
        self._ending = False

    @property
    def failures(self) -> tuple[Failure, ...]:
        """Why the result is not observed, the first cause first; empty where nothing failed.

        To be read after the block of ``listen`` has ended: an answer that nobody took shows then.
        """
        return self._ledger.failures

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """The different exchanges, those that the broker made itself included, sorted by key."""
        return self._ledger.exchanges

    @property
    def undeclared(self) -> tuple[str, ...]:
        """What was asked for and is not declared: ``owner/name``, ``#ID``, ``owner/*``, ``unattributed``; sorted."""
        return self._ledger.undeclared

    def waited(self) -> float:
        """Return the seconds in which the child waited for the source. They are not its own time."""
        return self._ledger.waited()

    @contextmanager
    def listen(self, path: Path) -> Iterator[Self]:
        """Answer at a Unix socket at ``path``, in a private folder of the caller's, within the block.

        At its end whoever asks still, or has not taken an answer, makes a failure. Raises ``SocketUnusable``, and
        ``BrokerFailed`` where the system starts no thread.
        """
        wake, woken = socket.socketpair()
        with wake, woken, listening(path) as listener:
            taker = threading.Thread(target=self._take, args=(listener, woken), name="broker", daemon=True)
            if not _started(taker):
                raise BrokerFailed("no thread can be started")
            try:
                yield self
            finally:
                self._ending = True
                wake.send(b".")
                self._places.release()
                taker.join(_END_SECONDS)
                self._end(listener)

    def _take(self, listener: socket.socket, woken: socket.socket) -> None:
        """Take connections, each when there is a place to serve it."""
        ready = select.poll()
        ready.register(listener, select.POLLIN)
        ready.register(woken, select.POLLIN)
        listener.setblocking(False)
        while True:
            self._places.acquire()
            ready.poll()
            if self._ending:
                return
            if not self._take_one(listener):
                self._places.release()

    def _take_one(self, listener: socket.socket) -> bool:
        """Take a connection and have it served; tell whether that uses a place."""
        try:
            peer, _ = listener.accept()
        except BlockingIOError:
            return False
        except OSError:
            # Out of descriptors: the connection waits where it is.
            time.sleep(_PAUSE_SECONDS)
            return False
        connection = Connection(peer, self._limits)
        thread = threading.Thread(target=self._serve, args=(connection,), name="broker-answer", daemon=True)
        with self._lock:
            self._serving[thread] = connection
        if _started(thread):
            return True
        with self._lock:
            del self._serving[thread]
        connection.close()
        self._ledger.fail(BrokerFailed("no more threads can be started"), "")
        return False

    def _serve(self, connection: Connection) -> None:
        described = ""
        try:
            received = connection.receive()
            described = received.head.target[:_SHOWN]
            with connection.asking():
                answer = self._answer(received)
            connection.send(answer)
        except OpvalueError as error:
            self._refuse(connection, error, described)
        except Exception as error:
            # Whatever it is, no number must come of it.
            self._refuse(connection, BrokerFailed("the broker failed", found=type(error).__name__), described)
        finally:
            connection.close()
            with self._lock:
                self._serving.pop(threading.current_thread(), None)
            self._places.release()

    def _answer(self, received: Received) -> Answer | Failure | None:
        if self._ending:
            raise _not_waited_for()
        return self._grading.answer(received)

    def _refuse(self, connection: Connection, error: OpvalueError, described: str) -> None:
        """Keep a failure, and tell it to whoever still listens."""
        connection.send(self._ledger.fail(error, described))

    def _end(self, listener: socket.socket) -> None:
        """End what is under way. Whoever was not answered, or did not take it, makes a failure."""
        while (waiting := _accepted(listener)) is not None:
            waiting.close()
            self._ledger.fail(_not_waited_for(), "")
        with self._lock:
            serving = dict(self._serving)
        end = time.monotonic() + _END_SECONDS
        for thread, connection in serving.items():
            if not connection.is_asking:
                thread.join(max(end - time.monotonic(), 0))
            if thread.is_alive():
                self._ledger.fail(_not_waited_for(), "")
                connection.cut()
        if self._ledger.unfinished:
            self._ledger.fail(AnswerNotTaken("a gh was ended before it had printed what it read"), "")


def _started(thread: threading.Thread) -> bool:
    try:
        thread.start()
    except RuntimeError:
        return False
    return True


def _accepted(listener: socket.socket) -> socket.socket | None:
    try:
        return listener.accept()[0]
    except OSError:
        return None


def _not_waited_for() -> AnswerNotTaken:
    return AnswerNotTaken("evidence was asked for and the answer not waited for")
