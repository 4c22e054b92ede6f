"""The good evaluator with small edits, run for the rules."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from opvalue.evaluator import Runner
from opvalue.strictjson import JsonObject
from tests.verifier.scripts import subject_of
from verifier.findings import Finding
from verifier.registry import rule
from verifier.rule import Profile
from verifier.runs import Runs, open_runs
from verifier.subject import Asked, Case, Subject

GOOD: Final = Path(__file__).with_name("material").joinpath("good.sh").read_text(encoding="utf-8")
RUNNER: Final = Runner(sandboxed=False)
SANDBOXED: Final = Runner()

Edit = tuple[str, str]


def edited(*edits: Edit) -> str:
    """Return the good evaluator with texts replaced that occur once."""
    text = GOOD
    for old, new in edits:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def subject(text: str, *, cases: tuple[Case, ...] = (), config: JsonObject | None = None) -> Subject:
    """Return a script as a subject."""
    made = subject_of(text)
    made.asked = Asked(config=config or {}, cases=cases)
    return made


@contextmanager
def running(text: str, *, profile: Profile | None = None, runner: Runner = RUNNER) -> Iterator[tuple[Subject, Runs]]:
    """Lay a script out; with ``profile`` begin what it runs, else only what is asked for is run."""
    made = subject(text)
    with open_runs(made, runner) as runs:
        if profile is not None:
            runs.begin(profile)
        yield made, runs


def found(rule_id: str, *edits: Edit, profile: Profile | None = None, runner: Runner = RUNNER) -> list[str]:
    """Return what one rule finds in the good evaluator with these edits: severity and message of each finding."""
    with running(edited(*edits), profile=profile, runner=runner) as (made, runs):
        return [told(one) for one in rule(rule_id).check(made, runs)]


def told(finding: Finding) -> str:
    """Return severity and message."""
    return f"{finding.severity.value}: {finding.message}"
