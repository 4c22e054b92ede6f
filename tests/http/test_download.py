"""Downloads: capped while they stream, resumed or begun anew, nothing left of a failed one."""

import errno
import hashlib
import io
import tempfile
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

import pytest

from opvalue.errors import Kind, OpvalueError
from opvalue.http import Download, DownloadAnswered
from opvalue.identity import Digest
from opvalue.limits import Limits
from tests.http.conftest import CANARY, SIGNATURE, MakeClient, Waits, fails
from tests.http.site import Answer, Asked, Reply, Site, json_reply, redirect

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

Serve = Callable[..., Site]

BODY = bytes(place * place % 251 for place in range(300_000))
ZIP = ("Content-Type", "application/zip")
ETAG = ("ETag", '"0x8D1"')


class Hub:
    """An API that redirects to a storage, with a fresh link each time."""

    def __init__(self, serve: Serve, storage: Answer) -> None:
        self.storage = serve(storage)
        self.links = 0
        self.api = serve(self._link)
        self.url = f"{self.api.root}/repos/a/b/actions/artifacts/1/zip"

    def _link(self, _: Asked) -> Reply:
        self.links += 1
        return redirect(f"{self.storage.root}/blob?sig={SIGNATURE}{self.links}")


def in_turn(*replies: Reply | Answer) -> Answer:
    """Answer each request with the next reply, the last for all that follow."""
    left: Iterator[Reply | Answer] = iter(replies)
    current: list[Reply | Answer] = []

    def answer(asked: Asked) -> Reply:
        reply = next(left, None)
        if reply is not None:
            current[:] = [reply]
        return current[0] if isinstance(current[0], Reply) else current[0](asked)

    return answer


def ranged(body: bytes = BODY, *, etag: str = '"0x8D1"', cut: int | None = None) -> Answer:
    """Serve ``body`` as a storage with ranges does."""

    def answer(asked: Asked) -> Reply:
        wanted = asked.headers.get("range")
        if wanted is None or asked.headers.get("if-range") != etag:
            return Reply(200, (ZIP, ("ETag", etag)), body, cut=cut)
        first = int(wanted.removeprefix("bytes=").removesuffix("-"))
        content_range = ("Content-Range", f"bytes {first}-{len(body) - 1}/{len(body)}")
        return Reply(206, (ZIP, ("ETag", etag), content_range), body[first:], cut=cut)

    return answer


def test_a_download_is_the_bytes_their_digest_and_type(serve: Serve, make_client: MakeClient) -> None:
    hub = Hub(serve, lambda _: Reply(200, (("Content-Type", "Application/ZIP; x=y"),), BODY))
    into = io.BytesIO()
    done = make_client(hub.api.root).download(hub.url, into, cap=len(BODY))
    assert done == Download(len(BODY), Digest(hashlib.sha256(BODY).hexdigest()), "application/zip")
    assert into.getvalue() == BODY
    (asked,) = hub.storage.asked
    assert asked.headers["accept-encoding"] == "identity"
    assert not {"range", "if-range"} & set(asked.headers)
    assert CANARY not in hub.storage.seen
    assert CANARY in hub.api.seen


@pytest.mark.parametrize("type_", ["text/html", "application/json"])
def test_the_media_type_tells_the_caller_of_something_else(serve: Serve, make_client: MakeClient, type_: str) -> None:
    hub = Hub(serve, lambda _: Reply(200, (("Content-Type", type_),), b"<html>"))
    assert make_client(hub.api.root).download(hub.url, io.BytesIO(), cap=100).media_type == type_


def test_a_download_without_redirect_type_or_length(serve: Serve, make_client: MakeClient) -> None:
    chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
    site = serve(lambda _: Reply(raw=chunked))
    into = io.BytesIO()
    assert make_client(site.root).download(site.root, into, cap=5) == Download(5, Digest.of(b"abcde"), "")
    assert into.getvalue() == b"abcde"


def test_an_empty_download(serve: Serve, make_client: MakeClient) -> None:
    hub = Hub(serve, lambda _: Reply())
    assert make_client(hub.api.root).download(hub.url, io.BytesIO(), cap=0) == Download(0, Digest.of(b""), "")


def test_what_the_file_held_before_stays(serve: Serve, make_client: MakeClient, tmp_path: Path) -> None:
    hub = Hub(serve, in_turn(Reply(200, (), BODY, cut=1000), Reply(200, (), b"whole")))
    with (tmp_path / "file").open("w+b") as into:
        into.write(b"before")
        assert make_client(hub.api.root).download(hub.url, into, cap=len(BODY)).bytes == 5
    assert (tmp_path / "file").read_bytes() == b"beforewhole"


