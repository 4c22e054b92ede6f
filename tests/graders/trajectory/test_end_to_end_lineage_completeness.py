from typing import Any

from opvalue.graders.trajectory.end_to_end_lineage_completeness import measure
from tests.graders.trajectory.samples import BOUND, changed, check_bound, events, made


def edge(origin: Any, target: Any) -> dict[str, Any]:
    return {"from": origin, "to": target}


PROJECTION = made(
    events=events("safe_output", ["out1", "out2"]),
    provenance_edges=(edge("c1", "note"), edge("note", "draft"), edge("draft", "out1"), edge("thought", "out2")),
    tool_calls=({"id": "c1"},),
    observations=(),
)


def test_several_hops() -> None:
    assert measure(PROJECTION, {}).value == 0.5


def test_an_observation_is_evidence_too() -> None:
    assert measure(changed(PROJECTION, observations=({"id": "thought"}, {})), {}).value == 1


def test_an_id_that_is_no_text_is_no_evidence() -> None:
    odd: tuple[Any, ...] = ({"id": []}, {"id": {}}, {"id": 7}, {"id": None})
    assert measure(changed(PROJECTION, observations=odd), {}).value == 0.5


def test_a_circle_ends() -> None:
    circle = (edge("x", "y"), edge("y", "x"), edge("x", "out1"))
    assert measure(changed(PROJECTION, provenance_edges=circle), {}).value == 0


def test_unavailable() -> None:
    for name in ("events", "provenance_edges", "tool_calls", "observations"):
        reason = measure(changed(PROJECTION, **{name: None}), {}).message
        assert reason
        assert reason.startswith("the session records no ")
    assert measure(changed(PROJECTION, events=()), {}).message == "no safe output was produced"
    assert (
        measure(changed(PROJECTION, events=events("safe_output", [None])), {}).message == "an item of events has no ref"
    )
    malformed = measure(changed(PROJECTION, provenance_edges=(edge(1, "x"),)), {})
    assert malformed == (None, "an item of provenanceEdges has no from")


def test_bound() -> None:
    chain = tuple(edge(f"n{number}", f"n{number + 1}") for number in range(BOUND))
    full = changed(
        PROJECTION, provenance_edges=chain, tool_calls=({"id": "n0"},), events=events("safe_output", [f"n{BOUND}"])
    )
    check_bound(measure, full, "provenance_edges", 1)
