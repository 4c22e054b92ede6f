"""A gateway's two ways of recording a call, and what each tells of the other: reference 2.3, DESIGN 8."""

from opvalue.session import lookups_of, tools
from opvalue.session.records import Seen
from tests.session.events import Event, answered, asked
from tests.session.test_gateway import calls, in_order, record


def both_ways(*outcomes: str, at: int = 1, parallel: bool = False) -> list[Event]:
    """Calls of one tool: what the response and then what the record says of each, as f or s."""
    session = []
    for number, outcome in enumerate(outcomes):
        begun = at if parallel else at + 2 * number
        ended = at + 2 * (len(outcomes) - number) if parallel else begun + 1
        error: Event = {"error": {"code": 1}} if outcome[0] == "f" else {}
        session += [asked("a", at + number, at=begun), answered(at + number, at=ended, **error)]
        session.append(record("a", at=ended, status="error" if outcome[1] == "f" else "success"))
    return in_order(*session)


def test_one_failed_call_that_is_recorded_both_ways_has_failed_once() -> None:
    assert calls(*both_ways("ff", "ss", parallel=True)) == (2, 1)
    assert calls(*both_ways("ff", "ss", "ff", "ss", "ss", parallel=True)) == (5, 2)
    assert calls(*both_ways("ff", "ss", "ff")) == (3, 2)
    untimed = [asked("a", 1), asked("a", 2), answered(2), record("a"), answered(1, error="x"), record("a", error="x")]
    assert calls(*untimed) == (2, 1)


def test_of_two_ways_that_disagree_the_one_that_says_failed_counts() -> None:
    assert calls(*both_ways("fs")) == calls(*both_ways("sf")) == (1, 1)
    assert calls(*both_ways("fs", "sf")) == (2, 2), "they are two calls, one after the other"
    assert calls(*both_ways("sf", "ss", "fs")) == (3, 2)
    assert calls(*both_ways("fs"), *both_ways("ss", at=9)) == (2, 1)
    late = [asked("a", 1, at=1), answered(1, at=2, error="x"), asked("a", 2, at=3), record("a", at=4, error="x")]
    assert calls(*late, record("a", at=5), answered(2, at=6)) == (2, 1), "it is not said which record is whose"
    alone = [asked("a", 1, at=1), answered(1, at=2, error="x")]
    assert calls(*alone, *both_ways("sf", at=5)) == (2, 2), "the last ones agree, too"
    assert calls(asked("a", 7, at=2), record("a", rpcId=7, at=2, error="x")) == (1, 1), "of one id and time, too"
    for untimed in ([asked("a", 99)], [asked("a", 99), answered(99)]):
        assert calls(*untimed, *both_ways("fs", "sf")) == (3, 2), "what is untimed waits for no response of these"


def test_an_rpc_id_that_begins_anew_before_its_response() -> None:
    session = [asked("a", 1, at=1), asked("a", 1, at=2), answered(1, at=3, error="x"), record("a", at=3, error="x")]
    assert calls(*session, asked("a", 2, at=5), answered(2, at=6)) == (3, 1)
    assert calls(*session, *both_ways("fs", "sf", at=5)) == (4, 3), "the first request waits no more"
    assert not lookups_of([*session, answered(9, at=5, error="x")]).calls.uncertain


def test_many_calls_at_once_that_are_recorded_both_ways() -> None:
    assert calls(*both_ways(*["ff", "ss"] * 600, parallel=True)) == (1200, 600)
    seen = Seen("g", "b")
    seen.waiting = 1
    for _ in range(3000):
        seen.add(tools.RPC, None, 0, with_id=False)
    assert len(seen._lately[tools.RPC]) <= tools.TIED
