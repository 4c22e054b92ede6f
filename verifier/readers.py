"""Which functions of a script end with a failure of ``gh``: their callers lose it as they would lose that of ``gh``.

As far as the text tells: the failing status is the function's own, or what runs instead leaves it with a failure. Pure.
"""

from collections.abc import Iterator
from typing import Final

from opvalue.bash.tree import Body, Command, Group, Redirected, Simple
from verifier.status import End, Fate, end_of
from verifier.syntax import Call, Syntax
from verifier.words import is_all_arguments

_LEAVES: Final = frozenset({"return", "exit"})
NOT_EVIDENCE: Final = frozenset({"--version", "auth", "version"})
"""What ``gh`` is asked that is no evidence."""


def evidence_calls(syntax: Syntax) -> Iterator[Call]:
    """Yield the calls of ``gh`` that ask for evidence."""
    return (call for call in syntax.named("gh") if call.arguments and call.arguments[0].literal not in NOT_EVIDENCE)


def run_calls(syntax: Syntax) -> Iterator[Call]:
    """Yield each ``"$@"`` by which a function of the script runs ``gh``, as a call of it where it stands."""
    asking = {id(call.site) for call in evidence_calls(syntax)}
    names = {call.name for call in syntax.calls if call.name in syntax.runners and id(call.site) in asking}
    for site in syntax.sites:
        words = site.command.words if isinstance(site.command, Simple) else ()
        if words and site.function in names and is_all_arguments(words[0]):
            yield Call(site, "gh", words[0], words[1:])


def reading_functions(syntax: Syntax) -> frozenset[str]:
    """Return the names of the functions that end with a failure when a ``gh`` of theirs does."""
    found: set[str] = set()
    ends = [
        (call, end_of(call.site, syntax))
        for call in (*evidence_calls(syntax), *(one for one in syntax.calls if syntax.is_function(one)))
        if call.site.function is not None
    ]
    while True:
        new = {
            str(call.site.function)
            for call, end in ends
            if (call.name == "gh" or (call.name in found and syntax.is_function(call))) and _passes_on(end, syntax)
        }
        if new <= found:
            return frozenset(found)
        found |= new


def _passes_on(end: End, syntax: Syntax) -> bool:
    if end.fate is Fate.STOPS:
        return True
    return end.fate in {Fate.CAUGHT, Fate.TESTED} and _leaves(end.instead, syntax)


def _leaves(body: Body, syntax: Syntax) -> bool:
    """Tell whether commands end a function or the script with a failure, themselves or by a function that exits."""
    return any(_leaves_by(command, syntax) for command in body)


def _leaves_by(command: Command, syntax: Syntax) -> bool:
    if isinstance(command, Redirected):
        return _leaves_by(command.command, syntax)
    if isinstance(command, Group):
        return _leaves(command.body, syntax)
    if not isinstance(command, Simple) or not command.words:
        return False
    name = command.words[0].literal or ""
    if name in _LEAVES:
        return len(command.words) == 1 or command.words[1].literal != "0"
    return name in _ending_functions(syntax)


def _ending_functions(syntax: Syntax) -> frozenset[str]:
    """Return the functions that end the shell with a failure, such as ``fail``."""
    return frozenset(
        str(call.site.function)
        for call in syntax.named("exit")
        if call.site.function is not None and [word.literal for word in call.arguments] != ["0"]
    )
