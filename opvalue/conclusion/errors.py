"""Why a session is not concluded or replayed. One class a cause."""

from opvalue.errors import Kind, OpvalueError


class UsageArtifactAbsent(OpvalueError):
    """The run has no artifact named ``usage`` or ``*-usage``, expired or not."""

    code = "conclusion.usage-artifact-absent"
    kind = Kind.ARTIFACT
    advice = "The run uploaded no usage artifact, or it was deleted. Choose another run."


class SessionOfAnotherRun(OpvalueError):
    """The session records another run, or another attempt, than the one it was taken from or is said to be of."""

    code = "conclusion.another-run"
    kind = Kind.REFUSED
    advice = "Give the session of the run that is meant, or leave --run-id and --attempt out."


class GraderUnknown(OpvalueError):
    """A grader was named that is neither built in nor configured."""

    code = "conclusion.grader-unknown"
    kind = Kind.USAGE
    advice = "See opvalue graders list. A custom grader needs --config with the workflow that declares it."


class GraderDisabled(OpvalueError):
    """A grader was named that the configuration disables."""

    code = "conclusion.grader-disabled"
    kind = Kind.USAGE
    advice = "Enable it in the workflow, or leave --config out to grade with the registry's own settings."


class ManifestUnusable(OpvalueError):
    """A conclusion's manifest is not what ``graders compile`` writes: version, fields, sources or ids do not fit."""

    code = "conclusion.manifest-unusable"
    kind = Kind.REFUSED
    advice = "Compile the workflow again: opvalue graders compile."


class ManifestExecutable(OpvalueError):
    """A conclusion's manifest carries code, or names a file to run: a conclusion takes data only."""

    code = "conclusion.manifest-executable"
    kind = Kind.REFUSED
    advice = "Give the data-only manifest. Custom graders run in the separate graders job alone."
