"""``opvalue schema``: the JSON Schemas of the documents this tool reads and writes, by name."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

import click

from opvalue.cli.command import declare, json_option
from opvalue.cli.console import Console
from opvalue.cli.errors import UnknownCommand
from opvalue.strictjson import JsonObject, loads_object

_FOLDER: Final = Path(__file__).parent.parent / "schemas"


def _from_file(name: str) -> JsonObject:
    return loads_object((_FOLDER / f"{name}.schema.json").read_bytes(), what=f"the schema {name}")


def _regrade() -> JsonObject:
    from opvalue.regrade.schema import regrade_schema  # noqa: PLC0415 - the other schemas are shown without its models

    return regrade_schema()


SCHEMAS: Final[dict[str, Callable[[], JsonObject]]] = {
    "definition": partial(_from_file, "definition"),
    "request": partial(_from_file, "request"),
    "observation": partial(_from_file, "observation"),
    "manifest": partial(_from_file, "manifest"),
    "results": partial(_from_file, "results"),
    "regrade": _regrade,
    "bundle": partial(_from_file, "bundle"),
    "bundle-header": partial(_from_file, "bundle-header"),
    "bundle-exchanges": partial(_from_file, "bundle-exchanges"),
    "attestation": partial(_from_file, "attestation"),
    "grader-manifest": partial(_from_file, "grader-manifest"),
    "grader-results": partial(_from_file, "grader-results"),
    "verification": partial(_from_file, "verification"),
}
"""Name to loader. A room that publishes a document adds its line here."""


@declare("schema", examples=("opvalue schema", "opvalue schema definition > definition.schema.json"))
@json_option
@click.argument("name", required=False, shell_complete=lambda _ctx, _param, begun: _complete(begun))
def command(console: Console, name: str | None) -> None:
    """Print the JSON Schema (draft 2020-12) of the document NAME. Without NAME, list the names.

    A schema describes the shape. What shape cannot say, such as the order of two times, is checked in code.
    """
    if name is None:
        _list(console)
        return
    loader = SCHEMAS.get(name)
    if loader is None:
        from opvalue.cli.nearby import did_you_mean  # noqa: PLC0415 - only for whoever mistyped a name

        hint = did_you_mean(name, SCHEMAS, command="opvalue schema", otherwise="See: opvalue schema")
        raise UnknownCommand(f"there is no schema {name!r}", expected=" | ".join(SCHEMAS), found=name, hint=hint)
    console.data(loader())


def _complete(begun: str) -> list[str]:
    return [name for name in SCHEMAS if name.startswith(begun)]


def _list(console: Console) -> None:
    titles = {name: str(loader()["title"]) for name, loader in SCHEMAS.items()}
    if console.json:
        console.data({"schemas": [{"name": name, "title": title} for name, title in titles.items()]})
        return
    console.fields(titles.items())
