"""Which workflow's settings bind the archive: GitHub's record knows the file, the archive only a display name."""

import pytest

from opvalue.errors import OpvalueError
from tests.online.stage import Stage
from tests.support.world import WORKFLOW_PATH, World

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

OTHER = ".github/workflows/generous.lock.yml"


@pytest.fixture
def two(own: Stage) -> Stage:
    """Let a second workflow register the same evaluator, with a lower threshold."""
    world: World = own.world
    generous = world.workflow.replace(b"threshold: 0.6", b"threshold: 0.1").replace(b"Issue Triage", b"Generous")
    world.recommit({".github/workflows/generous.md": generous})
    own.run.head_sha = world.commit
    return own


def binding(stage: Stage) -> str:
    return next(check.detail for check in stage.regrade().checks if check.name == "workflow.binding")


def refusal(stage: Stage) -> OpvalueError:
    with pytest.raises(OpvalueError) as caught:
        stage.regrade()
    return caught.value


def test_the_runs_own_workflow_binds(two: Stage) -> None:
    two.upload()
    assert binding(two) == f"path, config, threshold and direction are those of {WORKFLOW_PATH}"


def test_an_archive_that_gives_itself_another_workflows_name_is_refused(two: Stage) -> None:
    two.record(workflow="Generous")
    two.world.grader["threshold"] = 0.1
    two.upload()
    error = refusal(two)
    assert (error.code, error.expected, error.found) == ("trust.binding-differs", "0.6", "0.1")


def test_a_run_of_a_workflow_that_does_not_register_the_evaluator_is_refused(own: Stage) -> None:
    own.run.path = OTHER
    own.upload()
    error = refusal(own)
    assert error.code == "trust.workflow-not-found"
    assert error.message.startswith("the run's workflow .github/workflows/generous.md is none that")


@pytest.mark.parametrize("path", ["dynamic/agents/coding", ".github/workflows/plain.yml"])
def test_a_workflow_that_was_not_compiled_is_told_by_its_name(own: Stage, path: str) -> None:
    own.run.path = path
    own.upload()
    assert binding(own).endswith(f"are those of {WORKFLOW_PATH}")


def test_a_called_workflow_is_told_by_its_name(own: Stage) -> None:
    own.run.path = OTHER
    called = f"acme/widgets/{WORKFLOW_PATH.removesuffix('.md')}.lock.yml@refs/heads/main"
    own.run.referenced_workflows.append({"path": called, "sha": own.world.commit})
    own.upload()
    assert binding(own).endswith(f"are those of {WORKFLOW_PATH}")


def test_a_path_no_workflow_has_is_a_malformed_answer(own: Stage) -> None:
    own.run.path = ".github/workflows/../../x.lock.yml"
    own.upload()
    assert refusal(own).code == "github.answer-malformed"
