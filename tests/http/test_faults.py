"""The n-th request is refused, reset, cut, held or answered 5xx, for every n until a run without a fault."""

import hashlib
import io
import socket
from collections.abc import Callable
from functools import partial
from typing import Final

import pytest

from opvalue.errors import Kind, OpvalueError
from opvalue.http import HttpxClient
from opvalue.limits import Limits
from tests.http.conftest import CANARY, SIGNATURE, MakeClient, Waits, fails
from tests.http.site import Asked, Reply, Site, json_reply, redirect

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

Serve = Callable[..., Site]

BODY: Final = bytes(range(256)) * 400
QUICK: Final = Limits(silence_seconds=0.15)
EVERY = ["refused", "reset", "cut", "cut header", "garbage", "held", "failing"]
CODES = dict.fromkeys(EVERY, "http.network-failed") | {"failing": "http.server-failed"}


class Scene:
    """A list, then a download by way of a storage; the requests numbered from 1 over both sites."""

    def __init__(self, serve: Serve, kind: str, strikes: Callable[[int], bool]) -> None:
        self.kind = kind
        self.strikes = strikes
        self.number = 0
        self.sites: list[Site] = []
        self.api = serve(lambda asked: self.answer(asked, self._of_api))
        self.storage = serve(lambda asked: self.answer(asked, self._of_storage))
        self.sites = [self.api, self.storage]
        self.struck = False
        self._refuse_next()

    def run(self, client: HttpxClient, into: io.BytesIO) -> str:
        listed = client.get(f"{self.api.root}/list").body
        done = client.download(f"{self.api.root}/zip", into, cap=len(BODY))
        assert done.sha256.hex == hashlib.sha256(into.getvalue()).hexdigest()
        return f"{listed!r} {done.bytes} {done.sha256}"

    def answer(self, asked: Asked, usual: Callable[[Asked], Reply]) -> Reply:
        self.number += 1
        reply = usual(asked)
        if self.kind != "refused" and self.strikes(self.number):
            self.struck = True
            reply = faulty(self.kind, reply)
        self._refuse_next()
        return reply._replace(close=True)

    def listen_again(self) -> None:
        for site in self.sites:
            site.listen_again()

    def _refuse_next(self) -> None:
        if self.kind == "refused" and not self.struck and self.strikes(self.number + 1):
            self.struck = True
            for site in self.sites:
                site.refuse()

    def _of_api(self, asked: Asked) -> Reply:
        return (
            json_reply("[1,2,3]")
            if asked.path.startswith("/list")
            else redirect(f"{self.storage.root}/?sig={SIGNATURE}")
        )

    def _of_storage(self, asked: Asked) -> Reply:
        first = int(asked.headers.get("range", "bytes=0-").removeprefix("bytes=").removesuffix("-"))
        whole = (("ETag", '"e"'), ("Content-Type", "application/zip"))
        if not first:
            return Reply(200, whole, BODY)
        return Reply(206, (*whole, ("Content-Range", f"bytes {first}-{len(BODY) - 1}/{len(BODY)}")), BODY[first:])


