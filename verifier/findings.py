"""What a rule has to say: one finding, one place, one thing to do. Pure values."""

import enum
from collections.abc import Iterable
from typing import NamedTuple


class Severity(enum.Enum):
    """How bad it is. The order is that of the output, worst first."""

    ERROR = "error"
    """Regrading would be wrong or impossible."""
    WARNING = "warning"
    """It works here and now, and will not somewhere or some day."""
    NOTE = "note"
    """Worth a look; nothing fails for it."""


class Confidence(enum.Enum):
    """How sure the rule is. What it is not sure of is a note."""

    HIGH = "high"
    LOW = "low"


class Finding(NamedTuple):
    """One fault, seen at one place."""

    rule: str
    """The stable id of the rule that found it."""
    severity: Severity
    path: str
    """The file as the caller named it, or a file of its closure by its path in the repository."""
    message: str
    """What is wrong, in one sentence without a full stop."""
    advice: str
    """What to do."""
    line: int | None = None
    """Counted from 1; ``None`` where no line is to blame."""
    column: int | None = None
    """Counted from 1 in characters."""
    excerpt: str | None = None
    """The line's text, as far as it helps."""
    confidence: Confidence = Confidence.HIGH

    @property
    def order(self) -> tuple[int, str, int, int, str, str]:
        """The key that findings are sorted by: severity, then place, then rule."""
        return (
            list(Severity).index(self.severity),
            self.path,
            self.line or 0,
            self.column or 0,
            self.rule,
            self.message,
        )


class Counts(NamedTuple):
    """How many of each severity."""

    errors: int
    warnings: int
    notes: int

    @classmethod
    def of(cls, findings: Iterable[Finding]) -> "Counts":
        """Count the findings."""
        severities = [finding.severity for finding in findings]
        return cls(*(severities.count(severity) for severity in Severity))

    def failed(self, *, strict: bool) -> bool:
        """Tell whether verification fails: for an error; when strict, for a warning as well."""
        return self.errors > 0 or (strict and self.warnings > 0)

    def described(self) -> str:
        """Return the counts in words, such as ``2 errors, 1 warning``."""
        named = zip(self, ("error", "warning", "note"), strict=True)
        told = [f"{count} {word}{'' if count == 1 else 's'}" for count, word in named if count]
        return ", ".join(told) or "no findings"
