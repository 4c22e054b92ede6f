"""Native calls: reference 2.2 and 8, DESIGN 8, SE-02, SE-05, AW-10."""

import pytest

from opvalue.errors import OpvalueError
from opvalue.limits import Limits
from opvalue.session import Calls, lookups_of, tools
from opvalue.session.state import State
from opvalue.session.vocabulary import MASKED, REDACTED
from tests.session.events import Event, asked, done, event, row, start


def calls(*session: Event, limits: Limits | None = None) -> Calls:
    return lookups_of(session, limits=limits).calls


def counts(*session: Event) -> tuple[int, int]:
    found = calls(*session)
    return found.total, found.failed


@pytest.mark.parametrize(
    ("session", "expected"),
    [
        ([], (0, 0)),
        ([start("a", "1"), done(None, "1")], (1, 0)),
        ([start("a", "1")], (1, 1)),
        ([done("a", "1")], (1, 0)),
        ([done(None, "1")], (0, 0)),
        ([done(None, None)], (0, 0)),
        ([event("assistant.message", {"content": "I ran bash"}, component="agent")], (0, 0)),
        ([start("", "1"), done("a", "1")], (1, 0)),
        # Two without ids: oldest first.
        ([start("bash"), start("bash"), done("bash"), done("bash", success=False)], (2, 1)),
        # The first start has an id, the completions do not.
        ([start("bash", "1"), start("bash"), done("bash"), done("bash", success=False)], (2, 1)),
        # Two ids never pair.
        ([start("bash", "1"), done("bash", "2")], (2, 1)),
        # An id pairs with an open call without one, never with another name's.
        ([start("bash"), done("bash", "2")], (1, 0)),
        ([start("bash"), done("view", "2")], (2, 1)),
        # Of two starts with one id the latest is closed first, then the earlier.
        ([start("a", "1"), start("b", "1"), done(None, "1"), done(None, "1", success=False)], (2, 1)),
        ([start("a", "1"), start("a", "1"), done("a")], (2, 1)),
        # The oldest of a name, whether it has an id or not, and in whatever order ids were given anew.
        ([start("a", "1"), start("a"), done("a"), done(None, "1")], (2, 1)),
        ([start("b", "1"), start("a", "2"), start("a", "1"), done("a"), done(None, "2")], (3, 2)),
        # What was closed by id is not found by name any more.
        ([start("a"), done("a"), start("a", "1"), done(None, "1"), done("a")], (3, 0)),
    ],
)
def test_correlation(session: list[Event], expected: tuple[int, int]) -> None:
    assert counts(*session) == expected


@pytest.mark.parametrize(
    "outcome",
    [
        {"success": False},
        {"success": None},
        {"success": "true"},
        {"success": 1},
        {"isError": True},
        {"status": "failed"},
        {"status": "error"},
        {"error": "no"},
        {"error": {}},
        {"error": False},
        {"exitCode": 1},
        {"exitCode": -1.5},
    ],
)
def test_failures(outcome: Event) -> None:
    assert counts(start("a", "1"), done("a", "1", **outcome)) == (1, 1)


@pytest.mark.parametrize("outcome", [{}, {"exitCode": 0}, {"exitCode": "1"}, {"status": "ok"}, {"error": None}])
def test_successes(outcome: Event) -> None:
    assert counts(start("a", "1"), done("a", "1", **outcome)) == (1, 0)


TWO_SCOPES = (
    ({"path": "a"}, {"path": "b"}),
    ({"sessionId": "s1"}, {"sessionId": "s2"}),
    ({"agentId": "x"}, {"agentId": "y"}),
    ({"parentToolUseId": "x"}, {"parentToolUseId": "y"}),
)


@pytest.mark.parametrize(("one", "other"), TWO_SCOPES)
def test_scopes(one: Event, other: Event) -> None:
    assert counts(start("a", "1", **one), done("a", "1", **other)) == (2, 1)
    assert counts(start("a", **one), done("a", **other)) == (2, 1)
    assert counts(start("a", "1", **one), start("a", "1", **other), done("a", "1", **one)) == (2, 1)