def faulty(kind: str, reply: Reply) -> Reply:
    match kind:
        case "reset":
            return Reply(reset=True)
        case "cut" if reply.body:
            return reply._replace(cut=len(reply.body) // 2)
        case "cut" | "cut header":
            return Reply(raw=b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/?sig=" + SIGNATURE.encode())
        case "garbage":
            return Reply(
                raw=b"HTTP/1.1 302 Found\r\nLocation http://127.0.0.1/?sig=" + SIGNATURE.encode() + b"\r\n\r\n"
            )
        case "held":
            return reply._replace(hold=0.4)
        case _:
            return Reply(503, (), b"<html>Unicorn!</html>")


@pytest.mark.parametrize("kind", EVERY)
def test_one_fault_changes_nothing_but_the_time(serve: Serve, make_client: MakeClient, waits: Waits, kind: str) -> None:
    expected = None
    for faulted in range(10):
        # The 0-th request is never made: the run without a fault comes first.
        scene = Scene(serve, kind, only(faulted))
        waits.then = scene.listen_again
        into = io.BytesIO()
        outcome = scene.run(make_client(scene.api.root, limits=QUICK), into)
        expected = expected or outcome
        assert outcome == expected
        assert into.getvalue() == BODY
        assert CANARY not in scene.storage.seen
        if faulted and not waits.seconds:
            break
        assert waits.seconds == [0.5][: min(faulted, 1)]
        waits.seconds.clear()
    assert faulted == 4, "one list, one link, one storage"


@pytest.mark.parametrize("kind", EVERY)
def test_a_fault_that_stays_ends_with_its_code_and_an_empty_file(
    serve: Serve, make_client: MakeClient, waits: Waits, kind: str
) -> None:
    for faulted in (1, 2, 3):
        scene = Scene(serve, kind, since(faulted))
        client, into = make_client(scene.api.root, limits=QUICK), io.BytesIO()
        error = fails(CODES[kind], partial(scene.run, client, into))
        assert error.kind is Kind.NOT_OBSERVED
        assert into.getvalue() == b""
        assert waits.seconds == [0.5, 1, 2, 4]
        waits.seconds.clear()
    scene = Scene(serve, kind, since(4))
    assert scene.run(make_client(scene.api.root, limits=QUICK), io.BytesIO())
    assert waits.seconds == []


def only(faulted: int) -> Callable[[int], bool]:
    return lambda number: number == faulted


def since(faulted: int) -> Callable[[int], bool]:
    # From the third request on the storage alone is faulty: each fresh link takes a request of its own.
    return lambda number: number >= faulted and (faulted != 3 or number % 2 == 1)


def test_the_words_name_the_fault_and_no_address(serve: Serve, make_client: MakeClient) -> None:
    words = {
        "refused": "no connection: Connection refused",
        "reset": "the connection broke: Connection reset by peer",
        "cut": "the answer was cut: received 3 bytes, expected 7",
        "garbage": "an answer that is not HTTP",
        "held": "silence for too long",
    }
    for kind, found in words.items():
        scene = Scene(serve, kind, since(1))
        client = make_client(scene.api.root, limits=QUICK)
        error = fails("http.network-failed", partial(client.get, f"{scene.api.root}/list?sig={SIGNATURE}"))
        assert error.found == found
        assert error.message == f"no whole answer came from {scene.api.root}"


def test_a_name_that_is_not_known_is_a_network_failure(
    make_client: MakeClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    client = make_client("https://nothing.invalid")
    error = fails("http.network-failed", lambda: client.get("https://nothing.invalid/x"))
    assert error.found == "no connection: Name or service not known"


@pytest.mark.parametrize("name", ["a" * 70 + ".invalid", "x..y", ".x"])
def test_a_name_that_no_resolver_takes_is_no_crash(serve: Serve, make_client: MakeClient, name: str) -> None:
    site = serve(lambda _: redirect(f"https://{name}/"))
    client = make_client(site.root, limits=Limits(read_tries=1))
    with pytest.raises(OpvalueError) as caught:
        client.get(site.root)
    assert caught.value.code in {"http.network-failed", "http.redirect-unusable"}


def test_a_connection_that_went_stale_is_opened_again(serve: Serve, make_client: MakeClient, waits: Waits) -> None:
    site = serve(lambda _: json_reply("[1]"))
    client = make_client(site.root)
    client.get(site.root)
    for connection in list(site._open):
        connection.shutdown(2)
    assert client.get(site.root).body == b"[1]"
    assert len(waits.seconds) <= 1


def test_a_dripping_answer_ends(serve: Serve, make_client: MakeClient) -> None:
    site = serve(lambda _: json_reply("[" + " " * 200 + "]")._replace(drip=0.02))
    client = make_client(site.root, limits=Limits(answer_seconds=0.1, read_tries=1))
    assert fails("http.network-failed", lambda: client.get(site.root)).found == "not done in time"


@pytest.mark.parametrize("etag", ["\n", "é\n", "\ud800", "\x00"])
def test_an_etag_that_no_header_can_hold_is_no_crash(serve: Serve, make_client: MakeClient, etag: str) -> None:
    site = serve(lambda _: json_reply())
    client = make_client(site.root, limits=Limits(read_tries=1))
    fails("http.network-failed", lambda: client.get(site.root, etag=etag))
    assert site.asked == []


def test_a_handshake_that_hangs_ends(make_client: MakeClient) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        root = f"https://127.0.0.1:{listener.getsockname()[1]}"
        client = make_client(root, limits=Limits(connect_seconds=0.1, read_tries=1))
        assert fails("http.network-failed", lambda: client.get(root)).found == "no connection in time"
