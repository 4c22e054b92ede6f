"""Search a text with a program: one step a character, each step remembered.

A state is the set of instructions that may take the next character, with what kind of character came last. States and
steps are made when they are met (a lazy deterministic automaton). They are forgotten when they grow too many, so memory
is bounded; making one is charged its full price, so time is bounded too.
"""

import enum
from collections.abc import Iterable
from typing import Final

from opvalue.graders.trajectory.pattern.characters import contains, is_word
from opvalue.graders.trajectory.pattern.program import Consume, Fork, Hold, Instruction, Match, Program

_MOST_STEPS: Final = 20_000


class WorkExceeded(Exception):
    """More work than was allowed. Never leaves the graders."""


class Work:
    """What may still be spent, in characters looked at.

    A step that is not remembered costs one for each instruction of the program, and for each range of characters in it.
    """

    def __init__(self, allowed: int) -> None:
        self._left = allowed

    def spend(self, amount: int) -> None:
        """Take ``amount`` off. Raises ``WorkExceeded``."""
        self._left -= amount
        if self._left < 0:
            raise WorkExceeded


def _price(instruction: Instruction) -> int:
    return 1 + (len(instruction.characters.ranges) if isinstance(instruction, Consume) else 0)


class _Before(enum.Enum):
    """What stands before the next character."""

    START = "start"
    WORD = "word"
    OTHER = "other"


class _State:
    """A set of instructions, what came before, and the steps already known."""

    __slots__ = ("before", "matches_at_end", "places", "steps")

    def __init__(self, places: frozenset[int], before: _Before) -> None:
        self.places = places
        self.before = before
        self.steps: dict[str, _State] = {}
        self.matches_at_end: bool | None = None
        """Whether the expression has matched where the text ends here; none where that was not asked yet."""


_MATCHED: Final = _State(frozenset(), _Before.START)


class Machine:
    """Searches texts for one expression."""

    def __init__(self, program: Program, work: Work) -> None:
        self._program = program
        self._work = work
        self._price = sum(map(_price, program.instructions))
        self._states: dict[tuple[frozenset[int], _Before], _State] = {}
        self._steps = 0

    def search(self, text: str) -> bool:
        """Tell whether the expression matches anywhere in ``text``. Raises ``WorkExceeded``."""
        self._work.spend(len(text) + 1)
        state = self._state(frozenset(), _Before.START)
        for character in text:
            following = state.steps.get(character) or self._step(state, character)
            if following is _MATCHED:
                return True
            state = following
        if state.matches_at_end is None:
            state.matches_at_end = self._reachable(state, None)[1]
        return state.matches_at_end

    def _step(self, state: _State, character: str) -> _State:
        consumers, matched = self._reachable(state, character)
        following = _MATCHED if matched else self._after(consumers, character)
        if self._steps >= _MOST_STEPS:
            self._states, self._steps = {}, 0
            state.steps.clear()
        self._steps += 1
        state.steps[character] = following
        return following

    def _after(self, consumers: Iterable[Consume], character: str) -> _State:
        places = frozenset(
            consumer.target
            for consumer in consumers
            if contains(consumer.characters.ranges, character) is not consumer.characters.negated
        )
        return self._state(places, _Before.WORD if is_word(character) else _Before.OTHER)

    def _state(self, places: frozenset[int], before: _Before) -> _State:
        return self._states.setdefault((places, before), _State(places, before))

    def _reachable(self, state: _State, following: str | None) -> tuple[list[Consume], bool]:
        """Return what can take the next character, and whether the expression has matched before it.

        A match may begin at every place, so the start is always among what can be reached. Charged at its full price.
        """
        self._work.spend(self._price)
        edge = (state.before is _Before.WORD) is not (following is not None and is_word(following))
        holds = {"^": state.before is _Before.START, "$": following is None, "b": edge, "B": not edge}
        waiting = [self._program.start, *state.places]
        seen: set[int] = set()
        consumers: list[Consume] = []
        while waiting:
            place = waiting.pop()
            if place in seen:
                continue
            seen.add(place)
            match self._program.instructions[place]:
                case Fork(targets):
                    waiting.extend(targets)
                case Hold(kind, target):
                    waiting.extend([target] if holds[kind] else [])
                case Consume() as consume:
                    consumers.append(consume)
                case Match():
                    return [], True
        return consumers, False