def test_what_is_not_said_does_not_part_one_id() -> None:
    assert counts(start("a", "1", sessionId="s1"), done("a", "1")) == (1, 0)
    assert counts(start("a", "1"), done("a", "1", agentId="x")) == (1, 0)
    both = [start("a", "1", agentId="x"), start("a", "1", agentId="y")]
    assert counts(*both, done("a", "1")) == (3, 2), "it could be either's"


def test_what_is_not_said_among_many_scopes(monkeypatch: pytest.MonkeyPatch) -> None:
    owners = [start("a", f"{number}", agentId=f"x{number}") for number in range(70)]
    late = start("b", "late", agentId="x69")
    assert calls(*owners, done("a", "0")) == Calls(70, 69, 1, 0, 0)
    assert calls(*owners, start("b", MASKED, agentId="x0"), done("b", MASKED)) == Calls(71, 70, 2, 0, 0)
    monkeypatch.setattr(tools, "_MOST_STEPS", 100)
    assert calls(*owners[:63], done("a", "0")) == Calls(63, 62, 1, 0, 0)
    assert calls(*owners, late, done("b", "late")) == Calls(71, 70, 2, 0, 0, uncertain=True)
    assert calls(*owners, done("a", "0")) == Calls(71, 70, 1, 0, 0, uncertain=True), "only the latest were looked at"


@pytest.mark.parametrize("kind", ["session.start", "session.init"])
def test_the_session_of_a_source(kind: str) -> None:
    begin = [event(kind, {"sessionId": name}, component="agent", path="a.jsonl") for name in ("s1", "s2")]
    assert counts(begin[0], start("a", "1"), done("a", "1", sessionId="s1")) == (1, 0)
    assert counts(begin[0], start("a"), begin[1], done("a")) == (2, 1)
    assert counts(begin[0] | {"agentId": "x"}, start("a"), begin[1], done("a")) == (2, 1)
    assert counts(begin[0], start("a"), begin[1] | {"agentId": "x"}, done("a")) == (1, 0), "that is of another owner"


@pytest.mark.parametrize("phase", ["detection", "evals", "safe_outputs", "other"])
def test_phases_of_others(phase: str) -> None:
    assert counts(start("a", "1", phase=phase), done("a", "1", phase=phase)) == (0, 0)


def test_without_a_phase_it_is_the_agents() -> None:
    session = [start("a", "1"), done("a", "1")]
    for one in session:
        del one["provenance"]["phase"]
    assert counts(*session) == (1, 0)


def test_a_status_alone_is_no_success() -> None:
    for success, failed in ((None, 1), (True, 0)):
        assert counts(start("a", "1"), done("a", "1", success=success, status="success")) == (1, failed)


def test_one_event_id_with_other_call_ids_is_no_replay() -> None:
    given = [start("a", "1", id="e1"), start("a", "2", id="e1"), start("a", "1", id="e1")]
    assert calls(*given).total == 2


def test_names() -> None:
    assert calls(start("a"), start("A"), start("a")).distinct_names == 2
    assert calls(start("a", mcpServerName="s"), start("a")).distinct_names == 1
    long = ["n" * 5000, "n" * 5001, "n" * 5000]
    assert calls(*(start(name) for name in long)).distinct_names == 2
    assert calls(start(long[0], "i" * 9000), done(None, "i" * 9000)) == Calls(1, 0, 1, 0, 0)


def test_a_replayed_history_counts_once() -> None:
    mine = [start("a", "1", id="e1"), done("a", "1", id="e2"), start("b", "2", id="e3"), done("b", "2", id="e4")]
    childs = [one | {"agentId": "child"} for one in mine[:2]]
    assert counts(*mine, *childs, start("c", "3", agentId="child"), done("c", "3", agentId="child")) == (3, 0)
    assert counts(*childs, *mine) == (2, 0)
    assert counts(*(one for pair in zip(mine, mine, strict=True) for one in pair)) == (2, 0)
    without = [{key: value for key, value in one.items() if key != "id"} for one in mine]
    for moment, one in enumerate(without):
        one["provenance"] = one["provenance"] | {"timestampMs": moment}
    assert counts(*without, *without) == (2, 0)
    assert counts(*without, *(one | {"agentId": "child"} for one in without[:2])) == (3, 0), "it may be the child's own"


