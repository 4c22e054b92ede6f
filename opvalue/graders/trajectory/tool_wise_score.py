"""``tool-wise-score``: how far calls and arguments followed the reference (reference 3.2).

Formula: observed and reference calls are walked side by side while their names agree; a step earns (1 + share of the
reference's arguments that are observed with an equal value) / 2, or 1 where the reference has none. The sum, over the
number of reference calls. Observed calls go by ``eventIndex`` where all have one, else as they are listed.
Source: tool calls and the reference's.
Unavailable: no reference; a malformed call on either side; only some calls have an ``eventIndex``.
Message: where the calls leave the reference, what it expects there and what was called.
"""

from collections.abc import Sequence
from typing import Final

from opvalue.graders.measured import Measured
from opvalue.graders.trajectory.measuring import Missing, trajectory
from opvalue.graders.trajectory.projection import Projection
from opvalue.graders.trajectory.reading import identified, is_index, records
from opvalue.strictjson import JsonObject, dumps_compact, same

_SHOWN: Final = 80
"""Characters of a tool's name that the message shows."""


@trajectory
def measure(projection: Projection, _config: JsonObject) -> Measured:
    """Return the score, and where the walk ended."""
    declared = (projection.reference or {}).get("toolCalls")
    reference = records(tuple(declared) if isinstance(declared, list) else None, "reference tool calls")
    if not reference:
        raise Missing("the reference has no tool calls")
    observed = _in_order(records(projection.tool_calls, "toolCalls"))
    for call in (*reference, *observed):
        identified(call, "toolCalls", "name")
    earned = 0.0
    steps = 0
    for expected, found in zip(reference, observed, strict=False):
        if expected["name"] != found["name"]:
            break
        earned += (1 + _share(expected.get("arguments"), found.get("arguments"))) / 2
        steps += 1
    return Measured(earned / len(reference), _divergence(reference[steps:], observed[steps:], steps + 1))


def _divergence(expected: Sequence[JsonObject], found: Sequence[JsonObject], number: int) -> str | None:
    if not expected:
        return None
    got = _shown(found[0]) if found else "no call"
    return f"call {number}: expected {_shown(expected[0])}, got {got}"


def _shown(call: JsonObject) -> str:
    return dumps_compact(str(call["name"])[:_SHOWN])


def _in_order(calls: Sequence[JsonObject]) -> list[JsonObject]:
    indexes = [call.get("eventIndex") for call in calls]
    if all(index is None for index in indexes):
        return list(calls)
    places = [index for index in indexes if is_index(index)]
    if len(places) < len(calls):
        raise Missing("only some tool calls say at which event they stand")
    return [call for _, call in sorted(zip(places, calls, strict=True), key=lambda entry: entry[0])]


def _share(expected: object, found: object) -> float:
    if expected is None or expected == {}:
        return 1
    if not isinstance(expected, dict):
        raise Missing("the arguments of a reference call are malformed")
    if not isinstance(found, dict):
        return 0
    return sum(name in found and same(value, found[name]) for name, value in expected.items()) / len(expected)
