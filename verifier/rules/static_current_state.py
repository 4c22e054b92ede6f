"""What was true at the cutoff is read from history, not from today's state.

An issue's ``state`` is today's. ``closed_at`` is overwritten by each close and cleared by a reopen. ``merged`` says
that it was merged by now. A regrade a month later then gives another value for the same run, and an item that was
closed again long after the cutoff counts for the run before it.

Files are today's as well where no commit is named: ``contents/PATH`` without ``ref``, ``git/trees/main``, ``tarball``,
``git/ref/heads/main``.

What to do: read ``repos/OWNER/REPO/issues/NUMBER/timeline`` (or ``events``, or GraphQL's ``timelineItems``), keep the
events up to the cutoff, and take the last that matters. For a merge compare ``merged_at`` with the cutoff: it never
changes. For files take the last commit up to the cutoff, and name it.

With such a history anywhere in the script no state is reported; labels, assignees and the like are a note.
"""

import re
from collections.abc import Iterator
from typing import Final

from verifier.findings import Confidence, Finding, Severity
from verifier.gh_calls import GhApi, gh_api_calls
from verifier.jq_programs import JqProgram, jq_programs
from verifier.rule import Profile, Rule
from verifier.runs import Runs
from verifier.subject import Subject
from verifier.syntax import Syntax, syntax_of
from verifier.words import HOLE, template, tested_words

_HISTORY: Final = re.compile(r"/(?:timeline|events)\b")
_HISTORY_FIELDS: Final = ("timelineItems", "timeline_url", "events_url")
_TALKS: Final = frozenset({"cat", "echo", "jq", "printf"})
_STATE: Final = re.compile(
    r"\.state\b\s*(?:\|\s*ascii_downcase\s*)?\)?\s*[=!]=\s*\\?\"(?:open|closed|OPEN|CLOSED|MERGED)\\?\""
)
_STATE_ALONE: Final = re.compile(r"\s*\.state\s*(?://.*)?")
_STATES: Final = frozenset({"open", "closed", "OPEN", "CLOSED", "MERGED"})
_CLOSED: Final = re.compile(r"\.closed_at\b|\.closedAt\b|\.state_reason\b|\.stateReason\b")
_MERGED: Final = re.compile(r"\.merged\b")
_MARKS: Final = re.compile(r"\.(labels|assignees|milestone|requested_reviewers|mergeable_state)\b")
_QUERY: Final = re.compile(r"(?:^|&)state=(open|closed)\b")
_WITH_REF: Final = frozenset({"contents", "readme"})
_KINDS: Final = _WITH_REF | {"branches", "commits", "git", "tarball", "zipball"}
_NAMING: Final = frozenset({"branches", "commits", "git", "tarball", "zipball"})
_BRANCHES: Final = frozenset({"main", "master", "HEAD"})
_HEADS: Final = frozenset({("git", kind, "heads") for kind in ("ref", "refs")})
_REF: Final = re.compile(r"(?:^|&)ref=([^&]*)")
_BRANCH_ADVICE: Final = (
    "Take the last commit up to the cutoff, repos/OWNER/REPO/commits?sha=main&until=CUTOFF&per_page=1, and name it."
)
_ADVICE: Final = "Read the timeline or events up to the cutoff, and take the last that matters."
_MERGED_ADVICE: Final = "Compare merged_at with the cutoff."


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:  # noqa: ARG001 - read, not run
    """Yield a finding for each of today's fields, at its first use in a program."""
    syntax = syntax_of(subject)
    apis = gh_api_calls(syntax)
    for api in apis:
        yield from _of_branch(subject, api)
    if not apis or _has_history(syntax):
        return
    compared = _compares(syntax)
    for program in jq_programs(syntax):
        yield from _in_program(subject, syntax, program)
        by_jq = program.call is not None and program.call.name == "jq"
        if compared and by_jq and _STATE_ALONE.fullmatch(program.text):
            yield RULE.finds(subject, "state is today's, not the cutoff's", _ADVICE, at=program.at(".state"))
    for api in apis:
        yield from _in_query(subject, api)
        yield from _of_item(subject, api)


