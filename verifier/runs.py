"""Everything of a script that is executed: each run made once, shared by all rules, counted.

The script runs as in a regrade: privately laid out, in an empty folder, within limits, in the sandbox where it works,
two runs at a time. Its evidence is made up (``verifier.simulated``) or out of the author's cases. What goes wrong with
it is a value here, for the rules to judge; what goes wrong with this machine is raised.

A script that hangs is not asked to grade again: what is not run is ``None``.
"""

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Final

from opvalue.errors import OpvalueError
from opvalue.evaluator import Probe, Runner, Staged, StandIn, interpreter
from opvalue.evidence.broker import Broker, Nothing, Recorded, Source
from opvalue.evidence.bundle import Bundle, read_bundle
from opvalue.evidence.gh import stand_in
from opvalue.evidence.scope import Scope
from opvalue.identity import Instant, RepoPath
from opvalue.limits import Limits
from opvalue.process import TimedOut
from opvalue.strictjson import JsonObject, JsonRefused, dumps_compact, loads
from verifier import plan, samples
from verifier.elsewhere import ENVIRONMENT, working_files
from verifier.graded import Ended, Grade, judged
from verifier.lanes import HOST, Lanes, ended, of_the_script
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


class Runs:
    """The runs of one script. Made by ``open_runs``; not to be used after its block."""

    def __init__(self, subject: Subject, runner: Runner, staged: Staged, stack: ExitStack) -> None:
        self._subject = subject
        self._runner = runner
        self._staged = staged
        self._stack = stack
        self._lock = threading.Lock()
        self._metrics: dict[tuple[bytes, bool], Future[Ended]] = {}
        self._grades: dict[str, Future[Grade | None]] = {}
        self._cases: dict[tuple[str, bool], Future[Grade | None]] = {}
        self._usage: Future[Ended] | None = None
        self._hung = False
        self.scripts_run = 0
        self.grade_runs = 0

    # How it starts

    @cached_property
    def syntax(self) -> OpvalueError | None:
        """Why ``bash -n`` refuses the script, or ``None``."""
        try:
            self._staged.check_syntax()
        except OpvalueError as problem:
            return of_the_script(problem)
        return None

    @cached_property
    def defined(self) -> Ended:
        """How ``--definition`` ended; not run where the syntax is wrong."""
        if self.syntax is not None:
            return Ended(None, self.syntax)
        self._count()
        return ended(self._staged, "--definition", seconds=_LIMITS.definition_seconds)

    @property
    def definition(self) -> bytes | OpvalueError:
        """What ``--definition`` prints, or how it failed."""
        failed = self.defined.failed
        return failed if failed is not None else self.defined.stdout or b""

    @cached_property
    def document(self) -> JsonObject | None:
        """The definition as an object, complete or not; ``None`` where it is none."""
        try:
            found = loads(self.defined.stdout or b"", what="the definition")
        except JsonRefused:
            return None
        return found if isinstance(found, dict) else None

    def begin(self, profile: Profile) -> None:
        """Begin what a profile runs, in the background. Without a definition nothing is."""
        if profile is Profile.QUICK or self.document is None:
            return
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

    # What rules ask for

    def metric(self, evidence: bytes, *, again: bool = False) -> Ended | None:
        """Return how ``--metric`` ended on an evidence object; ``again``: a second time, elsewhere."""
        return None if self.document is None else self._metric(evidence, again=again).result()

    def grade(self, name: str) -> Grade | None:
        """Return a grading of ``verifier.plan``; ``None`` where it was not made."""
        return None if self.document is None else self._grade(name).result()

    def was_begun(self, name: str) -> bool:
        """Tell whether a grading belongs to what was begun."""
        return name in self._grades

    def grades(self, *names: str) -> Iterator[Grade]:
        """Yield those of some gradings that were made."""
        for name in names:
            grade = self.grade(name)
            if grade is not None:
                yield grade

    def case(self, case: Case, *, as_of: bool = False) -> Grade | None:
        """Return the grading of an author's case; ``as_of``: without what came after its cutoff."""
        if self.document is None:
            return None
        for wanted in (False, as_of):
            if (case.name, wanted) not in self._cases:
                job = self._case_job(case, as_of=wanted)
                self._cases[case.name, wanted] = self._lanes.begin(job)
        return self._cases[case.name, as_of].result()

    def made(self) -> Iterator[Ended]:
        """Yield every run that was begun so far, when it has ended."""
        yield self.defined
        if self._usage is not None:
            yield self._usage.result()
        for future in tuple(self._metrics.values()):
            yield future.result()
        for grade in (*self._grades.values(), *self._cases.values()):
            found = grade.result()
            if found is not None:
                yield found.ended

    # How it is done

    @cached_property
    def _known(self) -> Known:
        """What is known before the first grading."""
        return known_before(self._subject, self.document or {})

    @cached_property
    def _lanes(self) -> Lanes:
        repository = self._known.setting.repository
        gh = stand_in(
            host=HOST, repository=repository, python=interpreter().program, jq=self._runner.tools.jq, branch="main"
        )
        return Lanes(self._stack, self._runner, self._subject.path, files_of(self._subject), gh)

    def _inputs(self) -> list[tuple[bytes, bool]]:
        document = self.document or {}
        examples = {name: samples.example(document, name) for name in samples.EXAMPLES}
        found = [(one, False) for one in examples.values()]
        found += [(examples.get(name), True) for name in samples.REPEATED]
        found += [(one, False) for _, one in (*samples.ODD, *samples.twisted(document))]
        found.append((samples.trailing(document), False))
        return [(one, again) for one, again in found if one is not None]

    def _metric(self, evidence: bytes, *, again: bool) -> "Future[Ended]":
        key = (evidence, again)
        if key not in self._metrics:
            self._metrics[key] = self._lanes.begin(lambda lane: self._run_metric(lane, evidence, again=again))
        return self._metrics[key]

    def _run_metric(self, lane: Staged, evidence: bytes, *, again: bool) -> Ended:
        self._count()
        probe = _elsewhere() if again else None
        return ended(lane, "--metric", stdin=evidence, seconds=_LIMITS.definition_seconds, probe=probe)

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
        probe = _elsewhere() if name == plan.ELSEWHERE else None
        source: Source = Simulated(known.setting, plan.seed_of(name))
        if name in {plan.EMPTY, plan.VERIFICATION}:
            source = Empty(known.setting)
        elif name.startswith(plan.AS_OF):
            source = AsOf(source, known.setting.middle)
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
        found = ended(lane, "--grade-run", stdin=stdin, seconds=GRADE_SECONDS, grace=broker.waited, probe=probe)
        if isinstance(found.problem, TimedOut):
            self._hung = True
        return found

    def _case_job(self, case: Case, *, as_of: bool) -> "Callable[[Staged], Grade | None]":
        return lambda lane: self._run_case(lane, case, as_of=as_of)

    def _run_case(self, lane: Staged, case: Case, *, as_of: bool) -> Grade | None:
        bundle: Bundle | None = None if case.bundle is None else read_bundle(case.bundle)
        source: Source = Nothing() if bundle is None else Recorded(bundle)
        if as_of:
            whole = self._cases[case.name, False].result()
            if whole is None or whole.observation is None:
                return None
            source = AsOf(source, whole.observation.evidence_cutoff)
        return self._run(lane, case.name, case.request, source)

    @cached_property
    def _scope(self) -> Scope:
        evidence = (self.document or {}).get("evidence")
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


@contextmanager
def open_runs(subject: Subject, runner: Runner) -> Iterator[Runs]:
    """Lay the script and what it sources out, for its runs within the block."""
    with ExitStack() as stack:
        staged = stack.enter_context(runner.stage(subject.path, files_of(subject), HOST, StandIn()))
        yield Runs(subject, runner, staged, stack)


def files_of(subject: Subject) -> tuple[tuple[RepoPath, bytes], ...]:
    """Return what is laid out."""
    closure = subject.closure
    return ((subject.path, subject.data),) if isinstance(closure, OpvalueError) else closure.files


def _elsewhere() -> Probe:
    return Probe(environment=ENVIRONMENT, working_files=working_files())


def _maturing(known: Known, matures: Instant) -> Known:
    setting = known.setting
    return known if matures <= setting.created else known._replace(setting=setting._replace(matures=matures))
