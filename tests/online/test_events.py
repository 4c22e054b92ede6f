"""Every event of the table, from the run's record to the observation (DESIGN 4.5; AR-05, GT-03)."""

import pytest

from opvalue.errors import Kind, OpvalueError
from opvalue.github import RECORDED, Recorded
from opvalue.identity import CommitId
from opvalue.regrade import Regraded
from tests.online.stage import Stage
from tests.sim import SimRepository

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

ELSEWHERE = "e" * 40
HEADS = sorted(event for event, kind in RECORDED.items() if kind is Recorded.HEAD and event != "workflow_call")
MERGES = sorted(event for event, kind in RECORDED.items() if kind is Recorded.MERGE)
OTHERS = sorted(event for event, kind in RECORDED.items() if kind is Recorded.ELSEWHERE)
UNKNOWN = ["dynamic", "a_new_one"]


def happened(stage: Stage, event: str, *, head_sha: str | None = None) -> None:
    """Let both the archive and the API say ``event``."""
    stage.record(eventName=event)
    stage.run.event = event
    if head_sha is not None:
        stage.run.head_sha = head_sha
    stage.upload()


def anchored(regraded: Regraded) -> str:
    return next(check.detail for check in regraded.checks if check.name == "commit.anchored")


def refusal(stage: Stage, **changes: object) -> OpvalueError:
    with pytest.raises(OpvalueError) as caught:
        stage.regrade(**changes)  # type: ignore[arg-type]
    return caught.value


@pytest.fixture
def unreachable(own: Stage) -> Stage:
    """Give a run at a commit that no branch of the trusted remote holds."""
    own.world.recommit({"note.txt": b"another\n"}, publish=False)
    own.run.head_sha = own.world.commit
    return own


@pytest.mark.parametrize("event", HEADS)
def test_the_api_vouches_for_a_head_commit(stage: Stage, event: str) -> None:
    happened(stage, event)
    regraded = stage.regrade()
    assert regraded.observation.value == pytest.approx(2 / 3)
    assert anchored(regraded) == (
        f"commit {stage.world.commit[:12]} is the head commit of run 123456 ({event}) by GitHub's record"
    )
    assert regraded.execution["mode"] == "online"


@pytest.mark.parametrize("event", [*OTHERS, *UNKNOWN])
def test_other_events_need_a_branch_that_leads_to_the_commit(stage: Stage, event: str) -> None:
    happened(stage, event, head_sha=ELSEWHERE)
    assert anchored(stage.regrade()).endswith("is reachable from refs/heads/main of the trusted remote")


@pytest.mark.parametrize("event", [*OTHERS, *UNKNOWN])
def test_other_events_at_a_commit_that_nothing_holds_are_refused(unreachable: Stage, event: str) -> None:
    happened(unreachable, event)
    error = refusal(unreachable)
    assert (error.code, error.kind) == ("trust.commit-not-anchored", Kind.REFUSED)
    told = "unknown here" if event in UNKNOWN else "base or default branch"
    assert told in (error.found or "")
    assert "no branch or tag of the trusted remote leads to it" in (error.found or "")


@pytest.mark.parametrize("event", ["issues", "schedule", "push", "workflow_dispatch", "merge_group"])
def test_the_api_vouches_also_where_no_branch_leads(unreachable: Stage, event: str) -> None:
    happened(unreachable, event)
    assert "by GitHub's record" in anchored(unreachable.regrade())


@pytest.mark.parametrize("event", HEADS)
def test_another_commit_than_the_head_is_refused_though_a_branch_leads_to_it(stage: Stage, event: str) -> None:
    happened(stage, event, head_sha=ELSEWHERE)
    error = refusal(stage)
    assert (error.code, error.kind.exit_status) == ("github.recorded-commit", 5)
    assert error.expected == f"the head commit {ELSEWHERE} of a run of {event}"
    assert error.found == stage.world.commit


def test_another_commit_than_the_head_may_be_named(unreachable: Stage) -> None:
    happened(unreachable, "push", head_sha=ELSEWHERE)
    assert refusal(unreachable).code == "github.recorded-commit"
    named = CommitId(unreachable.world.commit)
    assert anchored(unreachable.regrade(commit=named)) == f"commit {named.short} is named with --commit"
    assert refusal(unreachable, commit=CommitId(ELSEWHERE)).code == "trust.commit-mismatch"


