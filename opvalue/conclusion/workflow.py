"""A workflow's ``graders`` maps as files have them: its imports' in order, its own last (reference 4.1).

An import's own imports come before it, each file once, at the first place that names it. Imports are resolved below
the repository root. One that lies in another repository is refused: a configuration without it would be another one.

Also found here: settings for the jobs that the compiler owns, which no author may give (Graders Specification 5).
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from opvalue.conclusion.errors import (
    ConfigurationUnreadable,
    FileAbsent,
    FrontmatterAbsent,
    ImportAbsent,
    ImportElsewhere,
    ImportRefused,
    TooManyImports,
)
from opvalue.conclusion.repository import WorkingTree
from opvalue.graders.configuration import (
    Configuration,
    ConfigurationFault,
    ConfigurationRefused,
    Layer,
    Position,
    configured,
)
from opvalue.graders.configuration.errors import JobOwned
from opvalue.identity import RepoPath
from opvalue.limits import Limits
from opvalue.strictjson import JsonValue, dumps_compact
from opvalue.trust.frontmatter import FIRST_LINE, declared_imports, frontmatter_of, local_import
from opvalue.trust.strictyaml import Document, YamlRefused, read_mapping

GRADERS: Final = "graders"
_OWNED: Final = frozenset({"conclusion", "graders"})
# Where an author can name a job of his own.
_JOBS: Final = (("jobs",), ("safe-outputs", "jobs"), ("safe-jobs",))
_MOST_FILES: Final = 50
_MARK: Final = b"\xef\xbb\xbf"
_BEGUN: Final = re.compile(rb"(?P<before>(?:\xef\xbb\xbf)?\s*)---(?!-)(?P<rest>[^\n]*)")


class WorkflowFile(NamedTuple):
    """One Markdown file's frontmatter."""

    path: RepoPath
    document: Document

    def position(self, path: tuple[str, ...], *, key: bool = False) -> Position | None:
        """Return where something of the frontmatter stands in the file."""
        mark = self.document.mark(path, key=key)
        return None if mark is None else Position(self.path.text, mark.line, mark.column)

    @property
    def layer(self) -> Layer:
        """Its ``graders`` map, absent or not."""
        return Layer(
            self.document.value.get(GRADERS),
            folder=self.path.folder,
            place=lambda path, key: self.position((GRADERS, *path), key=key),
        )


def read_files(tree: WorkingTree, workflow: RepoPath) -> tuple[WorkflowFile, ...]:
    """Return the workflow and all it imports, in the order in which they are merged.

    What is imported may be text alone; a workflow has a frontmatter. Raises ``FileAbsent``, ``FileUnreadable``,
    ``FileRefused``, ``FileTooLarge``, ``ConfigurationUnreadable``, ``FrontmatterAbsent``, ``ImportElsewhere``,
    ``ImportRefused`` and ``TooManyImports``.
    """
    data = tree.read(workflow, Limits().workflow_bytes)
    file = read_file(workflow, data)
    if frontmatter_of(data) is None:
        raise _no_frontmatter(workflow, data)
    return tuple(_Importer(tree).files(file))


def _no_frontmatter(path: RepoPath, data: bytes) -> FrontmatterAbsent:
    first = data.decode().removeprefix("\ufeff").lstrip().partition("\n")[0].rstrip()
    return FrontmatterAbsent(
        f"{path} has no frontmatter, so it is no workflow",
        expected="--- alone in the first line, settings in YAML, and --- alone in a line behind them",
        found=f"a text that begins with: {first[:80]}" if first else "nothing but blank space",
    )


def merged(files: Sequence[WorkflowFile], found: Sequence[ConfigurationFault] = ()) -> Configuration:
    """Return the configuration of merged files. Raises ``ConfigurationRefused`` with all its faults and ``found``."""
    try:
        configuration = configured([file.layer for file in files])
    except ConfigurationRefused as refused:
        raise ConfigurationRefused([*found, *refused.findings]) from None
    if found:
        raise ConfigurationRefused(found)
    return configuration


def owned_jobs(files: Sequence[WorkflowFile]) -> list[ConfigurationFault]:
    """Return a fault for each setting of a job that the compiler owns."""
    return [fault for file in files for fault in _owned(file)]


def _owned(file: WorkflowFile) -> Iterator[ConfigurationFault]:
    for path in _JOBS:
        jobs: object = file.document.value
        for key in path:
            jobs = jobs.get(key) if isinstance(jobs, dict) else None
        for name in jobs if isinstance(jobs, dict) else ():
            if name.strip().lower() in _OWNED:  # names of jobs are one in any case
                dotted = ".".join((*path, name.strip()))
                fault = JobOwned(f"{dotted} is a job of the compiler", expected=f"no {dotted} in the workflow")
                fault.position = file.position((*path, name), key=True)
                yield fault


