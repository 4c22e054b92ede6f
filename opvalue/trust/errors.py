"""Why trust does not move forward: one class a cause (reference 2.2, steps 8 to 10; DESIGN 4.5 to 4.7)."""

from opvalue.errors import Kind, OpvalueError


class TrustRefused(OpvalueError):
    """Base of every refusal of this room. Nothing of the archive has been executed."""

    kind = Kind.REFUSED


class RunMismatch(TrustRefused):
    """The archive belongs to another run than the one asked for."""

    code = "trust.run-mismatch"
    advice = "Give the artifact of the run that was asked for."


class AttemptMismatch(TrustRefused):
    """The archive belongs to another attempt than the one asked for, or records no valid attempt."""

    code = "trust.attempt-mismatch"
    advice = "Give the artifact of that attempt, or name the attempt the archive holds with --attempt."


class DigestMissing(TrustRefused):
    """A digest record is absent or not 64 lower-case hexadecimal characters; an empty set of digests never passes."""

    code = "trust.digest-missing"
    advice = "The run archived no usable digest of its evaluator and cannot be regraded."


class DigestRecordsDiffer(TrustRefused):
    """The manifest and the results of one run record different evaluator digests."""

    code = "trust.digest-records-differ"
    advice = "The archive contradicts itself: download it again, or treat it as tampered with."


class DigestMismatch(TrustRefused):
    """The archived evaluator is not the file its digest records name."""

    code = "trust.digest-mismatch"
    advice = "The archive contradicts itself: download it again, or treat it as tampered with."


class SubjectMismatch(TrustRefused):
    """The observation's subject is not the run that the results record."""

    code = "trust.subject-mismatch"
    advice = "The archive contradicts itself: download it again, or treat it as tampered with."


class SubjectTimeMalformed(TrustRefused):
    """A time recorded in the archive is not a UTC stamp of seconds or milliseconds."""

    code = "trust.time-malformed"
    advice = "The archive is damaged or from an unknown writer; it cannot be regraded."


class RepositoryMismatch(TrustRefused):
    """The run's recorded repository is not the requested one."""

    code = "trust.repository-mismatch"
    advice = "Name the run's repository with --repo; if it was renamed since, add --renamed-from OWNER/NAME."


class CaseMissing(TrustRefused):
    """The archive holds no operational case, so the run's assignment cannot be reused."""

    code = "trust.case-missing"
    advice = "The original evaluator returned no case; the run cannot be regraded."


class CommitUnsafe(TrustRefused):
    """The recorded commit is not a full object id, so it could name something else."""

    code = "trust.commit-unsafe"
    advice = "The archive does not name its commit in full; it cannot be regraded."


class EvaluatorUndeclared(TrustRefused):
    """The archived manifest does not say which file the evaluator was."""

    code = "trust.evaluator-undeclared"
    advice = "The manifest lacks the evaluator's path; the run cannot be regraded."


class CommitMismatch(TrustRefused):
    """The caller named a commit, and the archive records another."""

    code = "trust.commit-mismatch"
    advice = "Name the commit the run was at with --commit, or leave it out."


class CommitNotAnchored(TrustRefused):
    """The recorded commit is in the checkout, but no branch or tag of the trusted remote leads to it."""

    code = "trust.commit-not-anchored"
    advice = "Fetch the branch that holds it; or, if you know this commit to be the run's, name it with --commit SHA."


class MergeEvaluatorDiffers(TrustRefused):
    """A pull-request merge commit carries another evaluator, or another sourced file, than its anchored parent."""

    code = "trust.merge-evaluator-differs"
    advice = "The pull request changed its own evaluator; a run graded by unreviewed code cannot be regraded."


class EvaluatorDiffers(TrustRefused):
    """The evaluator at the recorded commit of the trusted checkout is not the archived one."""

    code = "trust.evaluator-differs"
    advice = "The archive is not what that commit would have produced; treat it as tampered with."


class WorkflowNotFound(TrustRefused):
    """No workflow at the recorded commit registers the archived evaluator."""

    code = "trust.workflow-not-found"
    advice = "The archive is not what that commit would have produced; treat it as tampered with."


class WorkflowMalformed(TrustRefused):
    """The frontmatter of a workflow at the recorded commit cannot be read."""

    code = "trust.workflow-malformed"
    advice = "The workflow could not have been compiled from this commit; treat the archive as tampered with."


class BindingDiffers(TrustRefused):
    """The archived settings of the grader are not those of the workflow at the recorded commit."""

    code = "trust.binding-differs"
    advice = "The archived config, threshold or direction was changed after the fact; treat it as tampered with."
