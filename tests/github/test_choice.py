import pytest

from opvalue.archive import ArchivedRun
from opvalue.archive import errors as archive_errors
from opvalue.errors import Kind, OpvalueError
from opvalue.github import ArtifactFacts, Candidates, Opened, candidates, choose, errors
from tests.github.samples import ARTIFACT, archived


def named(*names: str, expired: bool = False) -> list[ArtifactFacts]:
    return [ARTIFACT._replace(id=5 + index, name=name, expired=expired) for index, name in enumerate(names)]


def no_data() -> OpvalueError:
    return archive_errors.NoGraderData("the artifact holds no grader files")


def opened(*results: ArchivedRun | OpvalueError) -> tuple[Candidates, list[Opened]]:
    artifacts = named(*(f"{index}-agent" for index in range(len(results))))
    pairs = [Opened(artifact, result) for artifact, result in zip(artifacts, results, strict=True)]
    return Candidates(tuple(artifacts), (), has_usage=False), pairs


class TestCandidates:
    def test_agent_and_called_agents_are_kept_in_order(self) -> None:
        artifacts = named(
            "logs", "7f3a-agent", "agent", "agent-output-fallback", "Agent", "agents", "user-agent", "agent"
        )
        found = candidates(artifacts)
        assert [artifact.id for artifact in found.live] == [6, 7, 11, 12]
        assert (found.expired, found.has_usage) == ((), False)

    def test_expired_ones_are_dropped_while_a_live_one_is_there(self) -> None:
        artifacts = [*named("agent", expired=True), ARTIFACT._replace(id=9)]
        found = candidates(artifacts)
        assert [artifact.id for artifact in found.live] == [9]
        assert [artifact.id for artifact in found.expired] == [5]

    @pytest.mark.parametrize(
        "name", ["..-agent", "v1.2-agent", "a..b-agent", ".agent-agent", "...-agent", "a b-agent", "é-agent", "-agent"]
    )
    def test_harmless_names_are_kept(self, name: str) -> None:
        assert [artifact.name for artifact in candidates(named(name)).live] == [name]

    @pytest.mark.parametrize(
        "name",
        [
            "../x-agent",
            "/etc/x-agent",
            "a/b-agent",
            "..\\x-agent",
            "x\0-agent",
            "x\n-agent",
            "\x1b[2Jx-agent",
            "x\u202e-agent",
            "x\x85-agent",
            "\ud800-agent",
        ],
    )
    @pytest.mark.parametrize("expired", [True, False])
    def test_hostile_names_are_refused_beside_a_good_one(self, name: str, *, expired: bool) -> None:
        with pytest.raises(errors.HostileArtifactName) as refused:
            candidates([ARTIFACT._replace(id=1), ARTIFACT._replace(id=2, name=name, expired=expired)])
        assert (refused.value.code, refused.value.kind) == ("github.hostile-name", Kind.REFUSED)
        assert refused.value.found == ascii(name)

    def test_hostile_names_that_nobody_would_choose_do_no_harm(self) -> None:
        assert len(candidates(named("../../x", "agent")).live) == 1

    def test_absent_lists_what_was_seen(self) -> None:
        with pytest.raises(errors.NoAgentArtifact) as refused:
            candidates(named("logs", "agent-output-fallback"))
        assert (refused.value.code, refused.value.kind) == ("github.artifact-absent", Kind.ARTIFACT)
        assert refused.value.found == (
            "'logs' (id 5, created 2026-08-23T12:10:00.000Z); "
            "'agent-output-fallback' (id 6, created 2026-08-23T12:10:00.000Z)"
        )

    def test_a_run_without_any_artifact_is_absent_too(self) -> None:
        with pytest.raises(errors.NoAgentArtifact) as refused:
            candidates([])
        assert refused.value.found == "no artifacts at all"

    def test_a_long_listing_is_cut_in_the_error(self) -> None:
        with pytest.raises(errors.NoAgentArtifact) as refused:
            candidates(named(*(f"matrix-{index}" for index in range(1300))))
        assert refused.value.found is not None
        assert refused.value.found.endswith("; and 1288 more")

    def test_all_expired_tells_the_date(self) -> None:
        with pytest.raises(errors.ArtifactExpired) as refused:
            candidates(named("agent", "x-agent", expired=True))
        assert (refused.value.code, refused.value.kind) == ("github.artifact-expired", Kind.ARTIFACT)
        assert refused.value.found is not None
        assert "expired 2026-11-21T12:10:00.000Z" in refused.value.found

    def test_expired_without_a_date_is_expired(self) -> None:
        with pytest.raises(errors.ArtifactExpired) as refused:
            candidates([ARTIFACT._replace(expired=True, expires_at=None, created_at=None)])
        assert refused.value.found == "'agent' (id 5, expired already)"

    @pytest.mark.parametrize("usage", ["usage", "7f3a-usage"])
    def test_the_newer_kind_is_recognised(self, usage: str) -> None:
        with pytest.raises(errors.GradersInUsage) as refused:
            candidates(named("logs", usage))
        assert (refused.value.code, refused.value.kind) == ("github.newer-kind", Kind.NOTHING)

    def test_a_usage_artifact_beside_an_agent_one_is_remembered(self) -> None:
        assert candidates(named("usage", "agent")).has_usage


