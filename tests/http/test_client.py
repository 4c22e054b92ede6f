"""What a plain read sends and returns."""

import gzip
import io
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from opvalue.http import GITHUB_JSON, Credentials, HttpxClient, Response, media_type
from opvalue.limits import Limits
from tests.http.conftest import CANARY, HOST, MakeClient, Waits, fails
from tests.http.site import Asked, Reply, Site, json_reply

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

Serve = Callable[..., Site]


def test_a_read_sends_the_token_and_github_headers_and_returns_the_answer(
    serve: Serve, make_client: MakeClient
) -> None:
    site = serve(lambda _: json_reply('{"id":1}', X_Thing="one"))
    answer = make_client(site.root).get(f"{site.root}/repos/a/b?x=1%2F2")
    assert answer.status == 200
    assert answer.body == b'{"id":1}'
    assert answer.headers["x-thing"] == "one"
    assert answer.media_type == "application/json"
    (asked,) = site.asked
    assert (asked.method, asked.path) == ("GET", "/repos/a/b?x=1%2F2")
    assert asked.headers["authorization"] == f"Bearer {CANARY}"
    assert asked.headers["accept"] == GITHUB_JSON
    assert asked.headers["x-github-api-version"] == "2022-11-28"
    assert asked.headers["user-agent"].startswith("opvalue/")
    assert asked.headers["accept-encoding"] == "gzip"
    assert "if-none-match" not in asked.headers


def test_without_a_token_none_is_sent(serve: Serve, make_client: MakeClient) -> None:
    site = serve(lambda _: json_reply())
    make_client(site.root, environ={}).get(site.root)
    assert "authorization" not in site.asked[0].headers


def test_an_etag_and_an_accept_are_passed_on_and_304_is_an_answer(serve: Serve, make_client: MakeClient) -> None:
    site = serve(lambda _: Reply(304, (("ETag", '"e"'),)))
    answer = make_client(site.root).get(site.root, accept="application/json", etag='"e"')
    assert answer == Response(304, answer.headers, b"")
    assert site.asked[0].headers["if-none-match"] == '"e"'
    assert site.asked[0].headers["accept"] == "application/json"


@pytest.mark.parametrize("status", [201, 300, 400, 404, 409, 410, 422, 451])
def test_other_statuses_are_for_the_caller(serve: Serve, make_client: MakeClient, waits: Waits, status: int) -> None:
    site = serve(lambda _: json_reply('{"message":"no"}', status))
    assert make_client(site.root).get(site.root).status == status
    assert (len(site.asked), waits.seconds) == (1, [])


def test_no_cookie_is_kept(serve: Serve, make_client: MakeClient) -> None:
    site = serve(lambda _: json_reply(Set_Cookie="a=b; Path=/"))
    client = make_client(site.root)
    client.get(site.root)
    client.get(site.root)
    assert all("cookie" not in asked.headers for asked in site.asked)


def test_a_login_from_netrc_is_not_used(
    serve: Serve, make_client: MakeClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login me password secret\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    monkeypatch.setenv("HOME", str(tmp_path))
    site = serve(lambda _: json_reply())
    make_client(site.root, environ={}).get(site.root)
    assert "authorization" not in site.asked[0].headers


def test_a_compressed_answer_is_unpacked(serve: Serve, make_client: MakeClient) -> None:
    headers = (("Content-Encoding", "gzip"),)
    site = serve(lambda _: Reply(200, headers, gzip.compress(b"[1,2]" * 1000)))
    assert make_client(site.root).get(site.root).body == b"[1,2]" * 1000


def test_a_broken_compression_is_tried_again_and_then_said(serve: Serve, make_client: MakeClient, waits: Waits) -> None:
    site = serve(lambda _: Reply(200, (("Content-Encoding", "gzip"),), b"not gzip at all"))
    client = make_client(site.root)
    error = fails("http.network-failed", lambda: client.get(site.root))
    assert error.found == "an answer whose compression is broken or was not asked for"
    assert waits.seconds == [0.5, 1, 2, 4]


@pytest.mark.parametrize("size", [1000, 1001])
@pytest.mark.parametrize("encoded", [False, True])
def test_an_answer_is_bounded_after_unpacking(
    serve: Serve, make_client: MakeClient, size: int, *, encoded: bool
) -> None:
    body = b"x" * size
    headers = (("Content-Encoding", "gzip"),) if encoded else ()
    site = serve(lambda _: Reply(200, headers, gzip.compress(body) if encoded else body))
    client = make_client(site.root, limits=Limits(answer_bytes=1000))
    if size <= 1000:
        assert client.get(site.root).body == body
        return
    error = fails("http.answer-too-large", lambda: client.get(site.root))
    assert error.kind.exit_status == 9
    assert len(site.asked) == 1


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1:1/x",
        "https://127.0.0.1/x",
        "http://localhost/x",
        "http://u:p@127.0.0.1/x",
        "ftp://127.0.0.1/x",
        "/relative",
        "",
        "http://[::1",
        "http://\x00/",
        "http:///x",
    ],
)
def test_an_address_outside_the_api_is_not_read(serve: Serve, make_client: MakeClient, address: str) -> None:
    site = serve(lambda _: json_reply())
    client = make_client(site.root)
    error = fails("http.outside-api", lambda: client.get(address))
    assert error.kind.exit_status == 5
    assert site.asked == []


