"""The run that made-up answers are about, and how its time is divided. Pure."""

import hashlib
from collections.abc import Sequence
from typing import Final, NamedTuple, TypeVar

from opvalue.identity import Instant
from verifier.simulated.hints import Hints

DAY: Final = 86_400_000
HOUR: Final = 3_600_000
ISSUE: Final = 42
"""The issue that the made-up event is about."""
PULL: Final = 43
"""The pull request that the made-up event is about, which closes the issue."""

T = TypeVar("T")


class Setting(NamedTuple):
    """One run."""

    repository: str
    """``OWNER/NAME``."""
    workflow: str
    """The display name."""
    workflow_id: str
    """The workflow file's name without its suffix."""
    run_id: str
    sha: str
    created: Instant
    matures: Instant
    hints: Hints
    goes_on: bool = False
    """Whether after maturity what had ended begins again, and what had not ends."""

    @property
    def middle(self) -> Instant:
        """Half-way between creation and maturity, with milliseconds."""
        half = (self.matures.milliseconds - self.created.milliseconds) // 2
        return Instant(self.created.milliseconds + half // 1000 * 1000 + 250)

    @property
    def run_url(self) -> str:
        """The run's page."""
        return f"https://github.com/{self.repository}/actions/runs/{self.run_id}"

    def time(self, phase: str, share: float) -> str:
        """Return a time within a phase: ``before``, ``early``, ``late`` or ``after``."""
        created, middle, matures = (one.milliseconds for one in (self.created, self.middle, self.matures))
        start, end = {
            "before": (created - 20 * DAY, created - HOUR),
            "early": (created, middle),
            "late": (middle, matures),
            "after": (matures + 2 * DAY, matures + 20 * DAY),
        }[phase]
        inside = start + (end - start) * (0.1 + 0.8 * share)
        return str(Instant(int(inside) // 1000 * 1000)).replace(".000Z", "Z")


class Draw:
    """Choices that depend on a seed and on what they are for, and on nothing else."""

    def __init__(self, seed: int, *what: object) -> None:
        self._bits = int.from_bytes(hashlib.sha256(repr((seed, what)).encode()).digest())

    @property
    def share(self) -> float:
        """A number in [0, 1)."""
        return self.below(10_000) / 10_000

    def below(self, most: int) -> int:
        """Return a whole number below ``most``."""
        return self._bits % most

    def among(self, choices: Sequence[T]) -> T:
        """Return one of some choices."""
        return choices[self.below(len(choices))]

    def hex(self, digits: int) -> str:
        """Return hexadecimal digits."""
        return f"{self._bits:064x}"[:digits]
