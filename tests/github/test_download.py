"""Downloads through the made-up server: what comes, and what is said when it does not."""

import io

import pytest

from opvalue.archive import read_archive
from opvalue.errors import Kind, OpvalueError
from opvalue.github import ArtifactFacts, TransportDigest, errors
from opvalue.http import DownloadAnswered, DownloadTooLarge, Forbidden, LinkRefused, NetworkFailed, TokenMissing
from opvalue.identity import Digest
from opvalue.limits import Limits
from tests.github.samples import TOKEN, WIDGETS, agent_zip, github
from tests.sim import Reply, Sim, SimRun

ZIP = agent_zip()


@pytest.fixture
def sim() -> Sim:
    made = Sim()
    made.token(TOKEN)
    return made


@pytest.fixture
def run(sim: Sim) -> SimRun:
    return sim.run(sim.repository())


def listed(sim: Sim) -> ArtifactFacts:
    return github(sim).artifacts(WIDGETS, "123")[0]


def test_the_zip_arrives_byte_for_byte_and_verified(sim: Sim, run: SimRun) -> None:
    sim.artifact(run, content=ZIP)
    into = io.BytesIO()
    got = github(sim).download(WIDGETS, listed(sim), into)
    assert got.digest is TransportDigest.VERIFIED
    assert (got.download.bytes, got.download.sha256) == (len(ZIP), Digest.of(ZIP))
    assert into.getvalue() == ZIP
    assert read_archive(into).results.run_id == "123"


def test_a_file_that_holds_something_already(sim: Sim, run: SimRun) -> None:
    sim.artifact(run, content=ZIP)
    into = io.BytesIO(b"before")
    into.seek(6)
    github(sim).download(WIDGETS, listed(sim), into)
    assert into.getvalue() == b"before" + ZIP
    assert into.tell() == 6 + len(ZIP)


def test_the_token_goes_to_the_api_only(sim: Sim, run: SimRun) -> None:
    sim.artifact(run, content=ZIP)
    github(sim).download(WIDGETS, listed(sim), io.BytesIO())
    assert sim.tokens_seen() == {"https://api.github.com": {f"Bearer {TOKEN}"}}
    assert [request.origin for request in sim.requests][-1] == "https://blobs.example"


@pytest.mark.parametrize("digest", ["wrong", "short"])
def test_a_wrong_digest_stops(sim: Sim, run: SimRun, digest: str) -> None:
    sim.artifact(run, content=ZIP, digest="sha256:" + "0" * 64 if digest == "wrong" else "sha256:0")
    error, code = (
        (errors.DigestMismatch, "github.digest-mismatch")
        if digest == "wrong"
        else (errors.DigestUnreadable, "github.digest-unreadable")
    )
    with pytest.raises(error) as refused:
        github(sim).download(WIDGETS, listed(sim), io.BytesIO())
    assert (refused.value.code, refused.value.kind) == (code, Kind.REFUSED)


def test_a_server_without_digests(sim: Sim, run: SimRun) -> None:
    sim.artifact(run, content=ZIP, has_digest=False)
    got = github(sim).download(WIDGETS, listed(sim), io.BytesIO())
    assert got.digest is TransportDigest.NOT_OFFERED


def test_expired_by_its_field_is_not_asked_for(sim: Sim, run: SimRun) -> None:
    sim.artifact(run, expired=True)
    artifact = listed(sim)
    before = len(sim.requests)
    with pytest.raises(errors.ArtifactExpired) as refused:
        github(sim).download(WIDGETS, artifact, io.BytesIO())
    assert (refused.value.code, refused.value.kind) == ("github.artifact-expired", Kind.ARTIFACT)
    assert refused.value.found == "expired 2026-11-21T12:10:00.000Z"
    assert len(sim.requests) == before


def test_expired_by_status_is_asked_once_and_needs_no_wording(sim: Sim, run: SimRun) -> None:
    sim.artifact(run, gone=True, expires_at=None)
    artifact = listed(sim)
    sim.answer("/zip", Reply(410, {}, b"whatever"))
    before = len(sim.requests)
    with pytest.raises(errors.ArtifactExpired) as refused:
        github(sim).download(WIDGETS, artifact, io.BytesIO())
    assert refused.value.found == "expired at a time the API does not say"
    assert len(sim.requests) == before + 1


