"""The one usage artifact of a run that holds a session: chosen by what is inside, never by order or date."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from opvalue.cache import ArtifactCache
from opvalue.conclusion.fetch import Source, fetch_session
from opvalue.errors import OpvalueError
from opvalue.github import GitHub
from opvalue.identity import Repository, RunRef
from tests.sim import Sim, SimArtifact, SimClient, zipped

TOKEN = "gh" + "p_madeUpForTheseTests0000000000000000000"
LINES = b'{"type":"a.b","data":{},"provenance":{}}\n'
WIDGETS = Repository.parse("acme/widgets")


class Stage:
    """A completed run of the made-up GitHub, without artifacts."""

    def __init__(self, folder: Path) -> None:
        self.sim = Sim()
        self.sim.token(TOKEN)
        self.run = self.sim.run(self.sim.repository("acme/widgets", number=42), 77)
        self.cache = ArtifactCache(folder / "cache")
        self.told: list[str] = []
        self.problems: list[OpvalueError] = []

    def upload(self, name: str = "usage", members: Mapping[str, bytes] | None = None, **facts: Any) -> SimArtifact:
        """Let the run have an artifact, with a session unless other members are given."""
        content = zipped({"aw_session.jsonl": LINES} if members is None else members)
        return self.sim.artifact(self.run, name, facts.pop("content", content), **facts)

    def fetch(self, *, refresh: bool = False, attempt: int | None = None) -> tuple[str, int, bytes]:
        """Return the artifact's name, the attempt and the session."""
        github = GitHub(SimClient(self.sim, {"GH_TOKEN": TOKEN}))
        run = RunRef("77", None, attempt)
        source = Source(github, self.cache, refresh)
        with fetch_session(source, WIDGETS, run, tell=self.told.append, warn=self.problems.append) as found:
            return found.artifact.name, found.run.attempt, b"".join(found.session.blocks())

    def refusal(self) -> OpvalueError:
        with pytest.raises(OpvalueError) as caught:
            self.fetch()
        return caught.value


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path)


@pytest.mark.parametrize("name", ["usage", "abc-usage", "a.b-usage"])
@pytest.mark.parametrize("inside", ["aw_session.jsonl", "usage/aw_session.jsonl"])
def test_the_one_with_a_session(stage: Stage, name: str, inside: str) -> None:
    stage.upload("agent")
    stage.upload("usage-report")
    stage.upload(name, {inside: LINES, "usage/graders/grader_results.json": b"{}"})
    assert stage.fetch() == (name, 1, LINES)
    assert stage.told[0] == "asking for the run"
    assert len(stage.told) == 2, "one download"


def test_downloaded_once(stage: Stage) -> None:
    stage.upload()
    assert stage.fetch() == stage.fetch()
    assert sum(text.startswith("downloading") for text in stage.told) == 1
    stage.fetch(refresh=True)
    assert sum(text.startswith("downloading") for text in stage.told) == 2
    assert stage.problems == []


def test_the_attempt_that_was_named(stage: Stage) -> None:
    stage.run.attempt = 3
    stage.run.earlier[2] = {}
    stage.upload()
    assert stage.fetch()[1] == 3
    assert stage.fetch(attempt=2)[1] == 2


def test_one_of_two_holds_it(stage: Stage) -> None:
    stage.upload("detection-usage", {"usage/agent_usage.json": b"{}"})
    stage.upload("usage")
    assert stage.fetch()[0] == "usage"


def test_expired_ones_are_passed_over_while_one_is_live(stage: Stage) -> None:
    stage.upload("usage", expired=True)
    stage.upload("old-usage", gone=True)
    stage.upload("new-usage")
    assert stage.fetch()[0] == "new-usage"


def test_two_that_hold_one(stage: Stage) -> None:
    stage.upload("a-usage")
    stage.upload("b-usage")
    error = stage.refusal()
    assert error.code == "github.several-artifacts"
    assert "gh run download" in error.hint
    assert error.found is not None
    assert "a-usage" in error.found
    assert "b-usage" in error.found


def test_more_than_are_downloaded_to_find_out(stage: Stage) -> None:
    for number in range(21):
        stage.upload(f"x{number}-usage")
    assert stage.refusal().code == "github.several-artifacts"
    assert not any(text.startswith("downloading") for text in stage.told)


def test_one_that_cannot_be_read_might_be_it(stage: Stage) -> None:
    stage.upload("a-usage")
    stage.upload("b-usage", content=b"PK\x03\x04 cut", digest=None)
    assert stage.refusal().code == "github.candidate-refused"


def test_the_only_one_cannot_be_read(stage: Stage) -> None:
    stage.upload(content=b"PK\x03\x04 cut", digest=None)
    assert stage.refusal().code == "archive.cut"
    assert sum(text.startswith("downloading") for text in stage.told) == 1


def test_a_bad_download_of_old_is_fetched_again(stage: Stage) -> None:
    artifact = stage.upload(digest=None, has_digest=False)
    good = artifact.content
    artifact.content = b"PK\x03\x04".ljust(len(good), b"\0")
    assert stage.refusal().code == "archive.cut"
    artifact.content = good
    assert stage.fetch()[2] == LINES
    assert sum(text.startswith("downloading") for text in stage.told) == 2


@pytest.mark.parametrize(
    ("artifacts", "code", "exit_status"),
    [
        ([], "conclusion.usage-artifact-absent", 6),
        ([("agent", {})], "conclusion.usage-artifact-absent", 6),
        ([("usage", {"expired": True})], "github.artifact-expired", 6),
        ([("usage", {"gone": True})], "github.artifact-expired", 6),
        ([("usage", {"members": {"x": b""}})], "archive.session-absent", 3),
        ([("usage", {"members": {"x": b""}}), ("a-usage", {"gone": True})], "archive.session-absent", 3),
        ([("../x-usage", {})], "github.hostile-name", 5),
    ],
)
def test_none(stage: Stage, artifacts: list[tuple[str, dict[str, Any]]], code: str, exit_status: int) -> None:
    for name, facts in artifacts:
        stage.upload(name, **facts)
    error = stage.refusal()
    assert (error.code, error.kind.exit_status) == (code, exit_status)
    assert "--artifact" not in error.hint or code == "github.hostile-name"


def test_what_is_there_instead_is_said(stage: Stage) -> None:
    stage.upload("agent")
    absent = stage.refusal()
    assert absent.expected == "an artifact named usage, or ending in -usage"
    assert absent.found is not None
    assert "agent" in absent.found
    stage.upload("usage", members={"x": b""})
    empty = stage.refusal()
    assert empty.expected == "aw_session.jsonl"
    assert empty.found is not None
    assert "usage" in empty.found


def test_a_run_that_is_still_going_on(stage: Stage) -> None:
    stage.run.status = "in_progress"
    stage.upload()
    assert stage.refusal().code == "github.run-not-completed"


def test_a_cache_that_cannot_be_used_stops_nothing(stage: Stage, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    stage.cache = ArtifactCache(tmp_path / "file")
    stage.upload()
    assert stage.fetch()[2] == LINES
    assert len(stage.problems) == 1
