"""The token goes to the API's origin and nowhere else, and the hunt would see if it did (AR-10, HB-01).

Each mutation changes the client or what stands around it so that a secret gets out one way, regrades, and expects the
hunt to have found exactly that.
"""

import json
import logging
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

import pytest

from opvalue.cache import Record
from opvalue.errors import OpvalueError
from opvalue.http import Forbidden, NetworkFailed, Token, foreign, httpx_client, session, verdict
from opvalue.http.origins import Origin, next_hop
from tests.online.stage import RUN_ID, Program, Stage
from tests.sim import Access, SimServer
from tests.support.canary import CANARY, Hunt

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

Patch = pytest.MonkeyPatch


def test_a_whole_regrade_lets_nothing_out(stage: Stage, hunt: Hunt) -> None:
    stage.upload()
    with stage.loopback() as regrade:
        regrade()
        (api,) = hunt.apis
    assert stage.sim.tokens_seen() == {api: {f"Bearer {CANARY}"}}
    assert hunt.look() == []


def test_the_real_program_lets_nothing_out(served: Stage, program: Program) -> None:
    served.upload()
    argv = ("regrade", str(RUN_ID), "--evidence-at", "2025-08-25T00:00:00Z", "--json")
    with SimServer(served.sim, proxied=True) as server:
        checkout = ("--checkout", str(served.world.repository.path))
        ended = program.run(*argv, *checkout, env={"HTTP_PROXY": server.proxy_url, "OPVALUE_DEBUG": "1"})
    assert ended.status == 0
    assert served.sim.tokens_seen() == {"http://api.github.localhost": {f"Bearer {CANARY}"}}
    seen = [json.loads(line) for line in (program.folder / "seen").read_text().splitlines()]
    assert any("--grade-run" in line for line in seen), "the evaluator's own environment was looked at"
    assert any("cat-file" in line for line in seen)


@pytest.mark.parametrize("where", ["port", "host", "scheme", "chain"])
def test_not_where_a_redirect_leads(stage: Stage, where: str) -> None:
    with SimServer(stage.sim) as other, stage.loopback() as regrade:
        links = {
            "port": f"{other.stranger_url}/x",
            "host": other.stranger_url.replace("127.0.0.1", "localhost") + "/x",
            "scheme": other.stranger_url.replace("http:", "https:") + "/x",
            "chain": f"{other.api_url}/repos/acme/widgets/actions/artifacts/5000/zip",
        }
        stage.upload(link=links[where])
        with pytest.raises(OpvalueError) as caught:
            regrade()
    assert caught.value.kind.exit_status in {6, 9}
    assert len(stage.sim.tokens_seen()) == 1


# Mutations


def no_token_is_left_behind(patch: Patch) -> None:
    """The header stays on, wherever a redirect leads."""
    real = session._headers
    opened = session.Session.open

    def open_everywhere(
        self: Any, target: Any, everywhere: Any, at_api: Any, token: Token | None, posted: bytes | None = None
    ) -> Any:
        return opened(self, target, {**everywhere, **real({}, at_api, token)}, at_api, token, posted)

    patch.setattr(session.Session, "open", open_everywhere)


def ports_do_not_count(patch: Patch) -> None:
    """Another port of the same host passes for the API."""

    def hop(url: Any, location: str | None) -> Any:
        following, origin = next_hop(url, location)
        port = Origin.of(url)
        assert port is not None
        return following, origin._replace(port=port.port) if origin.host == port.host else origin

    patch.setattr(session, "next_hop", hop)


def the_error_tells(patch: Patch) -> None:
    """A denial's text repeats the token, and the program prints it."""

    def deny(_response: object, asker: Any) -> None:
        sys.stderr.write(f"denied to {asker.token.reveal()}\n")
        raise Forbidden("denied")

    patch.setattr(verdict, "_deny", deny)


def the_log_tells(patch: Patch) -> None:
    """The header is logged."""
    real = session._headers

    def headers(*args: Any) -> dict[str, str]:
        made = real(*args)
        logging.getLogger("opvalue").debug("sending %s", made)
        return made

    patch.setattr(session, "_headers", headers)