def test_an_unbuffered_file_that_takes_parts_gets_all(serve: Serve, make_client: MakeClient, tmp_path: Path) -> None:
    class Sipping(io.FileIO):
        def write(self, data: object) -> int:
            return super().write(memoryview(data)[:999])  # type: ignore[arg-type]

    hub = Hub(serve, lambda _: Reply(200, (), BODY))
    with Sipping(tmp_path / "file", "w+") as into:
        make_client(hub.api.root).download(hub.url, into, cap=len(BODY))
    assert (tmp_path / "file").read_bytes() == BODY


class TestCap:
    @pytest.mark.parametrize("named", [True, False])
    def test_holds_while_streaming(self, serve: Serve, make_client: MakeClient, *, named: bool) -> None:
        chunk = b"%x\r\n" % len(BODY) + BODY + b"\r\n"
        endless = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk * 20
        hub = Hub(serve, lambda _: Reply(200, (), BODY) if named else Reply(raw=endless))
        client, into = make_client(hub.api.root), Counting()
        error = fails("http.download-too-large", lambda: client.download(hub.url, into, cap=len(BODY) - 1))
        assert error.kind is Kind.ARTIFACT
        assert error.expected == "at most 299999 bytes"
        assert (into.getvalue(), len(hub.storage.asked)) == (b"", 1)
        assert into.written < len(BODY)

    def test_a_length_beyond_it_is_refused_before_a_byte_is_written(
        self, serve: Serve, make_client: MakeClient
    ) -> None:
        hub = Hub(serve, lambda _: Reply(200, (("Content-Length", str(10**15)),), b"x"))
        client, into = make_client(hub.api.root), Counting()
        error = fails("http.download-too-large", lambda: client.download(hub.url, into, cap=5))
        assert error.found == "1000000000000000 bytes or more"
        assert into.written == 0

    def test_holds_over_resumed_parts(self, serve: Serve, make_client: MakeClient) -> None:
        longer = Reply(206, (ETAG, ("Content-Range", "bytes 1000-9/*")), BODY)
        hub = Hub(serve, in_turn(ranged(BODY[:2000], cut=1000), longer))
        client, into = make_client(hub.api.root), Counting()
        fails("http.download-too-large", lambda: client.download(hub.url, into, cap=2000))
        assert into.getvalue() == b""


class Counting(io.BytesIO):
    written = 0

    def write(self, data: object) -> int:
        count = super().write(data)  # type: ignore[arg-type]
        self.written += count
        return count


