"""A broker that lets a secret out is found out: to the evaluator, into the record, into a failure's text.

Each mutation changes what stands between GitHub and the evaluator so that a secret gets out one way.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from opvalue.evidence import redaction
from opvalue.evidence.broker import live as module
from opvalue.evidence.broker.live import Live
from opvalue.http import Credentials, Forbidden, HttpxClient, session
from opvalue.identity import GITHUB
from tests.evidence.broker.scene import NOW, REPOSITORY, Child, listening
from tests.sim import Access, Reply, Sim, SimServer
from tests.support.canary import CANARY, Hunt

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

Patch = pytest.MonkeyPatch

SECRETIVE = f"{REPOSITORY}/issues"
BAIT = f"{REPOSITORY}/bait"
DENIED = f"{REPOSITORY}/actions/runs/1"
SIGNED = f"{REPOSITORY}/signed"


def repeats_the_token(sim: Sim) -> None:
    sim.answer("/issues", Reply.of({"body": f"the token is {CANARY}"}))
    link = "https://blobs.example/x?sig=" + "0123456789abcdef" * 4
    sim.answer("/signed", Reply.of({"url": link}))


@contextmanager
def stage(*, actions: bool = True) -> Iterator[tuple[Sim, Child]]:
    sim = Sim()
    sim.tokens[CANARY] = Access(actions=actions)
    sim.repository("acme/widgets", number=42, private=True)
    repeats_the_token(sim)
    with SimServer(sim) as server:
        sim.answer("/bait", Reply(302, {"location": f"{server.stranger_url}/x"}))
        credentials = Credentials({"PATH": "", "GH_TOKEN": CANARY})
        with HttpxClient(credentials, api_origins={GITHUB: server.api_url}, sleep=lambda _: None) as client:
            source = Live(client, GITHUB, now=lambda: NOW, api_url=server.api_url)
            with listening(source) as (_, child):
                yield sim, child


def test_an_honest_broker_lets_nothing_out(hunt: Hunt) -> None:
    with stage() as (sim, child):
        for target in (SECRETIVE, SIGNED, REPOSITORY, f"{REPOSITORY}/issues/9"):
            assert child.get(target).status in {200, 404}
        assert child.get(BAIT).status == 599
        assert sim.requests[-1].path == "/x"
    assert set(sim.tokens_seen()) == {sim.requests[0].origin}
    assert hunt.look() == []


def nothing_is_taken_out(patch: Patch) -> None:
    """Answers stay as they came."""
    patch.setattr(module, "redact_answer", lambda answer, _: answer)


def links_are_left(patch: Patch) -> None:
    """Only the token itself is taken out."""
    patch.setattr(redaction, "_SECRET_NAMES", frozenset())


def the_token_goes_along(patch: Patch) -> None:
    """The header stays on, wherever a redirect leads."""
    real, opened = session._headers, session.Session.open

    def everywhere(self: Any, target: Any, headers: Any, at_api: Any, token: Any, posted: Any = None) -> Any:
        return opened(self, target, {**headers, **real({}, at_api, token)}, at_api, token, posted)

    patch.setattr(session.Session, "open", everywhere)


def a_denial_tells(patch: Patch) -> None:
    """A failure's text repeats the token, and nothing takes it out."""
    from opvalue.http import verdict  # noqa: PLC0415

    def deny(_response: object, asker: Any) -> None:
        raise Forbidden(f"denied to {asker.token.reveal()}")

    patch.setattr(verdict, "_deny", deny)
    patch.setattr(redaction, "redact_cut", lambda text: text)


MUTATIONS: dict[Callable[[Patch], None], tuple[str, str]] = {
    nothing_is_taken_out: (SECRETIVE, "the token in an exchange"),
    links_are_left: (SIGNED, "a signed link in an answer to the evaluator"),
    the_token_goes_along: (BAIT, "the token in the header authorization of a request to http://127.0.0.1:"),
    a_denial_tells: (DENIED, "the token in a failure to observe"),
}


@pytest.mark.parametrize("mutate", MUTATIONS, ids=lambda mutate: mutate.__name__)
def test_one_that_lets_it_out_is_found_out(hunt: Hunt, monkeypatch: Patch, mutate: Callable[[Patch], None]) -> None:
    target, expected = MUTATIONS[mutate]
    with monkeypatch.context() as patch:
        mutate(patch)
        with stage(actions=mutate is not a_denial_tells) as (_, child):
            child.get(target)
    found = hunt.look()
    hunt.forget()
    assert any(line.startswith(expected) for line in found), found
