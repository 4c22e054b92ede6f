"""The workflow's permissions cover what the script reads.

In a workflow's run the evaluator has the token that ``permissions`` grants; nothing is added for it. Where a scope is
missing, a private repository answers 403, and each run is graded "not observed", or worse.

Only with ``--checkout``. Judged are endpoints that the text tells, in calls of ``gh api`` or of the script's own
functions, below the definition's own repository: another one is not covered by any permission. Where the workflow
declares none at all, GitHub's or gh-aw's defaults hold, which nobody can tell from here: a note.

What to do: add the scope, such as ``checks: read``, under ``permissions`` in the frontmatter.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from opvalue.errors import OpvalueError
from opvalue.strictjson import JsonObject, JsonValue
from verifier.endpoints import Endpoint, Needed, endpoints, needed
from verifier.findings import Confidence, Finding, Severity
from verifier.rule import Profile, Rule
from verifier.runs import Runs
from verifier.source_path import source_path
from verifier.subject import Subject
from verifier.syntax import syntax_of
from verifier.telling import short

_ENOUGH: Final = frozenset({"read", "write"})
_ALL: Final = frozenset({"read-all", "write-all"})


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:
    """Yield a finding for each missing scope, at the first call that needs it."""
    repository, path = subject.asked.repository, source_path(runs.document)
    if repository is None or path is None:
        return
    try:
        facts = repository.workflow(path)
    except OpvalueError:
        return
    if facts is None:
        return
    told: set[tuple[str, ...]] = set()
    for endpoint, one in _needs(subject, runs.document or {}):
        if one.scopes in told or any(_may_read(facts.permissions, scope) for scope in one.scopes):
            continue
        told.add(one.scopes)
        yield _finding(subject, endpoint, one, undeclared=facts.permissions is None)


def _needs(subject: Subject, document: JsonObject) -> Iterator[tuple[Endpoint, Needed]]:
    own = document.get("repository")
    for endpoint in endpoints(syntax_of(subject)):
        found = needed(endpoint.path)
        if found is not None and (found.repository is None or found.repository.lower() == str(own).lower()):
            yield endpoint, found


def _may_read(permissions: JsonValue, scope: str) -> bool:
    if isinstance(permissions, str):
        return permissions in _ALL
    if not isinstance(permissions, Mapping):
        return False
    return permissions.get(scope, permissions.get("all")) in _ENOUGH


def _finding(subject: Subject, endpoint: Endpoint, one: Needed, *, undeclared: bool) -> Finding:
    scopes = " or ".join(f"{scope}: read" for scope in one.scopes)
    text = f"the workflow's permissions do not have {scopes}, which {one.what} needs"
    if undeclared:
        text = f"the workflow declares no permissions, and {one.what} needs {scopes}"
    return RULE.finds(
        subject,
        short(text),
        f"Add {one.scopes[0]}: read under permissions in the workflow's frontmatter.",
        at=endpoint.at,
        confidence=Confidence.LOW if undeclared else Confidence.HIGH,
    )


RULE: Final = Rule(
    "repository-permissions",
    "the workflow's permissions cover what is read",
    Profile.DEFAULT,
    Severity.WARNING,
    __doc__ or "",
    check,
)
