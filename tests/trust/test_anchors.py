"""Who vouches for the recorded commit: a ref, the caller, or for a merge its parent."""

import pytest

from opvalue.identity import CommitId
from opvalue.trust import Anchor, CheckState, CommitAnchor, ReachableAnchor, anchor, errors, pin
from tests.trust.memory import Memory, Unreadable
from tests.trust.runs import PATH, SCRIPT, consistent_run

FILES = {PATH: SCRIPT}
MERGE = {"ref": "refs/pull/7/merge"}


def test_a_branch_holds_it() -> None:
    memory = Memory()
    commit = memory.add(FILES, ref="refs/heads/main")
    run = anchor(consistent_run(), [ReachableAnchor(memory)], memory)
    assert (run.recorded.id, run.trusted.id) == (commit, commit)
    detail = "commit 000000000000 is reachable from refs/heads/main of the trusted remote"
    assert run.checks[4:] == (("commit.anchored", CheckState.DONE, detail),)


def test_the_caller_names_it() -> None:
    memory = Memory()
    commit = memory.add(FILES)
    anchors: list[Anchor] = [CommitAnchor(commit), ReachableAnchor(memory)]
    assert anchor(consistent_run(), anchors, memory).checks[4].detail == "commit 000000000000 is named with --commit"


def test_another_commit_named_vouches_for_nothing() -> None:
    memory = Memory()
    recorded, other = memory.add(FILES), CommitId("f" * 40)
    with pytest.raises(errors.CommitMismatch) as caught:
        anchor(consistent_run(), [CommitAnchor(other), ReachableAnchor(memory)], memory)
    assert (caught.value.expected, caught.value.found) == (other.hex, recorded.hex)


def test_another_commit_named_is_refused_though_a_branch_holds_the_recorded_one() -> None:
    memory = Memory()
    memory.add(FILES, ref="refs/heads/main")
    with pytest.raises(errors.CommitMismatch):
        anchor(consistent_run(), [CommitAnchor(CommitId("f" * 40)), ReachableAnchor(memory)], memory)


def test_why_each_anchor_is_silent_is_told() -> None:
    memory = Memory()
    commit = memory.add(FILES)
    assert CommitAnchor(CommitId("f" * 40)).silent_because(commit) == "--commit names ffffffffffff"
    with pytest.raises(errors.CommitNotAnchored) as caught:
        anchor(consistent_run(), [ReachableAnchor(memory)], memory)
    assert caught.value.found == "no branch or tag of the trusted remote leads to it"


def test_an_anchor_that_vouches_gives_no_reason_for_silence() -> None:
    memory = Memory()
    commit = memory.add(FILES, ref="refs/heads/main")
    assert CommitAnchor(commit).silent_because(commit) is None
    assert ReachableAnchor(memory).silent_because(commit) is None


def test_nobody_vouches() -> None:
    memory = Memory()
    memory.add(FILES)
    for anchors in ([], [ReachableAnchor(memory)]):
        with pytest.raises(errors.CommitNotAnchored) as caught:
            anchor(consistent_run(), anchors, memory)
        assert "--commit SHA" in caught.value.hint


def test_an_absent_commit_is_absent_and_the_ref_is_told() -> None:
    with pytest.raises(Unreadable) as caught:
        anchor(consistent_run(subject=MERGE), [], Memory())
    assert caught.value.found == "refs/pull/7/merge"


def merged(memory: Memory, *parents: CommitId, script: bytes = SCRIPT, ref: str = MERGE["ref"]) -> dict[str, str]:
    return {"ref": ref, "sha": memory.add({PATH: script}, *parents).hex}


def test_a_merge_counts_through_its_anchored_parent() -> None:
    memory = Memory()
    base = memory.add(FILES, ref="refs/heads/main")
    head = memory.add(FILES)
    run = anchor(consistent_run(subject=merged(memory, base, head)), [ReachableAnchor(memory)], memory)
    assert run.trusted.id == base
    assert "is a pull-request merge whose parent" in run.checks[4].detail
    assert pin(run, memory).checks[-1].name == "commit.merge-evaluator"


