"""A client on loopback whose token is a canary, hunted in every test of this room (see ``tests/support/canary``)."""

import io
import ssl
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from typing import Any

import pytest

from opvalue.errors import OpvalueError
from opvalue.http import Credentials, HttpxClient
from opvalue.identity import Host
from opvalue.limits import Limits
from tests.http.authority import Authority
from tests.http.authority import make as make_authority
from tests.http.site import Answer, Site, serving
from tests.support.canary import CANARY, SIGNATURE

HOST = Host("github.com")
NOW = 1_800_000_000.0

_VARIABLES = ("HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR")


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch, authority: Authority) -> None:
    """No proxy, and no authority but the one of these tests: reading the usual ones takes most of a test's time."""
    for name in _VARIABLES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    monkeypatch.delenv("REQUESTS_CA_BUNDLE", raising=False)
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.certificate))


@pytest.fixture
def serve() -> Iterator[Callable[..., Site]]:
    """Start sites that end with the test."""
    with ExitStack() as stack:
        yield lambda answer, context=None: stack.enter_context(serving(answer, context))


class Waits:
    """A sleep that notes what it was asked for and does something instead."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.then: Callable[[], object] = lambda: None

    def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)
        self.then()


@pytest.fixture
def waits() -> Waits:
    return Waits()


@pytest.fixture(scope="session")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return make_authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture
def private_site(authority: Authority) -> ssl.SSLContext:
    return authority.context()


MakeClient = Callable[..., HttpxClient]


@pytest.fixture
def make_client(waits: Waits) -> Iterator[MakeClient]:
    with ExitStack() as stack:

        def make(
            root: str,
            *,
            environ: Mapping[str, str] | None = None,
            limits: Limits | None = None,
            host: Host = HOST,
            **more: Any,
        ) -> HttpxClient:
            credentials = Credentials({"GH_TOKEN": CANARY} if environ is None else environ)
            client = HttpxClient(
                credentials,
                api_origins={host: root},
                clock=lambda: NOW,
                sleep=waits,
                limits=limits or Limits(),
                **more,
            )
            return stack.enter_context(client)

        yield make


def fails(code: str, act: Callable[[], object]) -> OpvalueError:
    """Return the error of ``act``, which has this code and shows no secret anywhere, however it is printed."""
    with pytest.raises(OpvalueError) as caught:
        act()
    error = caught.value
    assert error.code == code, error.diagnostics()
    for secret in (CANARY, SIGNATURE):
        assert secret not in everything_of(error)
    return error


def everything_of(error: BaseException) -> str:
    texts = io.StringIO()
    one: BaseException | None = error
    while one is not None:
        assert not type(one).__module__.startswith("http"), "a foreign exception, and the request in it, came along"
        print(repr(one), one.args, vars(one), file=texts)
        one = one.__cause__ or one.__context__
    if isinstance(error, OpvalueError):
        print(error.diagnostics(), error.envelope(), file=texts)
    traceback.print_exception(error, file=texts)
    return texts.getvalue()


__all__ = ["CANARY", "HOST", "NOW", "SIGNATURE", "Answer", "MakeClient", "Waits", "everything_of", "fails"]
