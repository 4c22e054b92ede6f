"""What single fields of an event mean: reference 1.4, 2."""

from typing import Any

import pytest

from opvalue.session.reduction import LATEST, key_of, owner_of, time_of


@pytest.mark.parametrize("value", [0, -1, 2.5, int(LATEST), -int(LATEST), LATEST, -LATEST])
def test_times(value: float) -> None:
    assert time_of({"provenance": {"timestampMs": value}}) == value


@pytest.mark.parametrize("value", [None, "5", True, [5], int(LATEST) + 1, -int(LATEST) - 1, 8.65e15, -8.65e15, 1e300])
def test_what_is_no_time(value: Any) -> None:
    assert time_of({"provenance": {"timestampMs": value}}) is None
    assert time_of({"provenance": value}) is None


def test_the_owner_is_the_agent_instance_and_else_the_parent_tool() -> None:
    data: dict[str, Any] = {"agentId": "b", "parentToolUseId": "c", "parentToolCallId": "d"}
    assert owner_of({"agentId": "a"}, data) == "a"
    assert owner_of({"agentId": ""}, data) == "b"
    assert owner_of({"agentId": 5}, data | {"agentId": ""}) == "c"
    assert owner_of({}, {"parentToolCallId": "d"}) == "d"
    assert owner_of({}, {"parentAgentId": "x"}) is None


def test_rpc_ids_that_are_written_alike_are_told_apart() -> None:
    values = (1, "1", "1.5", 1.5, True, "True", "true", "")
    assert len({key_of(value) for value in values}) == len(values)
    assert key_of(1.0) == key_of(1)
    nothing: tuple[Any, ...] = (None, [1], {"a": 1})
    assert not any(key_of(value) is not None for value in nothing)