def the_library_logs(patch: Patch) -> None:
    """The library's own log lines, with signed links in them, are let through."""
    patch.setattr(httpx_client, "quiet", nullcontext)


def the_link_is_in_an_error(patch: Patch) -> None:
    """A failure's text names the address."""

    def translate(error: Any, _where: str) -> Any:
        text = f"no answer from {error.request.url}" if hasattr(error, "request") else "no answer"
        sys.stdout.write(text)
        raise NetworkFailed(text)

    patch.setattr(foreign, "translate", translate)


def git_is_told(patch: Patch) -> None:
    """A child's environment has the token."""
    real: Any = subprocess.Popen

    def start(*args: Any, env: Any = None, **more: Any) -> Any:
        return real(*args, env={**(env or {}), "GH_TOKEN": CANARY}, **more)

    patch.setattr(subprocess, "Popen", start)


def an_argument_tells(patch: Patch) -> None:
    """A child's arguments have the token."""
    real = session._headers

    def headers(*args: Any) -> dict[str, str]:
        made = real(*args)
        subprocess.run(["/bin/true", *made.values()], check=True)
        return made

    patch.setattr(session, "_headers", headers)


def the_cache_keeps_it(patch: Patch) -> None:
    """The record beside a cached artifact has the token."""
    real = Record.encode
    patch.setattr(Record, "encode", lambda record: real(record) + CANARY.encode())


def a_temporary_file_had_it(patch: Patch) -> None:
    """A file that is gone when all is done had the token."""
    real = session._headers

    def headers(*args: Any) -> dict[str, str]:
        made = real(*args)
        number, name = tempfile.mkstemp()
        os.write(number, made.get("authorization", "").encode())
        os.close(number)
        Path(name).unlink()
        return made

    patch.setattr(session, "_headers", headers)


MUTATIONS: dict[Callable[[Patch], None], str] = {
    no_token_is_left_behind: "the token in the header authorization of a request to http://127.0.0.1:",
    ports_do_not_count: "the token in the header authorization of a request to http://127.0.0.1:",
    the_error_tells: "the token in standard error",
    the_log_tells: "the token in the log opvalue",
    the_library_logs: "a signed link in the log http",
    the_link_is_in_an_error: "a signed link in standard output",
    git_is_told: "the token in the environment of /",
    an_argument_tells: "the token in an argument of /bin/true",
    the_cache_keeps_it: "the token in the file /",
    a_temporary_file_had_it: "the token in the removed file /",
}


@pytest.mark.parametrize("mutate", MUTATIONS, ids=lambda mutate: mutate.__name__)
def test_a_client_that_lets_it_out_is_found_out(
    stage: Stage, hunt: Hunt, monkeypatch: Patch, mutate: Callable[[Patch], None]
) -> None:
    if mutate is the_error_tells:
        stage.sim.tokens[CANARY] = Access(actions=False)
    stage.upload(cut_after=100 if mutate is the_link_is_in_an_error else None)
    with monkeypatch.context() as patch:
        mutate(patch)
        with stage.loopback() as regrade, suppress(OpvalueError):
            regrade()
    found = hunt.look()
    hunt.forget()
    assert any(line.startswith(MUTATIONS[mutate]) for line in found), found


def test_the_hunt_fails_a_test(tmp_path: Path) -> None:
    """What the fixture does with what was found, by a test run of its own."""
    room = tmp_path / "tests" / "online"
    room.mkdir(parents=True)
    root = Path(__file__).parents[2]
    (room / "test_leak.py").write_text(f"def test_leak():\n    print(''.join({list(CANARY)}))\n")
    (tmp_path / "tests" / "conftest.py").write_text((root / "tests" / "conftest.py").read_text())
    finished = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", str(room)],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(root), "HOME": str(tmp_path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert finished.returncode == 1, finished.stdout
    assert "a secret got out:" in finished.stdout
    assert "the token in standard output" in finished.stdout
    assert "1 passed, 1 error" in finished.stdout
