"""The search for a verified path: guided by git's word, believing none of it."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opvalue.checkout.errors import GitTimedOut
from opvalue.checkout.reach import Tip, distances, first_reaching
from opvalue.identity import CommitId
from opvalue.trust.git import Commit

LATER = time.monotonic() + 3600


def name(number: int) -> CommitId:
    return CommitId(f"{number:040x}")


def listing(parents: dict[int, list[int]]) -> list[str]:
    return [" ".join(name(number).hex for number in (commit, *found)) for commit, found in parents.items()]


def reader(parents: dict[int, list[int]]) -> dict[CommitId, Commit]:
    return {name(n): Commit(name(n), "t", tuple(map(name, found))) for n, found in parents.items()}


def search(claimed: dict[int, list[int]], real: dict[int, list[int]], target: int, *tips: int) -> str | None:
    found = first_reaching(
        [Tip(f"tip {tip}", name(tip)) for tip in tips],
        name(target),
        distances(name(target), listing(claimed)),
        reader(real).get,
        LATER,
    )
    return None if found is None else found.name


def test_distances() -> None:
    parents = {5: [4, 3], 4: [2], 3: [1], 2: [1], 1: []}
    steps = {int(commit, 16): count for commit, count in distances(name(1), listing(parents)).items()}
    assert steps == {1: 0, 2: 1, 3: 1, 4: 2, 5: 2}
    assert distances(name(9), []) == {name(9).hex: 0}


def test_reads_the_shortest_path_only() -> None:
    parents = {6: [5, 4], 5: [3], 4: [1], 3: [2], 2: [1], 1: []}
    read: list[CommitId] = []

    def reading(commit_id: CommitId) -> Commit | None:
        read.append(commit_id)
        return reader(parents).get(commit_id)

    guide = distances(name(1), listing(parents))
    assert first_reaching([Tip("t", name(6))], name(1), guide, reading, LATER) == Tip("t", name(6))
    assert read == [name(6), name(4), name(1)]


def test_claims_that_the_commits_do_not_bear_out() -> None:
    honest: dict[int, list[int]] = {3: [2], 2: [1], 1: [], 9: []}
    assert search({3: [2], 2: [1, 9], 1: []}, honest, 9, 3) is None
    assert search({3: [9]}, honest, 9, 3) is None
    assert search({}, honest, 9, 3) is None
    assert search(honest, honest, 1, 3) == "tip 3"


def test_a_commit_that_cannot_be_verified_is_gone_round() -> None:
    parents: dict[int, list[int]] = {5: [2, 4], 4: [3], 3: [1], 2: [1], 1: []}
    real = {commit: found for commit, found in parents.items() if commit != 2}
    assert search(parents, real, 1, 5) == "tip 5"
    assert search(parents, {5: [2, 4], 4: [3], 1: []}, 1, 5) is None
    assert search(parents, {5: [2, 4], 4: [3], 3: [1]}, 1, 5) is None


def test_order_of_tips() -> None:
    parents: dict[int, list[int]] = {4: [3], 3: [2], 2: [1], 1: []}
    guide = distances(name(1), listing(parents))
    near, far, default = Tip("b", name(2)), Tip("a", name(3)), Tip("z", name(4), is_default=True)
    read = reader(parents).get
    assert first_reaching([far, near], name(1), guide, read, LATER) == near
    assert first_reaching([far, near, default], name(1), guide, read, LATER) == default
    assert first_reaching([], name(1), guide, read, LATER) is None


def test_deadline() -> None:
    with pytest.raises(GitTimedOut):
        first_reaching([Tip("t", name(1))], name(1), {name(1).hex: 0}, reader({1: []}).get, time.monotonic() - 1)


graphs = st.integers(1, 9).flatmap(
    lambda size: st.fixed_dictionaries(
        {n: st.lists(st.integers(1, n - 1), max_size=3) if n > 1 else st.just([]) for n in range(1, size + 1)}
    )
)


@given(graphs, graphs, st.integers(1, 9), st.integers(1, 9))
def test_found_exactly_when_real_and_never_because_of_a_claim(
    real: dict[int, list[int]], claimed: dict[int, list[int]], target: int, tip: int
) -> None:
    def reachable(start: int, parents: dict[int, list[int]]) -> set[int]:
        found, stack = set(), [start]
        while stack:
            current = stack.pop()
            if current in parents and current not in found:
                found.add(current)
                stack.extend(parents[current])
        return found

    holds = target in reachable(tip, real)
    assert (search(real, real, target, tip) is not None) == holds
    if search(claimed, real, target, tip) is not None:
        assert holds


def test_a_dead_end_met_again_does_not_end_the_search() -> None:
    claimed = {6: [5, 4], 5: [2], 4: [2, 3], 3: [1], 2: [1], 1: []}
    assert search(claimed, {number: found for number, found in claimed.items() if number != 2}, 1, 6) == "tip 6"


def test_of_tips_equally_near_the_first_by_name() -> None:
    real: dict[int, list[int]] = {3: [1], 2: [1], 1: []}
    assert search(real, real, 1, 3, 2) == "tip 2"


def test_a_commit_on_two_ways_is_read_once() -> None:
    parents: dict[int, list[int]] = {5: [4, 3], 4: [2], 3: [2], 2: [1], 1: []}
    read: list[CommitId] = []

    def reading(commit_id: CommitId) -> Commit | None:
        read.append(commit_id)
        return reader(parents).get(commit_id) if commit_id != name(1) else None

    guide = distances(name(1), listing(parents))
    assert first_reaching([Tip("t", name(5)), Tip("u", name(4))], name(1), guide, reading, LATER) is None
    assert sorted(read) == [name(number) for number in range(1, 6)]
