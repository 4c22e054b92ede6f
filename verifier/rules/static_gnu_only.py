"""Tools are called in ways that macOS and BSD know as well.

An evaluator is regraded wherever its reader sits. ``date -d``, ``sed -i`` without a suffix, ``grep -P``, ``stat -c``,
``find -printf``, ``tac``, ``timeout``, ``shuf`` and ``numfmt`` are GNU's; on macOS they fail or mean something else.
What newer versions of macOS have learnt (``readlink -f``, ``base64 -d``, ``sort -V``, ``xargs -r``, ``realpath``,
``sha256sum``) is a note only. A call with a fallback after ``||`` is not reported.

What to do: reckon with dates in jq, sort and reverse in jq, decode with jq's ``@base64d``, write to a new file instead
of in place.
"""

import itertools
import re
from collections.abc import Callable, Iterator
from typing import Final

from opvalue.bash.tree import Word
from verifier.findings import Confidence, Finding, Severity
from verifier.rule import EVERY_CONTRACT, Profile, Rule
from verifier.runs import Runs
from verifier.subject import Subject
from verifier.syntax import Call, syntax_of
from verifier.words import template

_ADVICE: Final = "Use what POSIX has, or jq: dates, sorting and decoding are in it."
_PROGRAMS: Final = frozenset({"gawk", "gdate", "gsed", "md5sum", "nproc", "numfmt", "shuf", "tac", "timeout"})
_NEWER_PROGRAMS: Final = frozenset({"realpath", "sha1sum", "sha256sum", "sha512sum"})
_GAWK: Final = re.compile(r"\b(?:gensub|mktime|strftime|systime|asorti?|PROCINFO)\b")


def _option(*names: str) -> "Callable[[Call], Word | None]":
    short = "".join(name for name in names if len(name) == 1)
    long = tuple(name for name in names if len(name) > 1)

    def look(call: Call) -> Word | None:
        return next((word for letter in short or " " if (word := call.has(letter, *long)) is not None), None)

    return look


def _word(*texts: str) -> "Callable[[Call], Word | None]":
    return lambda call: next((word for word in call.arguments if word.literal in texts), None)


def _sed_in_place(call: Call) -> Word | None:
    """Return ``-i`` with nothing glued to it, unless an empty suffix follows, which is BSD's way."""
    for place, word in enumerate(call.arguments):
        text = template(word)
        following = call.arguments[place + 1] if place + 1 < len(call.arguments) else None
        if text == "--in-place" or re.fullmatch(r"-[nErs]*i", text):
            return None if following is not None and following.literal == "" else word
    return None


def _date_format(call: Call) -> Word | None:
    return next((word for word in call.arguments if re.match(r"\+.*%-?\d*N", template(word))), None)


def _negative_count(call: Call) -> Word | None:
    words = call.arguments
    glued = next((word for word in words if re.match(r"-[nc]-\d", template(word))), None)
    pairs = itertools.pairwise(words)
    return glued or next((b for a, b in pairs if a.literal in {"-n", "-c"} and template(b).startswith("-")), None)


def _gawk(call: Call) -> Word | None:
    return next((word for word in call.arguments if _GAWK.search(word.literal or "")), None)


_SURE: Final = (
    ("date", _option("d", "--date"), "date -d"),
    ("date", _date_format, "date +%N"),
    ("sed", _sed_in_place, "sed -i without a suffix"),
    ("sed", _option("z", "--null-data"), "sed -z"),
    ("grep", _option("P", "--perl-regexp"), "grep -P"),
    ("stat", _option("c", "--format", "--printf"), "stat -c"),
    ("find", _word("-printf", "-fprintf", "-regextype"), "find -printf"),
    ("xargs", _option("d", "--delimiter"), "xargs -d"),
    ("head", _negative_count, "a negative count of head"),
    ("cp", _option("--parents"), "cp --parents"),
    ("mktemp", _option("--suffix", "--tmpdir"), "mktemp with long options"),
    ("tar", _option("--wildcards", "--transform"), "tar --wildcards"),
    ("awk", _gawk, "a function of gawk's"),
    ("base64", _option("w", "--wrap"), "base64 -w"),
)
_NEWER: Final = (
    ("readlink", _option("f", "e", "m", "--canonicalize"), "readlink -f"),
    ("base64", _option("d"), "base64 -d"),
    ("sort", _option("V", "--version-sort"), "sort -V"),
    ("xargs", _option("r", "--no-run-if-empty"), "xargs -r"),
)


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:  # noqa: ARG001 - read, not run
    """Yield a finding for each call, a note where newer systems have learnt it."""
    syntax = syntax_of(subject)
    for call in syntax.calls:
        if syntax.is_function(call) or any(step.caught for step in call.site.steps[-2:]):
            continue
        for word, what, confidence in _judged(call):
            old = " (older macOS and BSD do not know it)" if confidence is Confidence.LOW else ""
            text = f"{what} is GNU's alone" if not old else f"{what} is not everywhere{old}"
            yield RULE.finds(subject, text, _ADVICE, at=call.place(word), confidence=confidence)


def _judged(call: Call) -> Iterator[tuple[Word, str, Confidence]]:
    for rows, confidence in ((_SURE, Confidence.HIGH), (_NEWER, Confidence.LOW)):
        for name, look, what in rows:
            if call.name == name and (word := look(call)) is not None:
                yield word, what, confidence
    if call.name in _PROGRAMS:
        yield call.word, call.name, Confidence.HIGH
    elif call.name in _NEWER_PROGRAMS:
        yield call.word, call.name, Confidence.LOW


RULE: Final = Rule(
    "static-gnu-only",
    "tools are called in ways that are known everywhere",
    Profile.QUICK,
    Severity.WARNING,
    __doc__ or "",
    check,
    EVERY_CONTRACT,
)
