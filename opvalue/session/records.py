"""What a gateway recorded, tool by tool: a byte a record, and what requests and records tell of each other's outcome.

How records pair with native calls is ``gateway``'s matter. Bounds: past ``TIED`` requests or records that came while
requests were unanswered, they are not told which is whose.
"""

from typing import Final, NamedTuple

from opvalue.session.tools import RPC, TIED, Tool
from opvalue.session.vocabulary import MASKED

OK: Final = 0
FAILED: Final = 1
GONE: Final = 2
"""A native call stands for it."""
Flags = bytearray


class Asked(NamedTuple):
    """One recorded call whose outcome may still come, or whose twin."""

    flags: Flags
    position: int
    rank: str | None
    """That of its source; none where it is timed."""
    seen: "Seen"
    """What it is one of."""

    def fail(self) -> None:
        """Note that it failed, unless it has a twin."""
        if self.flags[self.position] == OK:
            self.flags[self.position] = FAILED

    @property
    def stays(self) -> bool:
        """Whether no native call stands for it."""
        return self.flags[self.position] != GONE

    @property
    def failed(self) -> bool:
        """Whether it is known to have failed."""
        return self.flags[self.position] == FAILED

    def yields_to(self, rank: str | None, *, failed: bool) -> bool:
        """Take in another record of the same call; tell whether that one is to be kept instead.

        Of untimed ones that of the source that sorts first says what was called.
        """
        if rank is None or self.rank is None or self.rank <= rank:
            if failed:
                self.fail()
            return False
        return self.absorb()

    def absorb(self) -> bool:
        """Take it out: a native call stands for it. Return whether it was there."""
        there = self.stays
        self.flags[self.position] = GONE
        return there


class Seen:
    """The records of one server and tool that have no twin yet, in their order: a byte each."""

    __slots__ = ("_flags", "_lately", "candidates", "hides_server", "name", "server", "tools", "waiting")

    def __init__(self, server: str | None, name: str) -> None:
        self.server: Final = server
        self.name: Final = name
        """As spelled."""
        self.hides_server: Final = server is not None and MASKED in server
        """Whether redaction touched the name of the server."""
        self.candidates: tuple[Tool, ...] = ()
        self.tools = -1
        self.waiting = 0
        """Timed requests that have no response so far."""
        self._lately: tuple[list[Asked], list[Asked]] = ([], [])
        """Timed requests since there was none without a response, and records since."""
        self._flags: dict[tuple[int, bool, str], Flags] = {}

    @property
    def hidden(self) -> bool:
        """Whether redaction touched the name of the server or the tool."""
        return self.hides_server or MASKED in self.name

    def add(self, way: int, rank: str | None, flag: int, *, with_id: bool) -> Asked:
        """Keep a record; ``rank`` is that of its source, none where it is timed."""
        flags = self._flags.setdefault((way, with_id, rank or ""), Flags())
        flags.append(flag)
        asked = Asked(flags, len(flags) - 1, rank, self)
        if rank is None:
            self._note(way, asked)
        return asked

    def settle(self) -> None:
        """Let requests and records of one time agree on what failed, where there are as many of each."""
        requests, records = ([one for one in some if one.stays] for some in self._lately)
        if len(requests) == len(records):
            surplus = sum(one.failed for one in requests) - sum(one.failed for one in records)
            fewer = records if surplus > 0 else requests
            for one in [one for one in fewer if not one.failed][: abs(surplus)]:
                one.fail()
        for some in self._lately:
            some.clear()

    def _note(self, way: int, asked: Asked) -> None:
        if way == RPC and not self.waiting:
            self.settle()
        if self._lately[RPC] or way == RPC:
            self._lately[way].append(asked)
            if len(self._lately[way]) > TIED:
                for some in self._lately:
                    some.clear()

    def kept(self, way: int, *, timed: bool, with_id: bool) -> list[Flags]:
        """Return the records of one kind, source by source."""
        keys = [key for key in sorted(self._flags) if key[:2] == (way, with_id) and (key[2] == "") is timed]
        return [self._flags[key] for key in keys]
