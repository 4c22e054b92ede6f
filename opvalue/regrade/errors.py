"""Why a verified run is not given a new observation."""

from opvalue.errors import Kind, OpvalueError


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


class EvidenceNotOffered(OpvalueError):
    """The evaluator asked for evidence and none was offered, so whatever it printed is not an observation."""

    code = "regrade.evidence-not-offered"
    kind = Kind.NOT_OBSERVED
    advice = "Only evaluators that need nothing but the archive can be regraded: no evidence is brokered to them."
