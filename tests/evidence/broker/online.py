"""A broker before the made-up GitHub over loopback, with the real client and a token."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple

from opvalue.evidence.broker import Broker
from opvalue.evidence.broker.live import Live
from opvalue.http import Credentials, HttpxClient
from opvalue.identity import GITHUB
from opvalue.limits import Limits
from tests.evidence.broker.scene import NOW, Child, listening
from tests.sim import Sim, SimServer
from tests.support.canary import CANARY


class Online(NamedTuple):
    broker: Broker
    child: Child
    server: SimServer


def made_up() -> Sim:
    """Return a GitHub with the declared repository, two that are not, and the token that can read them all."""
    sim = Sim()
    sim.token(CANARY)
    sim.repository("acme/widgets", number=42)
    sim.repository("acme/gadgets", number=7)
    sim.repository("acme/secret", number=8, private=True)
    return sim


@contextmanager
def online(sim: Sim, *, limits: Limits | None = None, **more: Any) -> Iterator[Online]:
    limits = limits or Limits(read_tries=1)
    with ExitStack() as stack:
        server = stack.enter_context(SimServer(sim))
        client = HttpxClient(
            Credentials({"PATH": "", "GH_TOKEN": CANARY}),
            api_origins={GITHUB: server.api_url},
            sleep=lambda _: None,
            limits=limits,
        )
        stack.enter_context(client)
        source = Live(client, GITHUB, now=lambda: NOW, api_url=server.api_url, limits=limits)
        broker, child = stack.enter_context(listening(source, limits=limits, **more))
        yield Online(broker, child, server)
