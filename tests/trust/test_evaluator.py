"""The evaluator at the commit: equal to the archived one, with all it sources."""

from typing import Any

import pytest

from opvalue.bash import closure_digest
from opvalue.identity import Digest
from opvalue.limits import Limits
from opvalue.trust import ReachableAnchor, anchor, errors, match, pin
from tests.trust.memory import Memory, Unreadable
from tests.trust.runs import PATH, SCRIPT, consistent_run, matched

SOURCING = SCRIPT + b'source "${BASH_SOURCE[0]%/*}/runtime.sh"\n'
RUNTIME = ".github/graders/runtime.sh"
SOURCED: dict[str, Any] = {
    "evaluator": SOURCING,
    "grader": {"digest": Digest.of(SOURCING).hex},
    "implementation_digest": Digest.of(SOURCING).hex,
}


def test_equal_bytes_match() -> None:
    memory = Memory()
    found = matched(memory, memory.add({PATH: SCRIPT}))
    assert [str(path) for path, _ in found.closure.files] == [PATH]
    assert found.closure_digest == closure_digest(found.closure)
    assert [(check.name, check.detail) for check in found.checks[-2:]] == [
        ("evaluator.at-commit", "the evaluator at commit 000000000000 is the archived one, byte for byte"),
        ("evaluator.closure", "the evaluator sources no other file that its syntax tree shows"),
    ]


@pytest.mark.parametrize(
    ("stored", "words"),
    [
        (SCRIPT + b"\n", "differs from the archived evaluator"),
        (b"", "differs from the archived evaluator"),
        (SCRIPT.replace(b"\n", b"\r\n"), "only by carriage returns"),
    ],
)
def test_other_bytes_do_not(stored: bytes, words: str) -> None:
    memory = Memory()
    with pytest.raises(errors.EvaluatorDiffers) as caught:
        matched(memory, memory.add({PATH: stored}))
    assert caught.value.message.endswith(words)
    assert caught.value.expected == f"sha256:{Digest.of(SCRIPT)} (archived)"
    assert caught.value.found == f"sha256:{Digest.of(stored)} (commit)"


def test_absent_or_too_large_is_the_readers_refusal() -> None:
    memory = Memory()
    with pytest.raises(Unreadable):
        matched(memory, memory.add({}))
    commit = memory.add({PATH: SCRIPT}, ref="refs/heads/main")
    run = anchor(consistent_run(subject={"sha": commit.hex}), [ReachableAnchor(memory)], memory)
    with pytest.raises(Unreadable):
        pin(run, memory, Limits(evaluator_bytes=len(SCRIPT) - 1))


def test_sourced_files_come_from_the_commit() -> None:
    memory = Memory()
    found = matched(memory, memory.add({PATH: SOURCING, RUNTIME: b"x=1\n"}), **SOURCED)
    assert [(str(path), data) for path, data in found.closure.files] == [(PATH, SOURCING), (RUNTIME, b"x=1\n")]
    assert found.checks[-1].detail == f"sources {RUNTIME}, from the same commit"
    other = matched(memory, memory.add({PATH: SOURCING, RUNTIME: b"x=2\n"}), **SOURCED)
    assert found.closure_digest != other.closure_digest


@pytest.mark.parametrize("merged", [b"x=2\n", None])
def test_a_merge_with_another_sourced_file_is_refused(merged: bytes | None) -> None:
    memory = Memory()
    base = memory.add({PATH: SOURCING, RUNTIME: b"x=1\n"}, ref="refs/heads/main")
    files = {PATH: SOURCING} if merged is None else {PATH: SOURCING, RUNTIME: merged}
    merge = memory.add(files, base, memory.add({}))
    run = consistent_run(**{**SOURCED, "subject": {"sha": merge.hex, "ref": "refs/pull/7/merge"}})
    pinned = pin(anchor(run, [ReachableAnchor(memory)], memory), memory)
    with pytest.raises(errors.MergeEvaluatorDiffers) as caught:
        match(pinned)
    assert caught.value.message.startswith(f"{RUNTIME} at merge commit")


def test_a_merge_with_the_same_files_matches() -> None:
    memory = Memory()
    files = {PATH: SOURCING, RUNTIME: b"x=1\n"}
    base = memory.add(files, ref="refs/heads/main")
    merge = memory.add(files, base, memory.add({}))
    run = consistent_run(**{**SOURCED, "subject": {"sha": merge.hex, "ref": "refs/pull/7/merge"}})
    found = match(pin(anchor(run, [ReachableAnchor(memory)], memory), memory))
    assert len(found.closure.files) == 2
