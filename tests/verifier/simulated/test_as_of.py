"""Answers as of an earlier time."""

from typing import Any

import pytest

from opvalue.identity import Instant
from tests.verifier.simulated.asking import SETTING, answer, ask
from verifier.simulated import AsOf, Simulated
from verifier.simulated.as_of import as_of

_CUTOFF = Instant.parse("2026-08-14T00:00:00Z")
_EARLY = "2026-08-13T00:00:00Z"
_LATE = "2026-08-15T00:00:00Z"


@pytest.mark.parametrize(
    "item",
    [
        {"created_at": _LATE},
        {"submitted_at": _LATE, "state": "APPROVED"},
        {"createdAt": _LATE},
        {"timestamp": _LATE},
        {"date": _LATE},
        {"commit": {"author": {"date": _LATE}, "committer": {"date": _LATE}}},
        {"node": {"createdAt": _LATE}},
        {"created_at": _LATE, "updated_at": _EARLY},
        {"started_at": "2026-08-14T00:00:00.001Z", "completed_at": _LATE},
        {"created_at": "2026-08-14T06:00:00+05:45"},
    ],
)
def test_an_element_that_came_later_is_dropped(item: dict[str, Any]) -> None:
    assert as_of([{"id": 1, "created_at": _EARLY}, item, 7, "text"], _CUTOFF) == [
        {"id": 1, "created_at": _EARLY},
        7,
        "text",
    ]


@pytest.mark.parametrize(
    "item",
    [
        {"created_at": _EARLY},
        {"created_at": "2026-08-14T00:00:00Z"},
        {"no": "time"},
        {"created_at": "yesterday"},
        {"created_at": None},
        {"expires_at": _LATE},
        {"due_on": _LATE},
        {"commit": {"author": {"date": _EARLY}, "committer": {"date": _LATE}}},
    ],
)
def test_other_elements_stay(item: dict[str, Any]) -> None:
    assert len(as_of([item], _CUTOFF)) == 1  # type: ignore[arg-type]  # a list comes back for a list


def test_what_was_closed_later_is_open() -> None:
    issue: dict[str, Any] = {
        "created_at": _EARLY,
        "updated_at": _LATE,
        "closed_at": _LATE,
        "state": "closed",
        "state_reason": "completed",
    }
    assert as_of(dict(issue), _CUTOFF) == {
        "created_at": _EARLY,
        "updated_at": "2026-08-14T00:00:00Z",
        "closed_at": None,
        "state": "open",
        "state_reason": None,
    }
    pull: dict[str, Any] = {"createdAt": _EARLY, "mergedAt": _LATE, "merged": True, "state": "MERGED"}
    assert as_of(dict(pull), _CUTOFF) == {"createdAt": _EARLY, "mergedAt": None, "merged": False, "state": "OPEN"}
    check: dict[str, Any] = {
        "started_at": _EARLY,
        "completed_at": _LATE,
        "status": "completed",
        "conclusion": "success",
    }
    assert as_of(dict(check), _CUTOFF) == {
        "started_at": _EARLY,
        "completed_at": None,
        "status": "in_progress",
        "conclusion": None,
    }


def test_what_was_closed_earlier_stays_closed() -> None:
    issue: dict[str, Any] = {"created_at": _EARLY, "closed_at": _EARLY, "state": "closed"}
    assert as_of(dict(issue), _CUTOFF) == issue


def test_totals_are_counted_again() -> None:
    found = as_of({"total_count": 9, "items": [{"created_at": _EARLY}, {"created_at": _LATE}]}, _CUTOFF)
    assert found == {"total_count": 8, "items": [{"created_at": _EARLY}]}
    found = as_of({"totalCount": 1, "nodes": [{"createdAt": _LATE}]}, _CUTOFF)
    assert found == {"totalCount": 0, "nodes": []}


def test_only_what_was_closed_then_is_listed_as_closed() -> None:
    source = Simulated(SETTING, 0)
    closed = {one["number"] for one in ask(source, "issues?state=closed")}
    earlier = ask(AsOf(source, SETTING.middle), "issues?state=closed")
    assert {one["number"] for one in earlier} < closed
    assert all(one["closed_at"] <= str(SETTING.middle) for one in earlier)


def test_made_up_lists_are_cut_before_pages_are_made_of_them() -> None:
    now, then = Simulated(SETTING, 2), Simulated(SETTING, 2, SETTING.middle)
    whole = [*ask(now, "issues/42/comments?per_page=100"), *ask(now, "issues/42/comments?per_page=100&page=2")]
    kept = [one for one in whole if one["created_at"] <= str(SETTING.middle)]
    assert [one["id"] for one in ask(then, "issues/42/comments?per_page=100")] == [one["id"] for one in kept[:100]]
    assert len(kept) < len(whole)


def test_a_full_page_of_another_source_stays() -> None:
    source = Simulated(SETTING, 2)
    target = "issues/42/comments?per_page=100"
    assert ask(AsOf(source, SETTING.middle), target) == ask(source, target)
    assert len(ask(AsOf(source, SETTING.middle), f"{target}&page=2")) < len(ask(source, f"{target}&page=2"))


def test_what_is_no_json_stays() -> None:
    source = Simulated(SETTING, 0)
    assert answer(AsOf(source, SETTING.middle), "tarball/main") == answer(source, "tarball/main")
