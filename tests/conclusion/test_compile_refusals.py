"""Workflows whose graders are sound and that are not compiled all the same."""

from pathlib import Path

import pytest

from opvalue.conclusion import compile as compile_
from opvalue.conclusion.compile import compile_workflow
from opvalue.conclusion.manifest import read_manifest
from opvalue.graders.configuration import ConfigurationRefused
from opvalue.limits import Limits
from opvalue.strictjson import dumps
from tests.conclusion.test_compile import CUSTOM, compiled
from tests.conclusion.trees import EVALUATOR, WORKFLOW, fenced, tree


@pytest.mark.parametrize(
    "jobs",
    [
        "jobs: {conclusion: {steps: []}}",
        "jobs: {Conclusion: {steps: []}}",
        "jobs: {graders: {}}",
        "safe-jobs: {graders: }",
        "safe-jobs: {GRADERS: }",
    ],
)
def test_jobs_of_the_compiler_refuse_the_workflow(tmp_path: Path, jobs: str) -> None:
    with pytest.raises(ConfigurationRefused) as caught:
        compiled(tmp_path, jobs)
    [finding] = caught.value.findings
    assert finding.code == "graders.owned-job"
    dotted = finding.message.removesuffix(" is a job of the compiler")
    assert dotted.lower() in {"jobs.conclusion", "jobs.graders", "safe-jobs.graders"}
    assert finding.expected == f"no {dotted} in the workflow"


def test_one_byte_more_than_an_evaluator_may_have(tmp_path: Path) -> None:
    largest = f"{EVALUATOR}{'#' * (64 * 1024 - len(EVALUATOR))}"
    assert compiled(tmp_path, CUSTOM, largest).graders_job
    with pytest.raises(ConfigurationRefused) as caught:
        compiled(tmp_path, CUSTOM, f"{largest}#")
    assert [finding.code for finding in caught.value.findings] == ["conclusion.evaluator-too-large"]


def aliases(count: int) -> str:
    """Return a frontmatter whose manifest is larger than so many times 100,000 bytes."""
    return f"x: &x {'x' * 100_000}\ngraders: {{loops: {{config: {{a: [{', '.join(['*x'] * count)}]}}}}}}"


@pytest.mark.parametrize("kind", ["conclusion", "graders job"])
def test_a_manifest_that_nothing_would_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    yaml = CUSTOM if kind == "graders job" else "graders: {loops: {}}"
    found = compiled(tmp_path, yaml)
    sizes = [len(dumps(one).encode()) for one in (found.conclusion, found.graders_job or {})]
    most = max(sizes)
    monkeypatch.setattr(compile_, "Limits", lambda: Limits(record_bytes=most))
    assert compiled(tmp_path, yaml) == found
    monkeypatch.setattr(compile_, "Limits", lambda: Limits(record_bytes=most - 1))
    with pytest.raises(ConfigurationRefused) as caught:
        compiled(tmp_path, yaml)
    assert [(one.code, str(one.position)) for one in caught.value.findings] == [
        ("graders.manifest-too-large", f"{WORKFLOW}:2:1")
    ]


def test_aliases_that_make_much_of_little(tmp_path: Path) -> None:
    assert read_manifest(dumps(compiled(tmp_path, aliases(50)).conclusion).encode())
    with pytest.raises(ConfigurationRefused, match=r"grader_manifest\.json is too large"):
        compile_workflow(tree(tmp_path, {WORKFLOW: fenced(aliases(60).replace("x" * 100_000, "x" * 200_000))}))