def test_the_parent_that_holds_the_merges_evaluator_is_preferred() -> None:
    memory = Memory()
    base = memory.add({PATH: b"older"}, ref="refs/heads/main")
    head = memory.add(FILES, ref="refs/heads/feature")
    run = anchor(consistent_run(subject=merged(memory, base, head)), [ReachableAnchor(memory)], memory)
    assert run.trusted.id == head
    assert pin(run, memory).evaluator == SCRIPT


def test_a_merge_with_another_evaluator_than_any_parents_is_refused() -> None:
    memory = Memory()
    base = memory.add({PATH: b"older"}, ref="refs/heads/main")
    head = memory.add({PATH: b"other"}, ref="refs/heads/feature")
    run = anchor(consistent_run(subject=merged(memory, base, head)), [ReachableAnchor(memory)], memory)
    assert run.trusted.id == base
    with pytest.raises(errors.MergeEvaluatorDiffers):
        pin(run, memory)


@pytest.mark.parametrize("ref", ["refs/heads/main", "refs/pull/7/head", "refs/pull/x/merge", "xrefs/pull/7/merge", ""])
def test_only_a_pull_requests_merge_counts_through_a_parent(ref: str) -> None:
    memory = Memory()
    base = memory.add(FILES, ref="refs/heads/main")
    head = memory.add(FILES)
    with pytest.raises(errors.CommitNotAnchored):
        anchor(consistent_run(subject=merged(memory, base, head, ref=ref)), [ReachableAnchor(memory)], memory)


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_merge_has_two_parents(count: int) -> None:
    memory = Memory()
    parents = [memory.add(FILES, ref="refs/heads/main") for _ in range(count)]
    with pytest.raises(errors.CommitNotAnchored):
        anchor(consistent_run(subject=merged(memory, *parents)), [ReachableAnchor(memory)], memory)


def test_a_merge_of_two_strangers_is_a_stranger() -> None:
    memory = Memory()
    subject = merged(memory, memory.add(FILES), memory.add(FILES))
    with pytest.raises(errors.CommitNotAnchored):
        anchor(consistent_run(subject=subject), [ReachableAnchor(memory)], memory)


def test_the_head_of_a_pull_request_may_be_named() -> None:
    memory = Memory()
    base, head = memory.add(FILES), memory.add(FILES)
    run = anchor(consistent_run(subject=merged(memory, base, head)), [CommitAnchor(head)], memory)
    assert run.trusted.id == head
    assert run.checks[4].detail.endswith("whose parent 000000000000 is named with --commit")


@pytest.mark.parametrize("ref", ["refs/heads/main", "refs/pull/7/head"])
def test_a_parent_is_another_commit_than_a_merge_that_is_no_pull_requests(ref: str) -> None:
    memory = Memory()
    base, head = memory.add(FILES, ref="refs/heads/main"), memory.add(FILES)
    subject = merged(memory, base, head, ref=ref)
    memory.held[CommitId(subject["sha"])] = "refs/heads/main"
    with pytest.raises(errors.CommitMismatch) as caught:
        anchor(consistent_run(subject=subject), [CommitAnchor(head), ReachableAnchor(memory)], memory)
    assert (caught.value.expected, caught.value.found) == (head.hex, subject["sha"])


@pytest.mark.parametrize("count", [1, 3])
def test_a_parent_is_another_commit_than_one_with_other_than_two(count: int) -> None:
    memory = Memory()
    parents = [memory.add(FILES, ref="refs/heads/main") for _ in range(count)]
    with pytest.raises(errors.CommitMismatch):
        anchor(consistent_run(subject=merged(memory, *parents)), [CommitAnchor(parents[0])], memory)


def test_without_a_merge_there_is_nothing_to_compare_it_with() -> None:
    memory = Memory()
    memory.add(FILES, ref="refs/heads/main")
    run = anchor(consistent_run(), [ReachableAnchor(memory)], memory)
    assert pin(run, memory).checks == run.checks
