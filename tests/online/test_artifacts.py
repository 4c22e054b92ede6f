"""Which of a run's artifacts is regraded: attempts, prefixes, several of a name, pages (DESIGN 4.3; AR-01, 03, 04)."""

import pytest

from opvalue.errors import Kind, OpvalueError
from opvalue.identity import RunRef
from opvalue.regrade import Regraded
from tests.online.stage import RUN_ID, Stage
from tests.sim import zipped

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

ADDRESS = f"https://github.com/acme/widgets/actions/runs/{RUN_ID}"


def refusal(stage: Stage, **changes: object) -> OpvalueError:
    with pytest.raises(OpvalueError) as caught:
        stage.regrade(**changes)  # type: ignore[arg-type]
    return caught.value


def check(regraded: Regraded, name: str) -> str:
    return next(one.detail for one in regraded.checks if one.name == name)


@pytest.mark.parametrize("name", ["agent", "abc123-agent", "x..y-agent", "a.b-agent"])
def test_the_name_may_have_a_prefix(stage: Stage, name: str) -> None:
    stage.upload("agent-output", zipped())
    stage.upload(name)
    regraded = stage.regrade()
    assert check(regraded, "artifact.transport-digest") == f"the artifact {name} has the digest that GitHub names"
    assert stage.asked()[:2] == ["/runs/123456", "/runs/123456/artifacts"]
    assert len(stage.asked()) == 4, "the artifact's link and its bytes, and nothing else"


@pytest.mark.parametrize("name", ["../agent", "a/b-agent", "\x1b[31m-agent", "..\\-agent", "\u202e-agent"])
def test_hostile_names_are_refused(stage: Stage, name: str) -> None:
    stage.upload("agent")
    if not name.endswith("-agent"):
        name += "-agent"
    stage.upload(name)
    error = refusal(stage)
    assert (error.code, error.kind) == ("github.hostile-name", Kind.REFUSED)
    assert "\x1b" not in error.diagnostics()
    assert "/zip" not in str(stage.asked())


class Attempts:
    """Three attempts, each with an artifact of its own under one name."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        stage.run.attempt = 3
        for number in (1, 2, 3):
            stage.attempt(number)
            stage.upload(created_at=f"2026-08-2{number}T00:00:00Z")

    def regraded(self, **changes: object) -> int:
        found = self.stage.regrade(**changes).statement["run"]  # type: ignore[arg-type]
        assert isinstance(found, dict)
        return int(found["attempt"])


def test_each_attempt_has_its_own(stage: Stage) -> None:
    attempts = Attempts(stage)
    assert attempts.regraded() == 3
    for number in (1, 2, 3):
        assert attempts.regraded(run=RunRef(str(RUN_ID), attempt=number)) == number
        assert attempts.regraded(run=RunRef.parse(f"{ADDRESS}/attempts/{number}")) == number


@pytest.mark.parametrize("number", [4, 99])
def test_an_attempt_that_never_was(stage: Stage, number: int) -> None:
    Attempts(stage)
    error = refusal(stage, run=RunRef(str(RUN_ID), attempt=number))
    assert (error.code, error.kind, error.expected) == ("github.attempt-not-found", Kind.USAGE, "1 to 3")
    assert error.found == str(number)


def test_an_attempt_whose_artifact_is_not_there(stage: Stage) -> None:
    stage.run.attempt = 2
    stage.upload()
    error = refusal(stage)
    assert (error.code, error.kind.exit_status) == ("github.attempt-not-archived", 6)
    assert "'agent' (id 5000" in (error.found or "")
    assert "attempt 1" in (error.found or "")
    assert stage.regrade(run=RunRef(str(RUN_ID), attempt=1)).statement["run"] == {"id": "123456", "attempt": 1}


def test_two_artifacts_of_one_attempt(stage: Stage) -> None:
    stage.upload("one-agent")
    stage.upload("two-agent")
    error = refusal(stage)
    assert (error.code, error.kind.exit_status) == ("github.several-artifacts", 5)
    for name in ("one-agent", "two-agent"):
        assert f"'{name}'" in (error.found or "")


def test_two_of_which_one_was_never_graded(stage: Stage) -> None:
    stage.upload("other-agent", zipped({"agent/notes.txt": b"nothing"}))
    stage.upload("graded-agent")
    assert "graded-agent" in check(stage.regrade(), "artifact.transport-digest")


def test_two_of_which_one_has_expired(stage: Stage) -> None:
    stage.upload("old-agent", expired=True)
    stage.upload("new-agent")
    assert "new-agent" in check(stage.regrade(), "artifact.transport-digest")


def test_two_of_which_one_turns_out_to_have_expired(stage: Stage) -> None:
    stage.upload("old-agent", gone=True)
    stage.upload("new-agent")
    assert "new-agent" in check(stage.regrade(), "artifact.transport-digest")


def test_all_turn_out_to_have_expired(stage: Stage) -> None:
    stage.upload("one-agent", gone=True)
    stage.upload("two-agent", gone=True)
    error = refusal(stage)
    assert (error.code, error.kind.exit_status) == ("github.artifact-expired", 6)
    assert "one-agent" in error.diagnostics()
    assert "two-agent" in error.diagnostics()


def test_an_expired_one_is_among_what_was_seen(stage: Stage) -> None:
    stage.run.attempt = 2
    stage.upload("old-agent", gone=True)
    stage.upload("new-agent")
    error = refusal(stage)
    assert error.code == "github.attempt-not-archived"
    assert "'old-agent'" in (error.found or "")


def test_one_of_two_cannot_be_read(stage: Stage) -> None:
    stage.upload("bad-agent", b"PK\x03\x04 and no more")
    stage.upload("good-agent")
    error = refusal(stage)
    assert (error.code, error.kind.exit_status) == ("github.candidate-refused", 5)
    assert "'bad-agent'" in error.message
    assert "'good-agent'" in (error.found or "")


@pytest.mark.parametrize("place", [0, 99, 100, 150, 1299])
def test_a_matrix_run_with_1300_artifacts(stage: Stage, place: int) -> None:
    for index in range(1300):
        if index == place:
            stage.upload()
        else:
            stage.upload(f"matrix-{index}", b"PK\x05\x06")
    stage.regrade()
    assert stage.asked().count("/runs/123456/artifacts") == 13


@pytest.mark.parametrize("total", [1, 1299, 1301])
def test_a_listing_that_does_not_add_up(stage: Stage, total: int) -> None:
    stage.upload()
    for index in range(1299):
        stage.upload(f"matrix-{index}", b"PK\x05\x06")
    stage.run.total_count = total
    error = refusal(stage)
    assert (error.code, error.kind.exit_status) == ("github.listing-mismatch", 9)


def test_a_matrix_of_agents_is_not_downloaded_whole(stage: Stage) -> None:
    for index in range(21):
        stage.upload(f"cell{index}-agent", b"PK\x05\x06")
    error = refusal(stage)
    assert (error.code, error.kind.exit_status) == ("regrade.too-many-candidates", 6)
    assert "cell0-agent" in (error.found or "")
    assert "/zip" not in str(stage.asked())
