r"""Times are read by jq without their fractions.

jq's ``fromdateiso8601``, ``fromdate`` and ``strptime`` refuse ``2026-08-30T12:00:00.000Z``, and ``evidenceAt`` of every
regrade has milliseconds. The program then fails, or its ``try`` gives null, for each request there is.

What to do: ``sub("\\.[0-9]+Z$"; "Z") | fromdateiso8601``, in one function for all times.

Not reported: times of GitHub's API (``created_at``, ``closedAt`` and the like), which have no fractions, those that the
program writes itself, and programs in which, or in front of which, a fraction is cut off.
"""

import re
from collections.abc import Iterator
from typing import Final

from verifier.findings import Finding, Severity
from verifier.jq_programs import JqProgram, jq_programs
from verifier.rule import Profile, Rule
from verifier.runs import Runs
from verifier.subject import Subject
from verifier.syntax import Syntax, syntax_of

_READERS: Final = re.compile(r"\b(?:fromdateiso8601|fromdate|strptime)\b")
_DEFINED: Final = re.compile(r"\bdef\s+(\w+)")
_REQUEST: Final = r"(?:evidenceAt|(?:run|subject)\??\.createdAt)"
_DIRECT: Final = re.compile(rf"{_REQUEST}\"?\]?\s*(?://[^|]*)?\|\s*((?:fromdateiso8601|fromdate|strptime)\b)")
_STRIPPED: Final = re.compile(
    r"\b(?:sub|gsub|splits?|capture|scan|match)\s*\(\s*\"[^\"]*\.|\[\s*(?:0\s*)?:\s*\d+\s*\]|\.[0-9.]*Z\b"
)
_STRIPPED_BY_BASH: Final = re.compile(r"%\.\*|%%\.\*|:0:19|\\\.\[0-9\]|\\\.\[\[:digit:\]\]|\\\.[0-9(]")
_FROM_API: Final = re.compile(r"(?:_at|\.(?!evidence)[a-z]+(?:At|Date))\"?\s*(?://[^|()]*)?\|\s*$")
_WRITTEN: Final = re.compile(r"\d{2}Z\"\)?\s*\|\s*$")
"""A time, or the end of one, that the program says itself: ``+ "T00:00:00Z" |``."""
_ADVICE: Final = 'Cut the fraction off first: sub("\\\\.[0-9]+Z$"; "Z") | fromdateiso8601.'


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:  # noqa: ARG001 - read, not run
    """Yield an error where a time of the request goes straight in, else a warning where nothing cuts fractions."""
    syntax = syntax_of(subject)
    programs = jq_programs(syntax)
    anywhere = any(_STRIPPED.search(program.text) for program in programs) or _in_bash(syntax)
    for program in programs:
        if _READERS.search(program.text):
            yield from _judged(subject, syntax, program, stripped=anywhere)


def _judged(subject: Subject, syntax: Syntax, program: JqProgram, *, stripped: bool) -> Iterator[Finding]:
    own = set(_DEFINED.findall(program.text))
    direct = _DIRECT.search(program.text)
    if direct is not None and direct[1] not in own:
        if _forgiven(program.text, direct):
            return
        text = f"{direct[1]} gets a time of the request with its fraction, which it refuses"
        yield RULE.finds(subject, text, _ADVICE, at=program.at(direct[0]))
        return
    if stripped or not syntax.mentions("evidenceAt", "createdAt"):
        return
    for found in _READERS.finditer(program.text):
        before = program.text[: found.start()]
        if found[0] in own or _FROM_API.search(before) or _WRITTEN.search(before):
            continue
        text = f"{found[0]} refuses times with fractions, and nothing here cuts them off"
        yield RULE.finds(subject, text, _ADVICE, at=program.at(found[0]), severity=Severity.WARNING)
        return


def _forgiven(text: str, direct: "re.Match[str]") -> bool:
    """Tell whether a refusal is caught by ``try`` or ``?`` and the fraction is cut off elsewhere in the program."""
    return bool(_STRIPPED.search(text)) and (
        bool(re.search(r"\btry\b", text[: direct.start()])) or text[direct.end() :].lstrip(" )").startswith("?")
    )


def _in_bash(syntax: Syntax) -> bool:
    return any(_STRIPPED_BY_BASH.search(file.data.decode("utf-8", "replace")) for file, _ in syntax.bodies)


RULE: Final = Rule(
    "static-date-fractions",
    "jq reads times without their fractions",
    Profile.QUICK,
    Severity.ERROR,
    __doc__ or "",
    check,
)
