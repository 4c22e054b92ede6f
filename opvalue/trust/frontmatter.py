"""The grader settings in a workflow's frontmatter, read from the trusted commit (DESIGN 4.7).

Its YAML is read by ``strictyaml``.

Not read here: files. Not known here: how gh-aw merges anything but the grader's own entry from an import.
"""

import posixpath
import re
from typing import Final, NamedTuple

from opvalue.identity import PathRefused, RepoPath
from opvalue.strictjson import JsonObject, is_number
from opvalue.trust import errors
from opvalue.trust.strictyaml import YamlRefused, read_mapping

_FENCE = re.compile(rb"\A---[ \t]*\r?\n(?P<yaml>.*?)^---[ \t]*\r?$", re.DOTALL | re.MULTILINE)
FIRST_LINE: Final = 2
"""The line of a file that its frontmatter's YAML begins at."""

_HEADING = re.compile(r"^# (?P<title>.+)$", re.MULTILINE)


class GraderSettings(NamedTuple):
    """The operational-value entry as declared."""

    run: RepoPath
    enabled: bool
    config: JsonObject
    threshold: int | float | None
    direction: str | None


class Workflow(NamedTuple):
    """What binding needs of a workflow file."""

    path: RepoPath
    names: frozenset[str]
    """Display names it may run under: its ``name``, else its first heading, else its file name."""
    settings: GraderSettings | None
    imports: tuple[str, ...]


def read_workflow(path: RepoPath, data: bytes, *, grader: str, key: str) -> Workflow:
    """Read one Markdown file. ``grader`` and ``key`` are the generation's words (``operational-value``, ``run``).

    A file without frontmatter is a workflow without settings. Raises ``WorkflowMalformed``.
    """
    found = _FENCE.search(data)
    document = _load(path, found["yaml"]) if found else {}
    entry = _entry(document, grader)
    return Workflow(
        path,
        _names(path, document, data[found.end() :] if found else data),
        None if entry is None else _settings(path, entry, key),
        declared_imports(document),
    )


def frontmatter_of(data: bytes) -> bytes | None:
    """Return the YAML between the fences of a Markdown file, or ``None`` where there are none."""
    found = _FENCE.search(data)
    return None if found is None else found["yaml"]


def _entry(document: JsonObject, grader: str) -> JsonObject | None:
    graders = document.get("graders")
    entry = graders.get(grader) if isinstance(graders, dict) else None
    return entry if isinstance(entry, dict) else None


def _settings(path: RepoPath, entry: JsonObject, key: str) -> GraderSettings | None:
    run = entry.get(key)
    if not isinstance(run, str):
        return None
    config, threshold, direction = entry.get("config"), entry.get("threshold"), entry.get("direction")
    if config is not None and not isinstance(config, dict):
        raise _malformed(path, "the grader's config is not a mapping")
    if threshold is not None and not is_number(threshold):
        raise _malformed(path, "the grader's threshold is not a number")
    try:
        evaluator = RepoPath.declared(run.strip(), beside=path.folder)
    except PathRefused as error:
        raise _malformed(path, error.message) from None
    return GraderSettings(
        run=evaluator,
        enabled=entry.get("enabled") is not False,
        config=config or {},
        threshold=threshold,
        direction=direction if isinstance(direction, str) else None,
    )


def _names(path: RepoPath, document: JsonObject, body: bytes) -> frozenset[str]:
    name = document.get("name")
    if isinstance(name, str) and name.strip():
        return frozenset({name.strip()})
    stem = path.parts[-1].removesuffix(".md")
    heading = _HEADING.search(body.decode("utf-8", "replace"))
    return frozenset({stem, heading["title"].strip()} if heading else {stem})


def declared_imports(document: JsonObject) -> tuple[str, ...]:
    """Return what a frontmatter imports, as declared and in order."""
    declared = document.get("imports")
    if isinstance(declared, dict):
        declared = declared.get("aw")
    if not isinstance(declared, list):
        return ()
    paths = (item.get("path") if isinstance(item, dict) else item for item in declared)
    return tuple(path for path in paths if isinstance(path, str))


def local_import(importer: RepoPath, name: str) -> RepoPath | None:
    """Return an import's path in this repository, or ``None`` when it names another one (``owner/repo/x@ref``)."""
    name = name.partition("#")[0].removesuffix("?")
    if "@" in name:
        return None
    base = "" if name.startswith(("/", ".github/")) else importer.folder
    return local_path(posixpath.normpath(posixpath.join(base, name.lstrip("/"))))


def local_path(text: str) -> RepoPath | None:
    """Return ``text`` as a path of this repository, or ``None`` where it is none."""
    try:
        return RepoPath.parse(text)
    except PathRefused:
        return None


def _load(path: RepoPath, data: bytes) -> JsonObject:
    try:
        return read_mapping(data).value
    except YamlRefused as refused:
        raise _malformed(path, refused.why) from None


def _malformed(path: RepoPath, why: str) -> errors.WorkflowMalformed:
    return errors.WorkflowMalformed(
        f"the frontmatter of {path} cannot be read: {why}", expected="YAML without surprises", found=why[:200]
    )
