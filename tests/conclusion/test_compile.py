"""What a workflow compiles to: data for the conclusion, code with its digest for the separate job."""

import hashlib
from pathlib import Path

import jsonschema
import pytest

from opvalue.cli.schema import SCHEMAS
from opvalue.conclusion import evaluator_file
from opvalue.conclusion.compile import Compiled, compile_workflow
from opvalue.conclusion.manifest import read_manifest
from opvalue.errors import OpvalueError
from opvalue.graders.configuration import ConfigurationRefused
from opvalue.graders.metadata import DEFAULTS
from opvalue.process import ProgramMissing, run
from opvalue.records import parse_manifest
from opvalue.strictjson import dumps
from tests.conclusion.trees import EVALUATOR, WORKFLOW, fenced, tree

CUSTOM = """\
graders:
  loops: {enabled: false}
  mine:
    config: {limit: 3}
    script: |
      return 1;
  asleep: {script: return 2, enabled: false}
  operational-value: {run: .github/graders/v.sh, threshold: 0.5}
"""
EVALUATOR_PATH = ".github/graders/v.sh"


def compiled(root: Path, yaml: str, evaluator: str | bytes | None = EVALUATOR) -> Compiled:
    files: dict[str, str | bytes] = {WORKFLOW: fenced(yaml)}
    return compile_workflow(tree(root, files | ({} if evaluator is None else {EVALUATOR_PATH: evaluator})))


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def refused(root: Path, evaluator: str | bytes | None) -> OpvalueError:
    with pytest.raises(ConfigurationRefused) as caught:
        compiled(root, f"graders:\n  operational-value:\n    run: {EVALUATOR_PATH}", evaluator)
    (finding,) = caught.value.findings
    assert str(finding.position) == f"{WORKFLOW}:4:10"
    return finding


def test_without_custom_graders_there_is_no_other_job(tmp_path: Path) -> None:
    found = compiled(tmp_path, "on: push")
    assert found.graders_job is None
    assert parse_manifest(dumps(found.conclusion).encode()).version == 2
    assert [entry.id for entry in parse_manifest(dumps(found.conclusion).encode()).graders] == [
        row.id for row in DEFAULTS
    ]


def test_the_conclusions_manifest_is_data(tmp_path: Path) -> None:
    found = compiled(tmp_path, CUSTOM)
    text = dumps(found.conclusion)
    for code in ("return 1", "return 2", "echo", EVALUATOR_PATH, '"script"'):
        assert code not in text
    entries = {entry.id: entry for entry in parse_manifest(text.encode()).graders}
    assert list(entries)[-4:] == ["mine", "operational-value", "asleep", "loops"]
    assert entries["loops"].enabled is False
    assert (entries["mine"].digest, entries["mine"].config) == (digest("return 1;\n"), {"limit": 3})
    assert entries["asleep"].digest == digest("return 2")
    assert entries["operational-value"].digest == digest(EVALUATOR)


def test_a_conclusion_reads_what_was_compiled(tmp_path: Path) -> None:
    found = compiled(tmp_path, CUSTOM)
    without_code = tuple(entry._replace(script=None, run=None) for entry in found.configuration.entries)
    assert read_manifest(dumps(found.conclusion).encode()).entries == without_code


def test_it_fits_the_published_schema(tmp_path: Path) -> None:
    schema = SCHEMAS["grader-manifest"]()
    jsonschema.Draft202012Validator(schema).validate(compiled(tmp_path, CUSTOM).conclusion)


def test_the_separate_jobs_manifest_has_the_code(tmp_path: Path) -> None:
    found = compiled(tmp_path, CUSTOM)
    assert found.graders_job == {
        "version": 2,
        "graders": [
            {
                "id": "mine",
                "name": "mine",
                "source": "inline",
                "enabled": True,
                "digest": digest("return 1;\n"),
                "config": {"limit": 3},
                "script": "return 1;\n",
            },
            {
                "id": "operational-value",
                "name": "operational-value",
                "source": "operational-value",
                "enabled": True,
                "direction": "higher_is_better",
                "threshold": 0.5,
                "digest": digest(EVALUATOR),
                "run": EVALUATOR_PATH,
                "evaluator": EVALUATOR,
            },
        ],
    }


