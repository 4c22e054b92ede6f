"""The hunt for a token that got somewhere it must not be.

A test's token is a canary. ``Hunt`` watches from the test's start to its end: outputs, logs, files that stay and files
that are removed, arguments and environments of children, what a broker answers, keeps and tells, and requests to any
origin that is not the API's. ``look`` says where a canary or a signed link was found. ``tests/conftest.py`` hunts in
every test of the rooms that hold tokens.

Not seen: what a file held before it was written over, and a token in any other spelling than its own.
"""

import logging
import os
import re
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import pytest

CANARY: Final = "ghp_canaryCANARYcanaryCANARYcanary123456"
SIGNATURE: Final = "sigSIGsigSIGsigSIG"
"""Part of every signed link of the small web sites; a secret as well."""

_TOKEN: Final = re.compile(re.escape(CANARY))
_LINK: Final = re.compile(rf"{SIGNATURE}|\bsig=[0-9a-f]{{64}}")
"""A signed link: of the small web sites, or of the made-up GitHub."""
_MOST: Final = 16 << 20
_AROUND: Final = 30


class Hunt:
    """Watches one test. ``folders`` are looked through at the end."""

    def __init__(self, patch: pytest.MonkeyPatch, folders: Iterable[Path]) -> None:
        self.folders = list(folders)
        self.apis: set[str] = set()
        """Origins that a client was told are an API."""
        self._found: list[str] = []
        self._planted: set[Path] = set()
        self._entrusting = False
        self._texts: list[Callable[[], Iterable[tuple[str, str]]]] = []
        self._watch_children(patch)
        self._watch_removals(patch)
        self._watch_clients(patch)
        self._watch_servers(patch)
        self._watch_brokers(patch)

    # What a test says

    def plant(self, path: Path) -> None:
        """Let a file that the test writes itself hold the token."""
        self._planted.add(path.resolve())

    @contextmanager
    def entrusting(self) -> Iterator[None]:
        """Let children started within the block have the token in their environment: the program under test, and gh."""
        self._entrusting = True
        try:
            yield
        finally:
            self._entrusting = False

    def read(self, source: Callable[[], Iterable[tuple[str, str]]]) -> None:
        """Search, at the end, texts that ``source`` gives, each with the name of its place."""
        self._texts.append(source)

    def search(self, place: str, text: str | bytes, *, links: bool = True) -> None:
        """Search ``text``, and signed links in it unless they may be there."""
        shown = text.decode("latin-1") if isinstance(text, bytes) else text
        for secret in (_TOKEN, _LINK) if links else (_TOKEN,):
            found = secret.search(shown)
            if found is not None:
                what = "the token" if secret is _TOKEN else "a signed link"
                before = shown[max(found.start() - _AROUND, 0) : found.start()]
                self._found.append(f"{what} in {place}, after {before!r}")

    def look(self) -> list[str]:
        """Return where secrets were found so far."""
        for source in self._texts:
            for place, text in source():
                self.search(place, text)
        for folder in self.folders:
            for path in sorted(folder.rglob("*")):
                self._search_file(path)
        return list(dict.fromkeys(self._found))

    def forget(self) -> None:
        """Start anew: what was found was meant to be found."""
        self.look()
        self._found.clear()
        self.folders.clear()
        self._texts.clear()

    # What is watched

    def child(self, argv: Sequence[Any] | Any, environ: Mapping[Any, Any] | None) -> None:
        """Search what a child is given."""
        words = [argv] if isinstance(argv, str | bytes | os.PathLike) else list(argv)
        program = os.fsdecode(words[0]) if words else "nothing"
        self.search(f"an argument of {program}", " ".join(map(os.fsdecode, words)))
        if not self._entrusting:
            given = os.environ if environ is None else environ
            self.search(f"the environment of {program}", "\n".join(f"{k!r}={v!r}" for k, v in given.items()))

    def request(self, origin: str, apis: Iterable[str], target: str, headers: Mapping[str, str]) -> None:
        """Search a request that reached some server. A token may be in its header, at an API's own origin alone."""
        self.search(f"an address at {origin}", target, links=False)
        for name, value in headers.items():
            may = name == "authorization" and origin in apis
            if not may:
                self.search(f"the header {name} of a request to {origin}", value)

    def _search_file(self, path: Path) -> None:
        try:
            if path.is_symlink() or not path.is_file() or path.resolve() in self._planted:
                return
            with path.open("rb") as file:
                self.search(f"the file {path}", file.read(_MOST))
        except OSError:
            return

    def _watch_children(self, patch: pytest.MonkeyPatch) -> None:
        real = subprocess.Popen.__init__

        def start(process: Any, args: Any, *more: Any, **options: Any) -> None:
            # The environment is the eleventh of the positional ones, and nobody gives it so.
            self.child(args, options.get("env"))
            real(process, args, *more, **options)

        patch.setattr(subprocess.Popen, "__init__", start)

    def _watch_removals(self, patch: pytest.MonkeyPatch) -> None:
        for name in ("unlink", "remove"):
            real = getattr(os, name)

            def remove(path: Any, *, dir_fd: int | None = None, real: Callable[..., None] = real) -> None:
                self._search_removed(path, dir_fd)
                real(path, dir_fd=dir_fd)

            patch.setattr(os, name, remove)

    def _search_removed(self, path: Any, folder: int | None) -> None:
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
        except (OSError, ValueError):
            return
        try:
            content = os.read(descriptor, _MOST)
        except OSError:
            return
        finally:
            os.close(descriptor)
        if folder is not None or Path(path).resolve() not in self._planted:
            self.search(f"the removed file {os.fsdecode(path)}", content)

    def _watch_clients(self, patch: pytest.MonkeyPatch) -> None:
        from opvalue.http import HttpxClient  # noqa: PLC0415 - most rooms' tests do without

        real = HttpxClient.__init__

        def make(client: Any, credentials: Any, *, api_origins: Mapping[Any, str], **more: Any) -> None:
            self.apis |= {_origin(root) for root in api_origins.values()}
            real(client, credentials, api_origins=api_origins, **more)

        patch.setattr(HttpxClient, "__init__", make)

    def _watch_servers(self, patch: pytest.MonkeyPatch) -> None:
        from tests.http.site import Site  # noqa: PLC0415
        from tests.sim import PROXIED_HOST, Sim  # noqa: PLC0415

        handle, begin = Sim.handle, Site.__init__
        web = f"http://{PROXIED_HOST}"

        def asked(sim: Sim, request: Any) -> Any:
            target = f"{request.path} {request.query}"
            self.request(request.origin, sim.api_origins - {web}, target, request.headers)
            return handle(sim, request)

        def open_site(site: Site, *args: Any, **more: Any) -> None:
            begin(site, *args, **more)
            self.read(lambda: self._asked_of(site))

        patch.setattr(Sim, "handle", asked)
        patch.setattr(Site, "__init__", open_site)

    def _watch_brokers(self, patch: pytest.MonkeyPatch) -> None:
        from opvalue.evidence.broker.connection import Connection  # noqa: PLC0415 - most rooms' tests do without
        from opvalue.evidence.broker.ledger import Ledger  # noqa: PLC0415

        send, keep, fail = Connection.send, Ledger.keep, Ledger.fail

        def sending(connection: Connection, answer: Any) -> None:
            self.search("an answer to the evaluator", repr(answer))
            send(connection, answer)

        def keeping(ledger: Ledger, exchange: Any) -> Any:
            self.search("an exchange", repr(exchange))
            return keep(ledger, exchange)

        def failing(ledger: Ledger, error: Any, request: str) -> Any:
            failure = fail(ledger, error, request)
            self.search("a failure to observe", repr(failure))
            return failure

        patch.setattr(Connection, "send", sending)
        patch.setattr(Ledger, "keep", keeping)
        patch.setattr(Ledger, "fail", failing)

    def _asked_of(self, site: Any) -> Iterator[tuple[str, str]]:
        for asked in site.asked:
            origin = _origin(asked.path) if "://" in asked.path else site.root
            self.request(origin, self.apis, asked.path, asked.headers)
        yield from ()


def logged(caplog: pytest.LogCaptureFixture) -> Iterator[tuple[str, str]]:
    """Give every line of every log, with what it was made from."""
    for record in [*caplog.get_records("setup"), *caplog.get_records("call")]:
        yield f"the log {record.name}", f"{_message(record)} {record.args!r}"


def _message(record: logging.LogRecord) -> str:
    return record.getMessage() if record.exc_text is None else f"{record.getMessage()} {record.exc_text}"


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.lower()}"
