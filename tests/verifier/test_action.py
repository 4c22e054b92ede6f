"""The action: its inputs travel as variables, its script keeps away from what the checkout holds."""

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
import yaml

from verifier.registry import ids
from verifier.settings import parse_settings

_ROOT: Final = Path(__file__).parents[2]
_FOLDER: Final = _ROOT / "verifier"
_ACTION: Final[Any] = yaml.safe_load((_FOLDER / "action.yml").read_text(encoding="utf-8"))
_SCRIPT: Final = _FOLDER / "action.sh"
_STUB: Final = """#!/bin/bash
# Stands for Python: makes the folder of a venv with itself in it, and writes down everything else.
printf '%s\\n' "$PWD" "${PYTHONPATH-unset}" "$@" "" >>"$LOG"
case "$*" in
  "-I -m venv "*) mkdir -p "${!#}/bin" && cp "$0" "${!#}/bin/python" ;;
  *"-m opvalue"*) exit "${STATUS:-0}" ;;
esac
"""


class Ended(NamedTuple):
    """How the script ended."""

    status: int
    out: str
    calls: list[list[str]]
    """For each start of Python: folder, PYTHONPATH, arguments."""
    output: str

    @property
    def verify(self) -> list[str]:
        """The arguments of the verification."""
        return self.calls[-1][2:]