def test_an_address_with_a_login_at_the_api_is_not_read(serve: Serve, make_client: MakeClient) -> None:
    site = serve(lambda _: json_reply())
    client = make_client(site.root)
    fails("http.outside-api", lambda: client.get(site.root.replace("//", "//user:word@")))
    assert site.asked == []


def test_offline_opens_no_socket(make_client: MakeClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_socket(*_: object, **__: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr("socket.socket", no_socket)
    client = make_client("http://127.0.0.1:9", offline=True)
    for act in (
        lambda: client.get("http://127.0.0.1:9/x"),
        lambda: client.download("http://127.0.0.1:9/x", io.BytesIO(), cap=1),
    ):
        refused = fails("http.offline", act)
        assert refused.kind.exit_status == 9
        assert refused.hint == "Run without --offline."


def test_offline_names_what_the_command_takes_instead() -> None:
    with HttpxClient(Credentials({}), api_origins={}, offline=True, otherwise="give FILE") as client:
        refused = fails("http.offline", lambda: client.get("http://127.0.0.1:9/x"))
    assert refused.hint == "Run without --offline, or give FILE."


def test_httpx_is_not_loaded_before_the_first_read() -> None:
    code = (
        "import sys; from opvalue.http import *; from opvalue.errors import OpvalueError\n"
        "client = HttpxClient(Credentials({}), api_origins={}, offline=True)\n"
        "try: client.get('https://x/')\n"
        "except OpvalueError: pass\n"
        "client.close()\n"
        "print([name for name in ('httpx', 'ssl', 'email.utils') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "[]\n"


def test_a_closed_client_opens_again(serve: Serve, make_client: MakeClient) -> None:
    site = serve(lambda _: json_reply())
    client = make_client(site.root)
    assert client.get(site.root).status == 200
    client.close()
    client.close()
    assert client.get(site.root).status == 200


def test_threads_share_a_client(serve: Serve, make_client: MakeClient) -> None:
    site = serve(lambda asked: json_reply(f'"{asked.path}"'))
    client: HttpxClient = make_client(site.root)
    bodies: dict[int, bytes] = {}

    def read(number: int) -> None:
        bodies[number] = client.get(f"{site.root}/{number}").body

    threads = [threading.Thread(target=read, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert bodies == {number: f'"/{number}"'.encode() for number in range(8)}


def test_no_representation_shows_the_token(serve: Serve, make_client: MakeClient) -> None:
    site = serve(lambda _: json_reply())
    client = make_client(site.root)
    answer = client.get(site.root)
    assert client.credentials.token_for(HOST) is not None
    assert CANARY not in repr((client, answer, client.credentials, client.credentials.token_for(HOST), vars(client)))


def test_media_types_are_told_without_parameters() -> None:
    assert media_type("Text/HTML; charset=utf-8") == "text/html"
    assert media_type("") == ""
    assert Response(200, {}, b"").media_type == ""


def test_the_library_logs_for_others_as_before(serve: Serve, caplog: pytest.LogCaptureFixture) -> None:
    site = serve(lambda asked: json_reply() if isinstance(asked, Asked) else Reply())
    with httpx.Client() as other:
        other.get(f"{site.root}/seen")
    assert any("/seen" in record.getMessage() for record in caplog.records)
