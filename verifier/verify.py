"""Verify one script: every rule of the profile, the ignores of the repository, the findings in order."""

from collections.abc import Callable

from opvalue.evaluator import Runner
from verifier.beside import beside
from verifier.findings import Finding
from verifier.registry import rules_of
from verifier.report import Script, Work
from verifier.rule import Contract, Profile
from verifier.runs import open_runs
from verifier.settings import Settings
from verifier.subject import Subject


def verify(
    subject: Subject,
    profile: Profile,
    *,
    settings: Settings,
    runner: Runner,
    tell: Callable[[str], object] = lambda _text: None,
) -> Script:
    """Return what was found. ``tell`` hears which rule is being checked.

    A fault of the script is a finding; a fault of this machine, such as a missing program, is raised.
    """
    contract = subject.asked.contract

    def check(*, static: bool) -> tuple[int, list[Finding]]:
        checked = 0
        found: list[Finding] = []
        for rule in rules_of(profile, contract, static=static):
            tell(f"{subject.name}: {rule.title}")
            found += rule.check(subject, runs)
            checked += 1
        return checked, found

    # The text is read while the script runs. What starts processes stays in this thread, which signals reach.
    with open_runs(subject, runner) as runs, beside(lambda: check(static=True)) as reading:
        if contract is Contract.SCHEMA_4:
            runs.begin(profile)
        (count, found), (more, of_the_text) = check(static=False), reading.result()
        work = Work(count + more, runs.scripts_run, runs.grade_runs)
    kept, ignored = settings.split([*of_the_text, *found], str(subject.path))
    return Script(
        subject.name,
        str(subject.path),
        tuple(sorted(kept, key=lambda finding: finding.order)),
        tuple(sorted(ignored, key=lambda pair: pair[0].order)),
        work,
    )