class Runner:
    """A runner with a checkout and a stub in place of Python."""

    def __init__(self, folder: Path) -> None:
        self.workspace = folder / "work space"
        self.temp = folder / "temp"
        self.stub = folder / "stub" / "python3"
        for one in (self.workspace / ".github" / "graders", self.temp, self.stub.parent):
            one.mkdir(parents=True)
        self.stub.write_text(_STUB, encoding="utf-8")
        self.stub.chmod(0o755)
        self.log = folder / "log"

    def add(self, *names: str) -> None:
        """Put evaluators into the checkout."""
        for name in names:
            (self.workspace / ".github" / "graders" / name).write_text("#!/bin/bash\n", encoding="utf-8")

    def __call__(self, env: Mapping[str, str] | None = None) -> Ended:
        """Run the action's script."""
        output = self.temp / "output"
        environment = {
            "PATH": f"{self.stub.parent}:{os.environ['PATH']}",
            "HOME": str(self.temp),
            "GITHUB_WORKSPACE": str(self.workspace),
            "RUNNER_TEMP": str(self.temp),
            "GITHUB_OUTPUT": str(output),
            "LOG": str(self.log),
            **(env or {}),
        }
        finished = subprocess.run(
            ["/bin/bash", str(_SCRIPT)],
            cwd=self.workspace,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        blocks = self.log.read_text(encoding="utf-8").split("\n\n")[:-1] if self.log.exists() else []
        said = output.read_text(encoding="utf-8") if output.exists() else ""
        return Ended(finished.returncode, finished.stdout, [block.split("\n") for block in blocks], said)


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    return Runner(tmp_path)


def test_inputs_reach_the_script_as_variables_only() -> None:
    (step,) = _ACTION["runs"]["steps"]
    assert _ACTION["runs"]["using"] == "composite"
    assert "${{" not in step["run"]
    assert "${{" not in step["shell"]
    used = re.findall(r"\$\{\{ inputs\.([a-z-]+) \}\}", "\n".join(step["env"].values()))
    assert sorted(used) == sorted(_ACTION["inputs"])
    for name, value in step["env"].items():
        assert re.fullmatch(r"OPVALUE_[A-Z_]+", name)
        assert re.fullmatch(r"\$\{\{ inputs\.[a-z-]+ \}\}", value)
        assert name in _SCRIPT.read_text(encoding="utf-8")


def test_python_is_isolated_and_starts_outside_of_the_checkout(runner: Runner) -> None:
    runner.add("a.sh")
    ended = runner({"PYTHONPATH": str(runner.workspace), "PIP_TARGET": str(runner.workspace)})
    assert ended.status == 0, ended
    assert len(ended.calls) == 3
    assert [call[1] for call in ended.calls] == ["unset"] * 3
    assert [call[2] for call in ended.calls] == ["-I"] * 3
    assert all(not call[0].startswith(str(runner.workspace)) for call in ended.calls[:2])
    assert ended.calls[1][2:6] == ["-I", "-m", "pip", "install"]
    assert ended.calls[1][-1] == "opvalue"
    assert ended.output == "failed=false\n"
    assert [path for path in runner.temp.iterdir() if path.name.startswith("opvalue.")] == []


def test_the_words_of_the_verification(runner: Runner) -> None:
    runner.add("a.sh", "b c.sh")
    ended = runner(
        {
            "OPVALUE_PROFILE": "thorough",
            "OPVALUE_STRICT": "true",
            "OPVALUE_HISTORY": "true",
            "OPVALUE_REQUIRE_SANDBOX": "true",
            "OPVALUE_CASES": "tests/cases",
            "OPVALUE_SARIF": "out.sarif",
            "GITHUB_STEP_SUMMARY": "/tmp/summary",
        }
    )
    assert ended.verify == [
        *("-I", "-m", "opvalue", "verify", "--format", "annotations", "--contract", "schema-4", "--thorough"),
        *("--strict", "--checkout", str(runner.workspace), "--require-sandbox", "--cases", "./tests/cases"),
        *("--sarif", "./out.sarif", "--step-summary", "/tmp/summary"),
        *("--", "./.github/graders/a.sh", "./.github/graders/b c.sh"),
    ]


def test_paths_are_lines_and_globs(runner: Runner) -> None:
    runner.add("a.sh", "b.sh", "$(touch taken).sh", "x.txt")
    lines = "  .github/graders/[ab].sh \n\n.github/graders/$(touch taken).sh\n.github/graders/none*.sh\nabsent.sh\n"
    ended = runner({"OPVALUE_PATHS": lines})
    assert ended.verify[ended.verify.index("--") + 1 :] == [
        "./.github/graders/a.sh",
        "./.github/graders/b.sh",
        "./.github/graders/$(touch taken).sh",
        "./absent.sh",
    ]
    assert not (runner.workspace / "taken").exists()


def test_nothing_to_verify_is_said(runner: Runner) -> None:
    ended = runner()
    assert (ended.status, ended.output, len(ended.calls)) == (0, "failed=false\n", 2)
    assert ended.out == "::notice title=opvalue::no evaluator matches the paths\n"


@pytest.mark.parametrize("status", [10, 2, 1])
def test_a_failure_fails_the_step(runner: Runner, status: int) -> None:
    runner.add("a.sh")
    ended = runner({"STATUS": str(status)})
    assert (ended.status, ended.output) == (status, "failed=true\n")


@pytest.mark.parametrize(
    "env",
    [
        {"OPVALUE_PROFILE": "quick --no-sandbox"},
        {"OPVALUE_PROFILE": "$(touch taken)"},
        {"OPVALUE_CONTRACT": "other"},
        {"OPVALUE_STRICT": "yes"},
        {"OPVALUE_PACKAGE": "--index-url=https://example.com"},
        {"OPVALUE_PATHS": "../outside.sh"},
        {"OPVALUE_PATHS": "/etc/passwd"},
        {"OPVALUE_PATHS": "a/../../b.sh"},
        {"OPVALUE_PATHS": "--no-sandbox"},
    ],
)
def test_inputs_that_make_no_sense_are_refused(runner: Runner, env: dict[str, str]) -> None:
    runner.add("a.sh")
    ended = runner(env)
    assert ended.status == 2
    assert ended.out.startswith("::error title=opvalue::")
    assert not any("opvalue" in call[4:5] for call in ended.calls)
    assert not (runner.workspace / "taken").exists()


def test_the_hooks_run_commands_that_exist() -> None:
    hooks = yaml.safe_load((_ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert [hook["id"] for hook in hooks] == ["opvalue-verify", "opvalue-verify-thorough"]
    for hook in hooks:
        assert hook["entry"].split()[:2] == ["opvalue", "verify"]
        assert re.search(hook["files"], ".github/graders/issue-triage-operational-value.sh")
        assert not re.search(hook["files"], "fixtures/evaluators/smoke_test/evaluator.sh")


def test_the_page_shows_inputs_hooks_and_settings_that_exist() -> None:
    page = (_ROOT / "docs" / "verify.md").read_text(encoding="utf-8")
    workflow, hooks = (yaml.safe_load(text) for text in re.findall(r"```yaml\n(.*?)```", page, re.DOTALL))
    (used,) = [step["with"] for step in workflow["steps"] if step["uses"].startswith("opvalue/")]
    assert set(used) <= set(_ACTION["inputs"])
    assert {hook["id"] for hook in hooks["repos"][0]["hooks"]} == {"opvalue-verify"}
    (settings,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    assert len(parse_settings(settings.encode(), ids()).ignores) == 1
