"""The n-th request fails, for every n until nothing does: everything is whole each time (style: fault injection)."""

import itertools
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from opvalue.cache import ArtifactCache
from opvalue.errors import Kind, OpvalueError
from opvalue.limits import Limits
from tests.online.stage import RUN_ID, Program, Stage
from tests.sim import Fault, FaultKind, Reply, SimServer

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

FAULTS: Final[dict[str, Fault | Reply]] = {
    "refused": Fault(FaultKind.REFUSED),
    "reset": Fault(FaultKind.RESET),
    "cut": Fault(FaultKind.CUT),
    "late": Fault(FaultKind.DELAYED, 0.05),
    "too late": Fault(FaultKind.DELAYED, 0.6),
    "500": Reply.problem(500, "Oops"),
    "502": Reply(502, {"content-type": "text/html"}, b"<html>bad gateway</html>"),
    "503": Reply.problem(503, "Unavailable", **{"retry-after": "1"}),
    "429": Reply.problem(429, "Too many requests", **{"retry-after": "1"}),
}
ONE_TRY: Final = Limits(read_tries=1)
REQUESTS: Final = 4
"""The run, its artifacts, the link, the bytes."""
LINK: Final = 3
"""An answer without a body, which cannot be cut."""


def limits(name: str, *, tries: int) -> Limits:
    """Return limits under which ``name`` is a fault. A busy machine is given its time where silence is none."""
    return Limits(read_tries=tries, silence_seconds=0.3) if name == "too late" else Limits(read_tries=tries)


def files(cache: ArtifactCache | Path) -> list[str]:
    """Return the endings of what is in the cache, locks aside."""
    folder = cache.folder if isinstance(cache, ArtifactCache) else cache
    return sorted(path.suffix for path in folder.rglob("*") if path.is_file() and path.suffix != ".lock")


@contextmanager
def temporary_files_gone(hunted: Path) -> Iterator[None]:
    yield
    assert list(hunted.iterdir()) == []


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    found = tmp_path / "temporary"
    found.mkdir()
    monkeypatch.setenv("TMPDIR", str(found))
    return found


@pytest.mark.parametrize("name", FAULTS)
def test_with_one_try_it_fails_whole_until_nothing_fails(stage: Stage, place: Path, name: str) -> None:
    stage.upload()
    for number in itertools.count(1):
        stage.sim.requests.clear()
        stage.sim.faults = {number: FAULTS[name]}
        bounds = ONE_TRY if number > REQUESTS else limits(name, tries=1)
        with temporary_files_gone(place), stage.loopback(limits=bounds) as regrade:
            if number > REQUESTS or name == "late" or (name, number) == ("cut", LINK):
                assert regrade(refresh=True).observation.value is not None
                assert files(stage.cache) == [".json", ".zip"]
                if number > REQUESTS:
                    break
                stage.cache.prune(everything=True)
                continue
            with pytest.raises(OpvalueError) as caught:
                regrade()
            assert caught.value.kind is Kind.NOT_OBSERVED, caught.value.diagnostics()
            assert files(stage.cache) == []
    assert len(stage.sim.requests) == REQUESTS
    assert stage.problems == []


@pytest.mark.parametrize("name", FAULTS)
@pytest.mark.parametrize("number", range(1, REQUESTS + 1))
def test_with_further_tries_it_succeeds(stage: Stage, place: Path, name: str, number: int) -> None:
    stage.upload()
    stage.sim.faults = {number: FAULTS[name]}
    with temporary_files_gone(place), stage.loopback(limits=limits(name, tries=5)) as regrade:
        assert regrade().observation.value is not None
    assert files(stage.cache) == [".json", ".zip"]
    assert len(stage.sim.requests) <= REQUESTS + 2 or name == "too late"


@pytest.mark.parametrize("name", ["refused", "reset", "cut", "500"])
def test_an_entry_survives_a_failed_refresh(stage: Stage, place: Path, name: str) -> None:
    stage.upload()
    before = stage.regrade()
    stage.sim.requests.clear()
    for number in (LINK, REQUESTS):
        if (name, number) == ("cut", LINK):
            continue
        stage.sim.requests.clear()
        stage.sim.faults = {number: FAULTS[name]}
        with temporary_files_gone(place), stage.loopback(limits=ONE_TRY) as regrade:
            with pytest.raises(OpvalueError):
                regrade(refresh=True)
            assert files(stage.cache) == [".json", ".zip"]
    stage.sim.faults = {}
    stage.sim.requests.clear()
    assert stage.regrade().statement == before.statement
    assert len(stage.sim.requests) == 2


@pytest.mark.parametrize("name", ["refused", "reset", "cut", "502"])
@pytest.mark.parametrize("number", range(1, REQUESTS + 1))
def test_the_program_tries_again_and_writes_whole(served: Stage, program: Program, name: str, number: int) -> None:
    served.upload()
    served.sim.faults = {number: FAULTS[name]}
    output = program.folder / "out.json"
    argv = ("regrade", str(RUN_ID), "--evidence-at", "2025-08-25T00:00:00Z", "--no-sandbox", "--json")
    with SimServer(served.sim, proxied=True) as server:
        more = ("--checkout", str(served.world.repository.path), "--output", str(output))
        ended = program.run(*argv, *more, env={"HTTP_PROXY": server.proxy_url})
    assert (ended.status, ended.err) == (0, ""), ended
    assert output.read_text() == ended.out
    assert files(program.cache) == [".json", ".zip"]
    assert sorted(path.name for path in program.folder.iterdir()) == ["cache", "out.json", "seen", "temporary"]


def test_a_server_that_never_answers_is_given_up(served: Stage, program: Program) -> None:
    served.upload()
    served.sim.every_fault = Fault(FaultKind.REFUSED)
    output = program.folder / "out.json"
    argv = ("regrade", str(RUN_ID), "--evidence-at", "2025-08-25T00:00:00Z", "--json", "--output", str(output))
    began = time.monotonic()
    with SimServer(served.sim, proxied=True) as server:
        more = ("--checkout", str(served.world.repository.path))
        ended = program.run(*argv, *more, env={"HTTP_PROXY": server.proxy_url})
    assert (ended.status, ended.error["code"]) == (9, "http.network-failed")
    assert len(served.sim.requests) == Limits().read_tries
    assert time.monotonic() - began < 30
    assert not output.exists()
    assert files(program.cache) == []
