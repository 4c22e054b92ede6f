"""The script neither reads, needs nor prints a token.

``gh`` finds its credentials by itself. In a regrade the script sees none: ``GH_TOKEN`` is a placeholder that opens
nothing, ``GITHUB_TOKEN`` is not set, and ``gh auth token`` has nothing to print. What a script prints is kept and
shown.

Passing a token on (``export GH_TOKEN="${GH_TOKEN:-${GITHUB_TOKEN:-}}"``) is harmless and not reported, nor is it
behind a condition that asks for the token.

What to do: leave the token to ``gh``.
"""

from collections.abc import Iterator
from typing import Final

from opvalue.bash.tree import AndOr, Command, Declaration, If, Parameter, Simple, Test, Word
from opvalue.bash.visit import commands_in, words_of
from verifier.findings import Finding, Severity
from verifier.jq_programs import jq_programs
from verifier.rule import EVERY_CONTRACT, Profile, Rule
from verifier.runs import Runs
from verifier.steps import Step
from verifier.subject import Subject
from verifier.syntax import Call, Site, Syntax, syntax_of
from verifier.words import parameters, tested_words

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
    yield from _by_jq(subject, syntax)
    for call in syntax.named("gh"):
        if _asks(call):
            yield RULE.finds(subject, "gh is asked for the token itself", _ADVICE, at=call.at)
    for call in syntax.named("printenv"):
        if _TOKENS & set(call.literals()):
            yield RULE.finds(subject, "the token is printed", _ADVICE, at=call.at)


def _by_jq(subject: Subject, syntax: Syntax) -> Iterator[Finding]:
    for program in jq_programs(syntax):
        for name, piece in program.environment():
            if name in _TOKENS:
                yield RULE.finds(subject, f"{name} is read by jq", _ADVICE, at=program.at(piece))


def _asks(call: Call) -> bool:
    texts = call.literals()
    if texts[:2] == ("auth", "token"):
        return True
    return texts[:2] == ("auth", "status") and call.has("t", "--show-token") is not None


def _used(subject: Subject, site: Site, word: Word, parameter: Parameter) -> Iterator[Finding]:
    """Judge one expansion: needed where it is unset, or handed to a command."""
    at = site.file.place(word.start)
    unset_fails = parameter.operator not in _DEFAULTING and parameter.name != _PLACEHOLDER
    if unset_fails and isinstance(site.command, Declaration | Simple) and _is_asked_for(site, parameter.name):
        unset_fails = False
    if unset_fails:
        yield RULE.finds(subject, f"{parameter.name} is needed, and not set in a regrade", _ADVICE, at=at)
    elif parameter.operator not in {":+", "+"} and _handed_on(site.command):
        yield RULE.finds(subject, f"the value of {parameter.name} is handed to a command", _ADVICE, at=at)


def _is_asked_for(site: Site, name: str) -> bool:
    """Tell whether a condition around a command looks at whether a variable is set: ``[ -n "${NAME:-}" ] && ...``."""
    return any(
        parameter.name == name and parameter.operator in _DEFAULTING
        for step in site.steps
        for condition in _conditions(step)
        for command in commands_in((condition,))
        for word in tested_words(command)
        for parameter in parameters(word)
    )


def _conditions(step: Step) -> Iterator[Command]:
    if isinstance(step.node, If):
        for branch in step.node.branches:
            yield from branch.condition
    elif isinstance(step.node, AndOr):
        yield step.node.first
        yield from (link.command for link in step.node.rest)


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
