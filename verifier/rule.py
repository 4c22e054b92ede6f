"""What a rule is: an id, the profiles it belongs to, an explanation, and a check. Pure."""

import enum
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final, NamedTuple

from verifier.findings import Confidence, Finding, Severity

if TYPE_CHECKING:
    from verifier.runs import Runs
    from verifier.subject import Subject

DOCUMENTATION: Final = "https://github.com/opvalue/opvalue/blob/main/docs/rules.md"
"""Where each rule has its heading."""


class Profile(enum.IntEnum):
    """How much is done: each profile has the rules of the ones before it."""

    QUICK = 0
    """Reads the script, and asks it for its definition. Under a second."""
    DEFAULT = 1
    """Also runs it: the gradings that ``plan.DEFAULT`` names."""
    THOROUGH = 2
    """Every check there is."""


class Contract(enum.Enum):
    """The contract a script is checked against (DESIGN 1)."""

    SCHEMA_4 = "schema-4"
    SESSION = "session"


EVERY_CONTRACT: Final = frozenset(Contract)
"""For rules that hold whatever a script speaks."""

Check = Callable[["Subject", "Runs"], Iterable[Finding]]


class Rule(NamedTuple):
    """One rule. Its module's docstring is its explanation: what is wrong, why it matters, what to do instead."""

    id: str
    title: str
    """In a few words, what must hold."""
    profile: Profile
    """The first profile that has it."""
    severity: Severity
    """The worst it says."""
    explanation: str
    check: Check
    contracts: frozenset[Contract] = frozenset({Contract.SCHEMA_4})

    @property
    def link(self) -> str:
        """Where it is explained."""
        return f"{DOCUMENTATION}#{self.id}"

    def finds(
        self,
        subject: "Subject",
        message: str,
        advice: str,
        *,
        at: tuple[str, int, int] | None = None,
        severity: Severity | None = None,
        confidence: Confidence = Confidence.HIGH,
    ) -> Finding:
        """Return a finding of this rule. ``at`` is path, line and column; without it, the script as a whole.

        With low confidence it is a note, whatever ``severity`` says.
        """
        path, line, column = at or (subject.name, None, None)
        said = severity or self.severity
        return Finding(
            self.id,
            Severity.NOTE if confidence is Confidence.LOW else said,
            path,
            message,
            advice,
            line,
            column,
            None if line is None else subject.line(path, line),
            confidence,
        )
