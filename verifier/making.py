"""Make the runs that are more than quick: metrics, gradings, cases, two at a time, each once.

Evidence is made up (``verifier.simulated``) or out of the author's cases. A script that hangs is not asked again: what
is not run is ``None``.
"""

import threading
from collections.abc import Iterator
from contextlib import ExitStack
from functools import cached_property
from typing import TYPE_CHECKING, Final

from opvalue.errors import OpvalueError
from opvalue.evaluator import Probe, Runner, Staged, interpreter
from opvalue.evidence.broker import Broker, Nothing, Recorded, Source
from opvalue.evidence.bundle import Bundle, read_bundle
from opvalue.evidence.exchange import Exchange
from opvalue.evidence.gh import stand_in
from opvalue.evidence.scope import Scope
from opvalue.identity import Instant, RepoPath
from opvalue.limits import Limits
from opvalue.process import TimedOut
from opvalue.strictjson import JsonObject, dumps_compact
from verifier import plan, samples
from verifier.elsewhere import environment, working_files
from verifier.ended import HOST, Ended, ended
from verifier.errors import CaseRefused
from verifier.graded import Grade, judged
from verifier.lanes import Lanes
from verifier.plan import Known, request_for
from verifier.rule import Profile
from verifier.setup import known_before
from verifier.simulated import AsOf, Empty, Failing, PlainBroker, Simulated
from verifier.subject import Case, Subject

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

_LIMITS: Final = Limits()
GRADE_SECONDS: Final = 30.0
"""For one grading. Made-up evidence comes at once; a regrade allows 120 s."""
_SOCKET: Final = "socket"


