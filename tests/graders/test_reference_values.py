"""The reference's cases for the ten defaults, from events to values (reference 8, Defaults and Correlation).

Those that DESIGN 8 overrides are tested with the value it asks for; docs/compliance.md lists them.
"""

import itertools
from typing import Any

import pytest

from tests.graders.events import Event, called, complete, gateway, mcp, request, safe_output, start
from tests.graders.sessions import values

VALUES: tuple[Any, ...] = (None, 0, "", False, [], {})
FALSY: tuple[Event, ...] = ({}, *({"input": value} for value in VALUES))
FALSY_PAIRS = [*itertools.product(FALSY, repeat=2)]


def calls_of(events: list[Event]) -> tuple[Any, Any]:
    """Return failures over the calls there were, and the rate."""
    found = values(events)
    return found["tool-failure-count"], found["tool-success-rate"]


class TestDefaults:
    def test_true_false_true(self) -> None:
        events = [*called("a"), *called("b", success=False), *called("c")]
        assert values(events)["tool-success-rate"] == 2 / 3

    def test_one_with_an_error(self) -> None:
        events = [*called("a"), start("b", "x"), complete("b", "x", error={"message": "no"})]
        assert values(events)["tool-success-rate"] == 0.5

    def test_the_rate_is_the_complement_of_the_failures(self) -> None:
        events = [
            *called("a"),
            start("b", "x"),
            complete("b", "x", status="error"),
            start("c", "y"),
            complete("c", "y", status="whatever"),
        ]
        assert calls_of(events) == (2, 1 / 3)

    def test_a_read_three_times_then_a_write(self) -> None:
        read = [event for _ in range(3) for event in called("read", input={"path": "a"})]
        assert values([*read, *called("write", input={"path": "a"})])["loops"] == 2

    def test_read_write_read_read(self) -> None:
        events = [event for name in ("read", "write", "read", "read") for event in called(name)]
        assert values(events)["trajectory-efficiency"] == 0.5

    def test_a_working_set(self) -> None:
        inputs = (100_000, 150_000, 200_000, 200_000, 224_000)
        assert values([request(tokens) for tokens in inputs])["working-set-rebuild-factor"] == 874 / 224

    @pytest.mark.parametrize("events", [[], [request(0)], [request(output_tokens=5)]])
    def test_no_working_set(self, events: list[Event]) -> None:
        assert values(events)["working-set-rebuild-factor"] is None

    def test_cache_tokens_are_no_working_set(self) -> None:
        events = [request(tokens, cacheReadInputTokens=1000) for tokens in (10, 20)]
        assert values(events)["working-set-rebuild-factor"] == 1.5

    def test_one_request_grows_by_nothing(self) -> None:
        assert values([request(100, 50)])["context-growth"] == 1

    def test_growth(self) -> None:
        assert values([request(100, 50), request(200, 100)])["context-growth"] == 3

    def test_three_forms_of_a_retry(self) -> None:
        # The flag is not in a session (reference 1.4): it counts where an event carries it all the same.
        events = [mcp(event="retry"), mcp(retry=True), mcp(message="Retrying request"), mcp(event="log")]
        assert values(events)["retries"] == 3
        others = [mcp(retry=False), mcp(retry="true"), mcp(event="Retry"), mcp(message={"text": "retry"}), mcp()]
        assert values(others)["retries"] == 0
        assert values([mcp(message="will RETRY soon")])["retries"] == 1

    def test_requests_and_their_duration(self) -> None:
        found = values([request(1, 1, duration=300), request(1, 1, duration=200.5)])
        assert (found["execution-step-count"], found["execution-duration"]) == (2, 500.5)

    def test_artifacts(self) -> None:
        assert values([safe_output(), safe_output()])["artifact-production"] == 2


