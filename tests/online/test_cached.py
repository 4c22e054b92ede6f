"""A regrade from the cache: at most two requests, never a poisoned entry, no failure for its sake (RG-02)."""

import json
import os
import socket
from pathlib import Path

import pytest

from opvalue.cache import ArtifactCache
from opvalue.errors import OpvalueError
from opvalue.identity import RunRef
from tests.online.stage import EVIDENCE_AT, RUN_ID, Program, Stage
from tests.sim import Reply, SimServer

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

TWO = ["/runs/123456", "/runs/123456/artifacts"]


def entry(cache: ArtifactCache | Path, ending: str = ".zip") -> Path:
    folder = cache.folder if isinstance(cache, ArtifactCache) else cache
    (found,) = folder.rglob(f"*{ending}")
    return found


@pytest.mark.parametrize("attempt", [None, 1])
def test_a_second_regrade_makes_two_requests(stage: Stage, attempt: int | None) -> None:
    stage.upload()
    with stage.loopback() as regrade:
        first = regrade()
        stage.sim.requests.clear()
        asked = regrade(run=RunRef(str(RUN_ID), attempt=attempt))
    assert len(stage.sim.requests) == 2
    assert asked.statement == first.statement
    assert stage.problems == []


def test_the_checks_say_the_same_from_the_cache(stage: Stage) -> None:
    stage.upload()
    assert stage.regrade().checks == stage.regrade().checks


def test_refresh_fetches_again(stage: Stage) -> None:
    artifact = stage.upload()
    stage.regrade()
    stage.regrade(refresh=True)
    assert artifact.links == 2
    stage.regrade()
    assert artifact.links == 2


def test_another_artifact_is_no_hit(stage: Stage) -> None:
    first = stage.upload()
    stage.regrade()
    stage.run.artifacts.clear()
    second = stage.upload()
    stage.regrade()
    assert (first.links, second.links) == (1, 1)


@pytest.mark.parametrize("has_digest", [True, False])
@pytest.mark.parametrize("how", ["other bytes", "cut", "link", "mode", "gone"])
def test_a_poisoned_entry_is_fetched_again(stage: Stage, how: str, *, has_digest: bool) -> None:
    artifact = stage.upload(has_digest=has_digest)
    first = stage.regrade()
    poisoned, other = entry(stage.cache), stage.world.root / "other.zip"
    if how == "other bytes":
        poisoned.write_bytes(poisoned.read_bytes()[::-1])
    elif how == "cut":
        os.truncate(poisoned, 100)
    elif how == "link":
        poisoned.replace(other)
        poisoned.symlink_to(other)
    elif how == "mode":
        poisoned.chmod(0o644)
    else:
        poisoned.unlink()
    assert stage.regrade().statement == first.statement
    assert artifact.links == 2
    assert [problem.code for problem in stage.problems] == ["cache.damaged"]
    assert stage.regrade().statement == first.statement
    assert artifact.links == 2


def test_a_bad_download_that_nobody_could_notice_does_not_stay(stage: Stage) -> None:
    artifact = stage.upload(has_digest=False)
    stage.sim.answer("/signed/", Reply(200, {"content-type": "application/zip"}, artifact.content[:500]))
    with pytest.raises(OpvalueError) as caught:
        stage.regrade()
    assert caught.value.code == "archive.cut"
    stage.sim.rewrites.clear()
    assert stage.regrade().observation.value is not None


def test_an_unchanged_bad_one_is_not_fetched_for_ever(stage: Stage) -> None:
    artifact = stage.upload(content=b"PK\x03\x04" + bytes(100), has_digest=False)
    for links in (1, 2, 3):
        with pytest.raises(OpvalueError):
            stage.regrade()
        assert artifact.links == links


