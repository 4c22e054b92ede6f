"""Why a run or its artifact is not to be had, or is not the one that was meant. One class a cause.

Order of use: the answers themselves, the run, the artifact, its download, and what the archive says against the API.
Denials, rate limits and faults of the connection are refused by ``http``.
"""

from opvalue.errors import Kind, OpvalueError

_TAMPERED = "The archive is not what that run wrote: treat it as tampered with."
_BY_HAND = (
    "Download the right one with `gh run download`, and give that: "
    "a grader artifact with --artifact, a session by its file."
)


# The answers


class NotFound(OpvalueError):
    """The API says that something does not exist, although a token was sent (AR-08)."""

    code = "github.not-found"
    kind = Kind.ARTIFACT
    advice = (
        "Check in this order: may the token read Actions of the repository, is the run the right one, is it deleted."
    )


class NotFoundWithoutToken(OpvalueError):
    """The API says that something does not exist, and no token was sent: it hides what it does not show (AR-08)."""

    code = "github.not-found-without-token"
    kind = Kind.CREDENTIALS
    advice = "Set a token for the host first; then check that the run is the right one, and that it is not deleted."


class UnexpectedStatus(OpvalueError):
    """The API answered with a status that has no meaning for this read."""

    code = "github.unexpected-status"
    kind = Kind.NOT_OBSERVED
    advice = "Check the address of the server, and the proxy in between."


class AnswerMalformed(OpvalueError):
    """An answer of the API is not JSON, lacks a field, or is about something else than was asked."""

    code = "github.answer-malformed"
    kind = Kind.NOT_OBSERVED
    advice = "Check that the host is a GitHub server and that no proxy answers in its place."


class ListingMismatch(OpvalueError):
    """A listing's pages do not add up to its total: items short, too many, twice, or a total that moves (AR-04)."""

    code = "github.listing-mismatch"
    kind = Kind.NOT_OBSERVED
    advice = "The listing may have changed while it was read: run the command again."


class ListingTooLong(OpvalueError):
    """A listing states more items than are read."""

    code = "github.listing-too-long"
    kind = Kind.NOT_OBSERVED
    advice = f"The limit is fixed. {_BY_HAND}"


class TooManyRuns(OpvalueError):
    """More runs of one workflow were created within a single second than the API lists (reference 5.2, step 4)."""

    code = "github.too-many-runs"
    kind = Kind.NOT_OBSERVED
    advice = "Choose a time range that leaves out this second."


# The run


class AttemptNotFound(OpvalueError):
    """The run exists, and has no attempt of that number."""

    code = "github.attempt-not-found"
    kind = Kind.USAGE
    advice = "Name an attempt that the run has, or leave --attempt out for the latest."


class WrongRepository(OpvalueError):
    """The run belongs to another repository than the one asked for."""

    code = "github.wrong-repository"
    kind = Kind.REFUSED
    advice = "Name the run's own repository with --repo, or give the run's address."


class RunNotCompleted(OpvalueError):
    """The run is still queued or in progress, so its record may change."""

    code = "github.run-not-completed"
    kind = Kind.NOTHING
    advice = "Wait until the run has completed."


class ForkRun(OpvalueError):
    """The run's head is in another repository, or in one that is gone: who wrote its files is not known (AR-12)."""

    code = "github.fork-run"
    kind = Kind.REFUSED
    advice = "A run of a fork's content cannot be regraded. Choose a run of the repository's own."


# The artifact


class NoAgentArtifact(OpvalueError):
    """The run concluded and has no artifact named ``agent`` or ``*-agent``, expired or not (AW-08)."""

    code = "github.artifact-absent"
    kind = Kind.ARTIFACT
    advice = "The run uploaded no grader artifact, or it was deleted. Choose another run."


class ArtifactExpired(OpvalueError):
    """The run's artifact has expired, by its field or by the answer to its download (AR-03). Not tried again."""

    code = "github.artifact-expired"
    kind = Kind.ARTIFACT
    advice = "It is gone from GitHub. If you kept a copy, give it with --artifact."


