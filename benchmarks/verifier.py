"""What verifying costs: the default profile against what the check it replaces runs, the quick one against imports.

The evaluator is of usual size and habits: some 250 lines, twenty jq processes a grading, one list of evidence. The work
of the old check is its calls run bare by bash, one after the other, with a ``gh`` that answers at once: the definition,
the four examples of the metric, one grading to its end.
"""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from benchmarks.measure import Promise, clean_environment, command, medians, milliseconds

_ROUNDS = 5
_QUICK_ROUNDS = 15
_MODEL = Path(__file__).parent.parent / "tests" / "verifier" / "material" / "good.sh"
_CALLED_BY_THE_MODEL = 11
_CALLS = 20
_STEP = """
# Tells how many events of one kind there were, as evaluators do it: one jq a question.
counted_{n}() {{
  jq --arg kind "kind-{n}" '
    map(select(.event == $kind and (.created_at | type) == "string"))
    | length
  ' <<<"$1"
}}
"""
_GH = b"""#!/bin/sh
printf '%s\\n' '[{"event":"closed","created_at":"2026-08-12T10:00:00Z","state_reason":"completed"}]'
"""
_REQUEST = {
    "schemaVersion": 1,
    "run": {
        "id": "17000000042",
        "attempt": 1,
        "repository": "octo-org/widgets",
        "workflow": "Issue triage",
        "ref": "refs/heads/main",
        "sha": "5e1f" * 10,
        "eventName": "issues",
        "createdAt": "2026-08-11T09:30:00Z",
    },
    "evidenceAt": "2026-08-15T09:30:00.250Z",
    "case": None,
    "event": {"issue": {"number": 42}},
    "config": {},
}


def promises(folder: Path, python: Path) -> list[Promise]:
    """Measure both profiles of the ``opvalue`` beside ``python``, in the sandbox where it works."""
    folder.mkdir()
    script = folder / "usual-operational-value.sh"
    script.write_text(usual(), encoding="utf-8")
    opvalue = str(python.parent / "opvalue")
    imports = command(str(python), "-c", "import click, pydantic, tree_sitter_bash")
    quick, unit = medians([command(opvalue, "verify", "--quick", str(script)), imports], _QUICK_ROUNDS)
    whole, old = medians([command(opvalue, "verify", str(script)), _old(folder, script)], _ROUNDS)
    return [
        Promise(
            "verify --quick / import click, pydantic, tree_sitter_bash",
            quick / unit,
            2.0,
            f"{milliseconds(quick)} against {milliseconds(unit)}",
        ),
        Promise(
            "verify / the old check's work", whole / old, 6.0, f"{milliseconds(whole)} against {milliseconds(old)}"
        ),
    ]


def usual() -> str:
    """Return an evaluator without a fault, of usual length, with twenty jq processes where evidence is graded."""
    numbers = range(_CALLS - _CALLED_BY_THE_MODEL)
    text = _MODEL.read_text(encoding="utf-8")
    steps = "".join(_STEP.format(n=n) for n in numbers)
    calls = "".join(f'  count="$(counted_{n} "$kept")"\n' for n in numbers)
    text = text.replace("\ngrade_run() {\n", f"{steps}\ngrade_run() {{\n", 1)
    return text.replace('  count="$(mentions', f'{calls}  count="$(mentions', 1)


def _old(folder: Path, script: Path) -> Callable[[], object]:
    """Return the work of the old check."""
    tools = folder / "tools"
    tools.mkdir()
    (tools / "gh").write_bytes(_GH)
    (tools / "gh").chmod(0o755)
    env = clean_environment()
    env["PATH"] = f"{tools}:{env['PATH']}"
    bash = shutil.which("bash") or "/bin/bash"

    def run(*arguments: str, stdin: bytes = b"") -> bytes:
        done = subprocess.run(
            [bash, script, *arguments], input=stdin, env=env, cwd=folder, capture_output=True, check=True
        )
        return done.stdout

    def work() -> None:
        definition = json.loads(run("--definition"))
        for example in definition["validationExamples"].values():
            run("--metric", stdin=json.dumps(example).encode())
        run("--grade-run", stdin=json.dumps(_REQUEST).encode())

    return work
