"""Why a grading's evidence is not observed, as far as the broker decides it: one class a cause (DESIGN 5).

Each of them sticks: the whole result is not observed, whatever the script makes of the failure. Causes that lie in a
request's spelling are in ``opvalue.evidence.errors``, those of the network in ``opvalue.http.errors``.
"""

from opvalue.errors import Kind, OpvalueError


class NotObserved(OpvalueError):
    """Base of every cause of this room."""

    kind = Kind.NOT_OBSERVED


class RequestUnclear(NotObserved):
    """What came over the broker's socket is not one plain HTTP/1.1 request."""

    code = "evidence.request-unclear"
    advice = "Ask through the gh that stands first on the evaluator's PATH."


class RequestCut(NotObserved):
    """A request for evidence ended before it was whole: whoever asked was ended, or gave up."""

    code = "evidence.request-cut"
    advice = "Let gh finish; do not end it, nor the script, before it has answered."


class RequestSlow(NotObserved):
    """A request for evidence did not arrive in time."""

    code = "evidence.request-slow"
    advice = "Ask through the gh that stands first on the evaluator's PATH."


class RequestTooLarge(NotObserved):
    """A request for evidence is larger than is read."""

    code = "evidence.request-too-large"
    advice = "Ask for less at a time; the limit is fixed."


class OtherHost(NotObserved):
    """The evaluator asked another host than the one its run is on."""

    code = "evidence.other-host"
    advice = "Evidence comes from the run's own host; do not set GH_HOST or --hostname in the evaluator."


class HeaderRefused(NotObserved):
    """A request for evidence has a header that could change whose answer it gets, or which."""

    code = "evidence.header-refused"
    advice = "Send no header but Accept and X-GitHub-Api-Version."


class OutsideScope(NotObserved):
    """The evaluator asked for what its definition does not declare, and the scope is enforced."""

    code = "evidence.outside-scope"
    advice = "Name the repository in the definition's evidence.repositories, or run without --evidence-scope enforce."


class TooManyExchanges(NotObserved):
    """The evaluator asked for evidence more often than is answered in one grading."""

    code = "evidence.too-many-exchanges"
    advice = "Ask for pages of 100, and for nothing twice; the limit is fixed."


class TooMuchEvidence(NotObserved):
    """All answers of one grading together are larger than is kept."""

    code = "evidence.too-much"
    advice = "Ask for the part that is needed; the limit is fixed."


class WaitedTooLong(NotObserved):
    """GitHub's answers, rate limits included, took longer than one grading may wait for them."""

    code = "evidence.waited-too-long"
    advice = "Run the command again later, when GitHub answers faster or the limit of requests is renewed."


class AbsenceUnproven(NotObserved):
    """GitHub has no such thing (404 and the like) where it is not shown that it would say so if there were one.

    A 404 also stands for what the reader may not see. It is an answer only below a repository that can be read.
    """

    code = "evidence.absence-unproven"
    advice = "Check the address, and that the token can read the repository."


class StatusUnusable(NotObserved):
    """GitHub answered with a status that is neither an answer nor a known failure, such as 202: not ready yet."""

    code = "evidence.status-unusable"
    advice = "Ask again later if the status is 202; else check what is asked for."


class AnswerUnclear(NotObserved):
    """An answer is a web page, a text, or no whole JSON where data was asked for: something in between answered.

    Also an answer of several media types, and one that has content where its status says that it has none.
    """

    code = "evidence.answer-unclear"
    advice = "Check the proxy between here and GitHub, and run the command again."


class QueryFailed(NotObserved):
    """A GraphQL query was answered with errors, or with something that is no GraphQL answer."""

    code = "evidence.query-failed"
    advice = "Run the query by hand; a part of its answer is missing."


class BrokenPages(NotObserved):
    """The pages of an answer do not follow each other to an end: one is missing, leads elsewhere or back."""

    code = "evidence.broken-pages"
    advice = "Run the command again; what is listed may have changed meanwhile."


class AnswerNotTaken(NotObserved):
    """Whoever asked for evidence did not take the whole answer."""

    code = "evidence.answer-not-taken"
    advice = "Let every gh finish, also those in the background, before the script ends."


class CommandUnsupported(NotObserved):
    """The evaluator ran a gh command that the stand-in does not do."""

    code = "evidence.unsupported-command"
    advice = "Ask for evidence by gh api."


class ReplayMiss(NotObserved):
    """The bundle has no answer to what the evaluator asked."""

    code = "evidence.replay-miss"
    advice = "Record the evidence anew; the bundle is of another evaluator, jq or gh profile."


class EvidenceNotOffered(NotObserved):
    """The evaluator asked for evidence where none is offered."""

    code = "evidence.not-offered"
    advice = "Give a recorded bundle with --replay, or run where GitHub can be reached."


class BrokerFailed(NotObserved):
    """The broker could not do its work: a fault of this program or of the machine."""

    code = "evidence.broker-failed"
    advice = "Report this with the command that was run."


class SocketUnusable(OpvalueError):
    """The broker's socket cannot be made where it belongs."""

    code = "evidence.socket"
    kind = Kind.USAGE
    advice = "Point TMPDIR at a folder with a short path that can be written."
