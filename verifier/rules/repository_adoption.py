"""The adoption in the definition is the workflow's first commit.

What a workflow is meant for is read from its first commit and from what is older. A later commit lets intent be fitted
to results; the first commit of a shallow clone is no beginning at all; and a local time that is labelled ``Z`` is hours
off, by which evidence from before and after adoption are told apart.

Only with ``--checkout``, which must have the whole history: ``fetch-depth: 0`` for ``actions/checkout``. Renames are
followed as far as git can tell them. A time is compared with both of the commit's: when it was written, when committed;
a time that is off is a warning.

What to do: take both from ``opvalue evaluator history OWNER/REPO WORKFLOW``.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from opvalue.checkout import FirstCommit
from opvalue.contract.fields import look_up
from opvalue.errors import OpvalueError
from opvalue.identity import CommitId, RepoPath
from verifier.findings import Confidence, Finding, Severity
from verifier.repository import RepositoryView
from verifier.rule import Profile, Rule
from verifier.runs import Runs
from verifier.source_path import source_path
from verifier.subject import Subject
from verifier.telling import how, short

_TIME: Final = re.compile(r"(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(?::(\d{2}))?(?:\.\d+)?(Z|[+-]\d{2}:\d{2})?")
_ADVICE: Final = "Take commit and time from `opvalue evaluator history OWNER/REPO WORKFLOW`."
_MINUTE: Final = 60


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:
    """Yield a finding where commit or time is not that of the workflow's first commit, or that cannot be told."""
    repository, path = subject.asked.repository, source_path(runs.document)
    document = runs.document
    if repository is None or path is None or document is None:
        return
    claimed = CommitId.parse(look_up(document, "adoption.commit"))
    if claimed is None:
        return
    first = repository.first_commit(path)
    if isinstance(first, OpvalueError):
        yield RULE.finds(subject, f"the adoption cannot be checked: {how(first)}", first.hint)
    elif first.commit != claimed:
        yield from _other_commit(subject, repository, path, first, claimed)
    else:
        yield from _time(subject, first, look_up(document, "adoption.adoptedAt"))


def _other_commit(
    subject: Subject, repository: RepositoryView, path: RepoPath, first: FirstCommit, claimed: CommitId
) -> Iterator[Finding]:
    began = f"{path} began with {first.commit.short}"
    try:
        has = repository.has(claimed, path)
    except OpvalueError as problem:
        yield RULE.finds(subject, f"the adoption cannot be checked: {how(problem)}", problem.hint)
        return
    if has is None:
        text = f"the adoption commit {claimed.short} is not in the checkout's history; {began}"
        yield RULE.finds(subject, text, _ADVICE)
    elif has:
        yield RULE.finds(subject, f"the adoption commit {claimed.short} is not the workflow's first: {began}", _ADVICE)
    else:
        # It may be the workflow's beginning under a name that git does not connect with today's.
        text = f"the adoption commit {claimed.short} does not have the workflow; {began}"
        yield RULE.finds(subject, text, _ADVICE, confidence=Confidence.LOW)


def _time(subject: Subject, first: FirstCommit, adopted_at: object) -> Iterator[Finding]:
    found = _TIME.match(adopted_at) if isinstance(adopted_at, str) else None
    if found is None:
        return
    claimed = _seconds(found)
    stamps = (first.authored, first.committed)
    # A time without seconds is the beginning of its minute.
    within = _MINUTE if found[2] is None else 1
    if claimed is None or any(0 <= stamp.instant.milliseconds // 1000 - claimed < within for stamp in stamps):
        return
    right = f"{str(first.committed.instant)[:19]}Z"
    local = any(claimed == stamp.instant.milliseconds // 1000 + stamp.offset_minutes * 60 for stamp in stamps)
    why = ": a local time is labelled Z" if local else ""
    text = f"adoptedAt is {adopted_at}, and the adoption commit was made at {right}{why}"
    yield RULE.finds(subject, short(text), f"Write {right}.", severity=Severity.WARNING)


def _seconds(found: "re.Match[str]") -> int | None:
    try:
        naive = datetime.strptime(f"{found[1]}:{found[2] or '00'}", "%Y-%m-%dT%H:%M:%S").replace(tzinfo=UTC)
    except ValueError:
        return None
    zone = found[3] or "Z"
    offset = 0 if zone == "Z" else int(zone[1:3]) * 60 + int(zone[4:6])
    return int(naive.timestamp()) - (-offset if zone.startswith("-") else offset) * 60


RULE: Final = Rule(
    "repository-adoption",
    "the adoption is the workflow's first commit",
    Profile.DEFAULT,
    Severity.ERROR,
    __doc__ or "",
    check,
)
