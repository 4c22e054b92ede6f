"""A wrapper that sources a runtime, and an evaluator that needs its configuration, work as in a regrade."""

from pathlib import Path

import pytest

from opvalue.cli import run
from tests.verifier.running import GOOD

_GRADERS = ".github/graders"
_BESIDE = '#!/usr/bin/env bash\nset -euo pipefail\nsource "$(dirname "${BASH_SOURCE[0]}")/runtime.sh"\nmain "$@"\n'
_WORKSPACE = _BESIDE.replace(
    '"$(dirname "${BASH_SOURCE[0]}")/runtime.sh"', '"$GITHUB_WORKSPACE/.github/graders/runtime.sh"'
)
_WORKFLOW = """---
on: issues
graders:
  operational-value:
    run: .github/graders/score.sh
    config: {days: 3}
---
"""


def _run(words: list[str]) -> int:
    return run("opvalue", words)


def _laid(root: Path, script: str, runtime: str | None = None) -> Path:
    folder = root / _GRADERS
    folder.mkdir(parents=True)
    root.joinpath(".git").mkdir()
    path = folder / "score.sh"
    path.write_text(script)
    if runtime is not None:
        folder.joinpath("runtime.sh").write_text(runtime)
    return path


@pytest.mark.parametrize("wrapper", [_BESIDE, _WORKSPACE])
def test_a_wrapper_is_verified_with_its_runtime(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], wrapper: str
) -> None:
    path = _laid(tmp_path, wrapper, GOOD.replace('\nmain "$@"\n', "\n"))
    assert _run(["verify", "--strict", str(path)]) == 0
    shown = capfd.readouterr().out
    assert "runtime.sh:152" in shown
    assert "13 gradings" in shown


def test_a_fault_of_the_runtime_is_told(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    runtime = GOOD.replace('\nmain "$@"\n', "\n").replace("<= $end_of_evidence", "> 0")
    assert _run(["verify", str(_laid(tmp_path, _BESIDE, runtime))]) == 10
    assert "no-look-ahead" in capfd.readouterr().out


def test_a_script_gets_the_configuration_it_needs(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    case = '  case="$(case_of "$request")"'
    look = '  jq -e ".config.days == 3" <<<"$request" >/dev/null || fail "no days configured"'
    needs = GOOD.replace(case, f"{look}\n{case}")
    path = _laid(tmp_path, needs)
    assert _run(["verify", str(path)]) == 10
    assert "no days configured" in capfd.readouterr().out
    config = tmp_path / "config.json"
    config.write_text('{"days": 3}')
    assert _run(["verify", "--config", str(config), str(path)]) == 0
    workflows = tmp_path / ".github/workflows"
    workflows.mkdir()
    workflows.joinpath("triage.md").write_text(_WORKFLOW)
    assert _run(["verify", str(path)]) == 0
