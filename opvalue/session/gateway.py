"""Tool calls that the gateway recorded, less those that a native call stands for (DESIGN 8; reference 2.3; AW-04).

1. A record with the call id of a native call is its twin. Records of one call id are one call.
2. A request with the server and rpc id of one at the same time is that one again.
3. Others pair one to one by server and name, with a native call during which they happened; where one of the two is
   untimed, with any. A call id that differs never pairs.
4. A gateway writes a call as a request with its response, as a record, or both: each way pairs on its own, and what
   stays without a native call counts in the way that shows more.
5. What stays is a call. It has failed if its record, or the response to its request, says so.

Where several untimed records could pair, those of the source that sorts first do, in their own order: the order among
sources decides nothing. Bounds: past ``session_open_calls`` the oldest request gets no response any more.
"""

from collections.abc import Iterable
from itertools import islice, zip_longest
from typing import Final, NamedTuple

from opvalue.limits import Limits
from opvalue.session.errors import room
from opvalue.session.remembered import Remembered, short
from opvalue.session.tools import RECORD, RPC, Tool, Tools

_OK: Final = 0
_FAILED: Final = 1
_GONE: Final = 2
_Flags = bytearray
_Key = tuple[str | None, str]


class Left(NamedTuple):
    """Calls that only the gateway saw."""

    total: int
    failed: int


class Asked(NamedTuple):
    """One recorded call whose outcome may still come, or whose twin."""

    flags: _Flags
    position: int
    rank: str | None
    """That of its source; none where it is timed."""

    def fail(self) -> None:
        """Note that it failed, unless it has a twin."""
        if self.flags[self.position] == _OK:
            self.flags[self.position] = _FAILED

    @property
    def stays(self) -> bool:
        """Whether no native call stands for it."""
        return self.flags[self.position] != _GONE

    @property
    def failed(self) -> bool:
        """Whether it is known to have failed."""
        return self.flags[self.position] == _FAILED

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
        self.flags[self.position] = _GONE
        return there


class _Seen:
    """The records of one server and tool that have no twin yet, in their order: a byte each."""

    __slots__ = ("_flags", "candidates", "name", "server", "tools")

    def __init__(self, server: str | None, name: str) -> None:
        self.server: Final = server
        self.name: Final = name
        """As spelled."""
        self.candidates: tuple[Tool, ...] = ()
        self.tools = -1
        self._flags: dict[tuple[int, bool, str], _Flags] = {}

    def add(self, way: int, rank: str | None, flag: int, *, with_id: bool) -> Asked:
        """Keep a record; ``rank`` is that of its source, none where it is timed."""
        flags = self._flags.setdefault((way, with_id, rank or ""), _Flags())
        flags.append(flag)
        return Asked(flags, len(flags) - 1, rank)

    def kept(self, way: int, *, timed: bool, with_id: bool) -> list[_Flags]:
        """Return the records of one kind, source by source."""
        keys = [key for key in sorted(self._flags) if key[:2] == (way, with_id) and (key[2] == "") is timed]
        return [self._flags[key] for key in keys]


