from typing import Any

import pytest

from opvalue.graders.trajectory.tool_output_consumption_rate import measure
from opvalue.strictjson import JsonObject
from tests.graders.trajectory.samples import BOUND, changed, check_bound, made

CALLS: tuple[JsonObject, ...] = ({"id": "c1"}, {"id": "c2"}, {"id": ""}, {})


def observed(consumers: Any, source: Any = "c1") -> dict[str, Any]:
    return {"sourceToolCallId": source, "consumedByActionIds": consumers}


def test_only_observations_of_known_calls_count() -> None:
    observations: tuple[JsonObject, ...] = (
        observed(["a1"]),
        observed([], "c2"),
        observed(["a1"], "c9"),
        observed(["a1"], ""),
        {},
    )
    assert measure(made(tool_calls=CALLS, observations=observations), {}).value == 0.5


@pytest.mark.parametrize(
    ("consumers", "value"), [("a1", 0), ([None], 0), ([42, ""], 0), ([42, "a1"], 1), (None, 0), ([], 0)]
)
def test_what_consumes(consumers: object, value: int) -> None:
    assert measure(made(tool_calls=CALLS, observations=(observed(consumers),)), {}).value == value


def test_unavailable() -> None:
    projection = made(tool_calls=CALLS, observations=(observed(["a1"]),))
    assert measure(changed(projection, observations=()), {}).message == "there are no observations"
    assert measure(changed(projection, observations=None), {}).message == "the session records no observations"
    assert measure(changed(projection, tool_calls=()), {}).message == "no observation came from a tool call"
    unknown = measure(changed(projection, consumption_recorded=False), {})
    assert unknown == (None, "the session does not record which actions consumed an observation")


def test_bound() -> None:
    full = made(tool_calls=CALLS, observations=(observed([]), *(observed(["a1"]),) * (BOUND - 1)))
    check_bound(measure, full, "observations", (BOUND - 1) / BOUND)
