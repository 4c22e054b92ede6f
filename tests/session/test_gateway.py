"""Calls the gateway recorded, and their native twins: reference 2.3 and 8, DESIGN 8, AW-04."""

import itertools
from typing import Any

import pytest

from opvalue.errors import OpvalueError
from opvalue.limits import Limits
from opvalue.session import Calls, lookups_of, tools
from opvalue.session.gateway import Gateway
from opvalue.session.remembered import Remembered
from tests.session.events import Event, answered, asked, done, event, start


def calls(*session: Event, limits: Limits | None = None) -> tuple[int, int]:
    found = lookups_of(session, limits=limits).calls
    return found.total, found.failed


def native(name: str, id_: str | None, since: float | None, until: float | None, **data: Any) -> list[Event]:
    return [start(name, id_, at=since, **data), done(None if id_ else name, id_, at=until)]


def record(name: str, *, at: float | None = None, **data: Any) -> Event:
    return event("mcp.tool_call", {"serverName": "github", "toolName": name} | data, at=at, component="mcp")


def in_order(*session: Event) -> list[Event]:
    return sorted(session, key=lambda one: one["provenance"].get("timestampMs", 99))


def test_without_native_calls_the_records_are_calls() -> None:
    assert calls(asked("a"), answered()) == (1, 0)
    assert calls(asked("a"), answered(error={"code": 1})) == (1, 1)
    assert calls(asked("a"), answered(status="error")) == (1, 1)
    assert calls(asked("a")) == (1, 0), "that no response was recorded says nothing of the call"
    assert calls(record("a"), record("a", error="x"), record("b", status="failed"), record("")) == (3, 2)
    assert calls(record("a", success=False)) == calls(record("a", isError=True)) == (1, 1)
    assert calls(asked("a", method="tools/list"), asked(""), answered()) == (0, 0)
    assert lookups_of([asked("a", 1), asked("a", 2)]).calls == Calls(2, 0, 1, 0, 0)


def test_a_response_belongs_to_its_request() -> None:
    assert calls(asked("a", 1), answered(1, server="other", error="x")) == (1, 0)
    assert calls(asked("a", 1), answered(2, error="x")) == (1, 0)
    assert calls(asked("a", 1), answered("1", error="x")) == (1, 0)
    assert calls(asked("a", 1), answered(1.0, error="x")) == (1, 1)
    assert calls(asked("a", 0), answered(0, error="x")) == (1, 1)
    assert calls(asked("a", None), answered(None, error="x")) == (1, 0)
    assert calls(asked("a", True), answered(1, error="x"), answered([1], error="x")) == (1, 0)
    elsewhere = answered(1, error="x")
    elsewhere["provenance"]["path"] = "other"
    assert calls(asked("a", 1), elsewhere) == (1, 0)


def test_one_native_call_and_its_record() -> None:
    pair = native("a", "1", 1, 3, mcpServerName="github")
    assert calls(*in_order(*pair, asked("a", at=2))) == (1, 0)
    assert calls(*in_order(*pair, asked("a", at=2), asked("b", 2, at=2), answered(2, at=3, error="x"))) == (2, 1)
    assert calls(*in_order(*pair, asked("a", at=2), answered(at=2, error="the native outcome counts"))) == (1, 0)


@pytest.mark.parametrize("moment", [1, 2, 3])
def test_within_the_span_its_ends_included(moment: float) -> None:
    pair = native("a", "1", 1, 3, mcpServerName="github")
    assert calls(*in_order(*pair, asked("a", at=moment))) == (1, 0)


@pytest.mark.parametrize("moment", [0, 0.5, 4, 9])
def test_outside_the_span(moment: float) -> None:
    pair = native("a", "1", 1, 3, mcpServerName="github")
    assert calls(*in_order(*pair, asked("a", at=moment))) == (2, 0)


def test_a_call_that_never_ends_spans_the_rest() -> None:
    assert calls(start("a", "1", at=1, mcpServerName="github"), asked("a", at=50)) == (1, 1)


