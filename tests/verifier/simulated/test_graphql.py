"""Made-up answers to queries."""

from tests.verifier.simulated.asking import SETTING, ask, query
from verifier.simulated import Empty, Simulated

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