class TestResume:
    def test_a_cut_download_goes_on_where_it_was_cut(self, serve: Serve, make_client: MakeClient, waits: Waits) -> None:
        hub = Hub(serve, in_turn(ranged(cut=100_000), ranged(cut=50_000), ranged()))
        into = Counting()
        done = make_client(hub.api.root).download(hub.url, into, cap=len(BODY))
        assert (done.bytes, done.sha256) == (len(BODY), Digest.of(BODY))
        assert into.getvalue() == BODY
        assert into.written == len(BODY)
        ranges = [(asked.headers.get("range"), asked.headers.get("if-range")) for asked in hub.storage.asked]
        assert ranges == [(None, None), ("bytes=100000-", '"0x8D1"'), ("bytes=150000-", '"0x8D1"')]
        assert [asked.path[-1] for asked in hub.storage.asked] == ["1", "2", "3"], "a fresh link each time"
        assert waits.seconds == [0.5, 1]

    def test_another_version_is_begun_anew(self, serve: Serve, make_client: MakeClient) -> None:
        hub = Hub(serve, in_turn(ranged(cut=100_000), ranged(BODY[::-1], etag='"new"')))
        into = io.BytesIO()
        done = make_client(hub.api.root).download(hub.url, into, cap=len(BODY))
        assert done.sha256 == Digest.of(BODY[::-1])
        assert into.getvalue() == BODY[::-1]

    @pytest.mark.parametrize("etag", [None, 'W/"weak"'])
    def test_without_a_strong_validator_it_is_begun_anew(
        self, serve: Serve, make_client: MakeClient, etag: str | None
    ) -> None:
        headers = () if etag is None else (("ETag", etag),)
        hub = Hub(serve, in_turn(Reply(200, headers, BODY, cut=1000), Reply(200, headers, BODY)))
        into = io.BytesIO()
        assert make_client(hub.api.root).download(hub.url, into, cap=len(BODY)).sha256 == Digest.of(BODY)
        assert into.getvalue() == BODY
        assert "range" not in hub.storage.asked[1].headers

    @pytest.mark.parametrize(
        "answer",
        [
            Reply(206, (ETAG, ("Content-Range", "bytes 999-299999/300000")), BODY[999:]),
            Reply(206, (ETAG, ("Content-Range", "bytes 1000-299999/300001")), BODY[1000:]),
            Reply(206, (("ETag", '"other"'), ("Content-Range", "bytes 1000-299999/300000")), BODY[1000:]),
            Reply(206, (("Content-Range", "bytes 1000-299999/300000"),), BODY[1000:]),
            Reply(206, (ETAG,), BODY[1000:]),
            Reply(206, (ETAG, ("Content-Range", "bytes nonsense")), BODY[1000:]),
            Reply(206, (ETAG, ("Content-Type", "multipart/byteranges; boundary=x")), BODY[1000:]),
            Reply(416, (("Content-Range", "bytes */300000"),)),
        ],
        ids=["first", "total", "etag", "no etag", "no range", "nonsense", "multipart", "416"],
    )
    def test_a_part_that_is_not_the_missing_one_is_not_joined(
        self, serve: Serve, make_client: MakeClient, answer: Reply
    ) -> None:
        hub = Hub(serve, in_turn(ranged(cut=1000), answer, ranged()))
        into = io.BytesIO()
        assert make_client(hub.api.root).download(hub.url, into, cap=len(BODY)).sha256 == Digest.of(BODY)
        assert into.getvalue() == BODY
        assert [asked.headers.get("range") for asked in hub.storage.asked] == [None, "bytes=1000-", None]

    def test_a_part_shorter_than_the_rest_is_followed_by_the_next(self, serve: Serve, make_client: MakeClient) -> None:
        part = Reply(206, (ETAG, ("Content-Range", "bytes 1000-1999/300000")), BODY[1000:2000])
        hub = Hub(serve, in_turn(ranged(cut=1000), part, ranged()))
        into = io.BytesIO()
        assert make_client(hub.api.root).download(hub.url, into, cap=len(BODY)).sha256 == Digest.of(BODY)
        assert hub.storage.asked[2].headers["range"] == "bytes=2000-"

    @pytest.mark.parametrize("status", [206, 416])
    def test_a_part_nobody_asked_for_is_refused(self, serve: Serve, make_client: MakeClient, status: int) -> None:
        hub = Hub(serve, lambda _: Reply(status, (ETAG, ("Content-Range", "bytes 0-2/3")), b"abc"))
        client, into = make_client(hub.api.root), io.BytesIO()
        fails("http.network-failed", lambda: client.download(hub.url, into, cap=10))
        assert into.getvalue() == b""


