"""What a new observation says differently from the archived one (DESIGN 4.9; reference 9.2, weakness 11). Pure."""

from typing import NamedTuple

from opvalue.contract import Observation
from opvalue.identity import Instant
from opvalue.records import ArchivedObservation
from opvalue.strictjson import JsonValue, same


class Drift(NamedTuple):
    """One field that should not have moved: its name, the archived value and the new one."""

    field: str
    archived: JsonValue
    observed: JsonValue


def drift(archived: ArchivedObservation, observed: Observation) -> tuple[Drift, ...]:
    """Return the drift in maturity, opportunity key and case, in this order. Two spellings of one instant are one."""
    found: list[Drift] = []
    if Instant.parse_utc(archived.matures_at) != observed.matures_at:
        found.append(Drift("maturesAt", archived.matures_at, str(observed.matures_at)))
    if archived.opportunity_key != observed.opportunity_key:
        found.append(Drift("opportunityKey", archived.opportunity_key, observed.opportunity_key))
    if not same(archived.case, observed.case):
        found.append(Drift("case", archived.case, observed.case))
    return tuple(found)
