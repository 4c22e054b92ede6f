"""``lempel-ziv-trajectory-complexity``: distinct phrases of the event sequence (reference 3.2).

Formula: c / (n / log_A n) within 0 and 1, c the number of phrases of the LZ76 parsing, an unfinished last phrase
included, n events over A distinct symbols; 0 where A is 1.
Source: one symbol an event, in the order of the events.
Unavailable: fewer than two events.

The count is that of the Kaspar-Schuster scan, which is quadratic; here a suffix automaton gives it in linear time.
"""

import math
from collections.abc import Sequence

from opvalue.graders.trajectory.measuring import clamped, trajectory
from opvalue.graders.trajectory.projection import Projection
from opvalue.graders.trajectory.sequences import event_symbols
from opvalue.strictjson import JsonObject


@trajectory
def measure(projection: Projection, _config: JsonObject) -> float:
    """Return the normalised number of phrases."""
    symbols = event_symbols(projection, at_least=2)
    alphabet = len(set(symbols))
    if alphabet < 2:
        return 0
    count = len(symbols)
    return clamped(phrases(symbols) / (count / (math.log(count) / math.log(alphabet))))


def phrases(symbols: Sequence[str]) -> int:
    """Return the number of LZ76 phrases: each the shortest continuation that does not begin anywhere earlier."""
    automaton = _SuffixAutomaton(symbols)
    count = state = 0
    for place, symbol in enumerate(symbols):
        state = automaton.edges[state][symbol]
        if automaton.first_end[state] == place:
            count, state = count + 1, 0
    return count + (state != 0)


class _SuffixAutomaton:
    """Every substring of a sequence as a path from state 0, and where its first occurrence ends."""

    def __init__(self, symbols: Sequence[str]) -> None:
        self.edges: list[dict[str, int]] = [{}]
        self.first_end = [-1]
        self._links = [-1]
        self._lengths = [0]
        last = 0
        for place, symbol in enumerate(symbols):
            last = self._extend(last, symbol, place)

    def _extend(self, last: int, symbol: str, place: int) -> int:
        new = self._add({}, self._lengths[last] + 1, place)
        state = last
        while state != -1 and symbol not in self.edges[state]:
            self.edges[state][symbol] = new
            state = self._links[state]
        self._links[new] = 0 if state == -1 else self._split(state, symbol)
        return new

    def _split(self, state: int, symbol: str) -> int:
        """Return the state for ``state`` followed by ``symbol`` alone, split off a longer one where need be."""
        target = self.edges[state][symbol]
        length = self._lengths[state] + 1
        if self._lengths[target] == length:
            return target
        clone = self._add(dict(self.edges[target]), length, self.first_end[target])
        self._links[clone] = self._links[target]
        self._links[target] = clone
        while state != -1 and self.edges[state].get(symbol) == target:
            self.edges[state][symbol] = clone
            state = self._links[state]
        return clone

    def _add(self, edges: dict[str, int], length: int, first_end: int) -> int:
        self.edges.append(edges)
        self.first_end.append(first_end)
        self._links.append(-1)
        self._lengths.append(length)
        return len(self.edges) - 1
