"""Made-up answers: of every endpoint, the same each time, with what the request names."""

import base64
import io
import re
import tarfile

import pytest

from tests.verifier.simulated.asking import SETTING, answer, ask
from verifier.simulated import Empty, Hints, Simulated

_LISTS = (
    *("issues?state=all", "issues/42/timeline", "issues/42/events", "issues/42/comments", "issues/42/reactions"),
    *("pulls?state=all", "pulls/43/reviews", "pulls/43/comments", "pulls/43/files", "pulls/43/commits"),
    *("commits", "commits/main/statuses", "commits/main/pulls", "releases", "labels", "branches", "issues/comments"),
)
_WRAPPED = {
    "commits/main/check-runs": "check_runs",
    "actions/runs": "workflow_runs",
    "actions/workflows/x.lock.yml/runs": "workflow_runs",
    "actions/runs/1/jobs": "jobs",
    "actions/runs/1/artifacts": "artifacts",
    "/search/issues?q=repo:octo-org/widgets": "items",
    "/search/code?q=x+repo:octo-org/widgets": "items",
    "/search/commits?q=x+repo:octo-org/widgets": "items",
}
_SINGLE = (
    *("issues/42", "pulls/43", "commits/main", "compare/a...b", "contents/README.md", "git/blobs/abc", "readme"),
    *("git/trees/main?recursive=1", "branches/main/protection", "actions/runs/17000000042", "releases/latest"),
    *("commits/main/status", "git/ref/heads/main", "languages", "some/thing"),
)


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("target", _LISTS)
def test_lists_hold_something_and_are_empty_where_nothing_has_happened(target: str, seed: int) -> None:
    source = Simulated(SETTING, seed)
    found = ask(source, target)
    assert isinstance(found, list)
    assert found
    assert answer(source, target) == answer(Simulated(SETTING, seed), target)
    assert ask(Empty(SETTING), target) == []


@pytest.mark.parametrize("target", _WRAPPED)
def test_wrapped_lists_are_counted(target: str) -> None:
    found = ask(Simulated(SETTING, 0), target)
    assert found["total_count"] == len(found[_WRAPPED[target]]) > 0
    empty = ask(Empty(SETTING), target)
    assert (empty["total_count"], empty[_WRAPPED[target]]) == (0, [])


@pytest.mark.parametrize("target", [*_SINGLE, ""])
def test_single_things_are_objects(target: str) -> None:
    assert isinstance(ask(Simulated(SETTING, 0), target or "/repos/octo-org/widgets"), dict)


def test_names_and_numbers_are_those_of_the_request() -> None:
    source = Simulated(SETTING, 0)
    assert ask(source, "/repos/a/b")["full_name"] == "a/b"
    assert ask(source, "issues/77")["number"] == 77
    assert ask(source, "/repos/a/b/pulls/78")["html_url"] == "https://github.com/a/b/pull/78"
    assert ask(source, f"commits/{'ab' * 20}")["sha"] == "ab" * 20
    assert {one["name"] for one in ask(source, "commits/x/check-runs?check_name=unit")["check_runs"]} == {"unit"}
    for one in ask(source, "issues?state=all&labels=a,b&creator=hubot"):
        assert {"a", "b"} <= {label["name"] for label in one["labels"]}
        assert one["user"]["login"] == "hubot"
    found = ask(source, "/search/issues?q=repo:octo-org/widgets+is:pr+author:app/my-bot+label:%22good+one%22")
    assert found["items"]
    for one in found["items"]:
        assert one["user"]["login"] == "my-bot[bot]"
        assert "good one" in {label["name"] for label in one["labels"]}
        assert "pull_request" in one


def test_times_lie_around_the_run() -> None:
    times = sorted(one["created_at"] for one in ask(Simulated(SETTING, 0), "issues/42/timeline"))
    edges = [str(SETTING.created), str(SETTING.middle), str(SETTING.matures)]
    counts = [sum(time < edge for time in times) for edge in edges]
    assert 0 < counts[0] < counts[1] < counts[2] < len(times)


def test_limits_of_time_are_kept() -> None:
    source = Simulated(SETTING, 0)
    until = str(SETTING.middle)
    assert all(one["commit"]["committer"]["date"] <= until for one in ask(source, f"commits?until={until}"))
    items = ask(source, "/search/issues?q=repo:octo-org/widgets+is:closed+closed:<=2026-08-14")["items"]
    assert all(one["closed_at"][:10] <= "2026-08-14" for one in items)
    assert ask(source, "actions/runs?created=2026-08-11..2026-08-12")["total_count"] >= 1
    assert ask(source, "/search/issues?q=repo:octo-org/widgets+created:>2030-01-01")["items"] == []


def test_pages_are_turned() -> None:
    source = Simulated(SETTING, 2)
    first = answer(source, "issues/42/comments?per_page=100")
    link = re.fullmatch(r'<https://api\.github\.com(.*)>; rel="next"', first.header("link") or "")
    assert link is not None
    second = answer(source, link[1])
    assert second.header("link") is None
    assert ask(source, link[1])
    assert ask(source, "issues/42/comments?per_page=100&page=3") == []


def test_files_come_raw_and_in_base64() -> None:
    source = Simulated(SETTING, 0)
    raw = answer(source, "contents/docs/a.md?ref=v1", accept="application/vnd.github.raw+json")
    assert base64.b64decode(ask(source, "contents/docs/a.md?ref=v1")["content"]) == raw.body
    assert isinstance(ask(source, "contents/docs"), list)
    with tarfile.open(fileobj=io.BytesIO(answer(source, "tarball/main").body)) as archive:
        assert any(name.endswith("/README.md") for name in archive.getnames())


def test_words_of_the_script_are_met() -> None:
    setting = SETTING._replace(hints=Hints({"login": ("my-bot",), "text": ("marker-77",), "label": ("ai-fix",)}))
    found = ask(Simulated(setting, 0), "issues?state=all")
    assert any("marker-77" in one["body"] for one in found)
    assert any("ai-fix" in {label["name"] for label in one["labels"]} for one in found)
    assert any(one["user"]["login"] == "my-bot" for one in found)


def test_labels_come_and_go_over_time() -> None:
    """All are set early, the first is taken away before maturity; after it, a label comes that is not the run's."""
    setting = SETTING._replace(hints=Hints({"label": ("team/ui", "team/api")}))
    events = [one for one in ask(Simulated(setting, 0), "issues/42/events") if "label" in one]
    told = [(one["event"], one["label"]["name"]) for one in events]
    assert told[-2:] == [("unlabeled", "team/ui"), ("labeled", "stale")]
    assert {("labeled", "team/ui"), ("labeled", "team/api")} <= set(told[:-2])
    assert len({one["id"] for one in events}) == len(events)


@pytest.mark.parametrize(("number", "seed", "last"), [(42, 0, "reopened"), (42, 2, "closed"), (43, 0, "closed")])
def test_evidence_goes_on_after_maturity(number: int, seed: int, last: str) -> None:
    """What had ended begins again, what had not ends; what was merged stays merged."""
    usual = Simulated(SETTING, seed)
    later = Simulated(SETTING._replace(goes_on=True), seed)
    before, after = (
        [one["event"] for one in ask(source, f"issues/{number}/events") if one["event"] in {"closed", "reopened"}]
        for source in (usual, later)
    )
    assert after[-1] == last
    assert after[: len(before)] == before
    assert (len(after) > len(before)) is (number == 42)
    stands = ask(usual, f"issues/{number}")["created_at"]
    assert ask(later, f"issues/{number}")["created_at"] == stands
