"""``Client`` over httpx: one read at a time, repeated until answered (DESIGN 4.2, 4.3; HB-05, AR-10).

httpx is loaded with the first read, so a command that needs no network does not pay for it. A client may be shared
by threads. Not kept: answers; that is the business of a cache.
"""

import time
from collections.abc import Callable, Mapping
from threading import Lock
from typing import TYPE_CHECKING, BinaryIO, Final, Self, TypeVar

from opvalue.errors import OpvalueError
from opvalue.http.body import read, within
from opvalue.http.client import GITHUB_JSON, Ask, Download, Response
from opvalue.http.credentials import Credentials
from opvalue.http.errors import AnswerEncoded, AnswerTooLarge, DownloadAnswered, NetworkFailed, Offline
from opvalue.http.quiet import quiet
from opvalue.http.retries import Again, persist
from opvalue.http.sink import Sink
from opvalue.http.verdict import Asker, judge, judge_query, nobody
from opvalue.identity import Host
from opvalue.limits import KIB, Limits

if TYPE_CHECKING:
    import httpx

    from opvalue.http.origins import Apis, Target
    from opvalue.http.session import Answer, Session

_EXCERPT_BYTES: Final = 64 * KIB
_JSON: Final = "application/json; charset=utf-8"

T = TypeVar("T")


class HttpxClient:
    """Reads from the APIs of known hosts. Close it, or use it as a context manager."""

    def __init__(
        self,
        credentials: Credentials,
        *,
        api_origins: Mapping[Host, str],
        offline: bool = False,
        otherwise: str = "",
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], object] = time.sleep,
        limits: Limits = Limits(),  # noqa: B008 - an immutable value
    ) -> None:
        """Open nothing yet.

        ``api_origins`` gives each host's API root, usually ``host.api_url``; a token goes to the scheme, host and port
        of its host's root and nowhere else. ``otherwise`` says what the command takes in place of the network, for the
        advice of ``Offline``. ``clock`` gives seconds since the epoch and is only asked where the server does not tell
        the time. ``sleep`` waits between tries.
        """
        self._credentials = credentials
        self._roots = dict(api_origins)
        self._offline = offline
        self._otherwise = otherwise
        self._clock = clock
        self._sleep = sleep
        self._limits = limits
        self._lock = Lock()
        self._opened: tuple[Apis, Session] | None = None

    @property
    def credentials(self) -> Credentials:
        """Whose tokens are used."""
        return self._credentials

    def get(self, url: str, *, accept: str = GITHUB_JSON, etag: str | None = None) -> Response:
        """Read an address at a known API into memory. See ``Client.get``."""
        headers = {"accept": accept} | ({} if etag is None else {"if-none-match": etag})
        return self._read(url, headers, cap=self._limits.answer_bytes)

    def exchange(self, ask: Ask, *, anonymous: bool, cap: int) -> Response:
        """Read on somebody else's behalf into memory. See ``Client.exchange``."""
        headers = {"accept": ask.accept} | ({"x-github-api-version": ask.api_version} if ask.api_version else {})
        if ask.method == "GET":
            return self._read(ask.url, headers, cap=cap, anonymous=anonymous)
        headers["content-type"] = _JSON
        return self._read(ask.url, headers, cap=cap, anonymous=anonymous, posted=ask.body)

    def download(self, url: str, into: BinaryIO, *, cap: int) -> Download:
        """Stream what lies behind an address at a known API into a file. See ``Client.download``."""
        apis, session = self._open()
        target = apis.target(url)
        asker = self._asker(target.host)
        sink = Sink(into, cap)
        try:
            return self._persist(lambda: self._download_once(session, target, asker, sink), target)
        except BaseException:
            sink.abandon()
            raise

    def close(self) -> None:
        """Close all connections; the next read opens new ones."""
        with self._lock, quiet():
            opened, self._opened = self._opened, None
            if opened is not None:
                opened[1].close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self) -> "tuple[Apis, Session]":
        if self._offline:
            raise Offline("this needs the network", otherwise=self._otherwise)
        from opvalue.http.origins import Apis  # noqa: PLC0415 - loads httpx
        from opvalue.http.session import Session  # noqa: PLC0415 - loads httpx

        with self._lock:
            if self._opened is None:
                self._opened = Apis(self._roots), Session(self._limits)
            return self._opened

    def _read(
        self, url: str, headers: Mapping[str, str], *, cap: int, anonymous: bool = False, posted: bytes | None = None
    ) -> Response:
        apis, session = self._open()
        target = apis.target(url)
        asker = nobody(target.host) if anonymous else self._asker(target.host)

        def attempt() -> Response | Again:
            with session.open(target, {"accept-encoding": "gzip"}, headers, asker.token, posted) as answer:
                response, whole = read(answer.response, cap, self._limits.answer_seconds)
            if not whole:
                raise AnswerTooLarge(f"an answer of {target.host} is too large", expected=f"at most {cap} bytes")
            again = judge(response, asker, at_api=answer.at_api, now=self._clock())
            if again is None and posted is not None:
                again = judge_query(response, asker, now=self._clock())
            return response if again is None else again

        return self._persist(attempt, target)

    def _asker(self, host: Host) -> Asker:
        return Asker(host, self._credentials.token_for(host), self._credentials.looked_for(host))

    def _persist(self, attempt: Callable[[], T | Again], target: "Target") -> T:
        return persist(
            lambda: _ours(attempt, str(target.origin)),
            tries=self._limits.read_tries,
            seconds=self._limits.read_wait_seconds,
            sleep=self._sleep,
        )

    def _download_once(self, session: "Session", target: "Target", asker: Asker, sink: Sink) -> Download | Again:
        """Ask the API for a fresh link, and the storage behind it for what is missing."""
        everywhere = {"accept-encoding": "identity", **sink.range_headers()}
        with session.open(target, everywhere, {"accept": GITHUB_JSON}, asker.token) as answer:
            response = answer.response
            if response.status_code not in {200, 206, 416}:
                return self._no_download(answer, asker)
            if response.status_code == 200:
                sink.begin(response.headers)
            elif response.status_code == 416 or not sink.continues(response.headers):
                sink.forget()
                return Again(NetworkFailed("the server answered with another part of a download than was missing"))
            return self._stream(response, sink, asker)

    def _no_download(self, answer: "Answer", asker: Asker) -> Again:
        response, _ = read(answer.response, _EXCERPT_BYTES, self._limits.answer_seconds)
        again = judge(response, asker, at_api=answer.at_api, now=self._clock())
        if again is None:
            raise DownloadAnswered(f"{asker.host} has no such download", response, at_api=answer.at_api)
        return again

    def _stream(self, response: "httpx.Response", sink: Sink, asker: Asker) -> Download | Again:
        encoding = response.headers.get("content-encoding", "identity")
        if encoding != "identity":
            raise AnswerEncoded(f"a download from {asker.host} came encoded", expected="identity", found=encoding[:40])
        for chunk in within(response.iter_raw(), self._limits.download_seconds):
            sink.write(chunk)
        if sink.is_short:
            return Again(NetworkFailed(f"a download from {asker.host} ended early"))
        return sink.finish()


def _ours(attempt: Callable[[], T | Again], where: str) -> T | Again:
    """Run one try; what the HTTP library raises becomes ours."""
    from opvalue.http.foreign import FOREIGN, translate  # noqa: PLC0415 - loads httpx

    try:
        with quiet():
            return attempt()
    except OpvalueError:
        raise
    except FOREIGN as error:
        # Returned, not raised: so ours does not carry the foreign one, and the request in it, along.
        return translate(error, where)