@pytest.mark.parametrize(
    ("names", "server", "recorded"),
    [
        ({"toolName": "search_code", "mcpServerName": "github-mcp-server"}, "github-mcp-server", "search_code"),
        ({"toolName": "search_code", "mcpServerName": "g-s"}, "g-s", "g-s-search_code"),
        ({"toolName": "g-s-search_code", "mcpServerName": "g-s"}, "g-s", "search_code"),
        ({"toolName": "search_code"}, "g-s", "search_code"),
        ({"toolName": "g-s-search_code"}, "g-s", "search_code"),
        ({"toolName": "g-s__search_code"}, "g-s", "search_code"),
        ({"toolName": "mcp__g-s__search_code"}, "g-s", "search_code"),
        ({"toolName": " Search_Code ", "mcpServerName": "G-S"}, "g-s", "search_code"),
        ({"toolName": "search_code", "mcpServerName": "g-s"}, None, "search_code"),
        ({"toolName": "search_code", "mcpServerName": "g-s"}, None, "g-s__search_code"),
        ({"toolName": "search_code"}, None, "search_code"),
    ],
)
def test_aliases(names: Event, server: str | None, recorded: str) -> None:
    pair = [start(names["toolName"], "1", at=1, **names), done(None, "1", at=3)]
    assert calls(*in_order(*pair, asked(recorded, at=2, server=server))) == (1, 0)


@pytest.mark.parametrize(
    ("names", "server", "recorded"),
    [
        ({"toolName": "list_issues", "mcpServerName": "g"}, "g", "list-issues"),
        ({"toolName": "list_issues", "mcpServerName": "g"}, "h", "list_issues"),
        ({"toolName": "h-list_issues"}, "g", "list_issues"),
        ({"toolName": "other"}, None, "list_issues"),
    ],
)
def test_no_aliases(names: Event, server: str | None, recorded: str) -> None:
    pair = [start(names["toolName"], "1", at=1, **names), done(None, "1", at=3)]
    assert calls(*in_order(*pair, asked(recorded, at=2, server=server))) == (2, 0)


def test_by_call_id_whenever_it_comes() -> None:
    pair = native("a", "1", 1, 3)
    twin = asked("quite another", at=50, toolCallId="1")
    for order in itertools.permutations([pair, [twin], [record("x", toolCallId="1", error="x")]]):
        assert calls(*(one for group in order for one in group)) == (1, 0)
    assert calls(done("a", "1"), twin) == calls(twin, done("a", "1")) == (1, 0)
    assert calls(twin, done(None, "1")) == (1, 0), "a completion without a name is no call, so the record is"
    assert calls(start("a", "i" * 999), done(None, "i" * 999), asked("b", toolCallId="i" * 999)) == (1, 0)


def test_call_ids_that_differ_never_pair() -> None:
    pair = native("a", "1", 1, 3, mcpServerName="github")
    assert calls(*in_order(*pair, asked("a", at=2, toolCallId="2"))) == (2, 0)
    nameless = native("a", None, 1, 3, mcpServerName="github")
    assert calls(*in_order(*nameless, asked("a", at=2, toolCallId="2"))) == (1, 0)
    assert calls(*in_order(*nameless, asked("a", at=3, toolCallId="2"))) == (1, 0)


def test_records_of_one_call_id_are_one_call() -> None:
    assert calls(asked("a", 1, toolCallId="1"), asked("a", 2, toolCallId="1"), record("a", toolCallId="1")) == (1, 0)
    assert calls(asked("a", 1, toolCallId="1"), record("a", toolCallId="1", error="x")) == (1, 1)


def test_of_untimed_records_of_one_call_id_that_of_the_first_path_says_what_was_called() -> None:
    one, other = record("a", toolCallId="1"), record("b", toolCallId="1", error="x")
    one["provenance"]["path"], other["provenance"]["path"] = "a", "b"
    for session in ([one, other], [other, one]):
        assert calls(*session) == (1, 1)
        assert lookups_of([*session, start("a"), done("a")]).calls.total == 1
    both = [record("a", toolCallId="1"), record("b", toolCallId="1")]
    assert calls(*both, start("a"), done("a")) == (1, 0), "of one source the first"
    failing = record("a", toolCallId="1", error="x")
    assert calls(failing, one) == calls(one, failing) == (1, 1)


def test_one_to_one() -> None:
    pairs = [*native("a", "1", 1, 9, mcpServerName="github"), *native("a", "2", 2, 9, mcpServerName="github")]
    records = [asked("a", number, at=3 + number) for number in range(3)]
    assert calls(*in_order(*pairs, *records[:2])) == (2, 0)
    assert calls(*in_order(*pairs, *records)) == (3, 0)


