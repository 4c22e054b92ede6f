from typing import Any

import pytest

from opvalue.graders.trajectory import Projection
from opvalue.graders.trajectory.tool_wise_score import measure
from opvalue.strictjson import JsonObject
from tests.graders.trajectory.samples import BOUND, changed, check_bound, made


def call(name: Any, arguments: Any = None, index: Any = None) -> JsonObject:
    found: JsonObject = {"name": name}
    found |= {} if arguments is None else {"arguments": arguments}
    return found | ({} if index is None else {"eventIndex": index})


def walked(observed: list[Any], reference: list[Any]) -> Projection:
    return made(tool_calls=tuple(observed), reference={"toolCalls": reference})


def test_the_walk_ends_where_names_differ() -> None:
    reference = [call("list"), call("read", {"path": "a", "line": 1}), call("edit", {}), call("test")]
    observed = [call("list", {"all": True}), call("read", {"path": "a", "line": 2}), call("test"), call("test")]
    assert measure(walked(observed, reference), {}) == (1.75 / 4, 'call 3: expected "edit", got "test"')
    assert measure(walked(observed[:2], reference), {}).message == 'call 3: expected "edit", got no call'
    assert measure(walked([call("edit\n" * 99)], reference), {}).message == (
        'call 1: expected "list", got "' + r"edit\n" * 16 + '"'
    )


def test_calls_that_follow_the_reference_leave_it_nowhere() -> None:
    reference = [call("list"), call("test")]
    assert measure(walked([*reference, call("more")], reference), {}) == (1, None)


def test_arguments_compare_as_values() -> None:
    reference = [call("a", {"n": 1, "flag": True, "deep": {"x": [1], "y": None}})]
    assert (
        measure(walked([call("a", {"deep": {"y": None, "x": [1.0]}, "flag": True, "n": 1.0})], reference), {}).value
        == 1
    )
    assert measure(walked([call("a", {"n": True, "flag": 1, "deep": {"x": [1]}})], reference), {}).value == 0.5
    assert measure(walked([call("a", "n")], reference), {}).value == 0.5
    assert measure(walked([call("a")], reference), {}).value == 0.5


def test_observed_calls_go_by_their_event() -> None:
    reference = [call("a"), call("b")]
    assert measure(walked([call("b", index=4), call("a", index=2)], reference), {}).value == 1
    assert measure(walked([call("b"), call("a")], reference), {}).value == 0


@pytest.mark.parametrize(
    ("observed", "reason"),
    [
        ([call("a", index=1), call("b")], "only some tool calls say at which event they stand"),
        ([call("a", index=-1)], "only some tool calls say at which event they stand"),
        ([call("")], "an item of toolCalls has no name"),
        (["a"], "an item of toolCalls is malformed"),
    ],
)
def test_malformed_observed_calls(observed: list[Any], reason: str) -> None:
    assert measure(walked(observed, [call("a")]), {}) == (None, reason)


def test_the_reference_must_be_well_formed() -> None:
    assert measure(walked([call("a")], ["a"]), {}).message == "an item of reference tool calls is malformed"
    assert measure(walked([call("a")], [call(7)]), {}).message == "an item of toolCalls has no name"
    odd = measure(walked([call("a")], [call("a", ["x"])]), {})
    assert odd.message == "the arguments of a reference call are malformed"


def test_unavailable() -> None:
    assert measure(made(tool_calls=(call("a"),)), {}).message == "the session records no reference tool calls"
    assert measure(walked([call("a")], []), {}).message == "the reference has no tool calls"
    assert measure(made(reference={"toolCalls": [call("a")]}), {}).message == "the session records no toolCalls"


def test_bound() -> None:
    full = made(tool_calls=(call("a", {"x": 1}),) * BOUND, reference={"toolCalls": [call("a", {"x": 1})] * BOUND})
    check_bound(measure, full, "tool_calls", 1)
    crowded = changed(full, reference={"toolCalls": [call("a")] * (BOUND + 1)})
    assert measure(crowded, {}).message == "reference.toolCalls holds more than 5,000 items"