def _compares(syntax: Syntax) -> bool:
    """Tell whether Bash compares something with the state of an issue or a pull request."""
    return any(word.literal in _STATES for site in syntax.sites for word in tested_words(site.command))


def _has_history(syntax: Syntax) -> bool:
    """Tell whether events are read anywhere: by an address that some command or variable gets, or by a field's name."""
    given = [word for call in syntax.calls if call.name not in _TALKS for word in call.arguments]
    kept = [word for entries in syntax.assigned.values() for _, word in entries if word is not None]
    return syntax.mentions(*_HISTORY_FIELDS) or any(_HISTORY.search(template(word)) for word in (*given, *kept))


def _in_program(subject: Subject, syntax: Syntax, program: JqProgram) -> Iterator[Finding]:
    rows = [(_STATE, "state is today's", _ADVICE), (_CLOSED, "{} is overwritten by the next close", _ADVICE)]
    if not syntax.mentions("merged_at", "mergedAt"):
        rows.append((_MERGED, "merged is today's", _MERGED_ADVICE))
    for pattern, text, advice in rows:
        found = pattern.search(program.text)
        if found is not None:
            name = found[0].lstrip(".")
            said = text.format(name) + ", not the cutoff's"
            yield RULE.finds(subject, said, advice, at=program.at(found[0].split("\n")[0]))
    marks = _MARKS.search(program.text)
    if marks is not None:
        text = f"{marks[1]} {'are' if marks[1].endswith('s') else 'is'} today's, not the cutoff's"
        yield RULE.finds(subject, text, _ADVICE, at=program.at(marks[0]), confidence=Confidence.LOW)


def _in_query(subject: Subject, api: GhApi) -> Iterator[Finding]:
    found = _QUERY.search(api.query)
    if found is not None and api.word is not None and api.path[-1:] in {("issues",), ("pulls",)}:
        text = f"the list is of what is {found[1]} today, not at the cutoff"
        advice = "List with state=all, and tell by the timeline or events."
        yield RULE.finds(subject, text, advice, at=api.call.place(api.word))


def _of_item(subject: Subject, api: GhApi) -> Iterator[Finding]:
    """Yield a finding for ``--jq .state`` of one issue or pull request."""
    if api.path[-2:-1] in {("issues",), ("pulls",)}:
        for word in api.jq():
            if (word.literal or "").strip() == ".state":
                text = "state is today's, not the cutoff's"
                yield RULE.finds(subject, text, _ADVICE, at=api.call.place(word))


def _of_branch(subject: Subject, api: GhApi) -> Iterator[Finding]:
    """Yield a finding where files or commits are read from a branch as it is today, or from no commit at all."""
    below = _below_repository(api.path)
    if api.word is None or api.open or not api.reads or not below:
        return
    ref = _REF.search(api.query)
    named = below[-1] if below[0] in _NAMING and len(below) > 1 else None
    if below[0] in _WITH_REF:
        today = ref is None or ref[1] in _BRANCHES
    elif below[0] in {"tarball", "zipball"}:
        today = named is None or named in _BRANCHES
    else:
        today = below[:3] in _HEADS or (
            below[:-1] in {("branches",), ("commits",), ("git", "trees")} and named in _BRANCHES
        )
    if today:
        # A variable at the end may bring a ref of its own.
        low = ref is None and (api.endpoint or "").endswith(HOLE)
        what = "commits" if below[0] in {"branches", "commits"} or "heads" in below else "files"
        text = f"{what} of a branch are today's, not the cutoff's"
        at = api.call.place(api.word)
        yield RULE.finds(subject, text, _BRANCH_ADVICE, at=at, confidence=Confidence.LOW if low else Confidence.HIGH)


def _below_repository(path: tuple[str, ...]) -> tuple[str, ...]:
    """Return an endpoint's segments from the kind of thing on, for the kinds that belong to a commit or a branch."""
    places = [place for place in (2, 3) if path[:1] == ("repos",) and path[place : place + 1] and path[place] in _KINDS]
    return path[places[0] :] if places else ()


RULE: Final = Rule(
    "static-current-state",
    "state as of the cutoff comes from history",
    Profile.QUICK,
    Severity.WARNING,
    __doc__ or "",
    check,
)
