import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opvalue.graders.trajectory.lempel_ziv_trajectory_complexity import measure, phrases
from tests.graders.trajectory.samples import BOUND, check_bound, kinds


@pytest.mark.parametrize(("sequence", "value"), [("ab", 1), ("ababab", 1), ("aaa", 0), ("abcacbaa", 1)])
def test_reference_values(sequence: str, value: float) -> None:
    assert measure(kinds(sequence), {}).value == value


@pytest.mark.parametrize(("sequence", "raw", "bound"), [("ababab", 3, 2.3211), ("abcacbaa", 6, 4.2266)])
def test_raw_counts(sequence: str, raw: int, bound: float) -> None:
    assert phrases(sequence) == raw
    size, alphabet = len(sequence), len(set(sequence))
    assert size / math.log(size, alphabet) == pytest.approx(bound, abs=1e-4)


def test_below_its_bound_it_is_not_clamped() -> None:
    assert measure(kinds("ab" * 32), {}).value == pytest.approx(3 * 6 / 64)


def test_fewer_than_two_events() -> None:
    assert measure(kinds("a"), {}) == (None, "fewer than 2 events")


def kaspar_schuster(text: str) -> int:
    """Return the count of the scan as published; an unfinished phrase counts."""
    count, start, length, longest, place = 1, 1, 1, 1, 0
    while start < len(text):
        if text[place + length - 1] == text[start + length - 1]:
            length += 1
            if start + length > len(text):
                return count + 1
            continue
        longest = max(longest, length)
        place, length = place + 1, 1
        if place == start:
            count, start = count + 1, start + longest
            place, longest = 0, 1
    return count


@given(st.text("abc", min_size=2, max_size=60))
def test_the_automaton_counts_as_the_scan_does(text: str) -> None:
    assert phrases(text) == kaspar_schuster(text)


def test_bound() -> None:
    # a, b, and all the rest as one unfinished phrase.
    check_bound(measure, kinds("ab" * (BOUND // 2)), "events", 3 / (BOUND / math.log2(BOUND)))
