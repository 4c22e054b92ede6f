"""Bind the archived settings to a workflow at the trusted commit (DESIGN 4.7; DG-02).

The digests fix the evaluator's bytes; its configuration, threshold and path come from the manifest, which only the
workflow's frontmatter can confirm. Which workflow it was, the archive says by display name alone, so every workflow
that registers this evaluator is a candidate; the name decides between several, and what remains must agree.

Imports are followed inside the commit. An import from another repository is stated as not checked, never guessed.
Not checked here: ``case``, which only the archive knows.
"""

import posixpath
from typing import Final, NamedTuple

from opvalue.archive import Generation
from opvalue.errors import OpvalueError
from opvalue.identity import RepoPath
from opvalue.identity.objects import WORKFLOWS
from opvalue.limits import Limits
from opvalue.records import GraderEntry
from opvalue.strictjson import dumps_compact, same
from opvalue.trust import errors
from opvalue.trust.frontmatter import GraderSettings, Workflow, local_import, local_path, read_workflow
from opvalue.trust.git import Commit, Objects
from opvalue.trust.states import Check, ConsistentRun, VerifiedEvaluator, VerifiedRun, done, skipped

_WORDS: Final = {Generation.VALUE: ("value", "function"), Generation.OPERATIONAL_VALUE: ("operational-value", "run")}
_DEFAULT_DIRECTION: Final = "higher_is_better"
_MAX_IMPORTS: Final = 50
_BEFORE: Final = 60
_SHOWN: Final = 200


class _Candidate(NamedTuple):
    workflow: Workflow
    settings: GraderSettings


def bind(
    evaluator: VerifiedEvaluator, limits: Limits | None = None, *, workflow: RepoPath | None = None
) -> VerifiedRun:
    """Return the run as verified, or raise ``WorkflowNotFound``, ``WorkflowMalformed`` or ``BindingDiffers``.

    ``workflow`` is the run's workflow file where somebody outside the archive knows it; then no other will do. Where no
    workflow fits and one could not be read, the reader's own refusal of that one is raised.
    """
    pinned = evaluator.pinned
    run = pinned.anchored.run
    reader = _Reader(pinned.objects, pinned.anchored.trusted, run, limits or Limits())
    candidates, foreign = reader.candidates()
    if workflow is None:
        chosen = _narrow(candidates, run.archived.observation.subject.workflow)
    else:
        chosen = [candidate for candidate in candidates if candidate.workflow.path == workflow]
        foreign = [other for other in foreign if other.path == workflow]
    if chosen:
        for candidate in chosen:
            _check_agrees(candidate, run.archived.grader)
        names = ", ".join(str(candidate.workflow.path) for candidate in chosen)
        check = done("workflow.binding", f"path, config, threshold and direction are those of {names}")
    else:
        check = _unresolved(run, foreign, workflow)
    return VerifiedRun(evaluator, (*evaluator.checks, check, _CASE))


_CASE: Final = skipped(
    "archive.case", "the case, the maturity and the labels are the archive's word; no commit records them"
)


class _Reader:
    """Reads the workflows of one commit."""

    def __init__(self, objects: Objects, commit: Commit, run: ConsistentRun, limits: Limits) -> None:
        self._objects = objects
        self._commit = commit
        self._path = run.evaluator_path
        self._grader, self._key = _WORDS[run.archived.generation]
        self._limit = limits.workflow_bytes

    def candidates(self) -> tuple[list[_Candidate], list[Workflow]]:
        """Return the workflows that register the evaluator, and those with an import from elsewhere."""
        found: list[_Candidate] = []
        foreign: list[Workflow] = []
        broken: list[OpvalueError] = []
        for path in self._markdown_files():
            try:
                workflow = self._workflow(path)
                if workflow is None:
                    continue
                settings, reaches_out = self._effective(workflow)
            except OpvalueError as error:
                broken.append(error)
                continue
            if settings is not None and settings.enabled and settings.run == self._path:
                found.append(_Candidate(workflow, settings))
            elif settings is None and reaches_out:
                foreign.append(workflow)
        # A broken neighbour (bad YAML, a link, too large) is nobody's business while the evaluator's own workflow is
        # there. Without it, the broken one may be it.
        if broken and not found:
            raise broken[0]
        return found, foreign

    def _markdown_files(self) -> list[RepoPath]:
        entries = self._objects.list_folder(self._commit, WORKFLOWS)
        names = [entry.name for entry in entries if entry.name.endswith(".md")]
        return [path for path in (local_path(f"{WORKFLOWS}/{name}") for name in names) if path is not None]

    def _workflow(self, path: RepoPath) -> Workflow | None:
        data = self._objects.find(self._commit, path, self._limit)
        # Most workflows declare no such grader; reading their YAML would be the greater part of the work.
        if data is None or (self._grader.encode() not in data and b"imports" not in data):
            return None
        return read_workflow(path, data, grader=self._grader, key=self._key)

    def _effective(self, workflow: Workflow) -> tuple[GraderSettings | None, bool]:
        """Return the workflow's own settings, else the first import's, and whether an import lies elsewhere."""
        if workflow.settings is not None:
            return workflow.settings, False
        reaches_out = False
        waiting = [(workflow.path, name) for name in workflow.imports]
        seen = {workflow.path}
        while waiting:
            importer, name = waiting.pop(0)
            path = local_import(importer, name)
            if path is None:
                reaches_out = True
                continue
            if path in seen:
                continue
            seen.add(path)
            if len(seen) > _MAX_IMPORTS:
                raise errors.WorkflowMalformed(
                    f"{workflow.path} imports more than {_MAX_IMPORTS} files",
                    expected=f"at most {_MAX_IMPORTS} imports",
                )
            imported = self._workflow(path)
            if imported is None:
                continue
            if imported.settings is not None:
                return imported.settings, False
            waiting += [(path, more) for more in imported.imports]
        return None, reaches_out


def _narrow(candidates: list[_Candidate], display_name: str) -> list[_Candidate]:
    named = [candidate for candidate in candidates if display_name in candidate.workflow.names]
    return named or candidates


def _unresolved(run: ConsistentRun, foreign: list[Workflow], workflow: RepoPath | None) -> Check:
    if not foreign:
        which = "no workflow" if workflow is None else f"the run's workflow {workflow} is none that"
        raise errors.WorkflowNotFound(
            f"{which} at the recorded commit registers {run.evaluator_path}",
            expected=f"a file in {WORKFLOWS} whose frontmatter names it",
        )
    names = ", ".join(str(workflow.path) for workflow in foreign)
    return skipped("workflow.binding", f"{names} imports its graders from another repository")


def _check_agrees(candidate: _Candidate, archived: GraderEntry) -> None:
    declared = candidate.settings
    pairs = (
        ("config", declared.config, archived.config),
        ("threshold", declared.threshold, archived.threshold),
        ("direction", declared.direction or _DEFAULT_DIRECTION, archived.direction or _DEFAULT_DIRECTION),
    )
    for field, expected, found in pairs:
        if not same(expected, found):
            raise errors.BindingDiffers(
                f"the archived {field} is not the one {candidate.workflow.path} declares",
                expected=_around(dumps_compact(expected), dumps_compact(found)),
                found=_around(dumps_compact(found), dumps_compact(expected)),
            )


def _around(text: str, other: str) -> str:
    """Return ``text`` near the place where it first differs from ``other``."""
    differs = len(posixpath.commonprefix((text, other)))
    start = max(0, differs - _BEFORE)
    shown = text[start : start + _SHOWN]
    return f"{'...' if start else ''}{shown}{'...' if start + _SHOWN < len(text) else ''}"
