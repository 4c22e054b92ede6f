"""Reports with findings of every sort, and with texts that try to be more than texts."""

from typing import Final

from verifier.findings import Confidence, Finding, Severity
from verifier.report import Report, Script, Work
from verifier.rule import Contract, Profile
from verifier.settings import Ignore

PATH: Final = "../checkout/.github/graders/score.sh"
REPOSITORY_PATH: Final = ".github/graders/score.sh"
NASTY: Final = "a\r\n::error file=x::b%0A \x1b[31m | <img src=x> [c](http://d) \u202e`e` @f"
ERROR: Final = Finding(
    "static-swallowed-failure",
    Severity.ERROR,
    PATH,
    "a failure of gh is taken for a number",
    "Let it fail",
    7,
    8,
    '  x="$(gh api a || echo 0)"',
)
WARNING: Final = Finding("static-bash32", Severity.WARNING, "lib/run, time.sh", "too: new", "Use tr", 2, 1, "y=${x,,}")
NOTE: Final = Finding(
    "unreached-lines", Severity.NOTE, PATH, "never run", "Add a case", confidence=Confidence.LOW, line=None
)
IGNORED: Final = Finding(
    "static-current-state", Severity.WARNING, PATH, "today's state", "Read events", 9, 3, "  state"
)
HOSTILE: Final = Finding("static-writes", Severity.ERROR, PATH, NASTY, NASTY, 3, 4, NASTY)


def script(*findings: Finding, path: str = PATH, ignored: bool = False) -> Script:
    """Return a script with these findings."""
    ignore = Ignore("static-current-state", "compared with the history below", None)
    work = Work(17, 3, 2)
    return Script(path, REPOSITORY_PATH, findings, ((IGNORED, ignore),) if ignored else (), work)


def report(*scripts: Script) -> Report:
    """Return a report of these scripts."""
    return Report(Profile.DEFAULT, Contract.SCHEMA_4, scripts)


EVERY: Final = report(script(ERROR, WARNING, NOTE, ignored=True), script(path="other.sh"))
