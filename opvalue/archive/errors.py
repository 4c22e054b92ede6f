"""Why an artifact is refused: the file, the zip's structure, the grader files in it, and what they record.

Order of use: the artifact as a whole, then reference 2.2 steps 4 to 7. Digests and identities are refused by ``trust``.
"""

from opvalue.errors import Kind, OpvalueError

_FETCH_AGAIN = "Download the artifact again."
_DO_NOT_TRUST = "Do not use this file: no known uploader writes it. Fetch the artifact from GitHub again."
_NOTHING = "There is nothing to regrade in this run. Choose another run."


# The artifact as a whole


class ArtifactAbsent(OpvalueError):
    """The artifact's path does not exist."""

    code = "archive.absent"
    kind = Kind.ARTIFACT
    advice = "Give the path of the downloaded zip, or of the folder it was extracted to."


class ArtifactUnreadable(OpvalueError):
    """The artifact, or a file in its folder, cannot be opened or read: no permission, a read error."""

    code = "archive.unreadable"
    kind = Kind.ARTIFACT
    advice = "Check that you may read the file and that the disk is sound."


class ArtifactNotRegular(OpvalueError):
    """The artifact's path is neither a regular file nor a folder."""

    code = "archive.not-a-file"
    kind = Kind.ARTIFACT
    advice = "Give a zip file or a folder."


class ArtifactTooLarge(OpvalueError):
    """The artifact's file is over the limit."""

    code = "archive.too-large"
    kind = Kind.ARTIFACT
    advice = "Extract the graders folder from it and give that folder, keeping its path, such as agent/graders."


class NotAZip(OpvalueError):
    """The artifact's file does not begin as a zip does."""

    code = "archive.not-a-zip"
    kind = Kind.ARTIFACT
    advice = "Give the zip GitHub serves for the artifact. A web page or an error message may have been saved instead."


class ArchiveCut(OpvalueError):
    """The file begins as a zip but its end record is missing, or bytes follow it: the download was cut or added to."""

    code = "archive.cut"
    kind = Kind.ARTIFACT
    advice = _FETCH_AGAIN


class TooManyMembers(OpvalueError):
    """The zip's central directory has more entries, or is longer, than the limit."""

    code = "archive.too-many-members"
    kind = Kind.ARTIFACT
    advice = "Extract the graders folder from it and give that folder, keeping its path, such as agent/graders."


class ArchiveMalformed(OpvalueError):
    """The zip's end records and central directory contradict each other or the file."""

    code = "archive.malformed"
    kind = Kind.ARTIFACT
    advice = _FETCH_AGAIN


# Its members


class UnsafeMemberName(OpvalueError):
    """Any member's name is empty, absolute, climbing, on a drive, or holds a backslash or NUL (ZP-01)."""

    code = "archive.unsafe-name"
    kind = Kind.REFUSED
    advice = _DO_NOT_TRUST


class DuplicateMember(OpvalueError):
    """A grader file's name occurs more than once, or under another spelling of the same path (ZP-06)."""

    code = "archive.duplicate-member"
    kind = Kind.REFUSED
    advice = _DO_NOT_TRUST


class OverlappingMembers(OpvalueError):
    """A grader file shares bytes with another member or with the central directory (ZP-04)."""

    code = "archive.overlap"
    kind = Kind.REFUSED
    advice = _DO_NOT_TRUST


class HeadersDisagree(OpvalueError):
    """Two records of one grader file differ: local header, central directory, data descriptor, or the data itself."""

    code = "archive.headers-disagree"
    kind = Kind.REFUSED
    advice = _DO_NOT_TRUST


class EncryptedMember(OpvalueError):
    """A grader file is encrypted."""

    code = "archive.encrypted"
    kind = Kind.REFUSED
    advice = _DO_NOT_TRUST


