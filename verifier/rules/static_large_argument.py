r"""A list that was read goes to a program by standard input, never as an argument.

One argument holds 128 KiB on Linux, and a hundred events with their texts are more. The program is then not even
started: "Argument list too long". Where few things happen, the script works; where much happens, it gives no grade.

Reported are lists that are handed on as they were read, by ``--arg``, ``--argjson`` or any other argument of a program
that is not built into Bash, through variables and functions of the script. What was filtered or counted before may be
small, and is not reported.

What to do: ``jq '...' <<<"$events"``; for two documents ``printf '%s\n' "$request" "$events" | jq -s '...'``, where
``.[0]`` is the request and ``.[1]`` are the events.
"""

from collections.abc import Iterator
from typing import Final

from verifier.findings import Finding, Severity
from verifier.large import Large
from verifier.rule import EVERY_CONTRACT, Profile, Rule
from verifier.runs import Runs
from verifier.subject import Subject
from verifier.syntax import Call, Syntax, syntax_of

_BUILT_IN: Final = frozenset(
    {
        *(".", ":", "[", "alias", "break", "builtin", "command", "continue", "echo", "eval", "exec", "exit", "export"),
        *("false", "hash", "let", "local", "mapfile", "printf", "pwd", "read", "readarray", "return", "set", "shift"),
        *("shopt", "source", "test", "trap", "true", "type", "unset", "wait"),
    }
)
_ADVICE: Final = (
    "Give it by standard input: jq '...' <<<\"$events\", or printf '%s\\n' \"$request\" \"$events\" | jq -s '...'."
)


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:  # noqa: ARG001 - read, not run
    """Yield a finding for each program that is given a whole list as an argument."""
    syntax = syntax_of(subject)
    if not any(True for _ in syntax.named("gh")):
        return
    large = Large(syntax)
    for call in syntax.calls:
        if _is_program(call, syntax):
            word = next((one for one in call.arguments if large.word(one, call.site.function)), None)
            if word is not None:
                text = f"{call.name} is given a whole list as an argument, which holds 128 KiB at most"
                yield RULE.finds(subject, text, _ADVICE, at=call.place(word))


def _is_program(call: Call, syntax: Syntax) -> bool:
    return call.name not in _BUILT_IN and not syntax.is_function(call)


RULE: Final = Rule(
    "static-large-argument",
    "lists go to programs by standard input",
    Profile.QUICK,
    Severity.WARNING,
    __doc__ or "",
    check,
    EVERY_CONTRACT,
)
