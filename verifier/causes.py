"""Which rule tells which way of breaking the contract of ``--grade-run``, so that each is told once. Pure."""

from typing import Final

from opvalue.contract import errors
from opvalue.errors import OpvalueError

CUTOFF: Final = (
    errors.ObservationCutoff,
    errors.CutoffAfterEvidence,
    errors.CutoffAfterMaturity,
    errors.CutoffTooEarly,
)
MATURITY: Final = (errors.ObservationMaturity, errors.MaturityBeforeCreation)
PROVENANCE: Final = (errors.ProvenanceNotObjects, errors.ProvenanceEmpty, errors.ProvenanceEntry)


def is_shape(broken: OpvalueError | None) -> bool:
    """Tell whether it is the shape of the output, and neither its times nor its provenance."""
    return broken is not None and not isinstance(broken, (*CUTOFF, *MATURITY, *PROVENANCE))