class MethodUnsupported(OpvalueError):
    """A grader file is packed by another method than store or deflate."""

    code = "archive.method"
    kind = Kind.REFUSED
    advice = "Pack the files with deflate, as GitHub does, or give the extracted folder."


class MemberBomb(OpvalueError):
    """A grader file unpacks to more than the allowed multiple of its packed size (ZP-04)."""

    code = "archive.bomb"
    kind = Kind.REFUSED
    advice = _DO_NOT_TRUST


class MemberCorrupt(OpvalueError):
    """A grader file's packed data cannot be unpacked, or has another checksum than recorded."""

    code = "archive.corrupt-member"
    kind = Kind.ARTIFACT
    advice = _FETCH_AGAIN


class FileIsLink(OpvalueError):
    """A grader file, or a folder it lies in, is a symbolic link (reference 2.2, step 5)."""

    code = "archive.symbolic-link"
    kind = Kind.REFUSED
    advice = "Give the artifact as GitHub serves it, with regular files."


class FileNotRegular(OpvalueError):
    """A grader file is a folder or a special file, or a folder it lies in is a file (reference 2.2, step 5)."""

    code = "archive.not-regular"
    kind = Kind.REFUSED
    advice = "Give the artifact as GitHub serves it, with regular files."


# The grader files


class NoGraderData(OpvalueError):
    """The artifact holds no grader file in any known place (reference 2.2, step 7)."""

    code = "archive.no-grader-data"
    kind = Kind.NOTHING
    advice = (
        "Give the run's artifact named agent, or ending in -agent, or the folder it was unpacked to, "
        "not one inside it. A run without graders cannot be regraded."
    )


class TwoLayouts(OpvalueError):
    """Grader files lie in two of the known places at once, so nobody can say which ones count."""

    code = "archive.two-layouts"
    kind = Kind.REFUSED
    advice = "Give one artifact, not several merged into one folder."


class TwoGenerations(OpvalueError):
    """The evaluators of both generations lie side by side."""

    code = "archive.two-generations"
    kind = Kind.REFUSED
    advice = _DO_NOT_TRUST


class ResultsMissing(OpvalueError):
    """Other grader files are there but ``grader_results.json`` is not (reference 2.2, step 4)."""

    code = "archive.results-missing"
    kind = Kind.ARTIFACT
    advice = "Download the whole artifact. If the run never wrote its results, it cannot be regraded."


class ResultsTooLarge(OpvalueError):
    """``grader_results.json`` is over the limit (reference 1.6)."""

    code = "archive.results-too-large"
    kind = Kind.ARTIFACT
    advice = "A file of this size was not written by a grader run. Fetch the artifact again."


class EvaluatorAbsent(OpvalueError):
    """The archived evaluator is not there: it was not enabled, not frozen, or was removed (reference 2.2, step 5)."""

    code = "archive.evaluator-absent"
    kind = Kind.REFUSED
    advice = "Only a run that archived its operational-value evaluator can be regraded. Choose another run."


class EvaluatorTooLarge(OpvalueError):
    """The archived evaluator is over the limit (reference 1.6)."""

    code = "archive.evaluator-too-large"
    kind = Kind.REFUSED
    advice = "No run could have frozen an evaluator of this size. Fetch the artifact again."


class EvaluatorNotUtf8(OpvalueError):
    """The archived evaluator is not UTF-8 text (reference 2.2, step 5)."""

    code = "archive.evaluator-not-utf8"
    kind = Kind.REFUSED
    advice = "No run could have frozen such an evaluator. Fetch the artifact again."


class EvaluatorNoShebang(OpvalueError):
    """The archived evaluator does not begin with one of the two Bash shebang lines (reference 2.2, step 5)."""

    code = "archive.evaluator-no-shebang"
    kind = Kind.REFUSED
    advice = "No run could have frozen such an evaluator. Fetch the artifact again, without converting line endings."


