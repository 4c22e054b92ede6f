"""The rules for one grading's evidence, the same whether answers are live or recorded (DESIGN 5).

Each request goes through these steps; where one raises, the failure sticks and nothing more is asked:

1. It is one read at the run's host (``policy``, ``scope.check_read``).
2. It is one of at most so many.
3. Whose evidence it is: declared, undeclared or unattributed. Only what is declared is asked for with the credential.
4. The source's answer, kept. One request has one answer.
5. What the answer is worth; an absence is proven by asking for the repositories it lies in, which is kept as well.
6. Which page comes next.
"""

from threading import Lock
from typing import Final

from opvalue.errors import OpvalueError
from opvalue.evidence.broker.errors import AbsenceUnproven, BrokenPages, OutsideScope
from opvalue.evidence.broker.ledger import Failure, Ledger
from opvalue.evidence.broker.pages import Pages
from opvalue.evidence.broker.policy import Received, command_in, note_in, printed_in, request_in
from opvalue.evidence.broker.source import Source
from opvalue.evidence.broker.verdict import Worth, shows_repository, worth
from opvalue.evidence.exchange import ANYTHING, Answer, Exchange, Request
from opvalue.evidence.scope import Attribution, Scope, Standing
from opvalue.identity import Host

ALL_OF_AN_OWNER: Final = "/*"
"""How the name ends that stands for all of an owner's repositories."""


class Grading:
    """One grading's evidence. Thread-safe."""

    def __init__(self, source: Source, scope: Scope, ledger: Ledger, *, host: Host, enforce: bool) -> None:
        self._source = source
        self._scope = scope
        self._ledger = ledger
        self._host = host
        self._enforce = enforce
        self._pages = Pages(host)
        self._lock = Lock()

    def answer(self, received: Received) -> Answer | Failure | None:
        """Return the answer to a request, ``None`` to a note of the stand-in, or why there is no answer."""
        described = received.head.target[:200]
        try:
            note = note_in(received)
            if note is not None:
                self._ledger.fail(note, "")
                return None
            finished = printed_in(received)
            if finished is not None:
                self._ledger.finish(finished)
                return None
            if self._ledger.has_failed:
                return self._ledger.failures[0]
            request = request_in(received, self._host)
            described = request.described()
            command = command_in(received)
            if command is not None:
                self._ledger.begin(command)
            return self._exchange(request).answer
        except OpvalueError as error:
            return self._ledger.fail(error, described)

    def _exchange(self, request: Request) -> Exchange:
        from opvalue.evidence.scope import attribute, check_read  # noqa: PLC0415 - some evaluators ask for nothing

        check_read(request)
        self._ledger.count()
        attribution = attribute(request)
        declared = self._is_declared(request, attribution)
        exchange = self._ask(request, declared=declared)
        self._judge(exchange, attribution, declared=declared)
        with self._lock:
            self._pages.follow(exchange, declared=declared)
        return exchange

    def _is_declared(self, request: Request, attribution: Attribution) -> bool:
        standing = self._scope.judge(attribution)
        with self._lock:
            if standing is Standing.DECLARED or self._pages.is_declared(request):
                return True
        names = self._scope.undeclared(attribution)
        self._ledger.note_undeclared(names)
        if self._enforce:
            raise OutsideScope(
                "what is asked for is not declared", expected="evidence.repositories", found=", ".join(sorted(names))
            )
        return False

    def _ask(self, request: Request, *, declared: bool) -> Exchange:
        found = self._ledger.found(request)
        if found is not None:
            return found
        with self._ledger.waiting():
            exchange = self._source.exchange(request, authorised=declared)
        return self._ledger.keep(exchange)

    def _judge(self, exchange: Exchange, attribution: Attribution, *, declared: bool) -> None:
        request, answer = exchange.request, exchange.answer
        if worth(request, answer) is Worth.ANSWER:
            return
        with self._lock:
            if self._pages.is_page(request):
                raise BrokenPages("a page that an answer named is not there", found=f"status {answer.status}")
        if attribution.unattributed or any(name.endswith(ALL_OF_AN_OWNER) for name in attribution.repositories):
            raise _unproven(answer, "it is not of certain repositories that could be asked for")
        for name in attribution.repositories:
            self._prove_readable(name, request, answer, declared=declared)

    def _prove_readable(self, name: str, request: Request, answer: Answer, *, declared: bool) -> None:
        witness = Request("GET", repository_path(name), "", ANYTHING, "", b"")
        if request.path.lower() == witness.path:
            raise _unproven(answer, f"the repository {name} itself is not shown")
        if not shows_repository(self._ask(witness, declared=declared).answer):
            raise _unproven(answer, f"the repository {name} cannot be read")


def repository_path(name: str) -> str:
    """Return the path of a repository that is named ``owner/name`` or ``#ID``."""
    return f"/repositories/{name[1:]}" if name.startswith("#") else f"/repos/{name}"


def _unproven(answer: Answer, why: str) -> AbsenceUnproven:
    return AbsenceUnproven(f"an absence that may be a denial: {why}", found=f"status {answer.status}")
