"""Tries and waits, with no real waiting."""

import pytest

from opvalue.http import NetworkFailed
from opvalue.http.retries import NEVER, Again, persist

ERROR = NetworkFailed("no")


def run(outcomes: list[object], *, tries: int = 5, seconds: float = 180) -> tuple[object, list[float]]:
    waits: list[float] = []
    left = iter(outcomes)
    try:
        return persist(lambda: next(left), tries=tries, seconds=seconds, sleep=waits.append), waits
    except NetworkFailed as error:
        return error, waits


def test_an_answer_needs_no_wait() -> None:
    assert run(["a"]) == ("a", [])


@pytest.mark.parametrize("failures", range(5))
def test_pauses_double(failures: int) -> None:
    assert run([Again(ERROR)] * failures + ["a"]) == ("a", [0.5, 1, 2, 4][:failures])


@pytest.mark.parametrize("tries", [1, 2, 5])
def test_tries_are_counted_with_the_first(tries: int) -> None:
    outcome, waits = run([Again(ERROR)] * tries, tries=tries)
    assert outcome is ERROR
    assert waits == [0.5, 1, 2, 4][: tries - 1]


def test_a_named_pause_does_not_grow_and_is_never_shorter_than_ours() -> None:
    assert run([Again(ERROR, 7, grows=False)] * 3 + ["a"]) == ("a", [7, 7, 7])
    assert run([Again(ERROR, 0, grows=False), "a"]) == ("a", [0.5])


def test_the_sum_of_all_pauses_is_bounded() -> None:
    assert run([Again(ERROR, 60), Again(ERROR, 60), "a"], seconds=180) == ("a", [60, 120])
    assert run([Again(ERROR, 60), Again(ERROR, 60), "a"], seconds=179) == (ERROR, [60])
    assert run([Again(ERROR, 181, grows=False), "a"]) == (ERROR, [])


def test_what_another_try_cannot_help_is_raised_at_once() -> None:
    assert run([Again(ERROR, NEVER), "a"]) == (ERROR, [])
