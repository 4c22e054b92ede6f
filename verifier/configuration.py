"""The ``config`` that a workflow gives to its evaluator: from a file the caller names, or from the checkout.

Reads files, of the sizes that ``load`` allows. Not followed: imports of a workflow. Where several workflows register
one script with different configurations, the first by name counts.
"""

from pathlib import Path
from typing import Final

from opvalue.errors import OpvalueError
from opvalue.identity import RepoPath
from opvalue.identity.objects import WORKFLOWS
from opvalue.limits import Limits
from opvalue.strictjson import JsonObject, JsonRefused, loads_object
from opvalue.trust.frontmatter import Workflow, read_workflow
from opvalue.trust.strictyaml import YamlRefused, read_mapping
from verifier.errors import ConfigRefused

_GRADER: Final = "operational-value"
_KEY: Final = "run"
_MOST: Final = 1_000
"""Workflow files that are looked through."""


def read_config(file: Path, limits: Limits | None = None) -> JsonObject:
    """Return the configuration in a file: JSON, YAML, or a workflow's Markdown. Raises ``ConfigRefused``."""
    most = (limits or Limits()).workflow_bytes
    try:
        with file.open("rb") as opened:
            data = opened.read(most + 1)
    except OSError as error:
        raise ConfigRefused(f"{file} cannot be read: {error.strerror}") from None
    if len(data) > most:
        raise ConfigRefused(f"{file} is too large", expected=f"at most {most} bytes")
    try:
        if file.suffix == ".md":
            return _of_workflow(file, data)
        if file.suffix in {".yml", ".yaml"}:
            return read_mapping(data).value
        return loads_object(data, what=file.name)
    except (YamlRefused, JsonRefused) as refused:
        raise ConfigRefused(f"{file} holds no configuration: {refused}") from None


def find_config(root: Path, script: RepoPath, limits: Limits | None = None) -> JsonObject:
    """Return the configuration of the workflow below ``root`` that registers ``script``; none is an empty one."""
    most = (limits or Limits()).workflow_bytes
    name = script.parts[-1].encode()
    try:
        files = sorted(root.joinpath(WORKFLOWS).glob("*.md"))[:_MOST]
    except OSError:
        return {}
    for file in files:
        data = _bytes(file, most)
        if _GRADER.encode() not in data or name not in data:
            continue
        try:
            found = _read(RepoPath.parse(f"{WORKFLOWS}/{file.name}"), data)
        except OpvalueError:
            continue
        if found.settings is not None and found.settings.run == script:
            return found.settings.config
    return {}


def _of_workflow(file: Path, data: bytes) -> JsonObject:
    try:
        found = _read(RepoPath.parse(f"{WORKFLOWS}/{file.name}"), data)
    except OpvalueError as refused:
        raise ConfigRefused(f"{file} cannot be read as a workflow: {refused.message}") from None
    if found.settings is None:
        raise ConfigRefused(f"{file} registers no evaluator", expected=f"graders.{_GRADER}.{_KEY} in its frontmatter")
    return found.settings.config


def _read(path: RepoPath, data: bytes) -> Workflow:
    return read_workflow(path, data, grader=_GRADER, key=_KEY)


def _bytes(file: Path, most: int) -> bytes:
    try:
        if file.is_symlink() or not file.is_file():
            return b""
        with file.open("rb") as opened:
            data = opened.read(most + 1)
    except OSError:
        return b""
    return data if len(data) <= most else b""