class TestChoose:
    def test_the_only_one_of_the_attempt_is_chosen(self) -> None:
        first, second = archived(attempt=1), archived(attempt=2)
        chosen = choose(*opened(first, no_data(), second), attempt=2)
        assert (chosen.artifact.id, chosen.archived) == (7, second)

    def test_neither_order_nor_time_decides(self) -> None:
        first, second = archived(attempt=1), archived(attempt=2)
        assert choose(*opened(second, first), attempt=1).artifact.id == 6
        assert choose(*opened(first, second), attempt=1).artifact.id == 5

    def test_two_graded_workflows_in_one_run_are_refused(self) -> None:
        with pytest.raises(errors.SeveralArtifacts) as refused:
            choose(*opened(archived(), archived(), archived(attempt=1)), attempt=2)
        assert (refused.value.code, refused.value.kind) == ("github.several-artifacts", Kind.REFUSED)
        assert refused.value.found == (
            "'0-agent' (id 5, created 2026-08-23T12:10:00.000Z): attempt 2; "
            "'1-agent' (id 6, created 2026-08-23T12:10:00.000Z): attempt 2; "
            "'2-agent' (id 7, created 2026-08-23T12:10:00.000Z): attempt 1"
        )

    def test_an_attempt_nobody_recorded_is_refused_listing_all(self) -> None:
        found, pairs = opened(archived(attempt=1), no_data())
        found = found._replace(expired=(ARTIFACT._replace(id=99, expired=True),))
        with pytest.raises(errors.AttemptNotArchived) as refused:
            choose(found, pairs, attempt=3)
        assert (refused.value.code, refused.value.kind) == ("github.attempt-not-archived", Kind.ARTIFACT)
        assert refused.value.expected == "attempt 3"
        assert refused.value.found == (
            "'0-agent' (id 5, created 2026-08-23T12:10:00.000Z): attempt 1; "
            "'1-agent' (id 6, created 2026-08-23T12:10:00.000Z): "
            "the artifact holds no grader files [archive.no-grader-data]; "
            "'agent' (id 99, created 2026-08-23T12:10:00.000Z, expired 2026-11-21T12:10:00.000Z)"
        )

    def test_one_that_cannot_be_read_might_be_the_right_one(self) -> None:
        broken = archive_errors.ArchiveCut("the zip ends early")
        with pytest.raises(errors.CandidateRefused) as refused:
            choose(*opened(archived(), broken), attempt=2)
        assert (refused.value.code, refused.value.kind) == ("github.candidate-refused", Kind.REFUSED)
        assert refused.value.found is not None
        assert "[archive.cut]" in refused.value.found

    def test_the_only_one_keeps_its_own_refusal(self) -> None:
        broken = archive_errors.ArchiveCut("the zip ends early")
        with pytest.raises(archive_errors.ArchiveCut) as refused:
            choose(*opened(broken), attempt=2)
        assert refused.value is broken

    def test_the_only_one_with_graders_keeps_its_own_refusal(self) -> None:
        disabled = archive_errors.GraderDisabled("the grader is disabled")
        with pytest.raises(archive_errors.GraderDisabled):
            choose(*opened(no_data(), disabled), attempt=2)

    @pytest.mark.parametrize(
        "refusals",
        [
            [no_data()],
            [no_data(), no_data()],
            [archive_errors.GraderDisabled("disabled"), archive_errors.OneShotEvaluator("one-shot")],
        ],
    )
    def test_nothing_to_regrade_is_said_once_for_all(self, refusals: list[OpvalueError]) -> None:
        with pytest.raises(errors.NoGraderData) as refused:
            choose(*opened(*refusals), attempt=2)
        assert (refused.value.code, refused.value.kind) == ("github.no-grader-data", Kind.NOTHING)

    def test_no_graders_beside_a_usage_artifact_is_the_newer_kind(self) -> None:
        found, pairs = opened(no_data())
        with pytest.raises(errors.GradersInUsage):
            choose(found._replace(has_usage=True), pairs, attempt=2)