@pytest.mark.parametrize(("one", "other"), [*TWO_SCOPES, ({"agentId": "x"}, {})])
def test_one_call_id_at_one_time_in_two_scopes_is_two_calls(one: Event, other: Event) -> None:
    pair = [start("a", "call_0", at=1, **one), start("a", "call_0", at=1, **other)]
    ended = [done(None, "call_0", at=2, **one), done(None, "call_0", at=2, success=False, **other)]
    assert calls(*pair, *ended) == Calls(2, 1, 1, 0, 0)
    assert calls(*pair, *reversed(ended)) == Calls(2, 1, 1, 0, 0)
    assert calls(*pair, *ended, *pair, *ended) == Calls(2, 1, 1, 0, 0), "the replay of both"


def test_a_replay_adds_no_name() -> None:
    assert calls(start("a", id="e", at=1), start("b", id="e", at=2)) == Calls(1, 1, 1, 0, 0)
    assert calls(*(start(name, "1", id="e") for name in "abc")) == Calls(1, 1, 1, 0, 0)


@pytest.mark.parametrize("mark", [MASKED, REDACTED, f"call_{MASKED}", f"{MASKED}{'x' * 300}"])
class TestWhatRedactionTouched:
    """A mark is no evidence: decision 0017."""

    def test_call_ids(self, mark: str) -> None:
        pair = [start("a", mark, at=1), start("a", mark, at=1)]
        assert calls(*pair, done(None, mark, at=2), done(None, mark, at=4, success=False))[:2] == (2, 1)
        assert calls(*pair, done("a", mark, at=2), done("a", mark, at=4, success=False))[:2] == (2, 1)
        named = [start("a", mark, at=1), start("b", mark, at=1)]
        assert calls(*named, done("b", mark, at=2), done(None, mark, at=4))[:2] == (2, 0)
        assert calls(start("a", "1"), done(None, mark))[:2] == (1, 1), "it cannot be that call's"
        assert calls(start("a", "1"), done("a", mark))[:2] == (2, 1)

    def test_call_ids_of_a_session_or_owner_that_is_not_said(self, mark: str) -> None:
        mine = [start("a", "1", sessionId="s"), start("a", mark, sessionId="s")]
        assert calls(*mine, done(None, mark))[:2] == (2, 1)
        assert calls(*mine, done(None, mark, sessionId="t"))[:2] == (2, 2)
        assert calls(*mine, start("a", mark, sessionId="t"), done(None, mark))[:2] == (3, 3), "it could be either's"

    def test_call_ids_at_the_gateway(self, mark: str) -> None:
        both = [start("a", mark, at=1), asked("b", at=1, toolCallId=mark), asked("b", 2, at=2, toolCallId=mark)]
        assert calls(*both)[:2] == (3, 1)

    def test_event_ids(self, mark: str) -> None:
        assert calls(start("a", id=mark, at=1), start("a", id=mark, at=1))[:2] == (2, 2)
        assert calls(start("a", "1", id=mark, at=1), start("a", "1", id=mark, at=1))[:2] == (2, 2)

    def test_names(self, mark: str) -> None:
        assert calls(start(mark, "1"), start(mark, "2")) == Calls(2, 2, 2, 0, 1)
        assert calls(start(mark, "1", at=1), start(mark, "1", at=1)).total == 2
        assert calls(start(mark), done(mark)) == Calls(1, 0, 1, 0, 0)
        assert calls(start(mark, mcpServerName="s"), start(mark), start("a")).distinct_names == 3
        assert calls(asked(mark, 1), asked(mark, 2)).distinct_names == 2

    def test_owners_and_sessions(self, mark: str) -> None:
        for name in ("agentId", "sessionId", "parentToolUseId", "path"):
            hidden: Event = {name: mark}
            assert calls(*(start("a", **hidden) for _ in range(2))) == Calls(2, 2, 1, 0, 1)
            assert calls(*(start("a", "1", at=1, **hidden) for _ in range(2))).total == 2


def test_events_that_share_a_call_id_are_no_replay() -> None:
    one, other = start("a", "1", id="e1", agentId="x"), start("a", "1", id="e2", agentId="y")
    assert counts(one, other) == (2, 2)


