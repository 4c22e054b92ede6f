"""A broker that passes every answer on as it is: what the script meets at a real ``gh`` when evidence fails.

In a regrade the first failure sticks and the result is not observed, whatever the script makes of it. Here the script
sees the failure itself, body and all, so that it shows what it makes of it.
"""

from opvalue.errors import OpvalueError
from opvalue.evidence.broker import Broker, Failure, Source
from opvalue.evidence.broker.policy import Received, note_in, request_in
from opvalue.evidence.exchange import Answer
from opvalue.evidence.scope import Scope
from opvalue.identity import Host
from opvalue.limits import Limits


class PlainBroker(Broker):
    """Judges nothing. ``asked`` counts the requests."""

    def __init__(self, source: Source, *, host: Host, limits: Limits) -> None:
        super().__init__(source, Scope(frozenset(), frozenset()), host=host, limits=limits)
        self._host = host
        self._plain = source
        self.asked = 0

    def _answer(self, received: Received) -> Answer | Failure | None:
        """Return what the source says. What it raises reaches the script as a connection that failed."""
        if note_in(received) is not None:
            return None
        self.asked += 1
        try:
            return self._plain.exchange(request_in(received, self._host), authorised=True).answer
        except OpvalueError as error:
            return Failure(error.code, error.message, "")
