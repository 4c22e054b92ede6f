"""``opvalue evaluator history``: the workflow's first commit, what was before it, and what the workflow said then.

From a local clone, offline. What the workflow was adopted for is read from that text, not from today's.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from opvalue.cli.command import declare, json_option
from opvalue.cli.console import Console, Style, Styled
from opvalue.cli.paths import PATH

if TYPE_CHECKING:
    from opvalue.checkout import FirstCommit
    from opvalue.cli.evaluator_workflow import Workflow

_EXAMPLES: Final = (
    "opvalue evaluator history acme/widgets issue-triage",
    "opvalue evaluator history acme/widgets issue-triage --checkout ~/src/widgets --json",
)


@declare("history", examples=_EXAMPLES)
@click.argument("repository", metavar="OWNER/REPO")
@click.argument("workflow", metavar="WORKFLOW")
@click.option(
    "--checkout",
    type=PATH,
    default=Path(),
    metavar="DIR",
    help="A clone of the repository with its whole history. Default: where you stand.",
)
@json_option
def command(console: Console, repository: str, workflow: str, checkout: Path) -> None:
    """Show the first commit of .github/workflows/WORKFLOW.md, its first parent, and the text then.

    Renames are followed as far as git can tell them. A shallow clone is refused: its beginning is not the workflow's.
    Nothing is fetched.
    """
    from opvalue.checkout import History  # noqa: PLC0415 - nothing is loaded for --help
    from opvalue.cli.evaluator_workflow import Workflow  # noqa: PLC0415

    meant = Workflow.parse(repository, workflow)
    with (
        console.progress(f"reading the history of {meant.source}"),
        History.open(checkout, repository=meant.repository) as history,
    ):
        first = history.first_commit(meant.source)
    if console.json:
        console.data(_document(meant, first))
        return
    _print(console, meant, first)


def stamp(first: "FirstCommit") -> str:
    """Return when the workflow was adopted, as a definition says it: the time of the commit, in UTC."""
    return f"{str(first.committed.instant)[:19]}Z"


def _document(meant: "Workflow", first: "FirstCommit") -> dict[str, object]:
    return {
        "repository": meant.repository.slug,
        "sourcePath": str(meant.source),
        "adoption": {"commit": first.commit.hex, "adoptedAt": stamp(first)},
        "authoredAt": f"{str(first.authored.instant)[:19]}Z",
        "firstParent": None if first.parent is None else first.parent.hex,
        "pathThen": str(first.path),
        "renamedTo": [str(path) for path in first.renamed],
        "text": first.text.decode("utf-8", "replace"),
    }


def _print(console: Console, meant: "Workflow", first: "FirstCommit") -> None:
    parent = "none: the repository begins with it" if first.parent is None else first.parent.hex
    rows = [
        ("workflow", str(meant.source)),
        ("first commit", first.commit.hex),
        ("adopted at", stamp(first)),
        ("first parent", parent),
    ]
    if first.renamed:
        rows.append(("renamed", " -> ".join(map(str, (first.path, *first.renamed)))))
    console.fields(rows)
    console.line()
    console.line(Styled(f"{first.path} at {first.commit.short}:", Style.BOLD))
    console.lines(first.text.decode("utf-8", "replace").removesuffix("\n").split("\n"))
