"""What else a session says: which components were collected, of which run it is, experiments and evals.

(DESIGN 8; reference 1.4, 5.2.) A component was collected if an event of it was seen, or if ``session.collection`` lists
a source of it or leaves it out of its absent components. For the components whose figures are the main agent's alone,
what detection and evals collected does not count; for safe outputs what counts is the phase that carries them out,
since the agent's requests show no result. A run id that redaction touched is none.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from opvalue.limits import Limits
from opvalue.session.batch import Place
from opvalue.session.errors import room
from opvalue.session.lookups import Evals
from opvalue.session.remembered import short
from opvalue.session.vocabulary import MASKED, REPORTED_WHEN_ABSENT

_OWN: Final = frozenset({"agent", "mcp", "firewall", "usage"})
_OTHERS: Final = frozenset({"detection", "evals"})
_SAFE_OUTPUT: Final = "safe_output"
_CARRIED_OUT: Final = "safe_outputs"
_ANSWERS: Final = frozenset({"YES", "NO"})


class Context:
    """Gathers it, in one pass."""

    def __init__(self, limits: Limits) -> None:
        self._most: Final = limits.session_questions
        self._collected: set[str] = set()
        self._run: tuple[bool, str | None] = (False, None)
        self._attempt: int | None = None
        self._experiments: dict[str, str] = {}
        self._answers: dict[str, str] = {}
        self._tally: dict[str, int] = dict.fromkeys(("YES", "NO", "UNKNOWN"), 0)

    def see(self, places: Mapping[Place, int]) -> None:
        """Note the places of events."""
        self._collected.update(component for component, phase in places if _counts(component, phase))

    def collection(self, sources: list[Place], absent: list[str] | None) -> None:
        """Take a ``session.collection`` event."""
        self._collected.update(component for component, phase in sources if _counts(component, phase))
        if absent is not None:
            elsewhere = {component for component, _ in sources}
            self._collected.update(set(REPORTED_WHEN_ABSENT) - set(absent) - elsewhere)

    def run(self, id_: str | None, attempt: int | None, of_workflow: bool) -> None:
        """Take what names the run: the first to do so counts, ``workflow.info`` before others."""
        if id_ is not None and MASKED not in id_ and (self._run[1] is None or (of_workflow and not self._run[0])):
            self._run = (of_workflow, short(id_))
        if self._attempt is None:
            self._attempt = attempt

    def assigned(self, assignments: Mapping[str, str]) -> None:
        """Take assignments of experiments; a later one of the same experiment counts."""
        for name, variant in assignments.items():
            key = short(name)
            if key not in self._experiments:
                room(len(self._experiments), self._most, "experiments")
            self._experiments[key] = short(variant)

    def eval(self, question: str, answer: str) -> None:
        """Take an answer; anything but yes and no, in any case, is unknown."""
        said = answer.strip().upper()
        said = said if said in _ANSWERS else "UNKNOWN"
        self._tally[said] += 1
        key = short(question)
        if key not in self._answers:
            room(len(self._answers), self._most, "eval questions")
        self._answers[key] = said

    @property
    def collected(self) -> frozenset[str]:
        """The components that were collected."""
        return frozenset(self._collected)

    @property
    def run_id(self) -> str | None:
        """The run."""
        return self._run[1]

    @property
    def attempt(self) -> int | None:
        """The attempt."""
        return self._attempt

    @property
    def experiments(self) -> Mapping[str, str]:
        """Experiment to variant, sorted."""
        return MappingProxyType(dict(sorted(self._experiments.items())))

    @property
    def evals(self) -> Evals:
        """The tally of answers."""
        tally = self._tally
        by_question = MappingProxyType(dict(sorted(self._answers.items())))
        return Evals(sum(tally.values()), tally["YES"], tally["NO"], tally["UNKNOWN"], by_question)


def _counts(component: str, phase: str) -> bool:
    if component == _SAFE_OUTPUT:
        return phase == _CARRIED_OUT
    return bool(component) and not (component in _OWN and phase in _OTHERS)
