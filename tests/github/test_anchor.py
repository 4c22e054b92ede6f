from typing import TYPE_CHECKING

import pytest

from opvalue.github import RECORDED, ApiAnchor, Recorded, RepositoryFacts
from opvalue.identity import CommitId
from tests.github.samples import FACTS, HEAD

if TYPE_CHECKING:
    from opvalue.trust import Anchor

OTHER = CommitId("b" * 40)
VOUCHING = sorted(event for event, kind in RECORDED.items() if kind is not Recorded.ELSEWHERE)
SILENT = sorted(event for event, kind in RECORDED.items() if kind is Recorded.ELSEWHERE)


@pytest.mark.parametrize("event", VOUCHING)
def test_the_head_commit_is_vouched_for_and_no_other(event: str) -> None:
    anchor: Anchor = ApiAnchor(FACTS._replace(event=event))
    assert anchor.vouches(HEAD) == f"the head commit of run 123 ({event}) by GitHub's record"
    assert anchor.vouches(OTHER) is None


@pytest.mark.parametrize("event", [*SILENT, "dynamic"])
def test_other_events_are_left_to_other_anchors(event: str) -> None:
    anchor = ApiAnchor(FACTS._replace(event=event))
    assert anchor.vouches(HEAD) is None
    assert anchor.vouches(OTHER) is None


@pytest.mark.parametrize("head", [None, FACTS.repository._replace(id=43)])
def test_a_fork_is_never_vouched_for(head: RepositoryFacts | None) -> None:
    anchor = ApiAnchor(FACTS._replace(head_repository=head))
    assert anchor.vouches(HEAD) is None
    assert anchor.silent_because(HEAD) == "the run's head is not in the repository"


@pytest.mark.parametrize(
    ("event", "why"),
    [
        ("push", "a run of push records the head commit 3f2a9c61d0b8, not bbbbbbbbbbbb"),
        ("pull_request", "a run of pull_request has as its parent the head commit 3f2a9c61d0b8, not bbbbbbbbbbbb"),
        (
            "pull_request_target",
            (
                "a run of pull_request_target is at a commit of the base or default branch, "
                "which the API's record of the run does not name"
            ),
        ),
        ("dynamic", "the event 'dynamic' is unknown here, so what its runs record is unknown"),
    ],
)
def test_silence_is_explained(event: str, why: str) -> None:
    assert ApiAnchor(FACTS._replace(event=event)).silent_because(OTHER) == why


def test_what_is_vouched_for_needs_no_explanation() -> None:
    assert ApiAnchor(FACTS).silent_because(HEAD) is None
