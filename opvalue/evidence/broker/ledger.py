"""What has passed in one grading: exchanges, failures, what was not declared, and the time spent waiting.

Thread-safe. One request has one answer here. A failure never goes away; the first are kept, the rest only stop things.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Final, NamedTuple

from opvalue.errors import OpvalueError
from opvalue.evidence.broker.errors import TooManyExchanges, TooMuchEvidence, WaitedTooLong
from opvalue.evidence.broker.policy import one_line
from opvalue.evidence.errors import SecretInRequest
from opvalue.evidence.exchange import Exchange, Request
from opvalue.limits import Limits

_SHOWN: Final = 500

Key = tuple[str, str, str, str, str, str]


class Failure(NamedTuple):
    """One cause why the grading is not observed."""

    code: str
    message: str
    """One printable line."""
    request: str
    """The request it happened at, in short; empty where none was understood."""


class Ledger:
    """The state of one grading's evidence."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self._limits = limits
        self._clock = clock
        self._lock = Lock()
        self._exchanges: dict[Key, Exchange] = {}
        self._bytes = 0
        self._asked = 0
        self._failures: list[Failure] = []
        self._undeclared: set[str] = set()
        self._commands: set[str] = set()
        self._waiting = 0
        self._waiting_since = 0.0
        self._waited = 0.0

    @property
    def failures(self) -> tuple[Failure, ...]:
        """The causes so far, the first first."""
        with self._lock:
            return tuple(self._failures)

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """The different exchanges so far, sorted by key."""
        with self._lock:
            return tuple(self._exchanges[key] for key in sorted(self._exchanges))

    @property
    def undeclared(self) -> tuple[str, ...]:
        """What was asked for and is not declared, sorted."""
        with self._lock:
            return tuple(sorted(self._undeclared))

    @property
    def has_failed(self) -> bool:
        """Whether there is any failure."""
        return bool(self._failures)

    def fail(self, error: OpvalueError, request: str) -> Failure:
        """Keep a failure and return it. What looks like a secret in it is taken out."""
        from opvalue.evidence.redaction import redact_cut  # noqa: PLC0415 - most gradings have no failure

        text = error.message if error.found is None else f"{error.message}: {error.found}"
        # Where a request holds a secret, only its error knows how to tell of it without.
        shown = "" if isinstance(error, SecretInRequest) else redact_cut(request)
        failure = Failure(error.code, one_line(redact_cut(text))[:_SHOWN], shown)
        with self._lock:
            if len(self._failures) < self._limits.evidence_failures:
                self._failures.append(failure)
        return failure

    @property
    def unfinished(self) -> int:
        """How many commands were answered and never said that they had printed what they read."""
        with self._lock:
            return len(self._commands)

    def begin(self, command: str) -> None:
        """Keep that a command is about to read."""
        with self._lock:
            self._commands.add(command)

    def finish(self, command: str) -> None:
        """Keep that a command has printed what it read."""
        with self._lock:
            self._commands.discard(command)

    def count(self) -> None:
        """Count a request. Raises ``TooManyExchanges``."""
        with self._lock:
            self._asked += 1
            asked = self._asked
        most = self._limits.evidence_exchanges
        if asked > most:
            raise TooManyExchanges("too many requests for evidence", expected=f"at most {most}", found=str(asked))

    def found(self, request: Request) -> Exchange | None:
        """Return the exchange of a request that was answered before."""
        with self._lock:
            return self._exchanges.get(request.key())

    def keep(self, exchange: Exchange) -> Exchange:
        """Keep an exchange and return the one that counts: the first of its request. Raises ``TooMuchEvidence``."""
        with self._lock:
            kept = self._exchanges.setdefault(exchange.request.key(), exchange)
            if kept is exchange:
                self._bytes += len(exchange.answer.body)
            size = self._bytes
        most = self._limits.evidence_bytes
        if size > most:
            raise TooMuchEvidence(
                "all evidence together is too large", expected=f"at most {most} bytes", found=f"{size} bytes or more"
            )
        return kept

    def note_undeclared(self, names: set[str]) -> None:
        """Keep names that are not declared."""
        with self._lock:
            self._undeclared |= names

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Count the time of the body as waiting; that of several threads at once counts once.

        Raises ``WaitedTooLong`` before the body when there was too much of it already.
        """
        most = self._limits.evidence_wait_seconds
        if self.waited() >= most:
            raise WaitedTooLong("GitHub's answers took too long", expected=f"at most {most:g} seconds in all")
        with self._lock:
            if not self._waiting:
                self._waiting_since = self._clock()
            self._waiting += 1
        try:
            yield
        finally:
            with self._lock:
                self._waiting -= 1
                if not self._waiting:
                    self._waited += self._clock() - self._waiting_since

    def waited(self) -> float:
        """Return the seconds spent waiting so far, no more than may be."""
        with self._lock:
            now = self._clock() - self._waiting_since if self._waiting else 0.0
            return min(self._waited + now, self._limits.evidence_wait_seconds)
