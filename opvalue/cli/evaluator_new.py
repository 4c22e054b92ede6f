"""``opvalue evaluator new``: a schema-4 evaluator that runs, with marks where the author has to decide.

With a clone at hand the adoption comes out of its history and the name out of the workflow; else they are marks, too.
"""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from opvalue.cli.command import declare, json_option
from opvalue.cli.console import Console
from opvalue.cli.paths import PATH, WrittenPath

if TYPE_CHECKING:
    from opvalue.cli.evaluator_workflow import Workflow

_SKELETON: Final = Path(__file__).with_name("skeleton") / "evaluator.sh"
_SCRIPT: Final = WrittenPath("For standard output, leave --output out.")
_EXAMPLES: Final = (
    "opvalue evaluator new acme/widgets issue-triage > evaluator.sh",
    "opvalue evaluator new acme/widgets issue-triage --checkout . -o .github/graders/issue-triage-operational-value.sh",
)
_NO_COMMIT: Final = "0" * 40
_NO_TIME: Final = "1970-01-01T00:00:00Z"
_NO_NAME: Final = "FILL IN: the workflow's name"


@declare("new", examples=_EXAMPLES)
@click.argument("repository", metavar="OWNER/REPO")
@click.argument("workflow", metavar="WORKFLOW")
@click.option(
    "--checkout",
    type=PATH,
    metavar="DIR",
    help="A clone with the whole history, for the adoption and the workflow's name.",
)
@click.option("-o", "--output", type=_SCRIPT, metavar="FILE", help="Write there, never over a file.")
@json_option
def command(console: Console, repository: str, workflow: str, checkout: Path | None, output: Path | None) -> None:
    """Print the skeleton of an evaluator of .github/workflows/WORKFLOW.md, and the lines that register it.

    `opvalue verify` accepts it but for the places that say FILL IN, each of which is an error until it is filled.
    """
    from opvalue.cli.evaluator_workflow import Workflow  # noqa: PLC0415 - nothing is loaded for --help

    meant = Workflow.parse(repository, workflow)
    with console.progress(f"reading the history of {meant.source}"):
        script = _script(meant, checkout)
    lines = f"graders:\n  operational-value:\n    run: {meant.evaluator}\n"
    if output is not None:
        _write(output, script.encode())
    if console.json:
        document = {"path": str(meant.evaluator), "sourcePath": str(meant.source), "frontmatter": lines}
        console.data({**document, "script": script})
    elif output is None:
        console.raw(script.encode())
        console.note(f"In the frontmatter of {meant.source}:", hang=4)
        console.note()
        for line in lines.splitlines():
            console.note(line)
    else:
        console.note(f"wrote {output}; in the frontmatter of {meant.source}:", hang=4)
        console.raw(lines.encode())


def _script(meant: "Workflow", checkout: Path | None) -> str:
    commit, adopted, name = _NO_COMMIT, _NO_TIME, _NO_NAME
    if checkout is not None:
        commit, adopted, name = _adoption(meant, checkout)
    values = {
        "repository": meant.repository.slug,
        "name": name if checkout is not None else meant.name,
        "repository_json": _json(meant.repository.slug),
        "name_json": _json(name),
        "source_json": _json(str(meant.source)),
        "commit_json": _json(commit),
        "adopted_json": _json(adopted),
    }
    text = _SKELETON.read_text(encoding="utf-8")
    for key, value in values.items():
        text = text.replace("{{" + key + "}}", value)
    return text


def _adoption(meant: "Workflow", checkout: Path) -> tuple[str, str, str]:
    from opvalue.checkout import History  # noqa: PLC0415
    from opvalue.cli.evaluator_history import stamp  # noqa: PLC0415
    from opvalue.conclusion.repository import WorkingTree  # noqa: PLC0415
    from opvalue.limits import Limits  # noqa: PLC0415
    from opvalue.trust.frontmatter import read_workflow  # noqa: PLC0415

    with History.open(checkout, repository=meant.repository) as history:
        first = history.first_commit(meant.source)
    text = WorkingTree(checkout.resolve()).read(meant.source, Limits().workflow_bytes)
    names = read_workflow(meant.source, text, grader="operational-value", key="run").names
    # Its heading, where it has no name of its own.
    name = min(names, key=lambda one: (one == meant.name, one))
    return first.commit.hex, stamp(first), " ".join(name.split())


def _json(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _write(output: Path, data: bytes) -> None:
    from opvalue.atomic import OutputUnwritable, write_new  # noqa: PLC0415

    try:
        # A repository's first evaluator has no folder yet.
        output.parent.mkdir(parents=True, exist_ok=True)
        write_new(output, data)
        output.chmod(0o755)
    except OSError as error:
        raise OutputUnwritable(f"cannot write {output}: {error.strerror}") from None
