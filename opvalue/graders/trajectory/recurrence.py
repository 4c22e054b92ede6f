"""Recurrence of states, counted from frequencies instead of the plot: linear in the number of visits (reference 3.2).

The plot has a point (i, j), i other than j, where visits i and j are to one state: two points for each pair of equal
visits. A point continues no diagonal line if neither the visits after nor those before i and j are equal; by inclusion
and exclusion over pairs of equal bigrams and trigrams, ``2 * bigrams - trigrams`` pairs lie on lines of two or more.

A vertical run in column j is a maximal stretch of one state, equal to that of visit j; the cell i = j breaks it. So a
stretch of length L is whole in the columns of the state's other visits and cut in two in its own.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple


def pairs(items: Iterable[Hashable]) -> int:
    """Return the number of unordered pairs of equal items."""
    return sum(count * (count - 1) // 2 for count in Counter(items).values())


def pairs_on_diagonals(states: Sequence[str]) -> int:
    """Return the pairs of equal visits that lie on a diagonal line of two or more, the main diagonal left out."""
    bigrams = pairs(pairwise(states))
    trigrams = pairs(zip(states, states[1:], states[2:], strict=False))
    return 2 * bigrams - trigrams


class Verticals(NamedTuple):
    """The vertical runs of two or more points."""

    points: int
    runs: int


def verticals(states: Sequence[str]) -> Verticals:
    """Count the vertical runs of two or more points, over all columns."""
    visits = Counter(states)
    points = runs = 0
    for state, stretch in groupby(states):
        length = sum(1 for _ in stretch)
        if length < 2:
            continue
        elsewhere = visits[state] - length
        # In its own columns a stretch falls into parts of p and L - 1 - p points: each size below L comes up twice.
        points += elsewhere * length + length * (length - 1) - 2
        runs += elsewhere + 2 * (length - 2)
    return Verticals(points, runs)
