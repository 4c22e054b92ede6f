"""Lists and searches hold what was asked for, and nothing else."""

from typing import Any

from tests.verifier.simulated.asking import SETTING, ask
from verifier.simulated import Simulated

_SEARCH = "/search/issues?q=repo:octo-org/widgets"
_PULLS = "/repos/octo-org/widgets/pulls?state=all"
_ISSUES = "/repos/octo-org/widgets/issues?state=all"


def _ask(path: str) -> Any:
    return ask(Simulated(SETTING, 0), path)


def _found(kinds: str) -> set[int]:
    return {item["number"] for item in _ask(f"{_SEARCH}{kinds}")["items"]}


def test_a_search_tells_pull_requests_from_issues() -> None:
    pulls, issues = _found("+is:pr"), _found("+is:issue")
    assert pulls
    assert issues
    assert pulls | issues == _found("")
    assert not pulls & issues


def test_a_search_for_what_was_merged_finds_pull_requests_that_were() -> None:
    items = _ask(f"{_SEARCH}+is:merged")["items"]
    assert items
    assert all(item["pull_request"]["merged_at"] for item in items)


def test_a_search_of_code_finds_files_and_one_of_commits_commits() -> None:
    (name, *_) = (item["name"] for item in _ask("/search/code?q=x+repo:octo-org/widgets")["items"])
    assert name
    assert all(item["sha"] for item in _ask("/search/commits?q=x+repo:octo-org/widgets")["items"])
    assert _ask("/search/commits?q=x+repo:octo-org/widgets+committer-date:>2030-01-01")["items"] == []
    assert _ask("/search/repositories?q=x+repo:octo-org/widgets")["items"][0]["full_name"] == "octo-org/widgets"


def test_pull_requests_of_a_branch_are_one_with_that_branch() -> None:
    assert [item["head"]["ref"] for item in _ask(f"{_PULLS}&head=octo-org:topic")] == ["topic"]
    every = _ask(_PULLS)
    assert len(every) > 1
    assert all(item["head"]["ref"] not in {"", "topic"} for item in every)


def test_a_list_since_a_time_has_what_changed_after_it() -> None:
    every = _ask(_ISSUES)
    times = sorted(item["updated_at"] for item in every)
    since = times[len(times) // 2]
    kept = [item["number"] for item in _ask(f"{_ISSUES}&since={since}")]
    assert set(kept) == {item["number"] for item in every if item["updated_at"] >= since[:19]}
    assert 0 < len(kept) <= len(every)
    assert _ask(f"{_ISSUES}&since=2030-01-01T00:00:00Z") == []