class GradersInUsage(OpvalueError):
    """The run is of the newer kind, whose grader files are in its ``usage`` artifact and hold no evaluator."""

    code = "github.newer-kind"
    kind = Kind.NOTHING
    advice = "Its graders are one-shot and cannot be regraded; replay its session with `opvalue graders run`."


class HostileArtifactName(OpvalueError):
    """An artifact that would be chosen has a name no uploader gives: a path, or with control characters."""

    code = "github.hostile-name"
    kind = Kind.REFUSED
    advice = _BY_HAND


class NoGraderData(OpvalueError):
    """Artifacts of the right name are there, and none of them holds a grader manifest that can be regraded."""

    code = "github.no-grader-data"
    kind = Kind.NOTHING
    advice = "The run had no operational-value grader. Choose another run."


class CandidateRefused(OpvalueError):
    """One of several artifacts that might be the right one cannot be read, so none can be chosen."""

    code = "github.candidate-refused"
    kind = Kind.REFUSED
    advice = _BY_HAND


class AttemptNotArchived(OpvalueError):
    """No artifact of the run records the attempt asked for (AR-01)."""

    code = "github.attempt-not-archived"
    kind = Kind.ARTIFACT
    advice = "Name an attempt that is archived with --attempt; a re-run may have replaced the artifact."


class SeveralArtifacts(OpvalueError):
    """More than one artifact records a graded run of the attempt, as when two workflows are called."""

    code = "github.several-artifacts"
    kind = Kind.REFUSED
    advice = _BY_HAND


# Its download


class DownloadNotZip(OpvalueError):
    """What was served for the artifact is no zip."""

    code = "github.download-not-a-zip"
    kind = Kind.ARTIFACT
    advice = "Run the command again. If it stays so, look at the artifact in a browser."


class DownloadIsJson(OpvalueError):
    """A JSON document was served in place of the artifact: an error message, most likely."""

    code = "github.download-is-json"
    kind = Kind.ARTIFACT
    advice = "Act on what the message says; then run the command again."


class DownloadIsPage(OpvalueError):
    """A web page was served in place of the artifact: a login or a proxy's notice, most likely."""

    code = "github.download-is-a-page"
    kind = Kind.ARTIFACT
    advice = "Check the proxy in between, and that you are logged in to the network."


class DownloadCut(OpvalueError):
    """The download is shorter than the artifact and does not have its digest."""

    code = "github.download-cut"
    kind = Kind.ARTIFACT
    advice = "Run the command again."


class DigestMismatch(OpvalueError):
    """The download does not have the digest that the listing states for the artifact (AR-11)."""

    code = "github.digest-mismatch"
    kind = Kind.REFUSED
    advice = "Something changed the artifact on its way, or in the store. Run again; if it stays so, do not use it."


class DigestUnreadable(OpvalueError):
    """The listing states a digest in a form that cannot be compared, so nothing can be verified by it."""

    code = "github.digest-unreadable"
    kind = Kind.REFUSED
    advice = "Only sha256:HEX is known. Update this program, or report the digest you see."


# The archive against the API


class RecordedAttemptDiffers(OpvalueError):
    """The archive records another attempt than the API's record of the run."""

    code = "github.recorded-attempt"
    kind = Kind.REFUSED
    advice = _TAMPERED


class RecordedCreationDiffers(OpvalueError):
    """The archive records another creation time than the API's record of the run."""

    code = "github.recorded-created-at"
    kind = Kind.REFUSED
    advice = _TAMPERED


class RecordedEventDiffers(OpvalueError):
    """The archive records another event than the API's record of the run."""

    code = "github.recorded-event"
    kind = Kind.REFUSED
    advice = _TAMPERED


class RecordedCommitDiffers(OpvalueError):
    """The archive records another commit than the head commit of a run whose event is at its head commit."""

    code = "github.recorded-commit"
    kind = Kind.REFUSED
    advice = f"{_TAMPERED} If you know the recorded commit to be the run's, name it with --commit SHA."


class RecordedRepositoryDiffers(OpvalueError):
    """The archive records another repository than the API's: another name, and not a former name of the same number."""

    code = "github.recorded-repository"
    kind = Kind.REFUSED
    advice = "If you know the name to be a former one of the repository, say so with --renamed-from OWNER/NAME."
