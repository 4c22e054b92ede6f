"""The ``gh`` that is asked is the first one of the given ``PATH``.

In a regrade that one hands requests to the broker, which records, limits and replays them. Any other ``gh`` asks GitHub
past it with whatever token it finds: nothing is recorded, the answer is today's, and a regrade from recorded evidence
gives another value. The sandbox guards the usual places of ``gh``; without one, as on macOS, nothing stands in between.

Reported, where the script uses ``gh``: an absolute path to it, ``PATH`` set anew or without its first entry,
``command -p gh``, ``env -i gh`` without ``PATH``, ``sudo gh``, ``unset PATH``, ``hash -p``: errors. A folder put in
front of ``PATH``, and ``bash -lc 'gh ...'``, whose profile may do that, are warnings, as the ``gh`` there may be found
first.

What to do: write ``gh`` and leave ``PATH`` alone; if tools of another folder are needed, append it:
``PATH="$PATH:/opt/tools/bin"``.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from opvalue.bash.tree import Assignment, Declaration, Parameter, Simple, Text, Word
from verifier.findings import Confidence, Finding, Severity
from verifier.rule import Profile, Rule
from verifier.runs import Runs
from verifier.subject import Subject
from verifier.syntax import Call, Site, Syntax, syntax_of
from verifier.words import template

_SHELLS: Final = ("bash", "sh", "dash", "zsh")
_ELEVATING: Final = frozenset({"sudo", "doas"})
_GH: Final = re.compile(r"(?:^|[\s;|&(/])gh(?:\s|$)")
_DROPPING: Final = frozenset({"#", "##"})
_ADVICE: Final = "Write `gh`, found by the PATH that is given; append to PATH if need be, never put in front."


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:  # noqa: ARG001 - read, not run
    """Yield a finding for each way to another gh."""
    syntax = syntax_of(subject)
    yield from _shells(subject, syntax)
    yield from _by_path(subject, syntax)
    if not any(call.name == "gh" for call in syntax.calls):
        return
    yield from _started(subject, syntax)
    for site in syntax.sites:
        for one in _assignments(site):
            yield from _changed(subject, site, one)
    for call in syntax.named("unset"):
        if "PATH" in call.literals():
            yield RULE.finds(subject, "PATH is unset, and another gh is found", _ADVICE, at=call.at)


def _by_path(subject: Subject, syntax: Syntax) -> Iterator[Finding]:
    """Yield a finding for each gh called, or remembered, by an absolute path."""
    for call in syntax.calls:
        if call.name == "gh" and (call.word.literal or "").startswith("/"):
            yield _absolute(subject, call.at, call.word.literal or "")
        if call.name == "hash" and call.has("p") and "gh" in call.literals():
            yield RULE.finds(subject, "hash -p says where gh is to be found", _ADVICE, at=call.at)
    for site in syntax.sites:
        words = site.command.words if isinstance(site.command, Simple) else ()
        path = syntax.text_of(words[0]) if words and words[0].literal is None else None
        if path is not None and path.startswith("/") and path.endswith("/gh"):
            yield _absolute(subject, site.file.place(words[0].start), path)


def _absolute(subject: Subject, at: tuple[str, int, int], path: str) -> Finding:
    return RULE.finds(subject, f"{path} is asked, not the gh of the given PATH", _ADVICE, at=at)


def _started(subject: Subject, syntax: Syntax) -> Iterator[Finding]:
    """Yield a finding for each gh that something starts which looks elsewhere."""
    starting: dict[int, list[Call]] = {}
    for call in syntax.calls:
        starting.setdefault(id(call.site), []).append(call)
    for calls in starting.values():
        if calls[-1].name != "gh":
            continue
        for call in calls[:-1]:
            how = _elsewhere(call)
            if how is not None:
                yield RULE.finds(subject, f"{how} asks another gh", _ADVICE, at=call.at)


def _elsewhere(call: Call) -> str | None:
    if call.name in _ELEVATING:
        return f"{call.name} gh"
    if call.name == "command" and call.has("p"):
        return "command -p gh"
    if call.name != "env":
        return None
    path = [text for text in map(template, call.arguments) if text.startswith("PATH=")]
    if call.has("i", "--ignore-environment") and not path:
        return "env -i gh"
    names = call.literals()
    return "env -u PATH gh" if ("-u", "PATH") in pairwise(names) else None


def _assignments(site: Site) -> Iterator[Assignment]:
    """Yield what may set the PATH that gh is found by: not what is set for another program alone."""
    command = site.command
    if isinstance(command, Simple):
        if not command.words or command.words[0].literal == "gh":
            yield from command.assignments
    elif isinstance(command, Declaration):
        yield from command.assignments


def _changed(subject: Subject, site: Site, one: Assignment) -> Iterator[Finding]:
    if one.name != "PATH" or one.append or one.value is None:
        return
    at = site.file.place(one.value.start)
    first = next((part for part in one.value.parts if not isinstance(part, Text) or part.value), None)
    if isinstance(first, Parameter) and first.name == "PATH":
        if first.operator in _DROPPING:
            text = "the first entry of PATH is dropped, where gh is to be found"
            yield RULE.finds(subject, text, _ADVICE, at=at)
    elif not _keeps(one.value):
        text = "PATH is set anew, and another gh is found"
        yield RULE.finds(subject, text, _ADVICE, at=at)
    elif isinstance(first, Text) and first.value.startswith("/"):
        text = f"{first.value.partition(':')[0]} comes before the given PATH, and a gh there is asked"
        yield RULE.finds(subject, text, _ADVICE, at=at, severity=Severity.WARNING)
    elif isinstance(first, Text) or (isinstance(first, Parameter) and first.name != "HOME"):
        text = "a folder comes before the given PATH; a gh in it would be asked"
        yield RULE.finds(subject, text, _ADVICE, at=at, confidence=Confidence.LOW)


def _keeps(word: Word) -> bool:
    """Tell whether the given PATH is part of the word, as far as the text tells."""
    return any(
        part.name == "PATH" if isinstance(part, Parameter) else not isinstance(part, Text) for part in word.parts
    )


def _shells(subject: Subject, syntax: Syntax) -> Iterator[Finding]:
    for call in syntax.named(*_SHELLS):
        if call.has("l", "--login") is None:
            continue
        code = next((text for text in call.literals() if text is not None and _GH.search(text)), None)
        if code is not None:
            text = f"{call.name} -l reads a profile, which may find another gh"
            yield RULE.finds(subject, text, _ADVICE, at=call.at, severity=Severity.WARNING)


RULE: Final = Rule(
    "static-other-gh",
    "the gh that is asked is the first of the given PATH",
    Profile.QUICK,
    Severity.ERROR,
    __doc__ or "",
    check,
)
