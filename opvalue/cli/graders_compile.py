"""``opvalue graders compile``: a workflow's graders, checked and made into manifests (Graders Specification 3)."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from opvalue.cli.command import declare, json_option
from opvalue.cli.console import Console
from opvalue.cli.paths import FOLDER, PATH

if TYPE_CHECKING:
    from opvalue.conclusion.compile import Compiled
    from opvalue.conclusion.emit import Emitted

_NOT_CHECKED: Final = (
    "The evaluator's commands are not looked at yet: file writes and dynamic execution (grader-shell-file-write)."
)


@declare(
    "compile",
    examples=(
        "opvalue graders compile .github/workflows/triage.md",
        "opvalue graders compile .github/workflows/triage.md -o build/graders",
    ),
)
@click.argument("workflow", metavar="WORKFLOW.md", type=PATH)
@click.option("-o", "--output", metavar="DIR", type=FOLDER, help="Write there.")
@click.option("--replace", is_flag=True, help="Replace what an earlier compilation wrote to DIR.")
@json_option
def command(console: Console, workflow: Path, output: Path | None, replace: bool) -> None:
    """Check the graders of WORKFLOW.md and of what it imports, and make their manifests.

    Every fault is reported at once, with its line and column. The conclusion's manifest carries data only. Where a
    custom grader is enabled, a second manifest for the separate job carries its code and digest. Without -o nothing is
    written.
    """
    from opvalue.conclusion.compile import compile_workflow  # noqa: PLC0415 - nothing of it is loaded for --help
    from opvalue.conclusion.emit import emit  # noqa: PLC0415
    from opvalue.errors import UsageError  # noqa: PLC0415

    if replace and output is None:
        raise UsageError("--replace needs a folder to replace files in", hint="Give -o DIR.")
    compiled = compile_workflow(workflow)
    emitted = None if output is None else emit(compiled, output, replace=replace)
    if console.json:
        console.data(_document(compiled, emitted))
        return
    _print(console, compiled, emitted)


def _document(compiled: "Compiled", emitted: "Emitted | None") -> dict[str, object]:
    files = () if emitted is None else emitted.files
    return {
        "workflow": compiled.workflow.text,
        "conclusion": compiled.conclusion,
        "gradersJob": compiled.graders_job,
        "written": [str(file) for file in files],
    }


def _print(console: Console, compiled: "Compiled", emitted: "Emitted | None") -> None:
    configuration = compiled.configuration
    enabled = configuration.enabled
    custom = [entry for entry in configuration.custom if entry.enabled]
    off = [entry.id for entry in configuration.entries if not entry.enabled]
    rows = [
        ("workflow", compiled.workflow.text),
        ("built-in", str(len(enabled) - len(custom))),
        ("custom", ", ".join(f"{entry.id} {(entry.digest or '')[:12]}" for entry in custom) or "none"),
        ("disabled", ", ".join(off) or "none"),
        *(("written", str(file)) for file in (() if emitted is None else emitted.files)),
    ]
    console.fields(rows)
    if any(entry.run is not None for entry in custom):
        console.note(_NOT_CHECKED, hang=4)