@pytest.mark.parametrize("digest", ["SHA256:", "sha256:"])
def test_letters_of_the_digest_do_not_matter(stage: Stage, digest: str) -> None:
    artifact = stage.upload()
    assert artifact.digest is not None
    artifact.digest = digest + artifact.digest.removeprefix("sha256:").upper()
    stage.regrade()
    stage.regrade()
    assert artifact.links == 1


def test_without_a_digest_that_is_said(stage: Stage) -> None:
    stage.upload(has_digest=False)
    for _ in range(2):
        (found,) = [check for check in stage.regrade().checks if check.name == "artifact.transport-digest"]
        assert (found.state.value, found.detail) == ("skipped", "GitHub offered no digest of the artifact")


# The real program


ASK = ("regrade", str(RUN_ID), "--evidence-at", EVIDENCE_AT.replace("2026", "2025"), "--no-sandbox", "--json")


def spoil(cache: Path, how: str) -> None:
    if how == "a file":
        cache.write_text("not a folder")
    elif how == "a link":
        cache.symlink_to("/proc")
    elif how == "open to others":
        (cache / "artifacts").mkdir(parents=True)
        (cache / "artifacts").chmod(0o777)
    elif how == "no room":
        cache.symlink_to("/dev/full")


@pytest.mark.parametrize("how", ["a file", "a link", "open to others", "no room"])
def test_a_cache_that_cannot_be_used_only_warns(served: Stage, program: Program, how: str) -> None:
    artifact = served.upload()
    spoil(program.cache, how)
    with SimServer(served.sim, proxied=True) as server:
        checkout = ("--checkout", str(served.world.repository.path))
        ended = program.run(*ASK, *checkout, env={"HTTP_PROXY": server.proxy_url})
    assert ended.status == 0, ended
    assert ended.document["results"][0]["value"] == pytest.approx(2 / 3)
    assert artifact.links == 1
    (line,) = ended.err.splitlines()
    assert line.startswith("warning: ")
    assert "[cache." in line


def test_the_program_from_the_cache(served: Stage, program: Program) -> None:
    served.upload()
    checkout = ("--checkout", str(served.world.repository.path))
    with SimServer(served.sim, proxied=True) as server:
        env = {"HTTP_PROXY": server.proxy_url}
        first = program.run(*ASK, *checkout, env=env)
        served.sim.requests.clear()
        second = program.run(*ASK, *checkout, env=env)
        assert served.asked() == TWO
        refreshed = program.run(*ASK, *checkout, "--refresh", env=env)
        assert len(served.sim.requests) == 6
    for ended in (first, second, refreshed):
        assert (ended.status, ended.err) == (0, "")
        assert ended.document.pop("execution")
        assert ended.document["results"] == first.document["results"]
    assert entry(program.cache).stat().st_mode & 0o777 == 0o600
    assert entry(program.cache).parent.stat().st_mode & 0o777 == 0o700


def test_offline_no_socket_is_opened(served: Stage, program: Program) -> None:
    served.upload()
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        listener.setblocking(False)
        env = {"HTTP_PROXY": f"http://127.0.0.1:{listener.getsockname()[1]}"}
        checkout = ("--checkout", str(served.world.repository.path))
        ended = program.run(*ASK, *checkout, "--offline", env=env)
        with pytest.raises(BlockingIOError):
            listener.accept()
    assert (ended.status, ended.error["code"], ended.err) == (9, "http.offline", "")
    assert ended.error["hint"] == "Run without --offline, or give the downloaded artifact with --artifact."
    seen = [json.loads(line) for line in (program.folder / "seen").read_text().splitlines()]
    assert not [line for line in seen if "auth" in line], "gh was not asked for a token either"


def test_offline_what_is_at_hand_is_regraded(served: Stage, program: Program) -> None:
    artifact = ("--artifact", str(served.world.artifact()), "--checkout", str(served.world.repository.path))
    ended = program.run(*ASK, *artifact, "--offline")
    assert (ended.status, ended.err) == (0, "")
    assert ended.document["execution"]["mode"] == "offline"
    assert not program.cache.exists()
