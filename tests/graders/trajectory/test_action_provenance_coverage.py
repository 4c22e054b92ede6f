from typing import Any

from opvalue.graders.trajectory.action_provenance_coverage import measure
from tests.graders.trajectory.samples import BOUND, changed, check_bound, made


def action(identifier: Any, consequential: Any = True) -> dict[str, Any]:
    return {"id": identifier, "consequential": consequential}


PROJECTION = made(
    actions=(action("a1"), action("a2"), action("a3", consequential=False), action(None, consequential=False)),
    provenance_edges=({"from": "o1", "to": "step"}, {"from": "step", "to": "a1"}),
    tool_calls=(),
    observations=({"id": "o1"},),
)


def test_only_consequential_actions_count() -> None:
    assert measure(PROJECTION, {}).value == 0.5


def test_unavailable() -> None:
    for name in ("actions", "provenance_edges", "tool_calls", "observations"):
        assert measure(changed(PROJECTION, **{name: None}), {}).value is None
    assert measure(changed(PROJECTION, actions=("a1",)), {}).message == "an item of actions is malformed"
    for wrong in (None, 1, "true"):
        measured = measure(changed(PROJECTION, actions=(action("a1"), action("a2", wrong))), {})
        assert measured == (None, "an item of actions has no consequential that is true or false")
    assert measure(changed(PROJECTION, actions=(action("a1", False),)), {}).message == "no action is consequential"
    assert measure(changed(PROJECTION, actions=(action(""),)), {}).message == "an item of actions has no id"


def test_bound() -> None:
    check_bound(measure, changed(PROJECTION, actions=(action("a1"),) * BOUND), "actions", 1)
