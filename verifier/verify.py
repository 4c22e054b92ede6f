"""Verify one script: every rule of the profile, the ignores of the repository, the findings in order."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from opvalue.evaluator import Runner
from verifier.registry import rules_of
from verifier.report import Script, Work
from verifier.rule import Contract, Profile
from verifier.runs import open_runs
from verifier.settings import Settings
from verifier.subject import Subject

if TYPE_CHECKING:
    from verifier.findings import Finding


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
    chosen = tuple(rules_of(profile, subject.asked.contract))
    with open_runs(subject, runner) as runs:
        if subject.asked.contract is Contract.SCHEMA_4:
            runs.begin(profile)
        found: list[Finding] = []
        for rule in chosen:
            tell(f"{subject.name}: {rule.title}")
            found += rule.check(subject, runs)
        work = Work(len(chosen), runs.scripts_run, runs.grade_runs)
    kept, ignored = settings.split(found, str(subject.path))
    return Script(
        subject.name,
        str(subject.path),
        tuple(sorted(kept, key=lambda finding: finding.order)),
        tuple(sorted(ignored, key=lambda pair: pair[0].order)),
        work,
    )