class Making:
    """The runs of a script with a definition. Its lanes end with ``stack``."""

    def __init__(
        self,
        subject: Subject,
        document: JsonObject,
        runner: Runner,
        files: tuple[tuple[RepoPath, bytes], ...],
        stack: ExitStack,
    ) -> None:
        self._document = document
        self._known = known_before(subject, document)
        gh = stand_in(
            host=HOST,
            repository=self._known.setting.repository,
            python=interpreter().program,
            jq=runner.tools.jq,
            branch="main",
        )
        self._lanes = Lanes(stack, runner, subject.path, files, gh)
        self._lock = threading.Lock()
        self._metrics: dict[tuple[bytes, bool], Future[Ended | None]] = {}
        self._grades: dict[str, Future[Grade | None]] = {}
        self._cases: dict[tuple[str, bool], Future[Grade | None]] = {}
        self._usage: Future[Ended] | None = None
        self._hung = False
        self.scripts_run = 0
        self.grade_runs = 0

    def begin(self, profile: Profile) -> None:
        """Begin what a profile runs, in the background."""
        self._grade(plan.EMPTY)
        inputs = self._inputs()
        for evidence, again in inputs[: len(inputs) // 2]:
            self._metric(evidence, again=again)
        self._grade(plan.FIRST)
        for evidence, again in inputs[len(inputs) // 2 :]:
            self._metric(evidence, again=again)
        self._usage = self._lanes.begin(self._run_usage)
        for name in (*plan.DEFAULT, *(plan.THOROUGH if profile is Profile.THOROUGH else ())):
            self._grade(name)

    def metric(self, evidence: bytes, *, again: bool) -> Ended | None:
        """Return how ``--metric`` ended on an evidence object; ``again``: a second time, elsewhere."""
        return self._metric(evidence, again=again).result()

    def grade(self, name: str) -> Grade | None:
        """Return a grading of ``verifier.plan``."""
        return self._grade(name).result()

    def was_begun(self, name: str) -> bool:
        """Tell whether a grading belongs to what was begun."""
        return name in self._grades

    def case(self, case: Case, *, as_of: bool) -> Grade | None:
        """Return the grading of an author's case; ``as_of``: without what came after its cutoff."""
        for wanted in (False, as_of):
            if (case.name, wanted) not in self._cases:
                job = self._case_job(case, as_of=wanted)
                self._cases[case.name, wanted] = self._lanes.begin(job)
        return self._cases[case.name, as_of].result()

    def made(self) -> Iterator[Ended]:
        """Yield every run that was begun so far, when it has ended."""
        runs = [] if self._usage is None else [self._usage.result()]
        yield from runs
        for metric in self._metrics.values():
            run = metric.result()
            if run is not None:
                yield run
        for grade in (*self._grades.values(), *self._cases.values()):
            found = grade.result()
            if found is not None:
                yield found.ended

    # How it is done

    def _inputs(self) -> list[tuple[bytes, bool]]:
        document = self._document
        examples = {name: samples.example(document, name) for name in samples.EXAMPLES}
        found = [(one, False) for one in examples.values()]
        found += [(examples.get(name), True) for name in samples.REPEATED]
        found += [(one, False) for _, one in (*samples.ODD, *samples.twisted(document))]
        found.append((samples.trailing(document), False))
        return [(one, again) for one, again in found if one is not None]

    def _metric(self, evidence: bytes, *, again: bool) -> "Future[Ended | None]":
        key = (evidence, again)
        if key not in self._metrics:
            self._metrics[key] = self._lanes.begin(lambda lane: self._run_metric(lane, evidence, again=again))
        return self._metrics[key]

    def _run_metric(self, lane: Staged, evidence: bytes, *, again: bool) -> Ended | None:
        if self._hung:
            return None
        self._count()
        probe = _elsewhere(self._known) if again else None
        return self._noted(ended(lane, "--metric", stdin=evidence, seconds=_LIMITS.definition_seconds, probe=probe))

    def _run_usage(self, lane: Staged) -> Ended:
        """Run a mode that there is not, to see where that leads."""
        self._count()
        return ended(lane, "--help", seconds=_LIMITS.definition_seconds)

    def _grade(self, name: str) -> "Future[Grade | None]":
        if name not in self._grades:
            for earlier in _EARLIER.get(name, (plan.EMPTY, plan.FIRST)):
                self._grade(earlier)
            self._grades[name] = self._lanes.begin(lambda lane: self._run_grade(lane, name))
        return self._grades[name]

    def _run_grade(self, lane: Staged, name: str) -> Grade | None:
        known = self._known_for(name)
        request = request_for(name, known)
        probe = _elsewhere(known) if name in {plan.ELSEWHERE, plan.FIRST_ELSEWHERE} else None
        cutoff = known.setting.middle if name.startswith(plan.AS_OF) else None
        setting = known.setting._replace(goes_on=name in plan.GOES_ON)
        source: Source = Simulated(setting, plan.seed_of(name), cutoff)
        if name in {plan.EMPTY, plan.VERIFICATION, plan.NOTHING_AGAIN}:
            source = Empty(known.setting)
        elif name in plan.FAILING:
            failing = Failing(source, known.setting, plan.FAILING[name])
            return self._run_plainly(lane, name, request, failing)
        return self._run(lane, name, request, source, probe)

    def _known_for(self, name: str) -> Known:
        """Return what is known when a run is made: its maturity, and the case that was returned."""
        known = self._known
        empty = self._done(plan.EMPTY) if name != plan.EMPTY else None
        if empty is not None and empty.observation is not None:
            known = _maturing(known, empty.observation.matures_at)
        if name in _EARLIER or name.startswith((plan.FIRST, plan.AS_OF)):
            return known
        if name == plan.NOTHING_AGAIN:
            seen = None if empty is None else empty.observation
            return known if seen is None else known._replace(case=seen.case)
        first = self._done(plan.FIRST)
        if first is not None and first.observation is not None:
            known = known._replace(case=first.observation.case)
            known = _maturing(known, max(known.setting.matures, first.observation.matures_at))
        return known

    def _done(self, name: str) -> Grade | None:
        return self._grades[name].result()

    def _run(
        self, lane: Staged, name: str, request: JsonObject, source: Source, probe: Probe | None = None
    ) -> Grade | None:
        """Grade with evidence as in a regrade."""
        if self._hung:
            return None
        broker = Broker(source, self._scope, host=HOST)
        with broker.listen(lane.broker_folder / _SOCKET):
            found = self._graded(lane, request, broker, probe)
        return judged(
            Grade(
                name,
                request,
                found,
                len(broker.exchanges),
                failures=broker.failures,
                undeclared=broker.undeclared,
                unnamed=next((path for path in map(_path, broker.exchanges) if "null" in path.split("/")), None),
            )
        )

    def _run_plainly(self, lane: Staged, name: str, request: JsonObject, source: Failing) -> Grade | None:
        """Grade with evidence that fails, as a real ``gh`` hands it on."""
        if self._hung:
            return None
        broker = PlainBroker(source, host=HOST, limits=_LIMITS)
        with broker.listen(lane.broker_folder / _SOCKET):
            found = self._graded(lane, request, broker, None)
        return judged(Grade(name, request, found, broker.asked, hit=source.hit))

    def _graded(self, lane: Staged, request: JsonObject, broker: Broker, probe: Probe | None) -> Ended:
        self._count(grades=True)
        stdin = dumps_compact(request).encode()
        return self._noted(
            ended(lane, "--grade-run", stdin=stdin, seconds=GRADE_SECONDS, grace=broker.waited, probe=probe)
        )

    def _noted(self, found: Ended) -> Ended:
        if isinstance(found.problem, TimedOut):
            self._hung = True
        return found

    def _case_job(self, case: Case, *, as_of: bool) -> "Callable[[Staged], Grade | None]":
        return lambda lane: self._run_case(lane, case, as_of=as_of)

    def _run_case(self, lane: Staged, case: Case, *, as_of: bool) -> Grade | None:
        bundle = _bundle_of(case)
        source: Source = Nothing() if bundle is None else Recorded(bundle)
        if as_of:
            whole = self._cases[case.name, False].result()
            if whole is None or whole.observation is None:
                return None
            source = AsOf(source, whole.observation.evidence_cutoff)
        return self._run(lane, case.name, case.request, source)

    @cached_property
    def _scope(self) -> Scope:
        evidence = self._document.get("evidence")
        names = evidence.get("repositories") if isinstance(evidence, dict) else None
        known = [name.lower() for name in names if isinstance(name, str)] if isinstance(names, list) else []
        return Scope(frozenset(known), frozenset())

    def _count(self, *, grades: bool = False) -> None:
        with self._lock:
            self.scripts_run += 1
            self.grade_runs += grades


_EARLIER: Final[dict[str, tuple[str, ...]]] = {
    plan.EMPTY: (),
    plan.FIRST: (plan.EMPTY,),
    plan.VERIFICATION: (plan.EMPTY,),
    plan.SECOND: (plan.EMPTY,),
    plan.AS_OF: (plan.EMPTY,),
}
"""What must have been run before; for all others the first two."""


def _path(exchange: Exchange) -> str:
    return exchange.request.path


def _bundle_of(case: Case) -> Bundle | None:
    try:
        return None if case.bundle is None else read_bundle(case.bundle)
    except OpvalueError as refused:
        raise CaseRefused(f"the evidence of the case {case.name} cannot be read: {refused.message}") from None


def _elsewhere(known: Known) -> Probe:
    return Probe(environment=environment(known.setting.created), working_files=working_files())


def _maturing(known: Known, matures: Instant) -> Known:
    setting = known.setting
    return known if matures <= setting.created else known._replace(setting=setting._replace(matures=matures))
