"""A configuration from a file the user names: a workflow's Markdown, or YAML or JSON with a ``graders`` map.

Markdown is read with its imports, like the compiler reads it, and its owned jobs are refused alike. YAML and JSON stand
for themselves: nothing is imported, and ``./`` in ``run`` is beside the file where that lies in a repository.
"""

from functools import cache
from pathlib import Path
from typing import Final

from opvalue.conclusion.errors import ConfigurationUnreadable
from opvalue.conclusion.json_places import JsonPlaces
from opvalue.conclusion.repository import located
from opvalue.conclusion.workflow import GRADERS, merged, owned_jobs, read_files, read_yaml
from opvalue.graders.configuration import Configuration, Layer, Position, configured
from opvalue.identity import RepoPath
from opvalue.limits import Limits
from opvalue.strictjson import JsonObject, JsonRefused, JsonValue, loads_object

_KINDS: Final = ".md, .yaml, .yml or .json"


def read_configuration(file: Path) -> Configuration:
    """Return the configuration that ``file`` asks for.

    Raises ``ConfigurationRefused`` with every fault, its line and column; ``ConfigurationUnreadable``; ``FileAbsent``,
    ``FileUnreadable``, ``FileRefused``, ``FileTooLarge``; for Markdown what ``read_files`` raises as well.
    """
    tree, path = located(file)
    kind = file.suffix.lower()
    if kind == ".md":
        files = read_files(tree, path)
        return merged(files, owned_jobs(files))
    data = tree.read(path, Limits().workflow_bytes)
    if kind == ".json":
        return configured([_json_layer(path, data)])
    if kind in {".yaml", ".yml"}:
        return configured([_yaml_layer(path, data)])
    raise ConfigurationUnreadable(
        f"{file.name} is of no known kind",
        expected=_KINDS,
        found=kind or "no suffix",
        hint="Give a file of one of these kinds, or name it for its kind.",
    )


def _yaml_layer(path: RepoPath, data: bytes) -> Layer:
    document = read_yaml(path.text, data)

    def position(inner: tuple[str, ...], key: bool) -> Position | None:
        mark = document.mark((GRADERS, *inner), key=key)
        return None if mark is None else Position(path.text, mark.line, mark.column)

    return Layer(_graders(document.value, path), path.folder, position)


def _json_layer(path: RepoPath, data: bytes) -> Layer:
    try:
        document = loads_object(data, what=path.text)
    except JsonRefused as refused:
        raise ConfigurationUnreadable(refused.message, expected=refused.expected, found=refused.found) from None

    places = cache(JsonPlaces)

    def position(inner: tuple[str, ...], key: bool) -> Position:
        return Position(path.text, *places(data.decode()).find((GRADERS, *inner), key=key))

    return Layer(_graders(document, path), path.folder, position)


def _graders(document: JsonObject, path: RepoPath) -> JsonValue:
    if GRADERS not in document:
        raise ConfigurationUnreadable(
            f"{path} has no graders map",
            expected=f"a mapping with the key {GRADERS}",
            hint=f"Put the settings below the key {GRADERS}.",
        )
    return document[GRADERS]
