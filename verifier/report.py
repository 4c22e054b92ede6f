"""What one verification came to, whatever form it is shown in. Pure values."""

from typing import NamedTuple

from verifier.findings import Counts, Finding
from verifier.rule import Contract, Profile
from verifier.settings import Ignore


class Work(NamedTuple):
    """What was done, for the reader who asks what the verdict rests on."""

    rules: int
    scripts_run: int
    """Times the script was started, in all its modes."""
    grade_runs: int
    """How many of them graded."""


class Script(NamedTuple):
    """One verified script."""

    path: str
    """As the caller named it."""
    repository_path: str
    """From the repository's root, as code scanning and annotations name files."""
    findings: tuple[Finding, ...]
    """In the order of the output."""
    ignored: tuple[tuple[Finding, Ignore], ...]
    work: Work

    def place(self, finding: Finding) -> str:
        """Return a finding's file from the repository's root."""
        return self.repository_path if finding.path == self.path else finding.path


class Report(NamedTuple):
    """All scripts of one call."""

    profile: Profile
    contract: Contract
    scripts: tuple[Script, ...]

    @property
    def counts(self) -> Counts:
        """The findings that count, over all scripts."""
        return Counts.of(finding for script in self.scripts for finding in script.findings)
