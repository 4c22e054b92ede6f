"""What a run of the script came to, as the rules judge it. Values."""

from typing import TYPE_CHECKING, NamedTuple

from opvalue.contract import Observation, parse_observation
from opvalue.errors import OpvalueError
from opvalue.identity import Instant
from opvalue.strictjson import JsonObject, JsonRefused, JsonValue, is_number, loads
from verifier.ended import Ended

if TYPE_CHECKING:
    from opvalue.evidence.broker import Failure


class Grade(NamedTuple):
    """One run of ``--grade-run``."""

    name: str
    request: JsonObject
    ended: Ended
    asked: int
    """Requests for evidence that were made."""
    hit: bool = False
    """Whether one of them was answered by a made-up failure."""
    failures: "tuple[Failure, ...]" = ()
    """What would make a regrade not observed."""
    undeclared: tuple[str, ...] = ()
    """Whose evidence was asked for that the definition does not declare."""
    unnamed: str | None = None
    """The first path that was asked for with ``null`` where a name or number belongs."""
    observation: Observation | None = None
    broken: OpvalueError | None = None
    """How the output breaks the contract, where there is output."""

    @property
    def evidence_at(self) -> Instant:
        """The time asked for."""
        return Instant.parse(str(self.request["evidenceAt"]))

    @property
    def good(self) -> bool:
        """Whether there is an observation that keeps the contract."""
        return self.observation is not None

    @property
    def document(self) -> JsonValue:
        """What was printed, as JSON; null where it is none."""
        try:
            return loads(self.ended.stdout or b"", what="the output")
        except JsonRefused:
            return None

    @property
    def number(self) -> int | float | None:
        """The value, where a number was given, whatever else is wrong with the output."""
        document = self.document
        value = document.get("value") if isinstance(document, dict) else None
        return value if is_number(value) else None


def judged(grade: Grade) -> Grade:
    """Return the run with its output read."""
    if grade.ended.stdout is None:
        return grade
    created = _created(grade.request)
    try:
        seen = parse_observation(grade.ended.stdout, evidence_at=grade.evidence_at, created_at=created)
    except OpvalueError as broken:
        return grade._replace(broken=broken)
    return grade._replace(observation=seen)


def _created(request: JsonObject) -> Instant | None:
    run = request.get("run")
    return Instant.parse_utc(run.get("createdAt")) if isinstance(run, dict) else None