def test_deleted_since_it_was_listed(sim: Sim, run: SimRun) -> None:
    sim.artifact(run)
    artifact = listed(sim)
    run.artifacts.clear()
    with pytest.raises(errors.NotFound) as refused:
        github(sim).download(WIDGETS, artifact, io.BytesIO())
    assert refused.value.code == "github.not-found"
    assert "artifact 'agent'" in refused.value.message
    with pytest.raises(errors.NotFoundWithoutToken):
        github(sim, None).download(WIDGETS, artifact, io.BytesIO())


def test_a_public_listing_without_a_token_and_a_download_that_needs_one(sim: Sim, run: SimRun) -> None:
    sim.artifact(run)
    reader = github(sim, None)
    artifact = reader.artifacts(WIDGETS, "123")[0]
    with pytest.raises(TokenMissing):
        reader.download(WIDGETS, artifact, io.BytesIO())


def test_a_forbidden_download(sim: Sim, run: SimRun) -> None:
    sim.artifact(run)
    artifact = listed(sim)
    sim.token(TOKEN, actions=False)
    with pytest.raises(Forbidden) as refused:
        github(sim).download(WIDGETS, artifact, io.BytesIO())
    assert refused.value.kind is Kind.CREDENTIALS


@pytest.mark.parametrize("status", [403, 404])
def test_a_dead_link_is_replaced_once(sim: Sim, run: SimRun, status: int) -> None:
    made = sim.artifact(run, content=ZIP, dead_links=1, dead_status=status)
    into = io.BytesIO()
    github(sim).download(WIDGETS, listed(sim), into)
    assert into.getvalue() == ZIP
    assert made.links == 2


@pytest.mark.parametrize("status", [403, 404])
def test_two_dead_links_are_enough(sim: Sim, run: SimRun, status: int) -> None:
    made = sim.artifact(run, content=ZIP, dead_links=2, dead_status=status)
    with pytest.raises(LinkRefused):
        github(sim).download(WIDGETS, listed(sim), io.BytesIO())
    assert made.links == 2


def test_another_answer_of_the_storage_is_passed_on(sim: Sim, run: SimRun) -> None:
    sim.artifact(run, link="https://blobs.example/signed/none")
    artifact = listed(sim)
    sim.answer("/signed/", Reply(410, {}, b""))
    with pytest.raises(DownloadAnswered) as refused:
        github(sim).download(WIDGETS, artifact, io.BytesIO())
    assert not refused.value.at_api


def test_a_cut_body(sim: Sim, run: SimRun) -> None:
    sim.artifact(run, content=ZIP, cut_after=100)
    with pytest.raises(NetworkFailed):
        github(sim).download(WIDGETS, listed(sim), io.BytesIO())


def test_an_artifact_stored_cut(sim: Sim, run: SimRun) -> None:
    made = sim.artifact(run, content=ZIP)
    artifact = listed(sim)
    made.content = ZIP[:-30]
    with pytest.raises(errors.DownloadCut):
        github(sim).download(WIDGETS, artifact, io.BytesIO())


@pytest.mark.parametrize(
    ("content", "media_type", "error"),
    [
        (b'{"message": "Not Found"}', "application/json", errors.DownloadIsJson),
        (b"<html>login</html>", "text/html", errors.DownloadIsPage),
        (b"Rar!", "application/zip", errors.DownloadNotZip),
    ],
)
def test_something_else_than_a_zip(
    sim: Sim, run: SimRun, content: bytes, media_type: str, error: type[OpvalueError]
) -> None:
    sim.artifact(run, content=content, media_type=media_type)
    with pytest.raises(error):
        github(sim).download(WIDGETS, listed(sim), io.BytesIO())


def test_the_cap_is_that_of_archives(sim: Sim, run: SimRun) -> None:
    sim.artifact(run, content=ZIP)
    artifact = listed(sim)
    with pytest.raises(DownloadTooLarge):
        github(sim, limits=Limits(archive_bytes=len(ZIP) - 1)).download(WIDGETS, artifact, io.BytesIO())
    github(sim, limits=Limits(archive_bytes=len(ZIP))).download(WIDGETS, artifact, io.BytesIO())


def test_a_renamed_repository(sim: Sim, run: SimRun) -> None:
    sim.artifact(run, content=ZIP)
    artifact = listed(sim)
    run.repository.full_name, run.repository.former_names = "acme/renamed", ["acme/widgets"]
    into = io.BytesIO()
    github(sim).download(WIDGETS, artifact, into)
    assert into.getvalue() == ZIP
    assert f"/repositories/{run.repository.id}/actions/artifacts/{artifact.id}/zip" in sim.paths()
