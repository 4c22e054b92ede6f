"""Every registered grader has a formula in the file that bears its id, and every such file a grader and its tests."""

from importlib import import_module
from pathlib import Path

import pytest

import opvalue.graders
from opvalue.graders.metadata import BUILTIN, DEFAULTS, TRAJECTORY
from opvalue.graders.registry import module_of, registered

ROOM = Path(opvalue.graders.__file__).parent
TESTS = Path(__file__).parent


def names(folder: Path, prefix: str = "") -> set[str]:
    return {path.stem.removeprefix(prefix) for path in folder.glob(f"{prefix}*.py")} - {"__init__"}


def test_the_ten_in_canonical_order() -> None:
    assert [row.id for row in DEFAULTS] == [
        "tool-success-rate",
        "tool-failure-count",
        "retries",
        "loops",
        "trajectory-efficiency",
        "execution-step-count",
        "execution-duration",
        "working-set-rebuild-factor",
        "context-growth",
        "artifact-production",
    ]


def test_the_ten_as_the_reference_has_them() -> None:
    assert [
        (row.unit, row.direction.partition("_")[0], row.threshold, row.minimum, row.maximum) for row in DEFAULTS
    ] == [
        ("ratio", "higher", 0.8, 0, 1),
        ("count", "lower", 5, None, None),
        ("count", "lower", 10, None, None),
        ("count", "lower", 3, None, None),
        ("ratio", "higher", None, 0, 1),
        ("count", "lower", None, None, None),
        ("ms", "lower", None, None, None),
        ("factor", "lower", None, 1, None),
        ("factor", "lower", None, None, None),
        ("count", "higher", None, None, None),
    ]


# Unit, direction, greatest value; the least is 0, and there is no threshold.
RATIO_UP, RATIO_DOWN = ("ratio", "higher", 1), ("ratio", "lower", 1)


def test_the_22_as_the_reference_has_them() -> None:
    found = {row.id: (row.unit, row.direction.partition("_")[0], row.maximum) for row in TRAJECTORY}
    wanted = {
        "policy-near-miss": RATIO_DOWN,
        "skill-constraint-coverage": RATIO_UP,
        "exploration-error": RATIO_DOWN,
        "exploitation-error": RATIO_DOWN,
        "state-revisit-probability-rep": RATIO_DOWN,
        "recurrence-determinism": RATIO_DOWN,
        "recurrence-laminarity": RATIO_DOWN,
        "recurrence-trapping-time": ("steps", "lower", None),
        "recurrence-rate": RATIO_DOWN,
        "event-entropy-rate": RATIO_UP,
        "lempel-ziv-trajectory-complexity": RATIO_UP,
        "tool-output-consumption-rate": RATIO_UP,
        "end-to-end-lineage-completeness": RATIO_UP,
        "action-provenance-coverage": RATIO_UP,
        "premature-termination-gap": ("count", "lower", None),
        "evidence-saturation-stopping-lag": ("count", "lower", None),
        "dependency-order-violation-rate": RATIO_DOWN,
        "objective-coverage": RATIO_UP,
        "grounding-accuracy": RATIO_UP,
        "tool-wise-score": RATIO_UP,
        "trajectory-ndtw": RATIO_UP,
        "code-search-recall": RATIO_UP,
    }
    assert [*found.items()] == [*wanted.items()], "also in this order"
    assert {(row.threshold, row.minimum, row.default) for row in TRAJECTORY} == {(None, 0, False)}


def test_names_are_the_ids_in_words() -> None:
    assert [row.name for row in DEFAULTS] == [
        "Tool Success Rate",
        "Tool Failure Count",
        "Retries",
        "Loops",
        "Trajectory Efficiency",
        "Execution Step Count",
        "Execution Duration",
        "Working-Set Rebuild Factor",
        "Context Growth",
        "Artifact Production",
    ]


def test_a_file_and_a_test_file_for_each_default() -> None:
    wanted = {row.id.replace("-", "_") for row in DEFAULTS}
    assert names(ROOM / "builtin") == wanted
    assert names(TESTS / "builtin", "test_") == wanted


@pytest.mark.parametrize("identifier", [row.id for row in DEFAULTS])
def test_each_default_measures_lookups_and_says_how(identifier: str) -> None:
    grader = registered(identifier)
    assert not grader.reads_projection
    module = import_module(module_of(grader.metadata))
    for word in (f"``{identifier}``", "Formula:", "navailable", "Graders Specification 4"):
        assert word in (module.__doc__ or ""), word


@pytest.mark.parametrize("identifier", [row.id for row in TRAJECTORY])
def test_each_other_reads_the_projection(identifier: str) -> None:
    assert registered(identifier).reads_projection


def test_no_other_id() -> None:
    assert len(BUILTIN) == 32
    with pytest.raises(KeyError):
        registered("operational-value")