def test_the_same_record_again() -> None:
    pair = native("a", "1", 1, 5, mcpServerName="github")
    parallel = native("a", "2", 1, 5, mcpServerName="github")
    twice = [asked("a", 7, at=2), asked("a", 7, at=2)]
    assert calls(*in_order(*pair, *parallel, *twice, asked("a", 8, at=3))) == (2, 0)
    assert calls(asked("a", 7), asked("a", 7)) == (1, 0)
    assert calls(*[record("a", requestId="r", at=1)] * 2) == (1, 0), "without an rpc id, by the request's"
    assert calls(*(record("a", rpcId=number, requestId="r", at=1) for number in (1, 2))) == (2, 0)
    assert calls(asked("a", 7, at=1), asked("a", 7, at=2)) == (2, 0), "ids begin anew with a connection"


def test_a_request_and_a_record_of_one_call() -> None:
    pair = native("a", "1", 1, 5, mcpServerName="github")
    both = [asked("a", 7, at=2), record("a", at=4)]
    assert calls(*in_order(*pair, *both)) == (1, 0)
    assert calls(*both) == (1, 0)
    assert calls(*both, record("a", at=6, error="x")) == (2, 1)
    assert calls(asked("a", 7), answered(7, error="x"), record("a")) == (1, 1)


def test_a_record_before_the_start_of_the_same_time() -> None:
    pair = native("a", "1", 5, 9, mcpServerName="github")
    assert calls(asked("a", at=5), *pair) == calls(record("a", at=5), *pair) == (1, 0)
    assert calls(asked("a", at=5), record("a", at=5), *pair) == (1, 0)
    assert calls(asked("a", at=5), *pair, asked("a", at=5)) == (1, 0), "the same record again"
    assert calls(asked("a", at=5), *pair, answered(at=6, error="x")) == (1, 0)
    assert calls(asked("a", 1, at=5), asked("a", 2, at=5), *pair) == (2, 0)
    assert calls(asked("a", 1, at=5), *pair, asked("a", 2, at=6)) == (2, 0)
    assert calls(asked("a", at=4), asked("b", 2, at=5), *pair) == (3, 0)
    assert calls(asked("a", at=5, toolCallId="2"), *pair) == (2, 0)
    assert calls(asked("a", at=5, toolCallId="2"), *native("a", None, 5, 9, mcpServerName="github")) == (1, 0)
    assert calls(asked("a", at=5), *native("a", "1", 6, 9, mcpServerName="github")) == (2, 0)


def test_clocks_agree_to_the_millisecond() -> None:
    pair = native("a", "1", 5.7, 9.2, mcpServerName="github")
    for moment in (5, 5.2, 5.9, 9, 9.9):
        assert calls(*in_order(*pair, asked("a", at=moment))) == (1, 0), moment
        assert calls(*in_order(*pair, record("a", at=moment))) == (1, 0), moment
    for moment in (4.9, 10):
        assert calls(*in_order(*pair, asked("a", at=moment))) == (2, 0), moment


def test_a_failure_that_both_saw_counts_once() -> None:
    def seen(**outcome: Any) -> list[Event]:
        return [start("a", "1", at=1, mcpServerName="github"), done("a", "1", at=5, **outcome)]

    failing = [asked("a", at=2), answered(at=3, error={"code": 1}), record("a", at=3, error="x")]
    assert calls(*in_order(*seen(success=False), *failing)) == (1, 1)
    assert calls(*in_order(*seen(), *failing)) == (1, 0), "what the agent saw wins"
    untimed = [start("a", "1", mcpServerName="github"), done("a", "1", success=False)]
    assert calls(*untimed, asked("a"), answered(error="x"), record("a", error="x")) == (1, 1)
    assert calls(record("a", rpcId=7), answered(7, error="x")) == (1, 0), "a response is a request's, not a record's"
    by_id = [asked("b", at=2, toolCallId="1"), answered(at=3, error="x")]
    assert calls(*in_order(*seen(success=False), *by_id)) == (1, 1)
    assert calls(*by_id, *seen(success=False)) == (1, 1)


def test_many_records_of_one_moment_before_a_start() -> None:
    many = [asked("b", number, at=5) for number in range(1030)]
    found = lookups_of([*many, *native("a", "1", 5, 9)]).calls
    assert (found.total, found.uncertain) == (1031, True)
    assert not lookups_of([*many, *native("a", "1", 6, 9)]).calls.uncertain
    gateway = Gateway(tools.Tools(Limits()), Limits())
    for number in range(3000):
        gateway.ask(tools.RPC, 0, "", 5, "g", "b", None, number, Remembered(4), failed=False)
    assert len(gateway._early) == tools.TIED + 1, "as many as it takes to know that there are too many"


def test_calls_that_never_end_have_their_twins_too() -> None:
    session = [one for n in range(200) for one in (start("a", str(n), at=n), asked("a", n, at=n))]
    assert lookups_of(session).calls == Calls(200, 200, 1, 0, 0)._replace(repeated=199)


