"""Why a verified run is not given a new observation."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from opvalue.errors import Kind, OpvalueError, every_error_class

if TYPE_CHECKING:
    from opvalue.evidence.broker import Failure
    from opvalue.evidence.bundle import Bundle


_MOST_CAUSES = 20


class EvidenceBeforeRun(OpvalueError):
    """The evidence time lies before the run was created (EV-09)."""

    code = "regrade.evidence-before-run"
    kind = Kind.USAGE
    advice = "Choose an evidence time at or after the run's creation."


class EvidenceInFuture(OpvalueError):
    """The evidence time has not come yet; what will be known then cannot be observed now."""

    code = "regrade.evidence-in-future"
    kind = Kind.USAGE
    advice = "Choose a time that has passed, or `now`."


class WrongContract(OpvalueError):
    """The evaluator does not speak the contract that was chosen; it is not run half-way."""

    code = "regrade.wrong-contract"
    kind = Kind.REFUSED
    advice = (
        "Only schema-4 evaluators (--definition, --metric, --grade-run) are regraded. "
        "A session-file evaluator grades a recorded session; replay it with `gh aw graders run`."
    )


class DefinitionRepositoryDiffers(OpvalueError):
    """The evaluator's definition is written for another repository than the run's."""

    code = "regrade.definition-repository"
    kind = Kind.REFUSED
    advice = "If the repository was renamed or transferred since, say so with --renamed-from OWNER/NAME."


class FormerNameDiffers(OpvalueError):
    """--renamed-from names a repository that GitHub knows to be another one, by its number."""

    code = "regrade.renamed-from"
    kind = Kind.REFUSED
    advice = "Leave it out. A name that was taken over by another repository proves nothing about the run."


class MaturityMoved(OpvalueError):
    """``--evidence-at maturity`` was asked for, and the evaluator's own maturity is not the archived one."""

    code = "regrade.maturity-moved"
    kind = Kind.REFUSED
    advice = "Name the time itself. An archived maturity that its evaluator does not confirm may be tampered with."


class NotMature(OpvalueError):
    """The observation is not mature and ``--require-mature`` was given."""

    code = "regrade.not-mature"
    kind = Kind.NOT_MATURE
    advice = "Regrade at or after the time it matures."


class TooManyCandidates(OpvalueError):
    """The run has more artifacts that may be its grader artifact than are downloaded to find out."""

    code = "regrade.too-many-candidates"
    kind = Kind.ARTIFACT
    advice = "Download the right one yourself and name it with --artifact."


class NotObserved(OpvalueError):
    """Evidence that the evaluator asked for could not be had, so whatever it printed is not an observation.

    The message names the first failed exchange and counts the others; ``failures`` holds them all. The hint is the
    advice of the first one's cause, and each of them has its own in ``envelope``.
    """

    code = "regrade.not-observed"
    kind = Kind.NOT_OBSERVED
    advice = "Do what the cause named in the message asks for. A failure to observe is never a value."

    def __init__(self, failures: Sequence["Failure"], bundle: "Bundle | None" = None) -> None:
        first, others = failures[0], len(failures) - 1
        more = f", and {others} more failed" if others else ""
        super().__init__(
            f"not observed, {first.code}: {first.message}{more}",
            expected="an answer to every request",
            found=first.request,
            hint=_advice(first.code),
        )
        self.failures = tuple(failures)
        self.bundle = bundle
        """What was exchanged until then, as an incomplete bundle, where it can be recorded."""

    def envelope(self) -> dict[str, object]:
        """Return the value that ``--json`` prints, with the causes of up to 20 failed exchanges, a hint for each."""
        causes = [{**failure._asdict(), "hint": _advice(failure.code)} for failure in self.failures[:_MOST_CAUSES]]
        return {"error": {**super().envelope()["error"], "causes": causes}}  # type: ignore[dict-item]  # a dict, made there


class EvidenceNotOffered(OpvalueError):
    """The evaluator asked for evidence and none was offered, so whatever it printed is not an observation."""

    code = "regrade.evidence-not-offered"
    kind = Kind.NOT_OBSERVED
    advice = (
        "Offline, give the recorded evidence with --replay FILE. "
        "To gather it now, leave out --artifact, or add --record FILE."
    )


def _advice(code: str) -> str:
    """Return what the cause of that code says to do."""
    return next((cause.advice for cause in every_error_class() if cause.code == code), NotObserved.advice)
