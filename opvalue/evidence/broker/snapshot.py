"""One request, one answer: each is asked for once, whoever wants it, and however many do so at a time.

Thread-safe; shared by the gradings of a batch. A failure is not an answer: those who waited for it get it as well, and
the next to ask tries again. Never forgotten: an answer, as long as the snapshot lives, because two gradings of one
snapshot must see the same.
"""

from collections.abc import Callable, Hashable
from threading import Event, Lock

from opvalue.errors import OpvalueError
from opvalue.evidence.broker.errors import BrokerFailed
from opvalue.evidence.exchange import Exchange


class Snapshot:
    """Exchanges by key."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._flights: dict[Hashable, _Flight] = {}

    def get(self, key: Hashable, fetch: Callable[[], Exchange]) -> Exchange:
        """Return the exchange of ``key``, fetched now if nobody has. Raises the ``OpvalueError`` of ``fetch``."""
        with self._lock:
            flight = self._flights.get(key)
            first = flight is None
            if flight is None:
                flight = self._flights[key] = _Flight()
        if first:
            self._fly(key, flight, fetch)
        return flight.result()

    def _fly(self, key: Hashable, flight: "_Flight", fetch: Callable[[], Exchange]) -> None:
        try:
            flight.exchange = fetch()
        except OpvalueError as error:
            flight.error = error
        finally:
            if flight.exchange is None:
                with self._lock:
                    del self._flights[key]
            flight.landed.set()


class _Flight:
    """One fetch and who waits for it."""

    def __init__(self) -> None:
        self.landed = Event()
        self.exchange: Exchange | None = None
        self.error: OpvalueError = BrokerFailed("a request for evidence was given up")

    def result(self) -> Exchange:
        self.landed.wait()
        if self.exchange is None:
            # One exception raised in many threads would collect all their tracebacks.
            raise _again(self.error) from None
        return self.exchange


def _again(error: OpvalueError) -> OpvalueError:
    copy = type(error).__new__(type(error))
    copy.__dict__.update(error.__dict__)
    copy.args = error.args
    return copy
