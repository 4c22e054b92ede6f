"""A client that carries the token down to an unencrypted address, or along a second hop, is found out (AR-10)."""

import ssl
from collections.abc import Callable
from contextlib import suppress

import httpx
import pytest

from opvalue.errors import OpvalueError
from opvalue.http import session
from opvalue.http.origins import Origin
from tests.http.conftest import MakeClient
from tests.http.site import Site, json_reply, redirect
from tests.support.canary import Hunt

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

Serve = Callable[..., Site]


@pytest.mark.parametrize("hops", [1, 2])
def test_a_lower_scheme(
    serve: Serve,
    make_client: MakeClient,
    private_site: ssl.SSLContext,
    hunt: Hunt,
    monkeypatch: pytest.MonkeyPatch,
    hops: int,
) -> None:
    end = serve(lambda _: json_reply())
    middle = serve(lambda _: redirect(f"{end.root}/y"), private_site)
    api = serve(lambda _: redirect(f"{(end if hops == 1 else middle).root}/x"), private_site)
    client = make_client(api.root)

    def anywhere_is_home(_url: httpx.URL, location: str | None) -> tuple[httpx.URL, Origin | None]:
        return httpx.URL(location or ""), Origin.of(httpx.URL(api.root))

    with monkeypatch.context() as patch, suppress(OpvalueError):
        patch.setattr(session, "next_hop", anywhere_is_home)
        client.get(f"{api.root}/x")
    found = hunt.look()
    hunt.forget()
    assert any(line.startswith(f"the token in the header authorization of a request to {end.root}") for line in found)
    assert len(found) == hops
