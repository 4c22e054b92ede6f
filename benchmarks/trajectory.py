"""How long the 22 trajectory graders take on 5,000 items, with NumPy and without, and how they grow.

The projection holds 5,000 items of every collection and a reference as long, so that no grader is unavailable. Measured
in this process; the promise is in seconds of a machine like the ones that run actions. Growth is that of the processor
time of the quickest of several goes: most graders take milliseconds, and what else runs meanwhile only adds to them.
"""

import gc
import math
import random
import time
from collections.abc import Callable
from typing import Final

from benchmarks.measure import Promise, medians
from opvalue.graders.measured import Measured
from opvalue.graders.metadata import TRAJECTORY
from opvalue.graders.registry import registered
from opvalue.graders.trajectory import Projection, trajectory_ndtw
from opvalue.strictjson import JsonObject

_ITEMS: Final = 5_000
_ROUNDS: Final = 3
_QUADRATIC: Final = "trajectory-ndtw"
_LARGEST_GROWTH: Final = 3.3
"""Of the time for twice the items; n log n gives 2.2, noise the rest, the square 4."""
_GOES: Final = 15
_WORTH_COMPARING: Final = 0.002
"""Seconds; what is quicker than this is mostly noise."""
_CONFIG: Final[JsonObject] = {
    "constraints": [
        {"id": "search", "pattern": "^tool-1.*needle"},
        {"id": "words", "pattern": r"(\w+\s?)+\$", "requireSuccess": False},
        {"id": "any", "pattern": "tool-[0-9]|act"},
    ]
}


def projection(items: int) -> Projection:
    """Return a projection that every grader can measure; deterministic."""
    chance = random.Random(items)  # noqa: S311 - material, not a secret
    kinds = ("tool_call", "observation", "state_change", "message")
    events: list[JsonObject] = [
        {"index": index, "kind": chance.choice(kinds), "ref": f"state-{chance.randrange(40)}"}
        for index in range(items - 5)
    ]
    events += [{"index": items - 5 + one, "kind": "safe_output", "ref": f"node-{items}"} for one in range(5)]
    return Projection(
        events=tuple(events),
        states=tuple(f"state-{chance.randrange(40)}" for _ in range(items)),
        actions=tuple(
            {"id": f"node-{one}", "type": "act", "target": "x", "validAtIssueTime": one % 7 > 0, "consequential": True}
            for one in range(items)
        ),
        tool_calls=tuple(
            {
                "id": f"call-{one}",
                "eventIndex": one,
                "name": "tool",
                "arguments": {"text": "words and words " * 12, "n": one},
                "success": True,
            }
            for one in range(items)
        ),
        observations=tuple(
            {"id": f"seen-{one}", "sourceToolCallId": f"call-{one}", "consumedByActionIds": ["node-1"]}
            for one in range(items)
        ),
        resources=tuple({"kind": "file", "uri": f"src/{one}.py"} for one in range(items)),
        provenance_edges=tuple(
            {"from": f"{'node' if one else 'call'}-{one}", "to": f"node-{one + 1}"} for one in range(items)
        ),
        objectives=tuple(
            {
                "id": f"goal-{one}",
                "description": "check it",
                "satisfiedAtEventIndex": one,
                "dependsOn": [f"goal-{one - 1}"] if one else [],
            }
            for one in range(items)
        ),
        reference={
            "toolCalls": [{"name": "tool", "arguments": {"n": one}} for one in range(items)],
            "states": [f"state-{chance.randrange(40)}" for _ in range(items)],
            "patch": {"files": [f"src/{one}.py" for one in range(items)]},
        },
    )


def promises() -> list[Promise]:
    """Measure all graders together, with and without NumPy, and each one's growth."""
    full, half = projection(_ITEMS), projection(_ITEMS // 2)
    gc.collect()
    gc.freeze()  # or the collector would look through the material again and again
    graders = [row.id for row in TRAJECTORY]
    whole = [_work(grader, full) for grader in graders]
    found = []
    if trajectory_ndtw.numpy_module() is not None:
        (with_numpy,) = medians([_all(whole)], _ROUNDS)
        found.append(Promise("22 trajectory graders with NumPy", with_numpy, 1.0, "seconds on 5,000 items"))
    installed = trajectory_ndtw.numpy_module
    trajectory_ndtw.numpy_module = lambda: None
    try:
        (without,) = medians([_all(whole)], 1)
    finally:
        trajectory_ndtw.numpy_module = installed
    found.append(Promise("22 trajectory graders without NumPy", without, 4.0, "seconds on 5,000 items"))
    linear = [grader for grader in graders if grader != _QUADRATIC]
    times = _quickest([_work(grader, size) for grader in linear for size in (half, full)])
    growth = {
        grader: long / short
        for grader, short, long in zip(linear, times[::2], times[1::2], strict=True)
        if long > _WORTH_COMPARING
    }
    slowest = max(growth, key=lambda grader: growth[grader])
    found.append(Promise("largest growth for twice the items", growth[slowest], _LARGEST_GROWTH, slowest))
    return found


def _all(works: list[Callable[[], object]]) -> Callable[[], object]:
    return lambda: [work() for work in works]


def _quickest(works: list[Callable[[], object]]) -> list[float]:
    """Return the least processor time of each work, over interleaved goes."""
    least = [math.inf] * len(works)
    for _ in range(_GOES):
        for number, work in enumerate(works):
            start = time.process_time()
            work()
            least[number] = min(least[number], time.process_time() - start)
    return least


def _work(grader: str, material: Projection) -> Callable[[], object]:
    measure = registered(grader).measure

    def work() -> Measured:
        measured = measure(material, _CONFIG)
        if measured.value is None:
            raise RuntimeError(f"{grader}: {measured.message}")
        return measured

    return work
