"""Whatever an evaluator asks, a replay of what was recorded decides as the live grading did."""

from hypothesis import given, settings
from hypothesis import strategies as st

from opvalue.limits import Limits
from tests.evidence.broker.scene import REPOSITORY, Table, answer, listening, next_page, replayed

ISSUES = f"{REPOSITORY}/issues"
PAGE = "/repositories/99/issues?page=2"
LIMITS = Limits(evidence_exchanges=8, evidence_bytes=400)
REPLIES = {
    ISSUES: answer([1], link=next_page(PAGE)),
    PAGE: answer([2]),
    f"{ISSUES}?page=1": answer([1], link=next_page(f"{ISSUES}?page=1")),
    f"{REPOSITORY}/large": answer("x" * 200),
    f"{REPOSITORY}/unready": answer({}, 202),
    f"{REPOSITORY}/half": answer(b"[", 200, content_type="application/json"),
    "/repos/acme/gadgets": answer({"id": 7}),
    "/repos/acme/gadgets/issues": answer([3]),
    "/search/issues?q=repo:acme/widgets": answer({"total_count": 0}),
    "/search/issues?q=x": answer({"total_count": 1}),
}
TARGETS = (
    *REPLIES,
    REPOSITORY,
    f"{ISSUES}/9",
    "/repos/acme/gadgets/issues/9",
    "/repos/acme/gone/issues",
    "/users/mona",
    "https://evil.example/",
    "/a/../b",
)


@settings(max_examples=60)
@given(st.lists(st.sampled_from(TARGETS), max_size=10), st.booleans())
def test_a_replay_decides_alike(targets: list[str], enforce: bool) -> None:
    with listening(Table(REPLIES), limits=LIMITS, enforce=enforce) as (live, child):
        said = [child.get(target) for target in targets]
    with listening(replayed(live), limits=LIMITS, enforce=enforce) as (again, child):
        said_again = [child.get(target) for target in targets]
    assert said_again == said
    assert again.failures == live.failures
    assert again.exchanges == live.exchanges
    assert again.undeclared == live.undeclared