class TestFailure:
    @pytest.mark.parametrize("status", [401, 403])
    def test_a_dead_link_gets_a_fresh_one(
        self, serve: Serve, make_client: MakeClient, waits: Waits, status: int
    ) -> None:
        hub = Hub(serve, in_turn(ranged(cut=1000), Reply(status, (), b"<Error>AuthenticationFailed</Error>"), ranged()))
        into = io.BytesIO()
        assert make_client(hub.api.root).download(hub.url, into, cap=len(BODY)).sha256 == Digest.of(BODY)
        assert hub.storage.asked[2].headers["range"] == "bytes=1000-"
        assert (hub.links, waits.seconds) == (3, [0.5, 1])

    def test_links_that_stay_dead_are_not_taken_for_a_denial(self, serve: Serve, make_client: MakeClient) -> None:
        hub = Hub(serve, lambda _: Reply(403))
        client, into = make_client(hub.api.root), io.BytesIO()
        error = fails("http.link-refused", lambda: client.download(hub.url, into, cap=10))
        assert error.kind is Kind.NOT_OBSERVED
        assert hub.links == 5

    @pytest.mark.parametrize("status", [429, 500, 503])
    def test_a_storage_in_trouble_is_asked_again(self, serve: Serve, make_client: MakeClient, status: int) -> None:
        hub = Hub(serve, in_turn(Reply(status), ranged()))
        assert make_client(hub.api.root).download(hub.url, io.BytesIO(), cap=len(BODY)).bytes == len(BODY)

    @pytest.mark.parametrize("status", [404, 410, 304, 204])
    @pytest.mark.parametrize("at_api", [True, False])
    def test_another_status_is_for_the_caller(
        self, serve: Serve, make_client: MakeClient, status: int, *, at_api: bool
    ) -> None:
        body = b"" if status in {204, 304} else b'{"message":"gone"}' + b" " * 100_000
        hub = Hub(serve, lambda _: Reply(status, (), body))
        site = serve(lambda _: Reply(status, (), body)) if at_api else hub.api
        client, into = make_client(site.root), io.BytesIO()
        error = fails("http.download-answered", lambda: client.download(f"{site.root}/zip", into, cap=10))
        assert isinstance(error, DownloadAnswered)
        assert (error.response.status, error.at_api) == (status, at_api)
        assert error.response.body == body[: 64 * 1024]
        assert error.kind is Kind.ARTIFACT

    @pytest.mark.parametrize(
        ("status", "code"), [(401, "http.unauthorized"), (403, "http.forbidden"), (500, "http.server-failed")]
    )
    def test_the_apis_own_refusals_are_those_of_any_read(
        self, serve: Serve, make_client: MakeClient, status: int, code: str
    ) -> None:
        site = serve(lambda _: json_reply('{"message":"no"}', status))
        client = make_client(site.root)
        fails(code, lambda: client.download(site.root, io.BytesIO(), cap=10))

    def test_an_encoded_download_is_refused(self, serve: Serve, make_client: MakeClient) -> None:
        hub = Hub(serve, lambda _: Reply(200, (("Content-Encoding", "gzip"),), b"x"))
        client, into = make_client(hub.api.root), io.BytesIO()
        error = fails("http.answer-encoded", lambda: client.download(hub.url, into, cap=10))
        assert error.found == "gzip"

    def test_a_dripping_download_ends(self, serve: Serve, make_client: MakeClient) -> None:
        hub = Hub(serve, lambda _: Reply(200, (), b"x" * 100, drip=0.02))
        client, into = make_client(hub.api.root, limits=Limits(download_seconds=0.1, read_tries=1)), io.BytesIO()
        error = fails("http.network-failed", lambda: client.download(hub.url, into, cap=100))
        assert error.found == "not done in time"
        assert into.getvalue() == b""

    def test_a_full_disk_is_said_and_what_was_written_taken_back(self, serve: Serve, make_client: MakeClient) -> None:
        class Full(io.BytesIO):
            def write(self, data: object) -> int:
                if self.tell() > 100_000:
                    raise OSError(errno.ENOSPC, "No space left on device")
                return super().write(data)  # type: ignore[arg-type]

        hub = Hub(serve, ranged())
        client, into = make_client(hub.api.root), Full()
        error = fails("output.unwritable", lambda: client.download(hub.url, into, cap=len(BODY)))
        assert "No space left on device" in error.message
        assert (into.getvalue(), len(hub.storage.asked)) == (b"", 1)

    @pytest.mark.parametrize("method", ["tell", "seek", "truncate", "flush"])
    def test_a_file_that_fails_otherwise_is_said_as_well(
        self, serve: Serve, make_client: MakeClient, method: str
    ) -> None:
        hub = Hub(serve, ranged())
        client, into = make_client(hub.api.root), io.BytesIO()

        def fail(*_: object) -> None:
            raise OSError(errno.EIO, "Input/output error")

        broken = type("Broken", (io.BytesIO,), {method: fail})()
        fails("output.unwritable", lambda: client.download(hub.url, broken, cap=len(BODY)))
        into.close()
        fails("output.unwritable", lambda: client.download(hub.url, into, cap=len(BODY)))

    def test_an_interrupt_leaves_nothing(self, serve: Serve, make_client: MakeClient, waits: Waits) -> None:
        def interrupt() -> None:
            raise KeyboardInterrupt

        waits.then = interrupt
        hub = Hub(serve, ranged(cut=1000))
        client, into = make_client(hub.api.root), io.BytesIO()
        with pytest.raises(KeyboardInterrupt):
            client.download(hub.url, into, cap=len(BODY))
        assert into.getvalue() == b""


def test_memory_stays_flat(serve: Serve, make_client: MakeClient) -> None:
    size = 32 * 1024 * 1024
    body = bytes(size)
    hub = Hub(serve, lambda _: Reply(200, (), body))
    client = make_client(hub.api.root)
    with tempfile.TemporaryFile() as into:
        tracemalloc.start()
        try:
            assert client.download(hub.url, into, cap=size).bytes == size
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert peak < 4 * 1024 * 1024


def test_the_file_protocol_is_enough(serve: Serve, make_client: MakeClient) -> None:
    hub = Hub(serve, ranged())
    with tempfile.SpooledTemporaryFile(max_size=1000) as spooled:
        into: BinaryIO = spooled  # type: ignore[assignment]
        try:
            make_client(hub.api.root).download(hub.url, into, cap=len(BODY))
        except OpvalueError as error:
            raise AssertionError(error.diagnostics()) from None
        into.seek(0)
        assert into.read() == BODY
