"""What happened to made-up things: states, reasons and people agree with each other and with the events."""

from typing import Any

import pytest

from tests.verifier.simulated.asking import SETTING, ask
from verifier.simulated import Hints, Simulated
from verifier.simulated.words import LATE_SEED

_SEARCH = "/search/issues?q=repo:octo-org/widgets"


def _ask(path: str, seed: int = 0, **hints: tuple[str, ...]) -> Any:
    return ask(Simulated(SETTING._replace(hints=Hints(hints)), seed), path)


@pytest.mark.parametrize(
    ("seed", "state", "reason"),
    [
        (0, "closed", "completed"),
        (1, "closed", "completed"),
        (2, "open", None),
        (3, "open", "reopened"),
        (5, "closed", "not_planned"),
    ],
)
def test_an_issue_is_in_the_state_that_its_events_lead_to(seed: int, state: str, reason: str | None) -> None:
    issue = _ask("issues/42", seed)
    turns = [one for one in _ask("issues/42/events", seed) if one["event"] in {"closed", "reopened"}]
    assert (issue["state"], issue["state_reason"]) == (state, reason)
    assert (issue["closed_at"] is None) is (state == "open")
    assert (issue["closed_by"] is None) is (state == "open")
    assert issue["updated_at"] == (turns[-1]["created_at"] if turns else issue["created_at"])
    assert issue["html_url"].endswith("/issues/42")


@pytest.mark.parametrize(("seed", "merged"), [(0, True), (2, False), (5, False)])
def test_a_pull_request_that_was_merged_says_so_everywhere(seed: int, merged: bool) -> None:
    pull = _ask("pulls/43", seed)
    events = [one["event"] for one in _ask("issues/43/events", seed)]
    assert [one for one in events if one in {"merged", "closed"}] == (
        ["merged", "closed"] if merged else ["closed"] * (pull["state"] == "closed")
    )
    assert (pull["merged"], pull["merged_at"] is not None, pull["merged_by"] is not None) == (merged,) * 3
    assert (pull["mergeable"], pull["mergeable_state"]) == ((None, "unknown") if merged else (True, "clean"))
    assert pull["html_url"].endswith("/pull/43")


def test_only_pull_requests_are_reviewed() -> None:
    assert "reviewed" in {one["event"] for one in _ask("issues/43/timeline")}
    assert "reviewed" not in {one["event"] for one in _ask("issues/42/timeline")}


def test_who_has_a_robots_name_is_one() -> None:
    users = {one["user"]["login"]: one["user"]["type"] for one in _ask("issues/42/comments")}
    assert users["github-actions[bot]"] == "Bot"
    assert users["mona"] == "User"


@pytest.mark.parametrize(("words", "ref"), [(("fix/",), "fix/43"), (("topic",), "topic"), ((), "work/43")])
def test_branches_have_the_names_that_the_script_knows(words: tuple[str, ...], ref: str) -> None:
    assert _ask("pulls/43", ref=words)["head"]["ref"] == ref


@pytest.mark.parametrize("state", ["open", "closed"])
def test_lists_and_searches_hold_things_in_the_state_asked_for(state: str) -> None:
    every = [one["number"] for one in _ask("issues?state=all", 3) if one["state"] == state]
    assert every
    assert [one["number"] for one in _ask(f"issues?state={state}", 3)] == every
    assert {one["number"] for one in _ask(f"{_SEARCH}+is:{state}", 3)["items"]} == set(every)


def test_lists_are_sorted_as_asked_for() -> None:
    newest = [one["created_at"] for one in _ask("issues?state=all")]
    assert newest == sorted(newest, reverse=True) != sorted(newest)
    assert [one["created_at"] for one in _ask("issues?state=all&direction=asc")] == sorted(newest)
    changed = [one["updated_at"] for one in _ask("issues?state=all&sort=updated")]
    assert changed == sorted(changed, reverse=True)


def test_the_repository_and_the_words_of_a_search_are_those_of_its_items() -> None:
    found = _ask("/search/issues?q=repo:acme/other+needle+OR+pin")["items"][0]
    assert found["repository_url"].endswith("/repos/acme/other")
    assert found["title"].startswith("needle pin ")
    assert _ask(f"{_SEARCH}+author:hubot")["items"][0]["user"]["login"] == "hubot"
    assert {one["path"] for one in _ask("/search/code?q=x")["items"]} >= {"README.md", "src/app.py"}


def test_runs_of_a_workflow_hold_the_run_itself() -> None:
    own = _ask("actions/runs/17000000042")
    assert (own["created_at"], own["head_sha"], own["name"]) == ("2026-08-11T09:30:00Z", SETTING.sha, SETTING.workflow)
    every = _ask("actions/runs")["workflow_runs"]
    assert {one["id"]: one["created_at"] for one in every}[own["id"]] == own["created_at"]
    assert {one["name"] for one in every} == {SETTING.workflow, "CI"}
    failed = _ask("actions/runs?status=failure")["workflow_runs"]
    assert {one["conclusion"] for one in failed} == {"failure"}


def test_with_one_seed_lists_hold_nothing_of_before_the_middle() -> None:
    middle = str(SETTING.middle)
    for path in ("issues/42/comments", "commits", "releases", "issues/42/reactions", "pulls/43/reviews"):
        times = [
            one.get("created_at") or one.get("submitted_at") or one["commit"]["committer"]["date"]
            for one in _ask(path, LATE_SEED)
        ]
        assert times, path
        assert all(time > middle for time in times), path
        assert any(time > str(SETTING.matures) for time in times), path