def test_one_id_over_and_over() -> None:
    session = [start("a", "1") for _ in range(3000)]
    assert counts(*session) == (3000, 3000)
    assert counts(*session, *(done("a", "1") for _ in range(3000))) == (3000, 0)
    same = [start("a", "1", id="e") for _ in range(3000)]
    assert counts(*same, done("a", "1")) == (1, 0)
    limits = Limits(session_open_calls=100)
    assert calls(*session, *(done("a", "1") for _ in range(50)), limits=limits)[:2] == (3000, 2950)
    assert calls(*session, done("a"), limits=limits)[:2] == (3000, 2999)
    assert calls(*same, done("a", "1"), limits=limits)[:2] == (1, 0)
    assert not calls(*same, *(done("a", "1") for _ in range(50)), limits=limits).uncertain
    assert calls(*same, *(done("a", "1") for _ in range(101)), limits=limits).uncertain, "replays are bounded, too"


def test_many_open_calls() -> None:
    limits = Limits(session_open_calls=10)
    session = [start("a", str(number)) for number in range(50)]
    assert calls(*session, limits=limits)[:2] == (50, 50)
    closed = [done("a", str(number)) for number in range(40, 50)]
    assert calls(*session, *closed, limits=limits)[:2] == (50, 40)
    nameless = [start("a") for _ in range(50)]
    some = calls(*nameless, *(done("a") for _ in range(10)), limits=limits)
    assert (some[:2], some.uncertain) == ((50, 40), False), "no completion came that may be of a call given up"
    assert calls(*nameless, *(done("a") for _ in range(11)), limits=limits).uncertain
    known = [start("a"), done("a"), *nameless, *(done("a") for _ in range(11))]
    assert calls(*known, limits=limits) == Calls(52, 40, 1, 50, 1, uncertain=True), "also once they are found by name"
    assert calls(*session, done("a", "0"), limits=limits).uncertain
    assert calls(*session, done(None, "0"), limits=limits).uncertain
    assert calls(*session, asked("a", at=1), limits=limits).uncertain is False, "nothing is timed"
    timed = [start("a", str(number), at=number) for number in range(50)]
    assert calls(*timed, asked("b", at=60), limits=limits).uncertain is False
    assert calls(*timed, *(asked("a", number, at=60) for number in range(11)), limits=limits).uncertain
    replays = [start("a", str(number), id="e") for number in range(50)]
    assert calls(*replays, limits=limits)[:2] == (50, 50)


def test_closing_below_the_latest_of_one_id() -> None:
    session = [start("a", "1"), start("b", "1"), start("c", "1"), done("b")]
    assert counts(*session, done(None, "1"), done(None, "1"), done("d", "1")) == (4, 0)
    assert counts(*session, done("a"), done(None, "1"), done(None, "1")) == (3, 0), "the last one closes nothing"


@pytest.mark.parametrize(
    ("session", "what"),
    [
        ([start(f"n{number}") for number in range(9)], "tool names"),
        ([start("a", path=f"p{number}") for number in range(9)], "sources"),
        ([start("a", agentId=f"x{number}") for number in range(9)], "scopes"),
        ([start("a", mcpServerName=f"s{number}") for number in range(9)], "tools"),
        ([asked(f"n{number}", number) for number in range(9)], "tools at the gateway"),
        ([event("session.start", {"sessionId": "s"}, agentId=f"x{number}") for number in range(9)], "scopes"),
        ([event("session.result", {"sessionId": f"s{number}", "numTurns": 1}) for number in range(9)], "scopes"),
        ([row(f"q{number}", path=f"p{number}") for number in range(9)], "sources"),
        ([event("eval.result", {"id": f"q{number}"}, phase="evals") for number in range(9)], "eval questions"),
        ([event("experiment.assignment", {"assignments": {f"e{n}": "v" for n in range(9)}})], "experiments"),
    ],
)
def test_more_than_is_kept_apart(session: list[Event], what: str) -> None:
    limits = Limits(session_names=8, session_questions=8)
    lookups_of(session[:8] if len(session) > 8 else [], limits=limits)
    with pytest.raises(OpvalueError, match=what) as refused:
        lookups_of(session, limits=limits)
    assert refused.value.code == "session.too-varied"


def test_memory_of_what_was_seen_is_bounded() -> None:
    state = State(Limits(session_remembered=4))
    remembered = state.native.ids
    for number in range(100):
        assert remembered.add(number, "x")
        assert not remembered.add(number, "x")
        assert number in remembered
    assert 0 not in remembered
    assert 97 in remembered