@pytest.mark.parametrize("called", [True, False])
def test_a_called_workflow_records_its_own_event(stage: Stage, called: bool) -> None:
    stage.record(eventName="workflow_call")
    stage.run.event = "issues"
    if called:
        path = "acme/shared/.github/workflows/triage.lock.yml@main"
        stage.run.referenced_workflows.append({"path": path, "sha": ELSEWHERE})
    stage.upload("abc123-agent")
    if called:
        assert "workflow_call, called from a run of issues" in str(stage.regrade().execution)
        return
    error = refusal(stage)
    assert (error.code, error.expected, error.found) == ("github.recorded-event", "issues", "workflow_call")


@pytest.mark.parametrize("event", ["schedule", "workflow_call"])
def test_another_event_than_the_runs_is_refused(stage: Stage, event: str) -> None:
    stage.record(eventName=event)
    stage.upload()
    error = refusal(stage)
    assert (error.code, error.kind, error.expected) == ("github.recorded-event", Kind.REFUSED, "issues")


class Merge:
    """A pull request's throw-away merge: its head is what the API names, the merge what the run was at."""

    def __init__(self, stage: Stage, *, evaluator: bytes | None = None) -> None:
        world, git = stage.world, stage.world.repository
        base = git("rev-parse", "main")
        git("checkout", "-q", "-b", "topic")
        self.head = git.commit({"src.txt": b"a change\n"}, "Change")
        git("checkout", "-q", "--detach", base)
        git("merge", "-q", "--no-ff", "--no-edit", self.head)
        if evaluator is not None:
            git.write({".github/graders/issue-triage-operational-value.sh": evaluator})
            git("commit", "-q", "-a", "--amend", "--no-edit")
            world.record(evaluator)
        self.commit = world.commit = git("rev-parse", "HEAD")
        git("checkout", "-q", "main")
        git("branch", "-q", "-D", "topic")
        # The base is not vouched for by any branch either: the head is all there is.
        git("update-ref", "-d", "refs/remotes/origin/main")
        stage.record(sha=self.commit, ref="refs/pull/7/merge")


@pytest.mark.parametrize("event", MERGES)
def test_a_pull_requests_merge_counts_through_its_head(own: Stage, event: str) -> None:
    merge = Merge(own)
    happened(own, event, head_sha=merge.head)
    assert anchored(own.regrade()) == (
        f"{merge.commit[:12]} is a pull-request merge whose parent {merge.head[:12]} is "
        f"the head commit of run 123456 ({event}) by GitHub's record"
    )


def test_a_merge_that_holds_another_evaluator_than_its_head_is_refused(own: Stage) -> None:
    merge = Merge(own, evaluator=own.world.evaluator + b"# another\n")
    happened(own, "pull_request", head_sha=merge.head)
    error = refusal(own)
    assert error.kind is Kind.REFUSED
    assert error.code.startswith("trust.")


def test_a_merge_of_another_head_is_refused(own: Stage) -> None:
    Merge(own)
    happened(own, "pull_request", head_sha=ELSEWHERE)
    error = refusal(own)
    assert error.code == "trust.commit-not-anchored"
    assert "has as its parent the head commit" in (error.found or "")


@pytest.mark.parametrize("gone", [True, False])
@pytest.mark.parametrize("event", ["pull_request", "issues", "a_new_one"])
def test_a_forks_run_is_refused_before_anything_is_downloaded(stage: Stage, event: str, gone: bool) -> None:
    happened(stage, event)
    if gone:
        stage.run.head_repository_gone = True
    else:
        stage.run.head_repository = SimRepository("mallory/widgets", 43, fork=True)
    error = refusal(stage)
    assert (error.code, error.kind, error.kind.exit_status) == ("github.fork-run", Kind.REFUSED, 5)
    assert error.found == ("a repository that is gone" if gone else "mallory/widgets")
    assert stage.asked() == ["/runs/123456"]