def test_bytes_are_frozen_as_they_are(tmp_path: Path) -> None:
    script = "#!/bin/bash\nprintf '%s' 'é \\r\r\n'\t#\u2028\n"
    found = compiled(tmp_path, f"graders: {{operational-value: {{run: {EVALUATOR_PATH}}}}}", script)
    assert found.graders_job is not None
    assert dumps(found.graders_job).encode()
    entry = parse_manifest(dumps(found.graders_job).encode()).graders[0]
    assert entry.digest == digest(script)


def test_equal_files_give_equal_documents(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).mkdir()
    assert compiled(tmp_path / "a", CUSTOM) == compiled(tmp_path / "b", CUSTOM)


def test_only_disabled_custom_graders_need_no_job_and_no_file(tmp_path: Path) -> None:
    yaml = (
        f"graders: {{operational-value: {{run: {EVALUATOR_PATH}, enabled: false}}, a: {{script: x, enabled: false}}}}"
    )
    found = compiled(tmp_path, yaml, None)
    assert found.graders_job is None
    assert [entry.id for entry in found.configuration.custom] == ["a", "operational-value"]


def test_a_path_beside_the_workflow(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        WORKFLOW: fenced("imports: [../shared/base.md]"),
        ".github/shared/base.md": fenced("graders: {operational-value: {run: ./v.sh}}"),
        ".github/shared/v.sh": EVALUATOR,
    }
    assert compile_workflow(tree(tmp_path, files)).configuration.custom[0].run == ".github/shared/v.sh"


@pytest.mark.parametrize(
    ("evaluator", "code"),
    [
        (None, "conclusion.evaluator-absent"),
        (b"#!/bin/bash\n" + b"#" * 64 * 1024, "conclusion.evaluator-too-large"),
        (b"#!/bin/bash\n# \xff\n", "conclusion.evaluator-not-text"),
        ("", "conclusion.evaluator-no-shebang"),
        ("#!/bin/sh\n", "conclusion.evaluator-no-shebang"),
        ("#!/bin/bash -e\n", "conclusion.evaluator-no-shebang"),
        ("#!/bin/bash\r\n", "conclusion.evaluator-no-shebang"),
        ("\n#!/bin/bash\n", "conclusion.evaluator-no-shebang"),
        ("#!/bin/bash\nif true\n", "conclusion.evaluator-syntax"),
    ],
)
def test_evaluators_that_cannot_be_frozen(tmp_path: Path, evaluator: str | bytes | None, code: str) -> None:
    assert refused(tmp_path, evaluator).code == code


def test_the_fault_stands_where_the_evaluator_was_named_last(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        WORKFLOW: fenced("imports: [one.md, two.md, 3.md]\ngraders: {operational-value: {threshold: 1}, loops: null}"),
        ".github/workflows/one.md": fenced("graders: {operational-value: {run: gone.sh}}"),
        ".github/workflows/two.md": fenced("on: push"),
        ".github/workflows/3.md": fenced("graders: {operational-value: null}"),
    }
    with pytest.raises(ConfigurationRefused) as caught:
        compile_workflow(tree(tmp_path, files))
    assert str(caught.value.findings[0].position) == ".github/workflows/one.md:2:36"


def test_the_largest_evaluator(tmp_path: Path) -> None:
    largest = "#!/bin/bash\n" + "#" * (64 * 1024 - 12)
    assert compiled(tmp_path, f"graders: {{operational-value: {{run: {EVALUATOR_PATH}}}}}", largest).graders_job


def test_links_to_evaluators(tmp_path: Path) -> None:
    outside = tmp_path / "outside.sh"
    outside.write_text(EVALUATOR)
    root = tmp_path / "repo"
    tree(root, {"x": ""})
    (root / ".github/graders").mkdir(parents=True)
    (root / EVALUATOR_PATH).symlink_to(outside)
    assert refused(root, None).code == "conclusion.evaluator-not-regular"


def test_checking_executes_nothing(tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    script = f"#!/bin/bash\ntouch {marker}\n"
    compiled(tmp_path, f"graders: {{operational-value: {{run: {EVALUATOR_PATH}}}}}", script)
    assert not marker.exists()


def test_a_syntax_error_that_says_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluator_file, "run", lambda command: run(command)._replace(status=2, stderr=b""))
    assert refused(tmp_path, EVALUATOR).found == "exit status 2"


def test_without_bash_there_is_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluator_file, "usual_path", lambda: str(tmp_path))
    with pytest.raises(ProgramMissing):
        compiled(tmp_path, f"graders: {{operational-value: {{run: {EVALUATOR_PATH}}}}}")