class Gateway:
    """All records of a gateway, in one pass."""

    def __init__(self, tools: Tools, limits: Limits) -> None:
        self._tools: Final = tools
        self._limits: Final = limits
        self._seen: dict[_Key, _Seen] = {}
        self._again: Final = Remembered(limits.session_remembered)
        self.asked: Final[dict[tuple[int, str | None, object], Asked]] = {}
        """Requests without a native call whose response may come."""
        self.waiting: Final[dict[str, Asked]] = {}
        """Records with a call id that no native call had yet."""

    def ask(  # noqa: PLR0917 - the fields of a fact, in their order
        self,
        way: int,
        source: int,
        rank: str,
        time: float | None,
        server: str | None,
        name: str,
        id_: str | None,
        rpc: object,
        ids: Remembered,
        failed: bool,
    ) -> Asked | None:
        """Take a record; return it if no native call stands for it so far."""
        if id_ is not None:
            id_ = short(id_)
            if id_ in ids:
                return None
            earlier = self.waiting.get(id_)
            if earlier is not None:
                failed = failed or earlier.failed
                if not earlier.yields_to(None if time is not None else short(rank), failed=failed):
                    return None
        seen = self._seen.get((server, name)) or self._new(server, name)
        if time is not None:
            if seen.tools != self._tools.count:
                self._look_for_candidates(seen)
            for tool in seen.candidates:
                if tool.twin(way, time, rpc, id_ is not None):
                    return None
        # That of a twin was known by the twin.
        if id_ is None and rpc is not None and not self._again.add((server, rpc, rank if time is None else time, way)):
            return None
        flag = _FAILED if failed else _OK
        asked = seen.add(way, None if time is not None else short(rank), flag, with_id=id_ is not None)
        self._remember(asked, (source, server, rpc) if way == RPC and rpc is not None else None, id_)
        return asked

    def answer(self, source: int, server: str | None, rpc: object, failed: bool) -> Asked | None:
        """Take the response to a request; return that request if it is one without a native call."""
        asked = self.asked.pop((source, server, rpc), None)
        if asked is not None and failed:
            asked.fail()
        return asked

    def absorb(self, id_: str) -> Asked | None:
        """Take out the record of a call whose native start came later than it."""
        asked = self.waiting.pop(short(id_), None)
        return asked if asked is not None and asked.absorb() else None

    def left(self) -> Left:
        """Return what stays without a native call, and note the names. To be asked once, at the end."""
        total = failed = 0
        free: dict[tuple[Tool, int], list[int]] = {}
        for seen in sorted(self._seen.values(), key=lambda one: (one.server or "", one.name)):
            self._look_for_candidates(seen)
            ways = [_unpaired(seen, way, free) for way in (RPC, RECORD)]
            flags = [max(pair) for pair in zip_longest(*ways, fillvalue=_OK)]
            if flags:
                self._tools.named(seen.name)
            total += len(flags)
            failed += sum(flags)
        return Left(total, failed)

    def _look_for_candidates(self, seen: _Seen) -> None:
        seen.tools = self._tools.count
        seen.candidates = self._tools.twins_of(seen.server, seen.name)

    def _new(self, server: str | None, name: str) -> _Seen:
        key = (server and short(server), short(name))
        seen = self._seen.get(key)  # its name may be a long one
        if seen is None:
            room(len(self._seen), self._limits.session_names, "tools at the gateway")
            seen = self._seen[key] = _Seen(*key)
        return seen

    def _remember(self, asked: Asked, request: tuple[int, str | None, object] | None, id_: str | None) -> None:
        if request is not None:
            self.asked[request] = asked
            if len(self.asked) > self._limits.session_open_calls:
                del self.asked[next(iter(self.asked))]
        if id_ is not None:
            self.waiting[id_] = asked
            if len(self.waiting) > self._limits.session_open_calls:
                del self.waiting[next(iter(self.waiting))]


# Timed record or not, with a call id or not, and the calls it can pair with: numbers as in Tool.started. What can pair
# with the fewest comes first. Two ids never pair, and what is timed on both sides was paired when it came.
_PAIRING: Final = (
    (True, True, (3,)),
    (False, True, (1, 3)),
    (True, False, (2, 3)),
    (False, False, (0, 1, 2, 3)),
)


def _unpaired(seen: _Seen, way: int, free: dict[tuple[Tool, int], list[int]]) -> list[int]:
    """Return the flags of the records of one way that stay, after untimed ones were paired."""
    pools = [free.setdefault((tool, way), _free(tool, way)) for tool in sorted(seen.candidates, key=_rank)]
    left: list[int] = []
    for timed, with_id, kinds in _PAIRING:
        several = seen.kept(way, timed=timed, with_id=with_id)
        _mark(several, _take(pools, kinds, sum(map(_present, several))))
        left += [flag for flags in several for flag in flags if flag != _GONE]
    return left


def _rank(tool: Tool) -> tuple[str, str]:
    return tool.rank


def _free(tool: Tool, way: int) -> list[int]:
    timed, nameless, *untimed = tool.started
    return [timed - tool.paired[way][0], nameless - tool.paired[way][1], *untimed]


def _present(flags: _Flags) -> int:
    return len(flags) - flags.count(_GONE)


def _mark(several: Iterable[_Flags], paired: int) -> None:
    """Take out the first so many records."""
    present = ((flags, position) for flags in several for position, flag in enumerate(flags) if flag != _GONE)
    for flags, position in islice(present, paired):
        flags[position] = _GONE


def _take(pools: list[list[int]], kinds: Iterable[int], wanted: int) -> int:
    """Take up to ``wanted`` calls out of the pools; return how many."""
    taken = 0
    for kind in kinds:
        for pool in pools:
            some = min(pool[kind], wanted - taken)
            pool[kind] -= some
            taken += some
    return taken