class ManifestMissing(OpvalueError):
    """Other grader files are there but ``grader_manifest.json`` is not (reference 2.2, step 6)."""

    code = "archive.manifest-missing"
    kind = Kind.ARTIFACT
    advice = "Download the whole artifact. Without its manifest a run cannot be regraded."


class ManifestTooLarge(OpvalueError):
    """``grader_manifest.json`` is over the limit (reference 1.6)."""

    code = "archive.manifest-too-large"
    kind = Kind.ARTIFACT
    advice = "A file of this size was not written by a compiler. Fetch the artifact again."


# The session of a usage artifact


class SessionAbsent(OpvalueError):
    """The artifact holds no recorded session, ``aw_session.jsonl``."""

    code = "archive.session-absent"
    kind = Kind.NOTHING
    advice = "Only a run that recorded its session can be graded. Choose another run."


class TwoSessions(OpvalueError):
    """The artifact holds a session in both of the known places, so nobody can say which one counts."""

    code = "archive.two-sessions"
    kind = Kind.REFUSED
    advice = "Download the artifact by hand and give the right file."


class SessionTooLarge(OpvalueError):
    """The session unpacks to more than the limit."""

    code = "archive.session-too-large"
    kind = Kind.ARTIFACT
    advice = "Download the artifact by hand and give the file: a file of your own is read whatever its size."


# What they record


class OneShotEvaluator(OpvalueError):
    """The run's evaluator was a one-shot one: it returned metrics when the run ended and has no later evidence time."""

    code = "archive.one-shot-evaluator"
    kind = Kind.NOTHING
    advice = "Its metrics in grader_results.json are final: read them there. Only schema-4 evaluators can be regraded."


class SessionContract(OpvalueError):
    """The run's graders follow the Graders Specification 0.5.0 (records of version 2, or ``usage/graders``)."""

    code = "archive.session-contract"
    kind = Kind.NOTHING
    advice = (
        "Its graders read the recorded session, so their results do not change with later evidence: replay that "
        "session instead. Only schema-4 evaluators can be regraded."
    )


class DuplicateGraders(OpvalueError):
    """The manifest lists the operational-value grader twice (reference 2.2, step 7)."""

    code = "archive.duplicate-graders"
    kind = Kind.REFUSED
    advice = _DO_NOT_TRUST


class DuplicateResults(OpvalueError):
    """The results hold the operational-value grader twice (reference 2.2, step 7)."""

    code = "archive.duplicate-results"
    kind = Kind.REFUSED
    advice = _DO_NOT_TRUST


class GraderAbsent(OpvalueError):
    """The manifest does not list the operational-value grader (reference 2.2, step 7)."""

    code = "archive.grader-absent"
    kind = Kind.NOTHING
    advice = _NOTHING


class GraderDisabled(OpvalueError):
    """The manifest lists the operational-value grader as disabled (reference 2.2, step 7)."""

    code = "archive.grader-disabled"
    kind = Kind.NOTHING
    advice = _NOTHING


class GraderWrongSource(OpvalueError):
    """The manifest's grader bears the name of the operational-value grader but is of another source (step 7)."""

    code = "archive.grader-wrong-source"
    kind = Kind.NOTHING
    advice = _NOTHING


class ResultAbsent(OpvalueError):
    """The results hold no entry for the operational-value grader (reference 2.2, step 7)."""

    code = "archive.result-absent"
    kind = Kind.NOTHING
    advice = _NOTHING


class OriginalRunFailed(OpvalueError):
    """The grader ended with an error in the original run, so no observation, and no case, was recorded."""

    code = "archive.original-run-failed"
    kind = Kind.NOTHING
    advice = "Without the recorded case there is nothing to replay. Choose a run whose grader succeeded."


class NoObservation(OpvalueError):
    """The operational-value result carries no observation (reference 2.2, step 7)."""

    code = "archive.no-observation"
    kind = Kind.NOTHING
    advice = _NOTHING