class _Importer:
    """Reads files one after another, each once."""

    def __init__(self, tree: WorkingTree) -> None:
        self._tree = tree
        self._seen: set[RepoPath] = set()

    def files(self, file: WorkflowFile) -> Iterator[WorkflowFile]:
        """Yield what ``file`` imports, then itself."""
        self._seen.add(file.path)
        if len(self._seen) > _MOST_FILES:
            raise TooManyImports("the workflow imports too many files", expected=f"at most {_MOST_FILES} files")
        for name in _imports(file):
            yield from self._imported(file, name)
        yield file

    def _imported(self, importer: WorkflowFile, name: str) -> Iterator[WorkflowFile]:
        path = local_import(importer.path, name)
        where = importer.position(("imports",))
        if path is None and "@" in name:
            raise ImportElsewhere(f"{where}: {name[:120]} lies in another repository", expected="a file of this one")
        if path is None:
            raise ImportRefused(f"{where}: {name[:120]!r} names no file below the repository root")
        if path in self._seen:
            return
        try:
            file = read_file(path, self._tree.read(path, Limits().workflow_bytes))
        except FileAbsent as absent:
            if name.partition("#")[0].endswith("?"):
                return
            raise ImportAbsent(f"{where}: {absent.message}", expected=absent.expected) from None
        yield from self.files(file)


def _imports(file: WorkflowFile) -> tuple[str, ...]:
    """Return what a file imports. Raises ``ImportRefused`` for an entry that names nothing: it would be left out."""
    declared = file.document.value.get("imports")
    path: tuple[str, ...] = ("imports",)
    if isinstance(declared, dict):
        declared = declared.get("aw")
        path = ("imports", "aw")
    if declared is not None and not isinstance(declared, list):
        raise _not_an_import(file, path, "imports is no list", declared)
    for number, item in enumerate(declared or (), 1):
        name = item.get("path") if isinstance(item, dict) else item
        if not isinstance(name, str) or not name.strip():
            raise _not_an_import(file, path, f"entry {number} of the imports names no file", item)
    return declared_imports(file.document.value)


def _not_an_import(file: WorkflowFile, path: tuple[str, ...], what: str, found: JsonValue) -> ImportRefused:
    return ImportRefused(
        f"{file.position(path)}: {what}",
        expected="a list of paths, or of maps with a path",
        found=dumps_compact(found)[:120],
    )


def read_file(path: RepoPath, data: bytes) -> WorkflowFile:
    """Return a Markdown file's frontmatter; without one it is empty. Raises ``ConfigurationUnreadable``.

    What only resembles a frontmatter is refused: whoever wrote it does not mean it to be passed over. So is what is no
    text at all.
    """
    _refuse_bytes(path, data)
    fenced = frontmatter_of(data)
    if fenced is None and (begun := _BEGUN.match(data)) is not None:
        raise _unfenced(path, begun)
    return WorkflowFile(path, Document({}, None) if fenced is None else read_yaml(path.text, fenced, FIRST_LINE))


def _refuse_bytes(path: RepoPath, data: bytes) -> None:
    try:
        data.decode()
    except UnicodeDecodeError as error:
        raise ConfigurationUnreadable(
            f"{path} is not Markdown", expected="UTF-8", found=f"byte 0x{data[error.start]:02x} at {error.start}"
        ) from None


def _unfenced(path: RepoPath, begun: re.Match[bytes]) -> ConfigurationUnreadable:
    line = begun["before"].count(b"\n") + 1
    if begun["before"]:
        expected = "--- as the first three characters of the file"
        found = "a byte order mark" if begun["before"].startswith(_MARK) else "something blank before it"
    elif begun["rest"].strip():
        expected, found = "nothing behind --- in the first line", begun["rest"].decode("utf-8", "replace")[:80]
    else:
        expected, found = "a second line of --- alone, ended by a line feed", "no such line"
    message = f"{Position(path.text, line, 1)}: the frontmatter cannot be told from the text"
    return ConfigurationUnreadable(message, expected=expected, found=found)


def read_yaml(file: str, data: bytes, first_line: int = 1) -> Document:
    """Return a YAML mapping with its places. Raises ``ConfigurationUnreadable`` saying where."""
    try:
        return read_mapping(data, first_line=first_line)
    except YamlRefused as refused:
        where = file if refused.mark is None else str(Position(file, *refused.mark))
        raise ConfigurationUnreadable(
            f"{where}: the YAML cannot be read", expected="YAML without surprises", found=refused.why[:300]
        ) from None