def test_past_what_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tools, "_MOST_STEPS", 1000)
    session = [one for n in range(200) for one in (start("a", str(n), at=n), asked("a", n, at=n))]
    assert lookups_of(session).calls.uncertain
    early = [one for n in range(2000) for one in (asked("b", n, at=1), start("a", str(n), at=1))]
    assert lookups_of(early[:20]).calls == Calls(20, 10, 2, 9, 0)
    assert lookups_of(early).calls.uncertain


def test_too_many_calls_that_end_at_one_time() -> None:
    session = [one for n in range(1030) for one in native("a", str(n), 1, 1)]
    assert not lookups_of(session).calls.uncertain
    assert lookups_of([*session, *(asked("a", n, at=1) for n in range(1030))]).calls.uncertain


@pytest.mark.parametrize("mark", ["***", "***REDACTED***", "rpc-***"])
def test_rpc_ids_that_redaction_touched(mark: str) -> None:
    twice = [asked("a", mark, at=1), asked("a", mark, at=1)]
    assert calls(*twice) == (2, 0), "nothing shows that they are one"
    assert calls(*twice, answered(mark, at=2, error="x"), answered(mark, at=3)) == (2, 1)
    assert calls(*twice, answered(mark, at=2, error="x"), answered(mark, at=3, error="x")) == (2, 2)
    assert calls(asked("a", mark), answered(1, error="x"), answered(mark, server="other", error="x")) == (1, 0)
    assert calls(record("a", requestId=mark, at=1), record("a", requestId=mark, at=1)) == (2, 0)
    pair = native("a", "1", 1, 5, mcpServerName="github")
    assert calls(*in_order(*pair, *twice)) == (2, 0)
    answers = [answered(mark, at=3), answered(mark, at=7, error="x")]
    assert calls(*in_order(*pair, twice[0], asked("a", mark, at=6), *answers)) == (2, 1)
    by_id = [*pair, asked("b", mark, at=2, toolCallId="1"), answers[0], asked("b", mark, at=6), answers[1]]
    assert calls(*in_order(*by_id)) == (2, 1)
    many = [asked("a", mark, server=f"s{number}") for number in range(9)]
    with pytest.raises(OpvalueError, match="at the gateway"):
        calls(*many, limits=Limits(session_names=8))


@pytest.mark.parametrize("mark", ["***", "***REDACTED***", "srv-***"])
class TestNamesThatRedactionTouched:
    """A mark is no name."""

    def test_of_a_server(self, mark: str) -> None:
        twin = asked("a", at=2, server=mark)
        assert calls(*in_order(*native("a", "1", 1, 5, mcpServerName=mark), twin)) == (1, 0)
        assert calls(*in_order(*native("a", "1", 1, 5), twin)) == (1, 0)
        assert calls(*in_order(*native("b", "1", 1, 5, mcpServerName=mark), twin)) == (2, 0)

    def test_requests_of_such_servers_are_never_one(self, mark: str) -> None:
        assert calls(asked("a", server=mark, at=1), asked("a", server=mark, at=1)) == (2, 0)
        assert calls(asked("a", server=mark), asked("a", server=mark)) == (2, 0)
        pair = [asked("a", server=mark, at=1), asked("b", server=mark, at=1)]
        assert calls(*pair, answered(server=mark, at=2, error="x"), answered(server=mark, at=2)) == (2, 1)
        lost = [answered(server=mark, at=2), answered(server=mark, at=3, error="x")]
        assert lookups_of([*pair, *lost]).calls.uncertain, "it is one of the two that failed"

    def test_of_a_tool(self, mark: str) -> None:
        hidden = native(mark, "1", 1, 5, mcpServerName="github")
        assert lookups_of([hidden[0], asked(mark, at=2), hidden[1]]).calls.uncertain, "one call or two"
        assert not lookups_of([hidden[0], asked("a", at=2), hidden[1]]).calls.uncertain
        assert not lookups_of([hidden[0], asked(mark, at=2, toolCallId="1"), hidden[1]]).calls.uncertain
        assert not lookups_of([*native("a", "1", 1, 5), asked(mark, at=2)]).calls.uncertain

    def test_of_a_tool_that_only_the_gateway_saw(self, mark: str) -> None:
        alone = lookups_of([asked(mark, 1, at=2), asked(mark, 2, at=2)]).calls
        assert (alone.total, alone.distinct_names, alone.uncertain) == (2, 2, False)
        assert lookups_of([asked(mark, at=2), record(mark, at=3)]).calls.uncertain

    def test_of_a_source(self, mark: str) -> None:
        both = [asked("a"), asked("a")]
        for one in both:
            one["provenance"]["path"] = mark
        assert calls(*both) == (2, 0), "they may be of two sources"


