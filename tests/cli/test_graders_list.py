"""``opvalue graders list``: what the registry holds."""

import json
from collections.abc import Callable

from opvalue.graders.metadata import BUILTIN
from tests.cli.conftest import Answer

Run = Callable[..., Answer]


def test_every_built_in_in_order(opvalue: Run) -> None:
    status, out, err = opvalue("graders", "list")
    assert (status, err) == (0, "")
    heading, *rows = out.splitlines()
    assert heading.split() == ["id", "unit", "good", "threshold", "on"]
    assert [row.split()[0] for row in rows] == list(BUILTIN)
    assert rows[0].split() == ["tool-success-rate", "ratio", "high", "0.8", "yes"]
    assert rows[5].split() == ["execution-step-count", "count", "low", "yes"]
    assert rows[17].split() == ["recurrence-trapping-time", "steps", "low", "no"]


def test_as_json(opvalue: Run) -> None:
    status, out, err = opvalue("graders", "list", "--json")
    rows = json.loads(out)["graders"]
    assert (status, err) == (0, "")
    assert [row["id"] for row in rows] == list(BUILTIN)
    assert rows[3] == {
        "id": "loops",
        "name": "Loops",
        "description": BUILTIN["loops"].description,
        "unit": "count",
        "direction": "lower_is_better",
        "threshold": 3,
        "min": None,
        "max": None,
        "default": True,
    }
