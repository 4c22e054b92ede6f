"""Commands are written out, not put together while the script runs.

``eval "$x"``, ``bash -c "$x"`` and their like run whatever a variable holds, perhaps a title out of an issue. Nobody
can tell from the text what the evaluator does, and two regrades may do two things.

Not reported: ``"$@"`` in a function that runs its arguments, ``trap "rm -rf '$folder'" EXIT``, and
``eval "$(jq -r '@sh ...')"``, which quotes what it takes in.

What to do: a function, an array, or ``read`` in place of ``eval``.
"""

from collections.abc import Iterator
from typing import Final

from opvalue.bash.tree import Simple, Substitution, Text, Word
from opvalue.bash.visit import commands_in
from verifier.findings import Confidence, Finding, Severity
from verifier.rule import EVERY_CONTRACT, Profile, Rule
from verifier.runs import Runs
from verifier.subject import Subject
from verifier.syntax import Call, Syntax, syntax_of
from verifier.words import parameters

_SHELLS: Final = ("bash", "sh", "dash", "zsh")
_OTHERS: Final = ("python", "python3", "perl", "ruby", "node")
_ADVICE: Final = "Write the command out, in a function or with an array of arguments."


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:  # noqa: ARG001 - read, not run
    """Yield a finding for each piece of code that is put together at run time."""
    syntax = syntax_of(subject)
    for call in syntax.named("eval"):
        if any(word.literal is None for word in call.arguments) and not _quoted_by_jq(call):
            yield RULE.finds(subject, "eval runs what only a run would tell", _ADVICE, at=call.at)
    for call in syntax.named(*_SHELLS):
        yield from _code(subject, call, "c", Confidence.HIGH)
    for call in syntax.named(*_OTHERS):
        yield from _code(subject, call, "c" if call.name.startswith("python") else "e", Confidence.LOW)
    yield from _names(subject, syntax)


def _code(subject: Subject, call: Call, letter: str, confidence: Confidence) -> Iterator[Finding]:
    option = call.has(letter)
    if option is None:
        return
    place = call.arguments.index(option) + 1
    code = call.arguments[place] if place < len(call.arguments) else None
    if code is not None and code.literal is None:
        text = f"{call.name} -{letter} runs code that only a run would tell"
        yield RULE.finds(subject, text, _ADVICE, at=call.at, confidence=confidence)


def _quoted_by_jq(call: Call) -> bool:
    """Tell whether ``eval`` gets the output of jq's ``@sh`` and nothing else that is expanded."""
    expanded = [word for word in call.arguments if word.literal is None]
    return len(expanded) == 1 and _says_sh(expanded[0])


def _says_sh(word: Word) -> bool:
    bodies = [part.body for part in word.parts if isinstance(part, Substitution)]
    others = [part for part in word.parts if not isinstance(part, Substitution | Text)]
    return (
        len(bodies) == 1
        and not others
        and any(
            "@sh" in (argument.literal or "")
            for command in commands_in(bodies[0])
            if isinstance(command, Simple) and command.words and command.words[0].literal == "jq"
            for argument in command.words
        )
    )


def _names(subject: Subject, syntax: Syntax) -> Iterator[Finding]:
    """Yield a note for each command whose name is a variable, but for functions that run their arguments."""
    for site in syntax.sites:
        command = site.command
        if not isinstance(command, Simple) or not command.words or command.words[0].literal is not None:
            continue
        word = command.words[0]
        found = list(parameters(word))
        fixed = found and all(_settled(syntax, parameter.name) for parameter in found)
        if not found or fixed:
            continue
        at = site.file.place(word.start)
        text = "which command this is, only a run would tell"
        yield RULE.finds(subject, text, _ADVICE, at=at, confidence=Confidence.LOW)


def _settled(syntax: Syntax, name: str) -> bool:
    constant = syntax.constant(name)
    return name in {"@", "1"} or (constant is not None and syntax.text_of(constant) is not None)


RULE: Final = Rule(
    "static-dynamic",
    "commands are written out",
    Profile.QUICK,
    Severity.WARNING,
    __doc__ or "",
    check,
    EVERY_CONTRACT,
)
