"""What was lost while a session was read, by rule (SE-08, SE-09).

A last line that breaks off is dropped and reported: a writer was killed. Blank lines may follow it. Any other line that
is no event is an error with its number, or, if so wanted, counted.
"""

from collections.abc import Iterable
from typing import Final

from opvalue.limits import Limits
from opvalue.session.batch import Bad
from opvalue.session.errors import ArrayMalformed, LineMalformed, LineTooLong, NotAnEvent, SessionRefused

_CAUSES: Final[dict[str, type[SessionRefused]]] = {
    cause.code: cause for cause in (LineMalformed, NotAnEvent, LineTooLong, ArrayMalformed)
}


class Losses:
    """What was lost; filled while reading, to be looked at when it is done."""

    def __init__(self, *, kept: int = Limits().session_losses) -> None:
        self.torn: int | None = None
        """The number of the last line, where it broke off and was dropped."""
        self.malformed = 0
        """Lines that were passed over because they are no events."""
        self.first: list[int] = []
        """The numbers of the first few of those."""
        self._kept: Final = kept

    def add(self, line: int) -> None:
        """Count a line that was passed over."""
        self.malformed += 1
        if len(self.first) < self._kept:
            self.first.append(line)


class Ledger:
    """Applies the rule, stretch by stretch."""

    def __init__(self, losses: Losses, *, skip_malformed: bool, unit: str, may_be_torn: bool) -> None:
        self._losses: Final = losses
        self._skip: Final = skip_malformed
        self._unit: Final = unit
        self._may_be_torn: Final = may_be_torn
        self._lines = 0
        self._cut: Bad | None = None

    def take(self, lines: int, last: int, bad: Iterable[Bad]) -> None:
        """Take a stretch of ``lines``, of which ``last`` is the last that is not blank, 0 for none.

        Raises the refusal of the first line that is no event, unless such lines are passed over.
        """
        if self._cut is not None and last:
            self._settle(self._cut)
            self._cut = None
        for one in bad:
            known = one._replace(line=self._lines + one.line)
            if one.cut and one.line == last and self._may_be_torn:
                self._cut = known
            else:
                self._settle(known)
        self._lines += lines

    def finish(self) -> None:
        """Note that nothing follows."""
        if self._cut is not None:
            self._losses.torn = self._cut.line

    def _settle(self, bad: Bad) -> None:
        if self._skip:
            self._losses.add(bad.line)
            return
        raise _CAUSES[bad.cause](
            f"{self._unit} {bad.line} of the session: {bad.reason}",
            expected="one event",
            found=f"{self._unit} {bad.line}",
        )
