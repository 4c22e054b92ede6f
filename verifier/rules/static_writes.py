"""Files are written below a folder of ``mktemp -d`` alone.

The script starts in an empty folder that is thrown away, and in a workflow in the checkout, which it must not change.
A fixed name below ``/tmp`` meets that of another grading at the same time. Files that GitHub Actions names
(``GITHUB_OUTPUT``, ``GITHUB_STEP_SUMMARY``) do not exist in a regrade.

What to do: ``folder="$(mktemp -d)"``, ``trap 'rm -rf "$folder"' EXIT``, and every file below ``"$folder"``.

Seen are redirections and the usual writing commands with names that the text tells; that is no proof that nothing else
is written.
"""

import re
from collections.abc import Iterator
from typing import Final

from opvalue.bash.tree import Word
from verifier.findings import Confidence, Finding, Severity
from verifier.rule import Profile, Rule
from verifier.runs import Runs
from verifier.subject import Subject
from verifier.syntax import Syntax, syntax_of
from verifier.words import parameters, template
from verifier.writes import NAMED_BY_ACTIONS, written

_DEVICES: Final = re.compile(r"/dev/(?:null|stdout|stderr|tty|fd/\d+|(?:tcp|udp)/.*)$")
_NO_FILES: Final = frozenset({"-", "{}"})
"""Standard output, and what ``find`` or ``xargs`` puts in."""
_SHARED: Final = "/tmp/"  # noqa: S108 - where scripts must not write
_ADVICE: Final = 'Write below folder="$(mktemp -d)", and remove it with a trap.'


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:  # noqa: ARG001 - read, not run
    """Yield a finding for each place a file is written that is surely not below a private folder."""
    syntax = syntax_of(subject)
    moved = _moves(syntax)
    for file, word in written(syntax):
        text = _judged(word, syntax, moved=moved)
        if text is not None:
            yield RULE.finds(subject, text, _ADVICE, at=file.place(word.start))
        elif syntax.text_of(word) is None and template(word).startswith(_SHARED):
            text = "a name in /tmp that is put together may be another grading's as well"
            yield RULE.finds(subject, text, _ADVICE, at=file.place(word.start), confidence=Confidence.LOW)


def _moves(syntax: Syntax) -> bool:
    """Tell whether the script changes to a folder that the text does not tell; relative names are then not judged."""
    return any(call.arguments and call.arguments[0].literal is None for call in syntax.named("cd", "pushd"))


def _judged(word: Word, syntax: Syntax, *, moved: bool) -> str | None:
    named = [one.name for one in parameters(word) if one.name in NAMED_BY_ACTIONS]
    if named:
        return f"{named[0]} names no file in a regrade"
    text = syntax.text_of(word)
    if not text or _DEVICES.match(text) or text in _NO_FILES:
        return None
    if text.startswith("/"):
        return f"{text} is a fixed name, shared with every other grading"
    return None if moved else f"{text} is written into the current folder"


RULE: Final = Rule(
    "static-writes",
    "files are written below mktemp -d alone",
    Profile.QUICK,
    Severity.WARNING,
    __doc__ or "",
    check,
)