class TestCorrelation:
    def test_by_id(self) -> None:
        assert calls_of([start("a", "x"), complete(None, "x", success=True)]) == (0, 1)

    def test_a_start_alone_failed(self) -> None:
        assert calls_of([start("a", "x")]) == (1, 0)

    @pytest.mark.parametrize("field", ["sessionId", "agentId"])
    def test_within_one_session_and_owner(self, field: str) -> None:
        opened, closed = start("a", "x", **{field: "one"}), complete(None, "x", success=True)
        assert calls_of([opened, closed]) == (0, 1), "whose it is is not said"
        other = complete("a", "x", success=True, **{field: "other"})
        assert calls_of([opened, other]) == (1, 0.5)
        assert calls_of([opened, complete("a", success=True, **{field: "other"})]) == (1, 0.5)
        assert calls_of([opened, complete("a", "x", success=True, **{field: "one"})]) == (0, 1)

    def test_within_one_source(self) -> None:
        opened, closed = start("a", "x"), complete("a", "x", success=True)
        moved = closed | {"provenance": closed["provenance"] | {"path": "elsewhere.jsonl"}}
        assert calls_of([opened, moved]) == (1, 0.5)

    def test_without_ids_the_oldest_first(self) -> None:
        events = [start("bash"), start("bash"), complete("bash", success=True), complete("bash", success=False)]
        assert calls_of(events) == (1, 0.5)

    def test_the_first_start_has_an_id_and_the_completions_have_none(self) -> None:
        events = [start("bash", "x"), start("bash"), complete("bash", success=True), complete("bash", success=False)]
        assert calls_of(events) == (1, 0.5)

    def test_a_completion_alone(self) -> None:
        assert calls_of([complete("a", success=True)]) == (0, 1)

    def test_the_input_field_holds_the_arguments(self) -> None:
        same = [*called("a", input={"q": "x"}), *called("a", input={"q": "x"})]
        other = [*called("a", input={"q": "x"}), *called("a", input={"q": "y"})]
        assert (values(same)["loops"], values(other)["loops"]) == (1, 0)

    def test_a_twin_at_the_gateway_is_dropped_and_another_kept(self) -> None:
        # The session holds no arguments of the gateway's, so one to one within the call's time takes their place.
        twin = gateway("github-mcp-server-search_code", "github-mcp-server")
        native = [start("search_code", "x", {"q": "foo"}, mcpServerName="github-mcp-server"), start("open", "y")]
        done = complete(None, "x", success=True)
        assert calls_of([*native, twin, done]) == (1, 0.5)
        assert calls_of([*native, twin, twin, done]) == (1, 2 / 3)

    def test_separators_tell_names_apart(self) -> None:
        events = [
            start("list_issues", "x", mcpServerName="github"),
            gateway("list-issues"),
            complete(None, "x", success=True),
        ]
        assert values(events)["trajectory-efficiency"] == 1
        assert values([*events, start("list_issues", "y")])["tool-success-rate"] == 2 / 3

    def test_without_natives_the_gateways_list_stands(self) -> None:
        found = values([gateway("a"), gateway("a"), gateway("b")])
        assert found["trajectory-efficiency"] == 2 / 3


class TestOverridden:
    def test_the_order_of_keys_hides_no_loop(self) -> None:
        events = [
            *called("a", input={"p": 1, "q": {"x": 1, "y": 2}}),
            *called("a", input={"q": {"y": 2, "x": 1}, "p": 1}),
        ]
        assert values(events)["loops"] == 1

    def test_numbers_compare_as_numbers_and_booleans_are_none(self) -> None:
        def loops(one: Any, other: Any) -> Any:
            return values([*called("a", input={"v": one}), *called("a", input={"v": other})])["loops"]

        assert (loops(1, 1.0), loops(1, True), loops(0, False), loops("1", 1)) == (1, 0, 0, 0)

    def test_falsy_arguments_differ(self) -> None:
        def loops(one: Any, other: Any) -> Any:
            return values([*called("a", input={"v": one}), *called("a", input={"v": other})])["loops"]

        assert (loops(None, 0), loops(0, ""), loops("", None)) == (0, 0, 0)
        assert values([*called("a"), *called("a")])["loops"] == 1, "both recorded as absent"

    @pytest.mark.parametrize(("one", "other"), FALSY_PAIRS)
    def test_falsy_arguments_differ_as_a_whole(self, one: Event, other: Event) -> None:
        starts = [start("a"), start("a")]
        for event, data in zip(starts, (one, other), strict=True):
            event["data"] |= data
        assert values(starts)["loops"] == (one == other and type(one.get("input")) is type(other.get("input")))

    def test_ids_that_differ_are_never_paired(self) -> None:
        events = [start("bash", "x"), complete("bash", "y", success=True)]
        assert calls_of(events) == (1, 0.5)
