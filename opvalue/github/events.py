"""What the commit a run records is, next to the head sha the API has for that run, by event (DESIGN 4.5).

A run records ``GITHUB_SHA``. For most events that is the API's head sha. Runs of a pull request's own workflow record
a throw-away merge commit whose second parent is the head sha (GT-03, AR-05). For the rest the API names the triggering
commit, or may, while the run was at another one: there the API's record vouches for nothing. Pure.
"""

import enum
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final


class Recorded(enum.Enum):
    """What the recorded commit is."""

    HEAD = "the run's head commit"
    """The API's head sha itself."""
    MERGE = "a merge of the head commit into the base branch"
    """A merge commit that no branch holds; the API's head sha is its second parent."""
    ELSEWHERE = "a commit of the base or default branch, which the API's record of the run does not name"
    """The API's head sha is, or may be, another commit than the one the run was at."""


_HEAD_EVENTS: Final = (
    "branch_protection_rule",
    "create",
    "delete",
    "discussion",
    "discussion_comment",
    "fork",
    "gollum",
    "issue_comment",
    "issues",
    "label",
    "merge_group",
    "milestone",
    "public",
    "push",
    "release",
    "repository_dispatch",
    "schedule",
    "watch",
    # A called workflow sees its caller's event; where one records this word, the commit is the caller's.
    "workflow_call",
    "workflow_dispatch",
    # The run is at the default branch, whatever commit the run before it was at.
    "workflow_run",
)
_MERGE_EVENTS: Final = ("pull_request", "pull_request_review", "pull_request_review_comment")
_ELSEWHERE_EVENTS: Final = (
    "check_run",
    "check_suite",
    "deployment",
    "deployment_status",
    "page_build",
    "pull_request_target",
    "registry_package",
    "status",
)

RECORDED: Final[Mapping[str, Recorded]] = MappingProxyType(
    dict.fromkeys(_HEAD_EVENTS, Recorded.HEAD)
    | dict.fromkeys(_MERGE_EVENTS, Recorded.MERGE)
    | dict.fromkeys(_ELSEWHERE_EVENTS, Recorded.ELSEWHERE)
)
"""The table. An event that is not in it is unknown: the API's record vouches for none of its commits."""


def recorded(event: str) -> Recorded | None:
    """Return what a run of ``event`` records, or ``None`` for an unknown event."""
    return RECORDED.get(event)