def test_untimed_records_pair_with_any_call() -> None:
    pair = native("a", "1", 1, 3, mcpServerName="github")
    untimed = native("a", "2", None, None, mcpServerName="github")
    assert calls(*pair, asked("a")) == (1, 0)
    assert calls(*untimed, asked("a")) == (1, 0)
    assert calls(asked("a", at=50), *untimed) == (1, 0)
    assert calls(*pair, *untimed, asked("a", 1), asked("a", 2), asked("a", 3, at=50)) == (3, 0)
    assert calls(*pair, asked("a", 1), asked("a", 2), answered(2, error="x")) == (2, 1), "the first one pairs"
    assert calls(done("a", "1", at=3), asked("a", at=2)) == (1, 0), "nobody knows when it began"


def test_what_can_pair_with_the_fewest_comes_first() -> None:
    timed, untimed = native("a", None, 1, 3), native("a", None, None, None)
    with_id, without, late = asked("a", 1, toolCallId="x"), asked("a", 2), asked("a", 3, at=50)
    assert calls(*timed, *untimed, with_id, late) == (2, 0), "the late one can only be the untimed call"
    named = native("a", "n", None, None)
    for order in ([with_id, without], [without, with_id]):
        assert calls(*timed, *named, *order) == (2, 0), "the one with an id can only be a call without"
    assert calls(*native("a", "t", 1, 3), *named, without, asked("a", 4, at=50, server="h")) == (2, 0), "of any server"
    assert calls(timed[0], asked("a", at=2), timed[1], with_id) == (2, 0), "that call has its twin"


def test_a_call_that_names_its_server_pairs_before_one_that_does_not() -> None:
    mine = native("a", "1", None, None, mcpServerName="g")
    anyones = native("a", "2", None, None)
    others = native("a", "3", None, None, mcpServerName="h")
    for order in ([*mine, *anyones], [*anyones, *mine]):
        assert calls(*order, asked("a", 1, server="g"), asked("a", 2, server="h")) == (2, 0)
    records = [asked("a", 1, server=None), asked("a", 2, server="g")]
    assert calls(*mine, *others, *records) == calls(*others, *mine, *records), "in whatever order they were called"


def test_of_untimed_records_the_first_path_pairs() -> None:
    pair = native("a", "1", 1, 3, mcpServerName="github")
    records = [record("a", error="x"), record("a")]
    records[0]["provenance"]["path"], records[1]["provenance"]["path"] = "a", "b"
    assert calls(*pair, *records) == calls(*pair, *reversed(records)) == (2, 0)
    servers = [record("a", serverName="g", error="x"), record("a", serverName="h")]
    for order in (servers, servers[::-1]):
        assert calls(*native("a", "1", None, None), *order) == (2, 0), "that of the first server pairs"


def test_records_of_other_phases() -> None:
    other = asked("a")
    other["provenance"]["phase"] = "detection"
    assert calls(other, answered()) == (0, 0)


def test_coarse_times() -> None:
    session = [*native("a", "1", 1, 1, mcpServerName="github"), *native("a", "2", 1, 1, mcpServerName="github")]
    assert calls(*session, asked("a", 1, at=1), asked("a", 2, at=1)) == (2, 0)
    assert calls(*session, *(asked("a", number, at=1) for number in range(3))) == (3, 0)


def test_requests_waiting_for_a_response_are_bounded() -> None:
    limits = Limits(session_open_calls=5)
    many = [asked("a", number, toolCallId=f"c{number}") for number in range(20)]
    assert calls(*many, answered(0, error="x"), limits=limits) == (20, 0)
    assert calls(*many, answered(19, error="x"), limits=limits) == (20, 1)
    assert lookups_of([*many, answered(0, error="x")], limits=limits).calls.uncertain
    assert not lookups_of([*many, answered(0), answered(19, error="x")], limits=limits).calls.uncertain
    answers = [answered(number) for number in range(15, 20)]
    assert lookups_of([*many, *answers, answered(0, error="x")], limits=limits).calls.uncertain
    assert lookups_of([*many, start("a", "c0")], limits=limits).calls.uncertain
    assert not lookups_of([*many[:5], start("a", "c0")], limits=limits).calls.uncertain
