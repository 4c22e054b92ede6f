"""What conditions tell without a run: a few truths, and the files they ask for."""

import operator
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Final

from opvalue.bash.expand import value_of
from opvalue.bash.state import State
from opvalue.bash.tree import AndOr, Body, Command, Group, Not, Redirected, Simple, Test, Word
from opvalue.bash.values import ROOT, SCRATCH, below_root

_LINK_TESTS: Final = frozenset({"-L", "-h"})
_FILE_TESTS: Final = frozenset({"-e", "-f", "-r", "-s", "-x"})
_PATTERN_SIGNS: Final = "*?[\\("
_STRING_SIGNS: Final = frozenset({"=", "==", "!="})
_NUMBER_SIGNS: Final[dict[str, Callable[[int, int], bool]]] = {
    "-eq": operator.eq,
    "-ne": operator.ne,
    "-lt": operator.lt,
    "-le": operator.le,
    "-gt": operator.gt,
    "-ge": operator.ge,
}
_NUMBER: Final = re.compile("0|[1-9][0-9]{0,8}")


def truth(command: Command, state: State) -> bool | None:
    """Return whether a command succeeds, for constants and for tests of known strings; else ``None``."""
    if isinstance(command, Not):
        inner = truth(command.command, state)
        return None if inner is None else not inner
    if isinstance(command, Test):
        return _test(command.words, state)
    if not isinstance(command, Simple) or not command.words:
        return None
    name = command.words[0].literal
    if name in {"true", ":"}:
        return True
    if name == "false":
        return False
    words = test_operands(command)
    return None if words is None else _test(words, state)


def test_operands(command: Simple) -> tuple[Word, ...] | None:
    """Return what stands between ``[`` and ``]`` or after ``test``, or ``None`` for another command."""
    if not command.words:
        return None
    name = command.words[0].literal
    if name == "[" and command.words[-1].literal == "]":
        return command.words[1:-1]
    return command.words[1:] if name == "test" else None


def asked_files(body: Body, state: State) -> Iterator[str]:
    """Yield the paths in the repository whose presence a condition tests, whatever it does with the answer."""
    for command in body:
        if isinstance(command, AndOr):
            yield from asked_files((command.first, *(link.command for link in command.rest)), state)
        elif isinstance(command, Not | Redirected):
            yield from asked_files((command.command,), state)
        elif isinstance(command, Group):
            yield from asked_files(command.body, state)
        elif isinstance(command, Test):
            yield from _asked(command.words, state)
        elif isinstance(command, Simple):
            yield from _asked(test_operands(command) or (), state)


def _asked(words: tuple[Word, ...], state: State) -> Iterator[str]:
    for sign, operand in pairwise(words):
        if sign.literal in _FILE_TESTS:
            value = value_of(operand, state)
            if isinstance(value, str):
                yield value


def _test(words: tuple[Word, ...], state: State) -> bool | None:
    if words and words[0].literal == "!":
        inner = _test(words[1:], state)
        return None if inner is None else not inner
    if len(words) == 2:
        return _unary(words[0].literal, words[1], state)
    if len(words) == 3:
        return _binary(words[0], words[1].literal, words[2], state)
    return None


def _unary(sign: str | None, operand: Word, state: State) -> bool | None:
    value = value_of(operand, state, assigned=True)
    if not isinstance(value, str):
        return None
    if sign in {"-z", "-n"}:
        # GITHUB_WORKSPACE is set only for an evaluator that has siblings.
        return None if value == ROOT else bool(value) == (sign == "-n")
    return False if sign in _LINK_TESTS and below_root(value) else None


def _binary(left: Word, sign: str | None, right: Word, state: State) -> bool | None:
    if sign is None or (sign not in _STRING_SIGNS and sign not in _NUMBER_SIGNS):
        return None
    one, other = value_of(left, state, assigned=True), value_of(right, state, assigned=True)
    if not isinstance(one, str) or not isinstance(other, str) or SCRATCH in one + other:
        return None
    if sign in _NUMBER_SIGNS:
        known = _NUMBER.fullmatch(one) and _NUMBER.fullmatch(other)
        return _NUMBER_SIGNS[sign](int(one), int(other)) if known else None
    if any(sign in other for sign in _PATTERN_SIGNS):
        return None
    return (one == other) == (sign != "!=")
