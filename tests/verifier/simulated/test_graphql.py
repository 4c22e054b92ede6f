"""Made-up answers to queries."""

from tests.verifier.simulated.asking import SETTING, ask, query
from verifier.simulated import Empty, Hints, Simulated

_ISSUE = """
query($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    nameWithOwner
    item: issue(number: $number) {
      number state stateReason closedAt closed author { login }
      timelineItems(first: 50, itemTypes: [CLOSED_EVENT, REOPENED_EVENT]) {
        totalCount pageInfo { hasNextPage endCursor }
        nodes {
          __typename
          ... on ClosedEvent { createdAt stateReason }
          ... on ReopenedEvent { createdAt actor { login } }
        }
      }
      ...talk
    }
  }
}
fragment talk on Issue { comments(first: 2) { totalCount nodes { createdAt body } } }
"""


def test_things_are_the_same_as_over_rest() -> None:
    source = Simulated(SETTING, 0)
    found = query(source, _ISSUE, owner="octo-org", name="widgets", number=42)["data"]["repository"]
    issue = ask(source, "issues/42")
    assert found["nameWithOwner"] == "octo-org/widgets"
    assert (found["item"]["number"], found["item"]["state"]) == (42, issue["state"].upper())
    assert found["item"]["closedAt"] == issue["closed_at"]
    assert found["item"]["closed"] is True
    closed = found["item"]["timelineItems"]["nodes"]
    assert [one["__typename"] for one in closed] == ["ClosedEvent"]
    assert closed[0]["createdAt"] == issue["closed_at"]
    assert "actor" not in closed[0]
    assert len(found["item"]["comments"]["nodes"]) == 2
    assert found["item"]["comments"]["totalCount"] == 4


def test_searches_and_edges() -> None:
    text = (
        '{ search(query: "repo:octo-org/widgets is:pr", type: ISSUE, first: 3) '
        "{ issueCount edges { node { ... on PullRequest { number merged mergedAt } } } } }"
    )
    found = query(Simulated(SETTING, 0), text)["data"]["search"]
    assert found["issueCount"] == 4
    assert [set(one["node"]) for one in found["edges"]] == [{"number", "merged", "mergedAt"}] * 3


def test_nothing_has_happened_in_the_empty_one() -> None:
    found = query(Empty(SETTING), _ISSUE, owner="octo-org", name="widgets", number=42)["data"]["repository"]["item"]
    assert found["timelineItems"] == {
        "totalCount": 0,
        "pageInfo": {"hasNextPage": False, "endCursor": None, "hasPreviousPage": False, "startCursor": None},
        "nodes": [],
    }


def test_what_is_no_query_is_answered_with_errors() -> None:
    assert "errors" in query(Simulated(SETTING, 0), "{ broken")


def test_what_stands_below_a_pull_request() -> None:
    text = """query { repository(owner: "octo-org", name: "widgets") { pullRequest(number: 43) {
      state merged mergedAt additions isDraft reviews(last: 9) { nodes { state submittedAt author { login } } }
      labels(first: 5) { nodes { name } } reactions(first: 9) { nodes { content createdAt user { login } } }
      closingIssuesReferences(first: 1) { nodes { number state } }
      commits(last: 1) { nodes { commit { oid committedDate statusCheckRollup { state } } } }
      files(first: 9) { nodes { path } }
    } discussions(first: 1) { nodes { title answer { id } url } } } }"""
    source = Simulated(SETTING, 0)
    pull = query(source, text)["data"]["repository"]["pullRequest"]
    rest = ask(source, "pulls/43")
    assert (pull["state"], pull["mergedAt"]) == ("MERGED", rest["merged_at"])
    assert [one["state"] for one in pull["reviews"]["nodes"]] == [
        one["state"] for one in sorted(ask(source, "pulls/43/reviews")[:99], key=lambda one: one["id"])
    ][:4]
    assert pull["labels"]["nodes"]
    assert {set(one) == {"content", "createdAt", "user"} for one in pull["reactions"]["nodes"]} == {True}
    assert pull["closingIssuesReferences"]["nodes"] == [{"number": 42, "state": "CLOSED"}]
    assert pull["commits"]["nodes"][0]["commit"]["statusCheckRollup"]["state"] == "SUCCESS"
    assert all("." in one["path"] for one in pull["files"]["nodes"])


def test_what_an_event_is_about_is_what_it_is_about_over_rest() -> None:
    text = """query($n: Int!) { repository(owner: "octo-org", name: "widgets") { issue(number: $n) {
      timelineItems(first: 50, itemTypes: [LABELED_EVENT, UNLABELED_EVENT, CROSS_REFERENCED_EVENT]) { nodes { __typename
        ... on LabeledEvent { label { name } actor { login } }
        ... on UnlabeledEvent { label { name } actor { login } }
        ... on CrossReferencedEvent { source { __typename ... on PullRequest { number mergedAt } } }
      } } } } }"""
    source = Simulated(SETTING._replace(hints=Hints({"label": ("team/ui", "team/api")})), 0)
    nodes = query(source, text, n=42)["data"]["repository"]["issue"]["timelineItems"]["nodes"]
    rest = [one for one in ask(source, "issues/42/timeline") if "label" in one]
    labels = [one for one in nodes if "label" in one]
    assert [one["label"]["name"] for one in labels] == [one["label"]["name"] for one in rest]
    assert [one["actor"]["login"] for one in labels] == [one["actor"]["login"] for one in rest]
    (crossed,) = [one["source"] for one in nodes if "source" in one]
    assert crossed == {"__typename": "PullRequest", "number": 43, "mergedAt": ask(source, "pulls/43")["merged_at"]}
