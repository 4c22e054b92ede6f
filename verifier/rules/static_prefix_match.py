r"""A number is matched whole.

``contains("#12")`` is true of "closes #123", and ``startswith("/issues/12")`` of issue 120: the outcome of one item is
credited to another.

What to do: ``test("#12(?![0-9])")`` in jq, with the number put in: ``test("#\($number)(?![0-9])")``; in Bash
``[[ $text =~ \#"$number"([^0-9]|$) ]]``; for ``grep`` the option ``-w``. Better still, compare the numbers that the
API gives, as in ``.source.issue.number == $number``.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from opvalue.bash.tree import Case, Test, Word
from verifier.findings import Finding, Severity
from verifier.jq_programs import JqProgram, jq_programs
from verifier.rule import Profile, Rule
from verifier.runs import Runs
from verifier.subject import Subject
from verifier.syntax import Call, syntax_of
from verifier.words import HOLE, template

_BEFORE: Final = r"(?:#|issues/|pulls?/|discussions/)"
_FUNCTIONS: Final = re.compile(r"\b(contains|startswith|inside|index|indices|test|match|scan|capture)\s*\(")
_INTERPOLATED: Final = re.compile(rf"{_BEFORE}\\\((?:[^()]|\([^()]*\))*\)(?P<after>[^\"]*)\"")
_ADDED: Final = re.compile(rf"{_BEFORE}\"\s*\+\s*\(?\s*[$.][\w.$]*(?:\s*\|\s*tostring)?\s*\)?(?P<after>.*)", re.DOTALL)
_IN_WORD: Final = re.compile(rf"{_BEFORE}{HOLE}(?P<after>.*)", re.DOTALL)
_ADVICE: Final = 'Let no digit follow: test("#\\($number)(?![0-9])"), or compare the numbers themselves.'
_KEPT: Final = re.compile(rf"{_BEFORE}(?:\\\((?:[^()]|\([^()]*\))*\)\"|\"\s*\+\s*[$.][\w$.]*)\s*\)?\s*as\s+\$(\w+)")
"""``"#\\($number)" as $mark``: a variable of a program that ends in a number."""
_GREP_WHOLE: Final = ("w", "x")


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:  # noqa: ARG001 - read, not run
    """Yield a finding for each match of a number that a longer number passes as well."""
    syntax = syntax_of(subject)
    for program in jq_programs(syntax):
        for piece in (*_in_program(program.text), *_by_name(program)):
            yield _finding(subject, program.at(piece))
    for site in syntax.sites:
        command = site.command
        patterns = command.words if isinstance(command, Test) else ()
        for sign, word in pairwise(patterns):
            if sign.literal == "=~" and _ends_in_number(word):
                yield _finding(subject, site.file.place(word.start))
        if isinstance(command, Case):
            patterns = tuple(one for item in command.items for one in item.patterns)
        for word in patterns:
            if _open_at_end(word):
                yield _finding(subject, site.file.place(word.start))
    for call in syntax.named("grep"):
        yield from _grep(subject, call)


def _finding(subject: Subject, at: tuple[str, int, int]) -> Finding:
    return RULE.finds(subject, "a longer number that begins alike matches as well", _ADVICE, at=at)


def _in_program(text: str) -> Iterator[str]:
    for found in _FUNCTIONS.finditer(text):
        argument = _argument(text, found.end())
        hit = _INTERPOLATED.search(argument)
        if hit is not None and not hit["after"]:
            yield found[0]
            continue
        added = _ADDED.search(argument)
        if added is not None and not added["after"].strip(" )\n"):
            yield found[0]


def _by_name(program: JqProgram) -> Iterator[str]:
    """Yield each match of a text that ends in a number and has a name: by ``--arg mark "#$number"``, or by ``as``."""
    names = set(_KEPT.findall(program.text))
    words = program.call.arguments if program.call is not None else ()
    for place, word in enumerate(words[:-2]):
        if word.literal == "--arg" and _ends_in_number(words[place + 2]):
            names.add(words[place + 1].literal or "")
    for found in _FUNCTIONS.finditer(program.text):
        if _argument(program.text, found.end()).strip().lstrip("$") in names - {""}:
            yield found[0]


def _argument(text: str, start: int) -> str:
    """Return the text up to the parenthesis that closes one before ``start``; strings are not told apart."""
    depth = 1
    for place in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if depth == 0:
            return text[start:place]
    return text[start:]


def _open_at_end(word: Word) -> bool:
    """Tell whether a pattern ends in ``#NUMBER*``."""
    found = _IN_WORD.search(template(word))
    return found is not None and found["after"] == "*"


def _ends_in_number(word: Word) -> bool:
    found = _IN_WORD.search(template(word))
    return found is not None and not found["after"]


def _grep(subject: Subject, call: Call) -> Iterator[Finding]:
    if any(call.has(letter) for letter in _GREP_WHOLE) or call.has("", "--word-regexp", "--line-regexp"):
        return
    for word in call.arguments:
        if _ends_in_number(word):
            yield _finding(subject, call.place(word))
            return


RULE: Final = Rule(
    "static-prefix-match",
    "a number is matched whole",
    Profile.QUICK,
    Severity.WARNING,
    __doc__ or "",
    check,
)
