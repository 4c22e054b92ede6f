"""The script neither reads, needs nor prints a token.

``gh`` finds its credentials by itself. In a regrade the script sees none: ``GH_TOKEN`` is a placeholder that opens
nothing, ``GITHUB_TOKEN`` is not set, and ``gh auth token`` has nothing to print. What a script prints is kept and
shown.

Passing a token on (``export GH_TOKEN="${GH_TOKEN:-${GITHUB_TOKEN:-}}"``) is harmless and not reported.

What to do: leave the token to ``gh``.
"""

from collections.abc import Iterator
from typing import Final

from opvalue.bash.tree import Command, Declaration, Parameter, Simple, Test, Word
from opvalue.bash.visit import words_of
from verifier.findings import Finding, Severity
from verifier.rule import EVERY_CONTRACT, Profile, Rule
from verifier.runs import Runs
from verifier.subject import Subject
from verifier.syntax import Call, Site, parameters, syntax_of

_TOKENS: Final = frozenset({"GH_TOKEN", "GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"})
_PLACEHOLDER: Final = "GH_TOKEN"
_DEFAULTING: Final = frozenset({":-", "-", ":+", "+", ":=", "="})
_ADVICE: Final = "Leave the token to gh, which finds it by itself; a regrade gives the script none."


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:  # noqa: ARG001 - read, not run
    """Yield a finding for each use of a token that is more than passing it on to ``gh``."""
    syntax = syntax_of(subject)
    for site in syntax.sites:
        for word in words_of(site.command):
            for parameter in parameters(word):
                if parameter.name in _TOKENS:
                    yield from _used(subject, site, word, parameter)
    for call in syntax.named("gh"):
        if _asks(call):
            yield RULE.finds(subject, "gh is asked for the token itself", _ADVICE, at=call.at)
    for call in syntax.named("printenv"):
        if _TOKENS & set(call.literals()):
            yield RULE.finds(subject, "the token is printed", _ADVICE, at=call.at)


def _asks(call: Call) -> bool:
    texts = call.literals()
    if texts[:2] == ("auth", "token"):
        return True
    return texts[:2] == ("auth", "status") and call.has("t", "--show-token") is not None


def _used(subject: Subject, site: Site, word: Word, parameter: Parameter) -> Iterator[Finding]:
    """Judge one expansion: needed where it is unset, or handed to a command."""
    at = site.file.place(word.start)
    unset_fails = parameter.operator not in _DEFAULTING and parameter.name != _PLACEHOLDER
    if unset_fails:
        yield RULE.finds(subject, f"{parameter.name} is needed, and not set in a regrade", _ADVICE, at=at)
    elif parameter.operator not in {":+", "+"} and _handed_on(site.command):
        yield RULE.finds(subject, f"the value of {parameter.name} is handed to a command", _ADVICE, at=at)


def _handed_on(command: Command) -> bool:
    """Tell whether a command gets the value as an argument or as its input: not assignments, not tests."""
    if isinstance(command, Declaration | Test):
        return False
    if isinstance(command, Simple):
        return bool(command.words) and command.words[0].literal not in {"[", "test", ":", "export", "readonly"}
    return True


RULE: Final = Rule(
    "static-credentials",
    "no token is read, needed or printed",
    Profile.QUICK,
    Severity.ERROR,
    __doc__ or "",
    check,
    EVERY_CONTRACT,
)
