"""The repository that an evaluator belongs to, as the rules about it see it: its workflows on disk, and its history.

The edge: it reads the working tree, confined and bounded, and asks git by plumbing. Nothing of it is run or imported.
Workflows are read as they are on disk, since that is what is about to be committed; the history is that of ``HEAD``.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from opvalue.checkout import FirstCommit, History
from opvalue.conclusion.errors import FileAbsent
from opvalue.conclusion.repository import WorkingTree
from opvalue.conclusion.workflow import read_file
from opvalue.errors import OpvalueError
from opvalue.identity import CommitId, RepoPath
from opvalue.limits import Limits
from opvalue.strictjson import JsonValue
from opvalue.trust.frontmatter import GraderSettings, Workflow, local_import, read_workflow

GRADER: Final = "operational-value"
_KEY: Final = "run"
_MOST_IMPORTS: Final = 50


class WorkflowFacts(NamedTuple):
    """What the rules need of a workflow."""

    names: frozenset[str]
    """Display names it may run under."""
    settings: GraderSettings | None
    """The evaluator it registers, itself or by an import."""
    imports_elsewhere: tuple[str, ...]
    """What it imports of other repositories, which is not read."""
    permissions: JsonValue
    """As declared; null where it declares none."""


class RepositoryView:
    """One checkout. Everything is looked up when a rule first asks, once; what fails is raised each time."""

    def __init__(self, root: Path, limits: Limits | None = None) -> None:
        self._root = root
        self._limits = limits or Limits()
        self._workflow = cache(self._read)
        self._first = cache(self._find)

    def workflow(self, path: RepoPath) -> WorkflowFacts | None:
        """Return a workflow, or ``None`` where there is no such file. Raises what reading it raises."""
        return self._workflow(path)

    def first_commit(self, path: RepoPath) -> FirstCommit | OpvalueError:
        """Return the commit that brought a file in, or why that cannot be told."""
        return self._first(path)

    def has(self, commit_id: CommitId, path: RepoPath) -> bool | None:
        """Tell whether a commit has a file; ``None`` where the commit is not here. Raises what git raises."""
        with History.open(self._root, limits=self._limits) as history:
            return history.has(commit_id, path)

    def _find(self, path: RepoPath) -> FirstCommit | OpvalueError:
        try:
            with History.open(self._root, limits=self._limits) as history:
                return history.first_commit(path)
        except OpvalueError as refused:
            return refused

    def _read(self, path: RepoPath) -> WorkflowFacts | None:
        tree = WorkingTree(self._root.resolve())
        try:
            data = tree.read(path, self._limits.workflow_bytes)
        except FileAbsent:
            return None
        main = _parsed(path, data)
        every = [main, *self._imported(tree, main)]
        elsewhere = [name for one in every for name in one.imports if local_import(one.path, name) is None]
        settings = next((one.settings for one in every if one.settings is not None), None)
        permissions = read_file(path, data).document.value.get("permissions")
        return WorkflowFacts(main.names, settings, tuple(elsewhere), permissions)

    def _imported(self, tree: WorkingTree, main: Workflow) -> Iterator[Workflow]:
        waiting, seen = [(main.path, name) for name in main.imports], {main.path}
        while waiting and len(seen) < _MOST_IMPORTS:
            importer, name = waiting.pop(0)
            path = local_import(importer, name)
            if path is None or path in seen:
                continue
            seen.add(path)
            try:
                found = _parsed(path, tree.read(path, self._limits.workflow_bytes))
            except FileAbsent:
                continue
            yield found
            waiting += [(path, more) for more in found.imports]


def _parsed(path: RepoPath, data: bytes) -> Workflow:
    return read_workflow(path, data, grader=GRADER, key=_KEY)
