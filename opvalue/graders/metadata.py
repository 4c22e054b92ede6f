"""What is known of every built-in grader besides its formula: the ten defaults, then the 22 trajectory graders.

The order is the registry's and the manifest's (reference 3.1 and 3.2). Formulas are not here, so that a configuration
can be read without loading any.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from opvalue.records.outcome import HIGHER_IS_BETTER, LOWER_IS_BETTER

Number = int | float


class Metadata(NamedTuple):
    """One built-in grader as the registry declares it."""

    id: str
    name: str
    description: str
    unit: str
    direction: str
    """``higher_is_better`` or ``lower_is_better``."""
    threshold: Number | None
    minimum: Number | None
    """The least value the formula can give; informational, nothing is clamped to it."""
    maximum: Number | None
    """The greatest value the formula can give; informational like the least."""
    default: bool
    """Whether it runs where no configuration names it."""


def _default(
    name: str,
    description: str,
    unit: str,
    direction: str = LOWER_IS_BETTER,
    threshold: Number | None = None,
    bounds: tuple[Number | None, Number | None] = (None, None),
) -> Metadata:
    return Metadata(_id(name), name, description, unit, direction, threshold, *bounds, default=True)


def _ratio(name: str, description: str, direction: str) -> Metadata:
    return Metadata(_id(name), name, description, "ratio", direction, None, 0, 1, default=False)


def _amount(name: str, description: str, unit: str) -> Metadata:
    return Metadata(_id(name), name, description, unit, LOWER_IS_BETTER, None, 0, None, default=False)


def _id(name: str) -> str:
    return name.lower().replace(" ", "-")


DEFAULTS: Final = (
    _default("Tool Success Rate", "Successful tool calls over all tool calls.", "ratio", HIGHER_IS_BETTER, 0.8, (0, 1)),
    _default("Tool Failure Count", "Tool calls that failed or never finished.", "count", threshold=5),
    _default("Retries", "Retries observed in the main agent's MCP events.", "count", threshold=10),
    _default("Loops", "Tool calls with the name and arguments of the call before.", "count", threshold=3),
    _default(
        "Trajectory Efficiency", "Distinct tool names over all tool calls.", "ratio", HIGHER_IS_BETTER, bounds=(0, 1)
    ),
    _default("Execution Step Count", "Model requests that were observed.", "count"),
    _default("Execution Duration", "Observed duration of the execution.", "ms"),
    _default(
        "Working-Set Rebuild Factor",
        "Input tokens of all requests over those of the largest request.",
        "factor",
        bounds=(1, None),
    ),
    _default("Context Growth", "Tokens of all requests over those of the first request.", "factor"),
    _default("Artifact Production", "Safe-output results that were recorded.", "count", HIGHER_IS_BETTER),
)
"""The ten that run unless they are switched off."""

TRAJECTORY: Final = (
    _ratio("Policy Near Miss", "Guarding objectives left unmet by a run that produced outputs.", LOWER_IS_BETTER),
    _ratio(
        "Skill Constraint Coverage", "Configured constraints that the run's calls and actions met.", HIGHER_IS_BETTER
    ),
    _ratio("Exploration Error", "How far observations fell short of the states visited.", LOWER_IS_BETTER),
    _ratio("Exploitation Error", "Observations that no action used while objectives were unmet.", LOWER_IS_BETTER),
    _ratio("State Revisit Probability REP", "Visits to states that had been visited before.", LOWER_IS_BETTER),
    _ratio("Recurrence Determinism", "Recurrent points that continue an earlier sequence.", LOWER_IS_BETTER),
    _ratio("Recurrence Laminarity", "Recurrent points in which a state persists.", LOWER_IS_BETTER),
    _amount("Recurrence Trapping Time", "Mean length of the runs in which a state persists.", "steps"),
    _ratio("Recurrence Rate", "Pairs of visits that are to one state.", LOWER_IS_BETTER),
    _ratio("Event Entropy Rate", "Uncertainty of the next event given the last, normalised.", HIGHER_IS_BETTER),
    _ratio("Lempel-Ziv Trajectory Complexity", "Distinct phrases of the event sequence, normalised.", HIGHER_IS_BETTER),
    _ratio("Tool Output Consumption Rate", "Tool observations that an action consumed.", HIGHER_IS_BETTER),
    _ratio("End-to-End Lineage Completeness", "Outputs that trace back to a call or observation.", HIGHER_IS_BETTER),
    _ratio("Action Provenance Coverage", "Consequential actions that trace back to evidence.", HIGHER_IS_BETTER),
    _amount("Premature Termination Gap", "Objectives that were still unmet at the end.", "count"),
    _amount("Evidence Saturation Stopping Lag", "Events after the last objective was met.", "count"),
    _ratio("Dependency Order Violation Rate", "Objectives met before what they depend on.", LOWER_IS_BETTER),
    _ratio("Objective Coverage", "Declared objectives that were met.", HIGHER_IS_BETTER),
    _ratio("Grounding Accuracy", "Actions that were valid when they were issued.", HIGHER_IS_BETTER),
    _ratio("Tool-Wise Score", "How far calls and arguments followed the reference.", HIGHER_IS_BETTER),
    _ratio("Trajectory nDTW", "Closeness of the path of states to the reference path.", HIGHER_IS_BETTER),
    _ratio("Code Search Recall", "Reference files that the run looked at.", HIGHER_IS_BETTER),
)
"""The 22 that run only where a configuration names them."""

BUILTIN: Final[Mapping[str, Metadata]] = {row.id: row for row in (*DEFAULTS, *TRAJECTORY)}
"""Every built-in grader by id, in registry order."""
