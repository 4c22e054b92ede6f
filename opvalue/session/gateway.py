"""Tool calls that the gateway recorded, less those that a native call stands for (DESIGN 8; reference 2.3; AW-04).

1. A record with the call id of a native call is its twin. Records of one call id are one call.
2. A request with the server and rpc id of one at the same time is that one again.
3. Others pair one to one by server and name, with a native call during which they happened; where one of the two is
   untimed, with any. A call id that differs never pairs.
4. A gateway writes a call as a request with its response, as a record, or both: each way pairs on its own, and what
   stays without a native call counts in the way that shows more.
5. What stays is a call. It has failed if its record, or the response to its request, says so. Which record is of which
   request is not recorded. One that failed is of one that failed, as far as there are such; where as many of each kind
   came while requests were unanswered, all of them pair, and what one of two says holds for both.
6. An id that redaction touched is none. It does so everywhere alike, so of a server's requests whose rpc ids it touched
   the oldest is answered by the first response of that kind. Where it touched a server's name, rpc ids do not tell that
   a request came again. Where it touched a tool's name, a record has no twin but by call id, and whether a native call
   whose name it touched, or a record of the other way, is that call is uncertain.

Where several untimed records could pair, those of the source that sorts first do, in their own order: the order among
sources decides nothing. Bounds: past ``session_open_calls`` the oldest request gets no response any more, and a call id
is forgotten; what is said is uncertain if something then comes that may belong to it.
"""

import math
from collections.abc import Iterable
from itertools import islice
from typing import Final, NamedTuple

from opvalue.limits import Limits
from opvalue.session.errors import room
from opvalue.session.records import FAILED, GONE, OK, Asked, Flags, Seen
from opvalue.session.remembered import Remembered, short
from opvalue.session.tools import CANDIDATES, RECORD, RPC, TIED, Call, Tool, Tools
from opvalue.session.vocabulary import MASKED

_Key = tuple[str | None, str]


class Left(NamedTuple):
    """Calls that only the gateway saw."""

    total: int
    failed: int


class _Early(NamedTuple):
    """A record without a native call, as long as one may start at its time."""

    asked: Asked
    way: int
    key: object
    """Its rpc id and time; true if it has no id."""
    with_id: bool


class Gateway:
    """All records of a gateway, in one pass."""

    def __init__(self, tools: Tools, limits: Limits) -> None:
        self._tools: Final = tools
        self._limits: Final = limits
        self._seen: dict[_Key, Seen] = {}
        self._again: Final = Remembered(limits.session_remembered)
        self.asked: Final[dict[tuple[int, str | None, object], Asked]] = {}
        """Requests without a native call whose response may come."""
        self.waiting: Final[dict[str, Asked]] = {}
        """Records with a call id that no native call had yet."""
        self.early_at: float = math.nan
        """The time of the latest records without a native call: one that starts at it may still be theirs."""
        self.uncertain = False
        """Whether something came that may belong to what was forgotten."""
        self._early: list[_Early] = []
        self.forgot: Final[set[str]] = set()
        """What kinds of records were forgotten."""
        self.hidden: Final[dict[tuple[int, str | None], list[int]]] = {}
        """By source and server, how many requests and responses came whose rpc id redaction touched."""

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
        # Most requests have a twin, so what only the others need is made behind that.
        known = None if way != RPC else rpc
        if rpc.__class__ is str and _is_hidden(rpc):
            known, rpc = None if way != RPC else self._key(source, server, rpc, 0), None
        if id_ is not None:
            id_ = None if MASKED in id_ else short(id_)
            if id_ is not None and id_ in ids:
                return None
        earlier = None if id_ is None else self.waiting.get(id_)
        if earlier is not None:
            failed = failed or earlier.failed
            if not earlier.yields_to(None if time is not None else short(rank), failed=failed):
                return None
        seen = self._seen.get((server, name)) or self._new(server, name)
        if seen.hides_server or (time is None and MASKED in rank):
            rpc = None
        if time is not None and self._has_twin(seen, way, time, rpc, with_id=id_ is not None):
            return None
        # That of a twin was known by the twin.
        if id_ is None and rpc is not None and not self._again.add((server, rpc, rank if time is None else time, way)):
            return None
        flag = FAILED if failed else OK
        asked = seen.add(way, None if time is not None else short(rank), flag, with_id=id_ is not None)
        self._remember(asked, None if known is None else (source, server, known), id_)
        if time is not None:
            self._note(time, _Early(asked, way, True if rpc is None else (rpc, time), id_ is not None))
        return asked

    def answer(self, source: int, server: str | None, rpc: object, failed: bool) -> Asked | None:
        """Take the response to a request; return that request if it is one without a native call."""
        asked = self.asked.pop((source, server, self._key(source, server, rpc, 1)), None)
        if asked is None:
            self.uncertain = self.uncertain or (failed and "request" in self.forgot)
            return None
        asked.seen.waiting -= asked.rank is None
        if failed:
            asked.fail()
        return asked

    def absorb(self, id_: str) -> Asked | None:
        """Take out the record of a call whose native start came later than it."""
        asked = self.waiting.pop(short(id_), None)
        self.uncertain = self.uncertain or (asked is None and "call" in self.forgot)
        return asked if asked is not None and asked.absorb() else None

    def claim(self, call: Call) -> None:
        """Take out, for each way, the record of the moment at which a native call starts that is its twin."""
        if not self._tools.spend(len(self._early)) or len(self._early) > TIED:
            self.uncertain = True
            return
        for way in (RPC, RECORD):
            for early in self._early:
                if early.way == way and early.asked.stays and self._may_be(early, call):
                    early.asked.absorb()
                    call.tool.pair(call, way, early.key)
                    break

    def _may_be(self, early: _Early, call: Call) -> bool:
        seen = early.asked.seen
        if seen.tools != self._tools.count:
            self._look_for_candidates(seen)
        return call.tool in seen.candidates and not (early.with_id and call.id is not None)

    def _has_twin(self, seen: Seen, way: int, time: float, rpc: object, *, with_id: bool) -> bool:
        if seen.tools != self._tools.count:
            self._look_for_candidates(seen)
        for tool in seen.candidates:
            reach = len(tool.open)
            if tool.twin(way, time, rpc, with_id, reach if reach <= CANDIDATES else self._tools.reach(tool)):
                return True
        self.uncertain = self.uncertain or any(tool.crowded for tool in seen.candidates)
        return False

    def _note(self, time: float, early: _Early) -> None:
        if time != self.early_at:
            self.early_at, self._early = time, []
        if len(self._early) <= TIED:
            self._early.append(early)

    def left(self) -> Left:
        """Return what stays without a native call, and note the names. To be asked once, at the end."""
        total = failed = 0
        hides = self._tools.hides()
        free: dict[tuple[Tool, int], list[int]] = {}
        for seen in sorted(self._seen.values(), key=lambda one: (one.server or "", one.name)):
            self._look_for_candidates(seen)
            seen.settle()
            ways = [_unpaired(seen, way, free) for way in (RPC, RECORD)]
            several = max(map(len, ways))
            if several:
                self._tools.also(seen.name, several)
                self.uncertain = self.uncertain or (hides and seen.hidden) or (all(ways) and MASKED in seen.name)
            total += several
            # Of two ways of recording one call both say that it failed: so many did at least.
            failed += max(map(sum, ways))
        return Left(total, failed)

    def _look_for_candidates(self, seen: Seen) -> None:
        seen.tools = self._tools.count
        seen.candidates = self._tools.twins_of(seen.server, seen.name)

    def _new(self, server: str | None, name: str) -> Seen:
        key = (server and short(server), short(name))
        seen = self._seen.get(key)  # its name may be a long one
        if seen is None:
            room(len(self._seen), self._limits.session_names, "tools at the gateway")
            seen = self._seen[key] = Seen(*key)
        return seen

    def _remember(self, asked: Asked, request: tuple[int, str | None, object] | None, id_: str | None) -> None:
        if request is not None:
            asked.seen.waiting += asked.rank is None
            gone = self.asked.get(request)
            if gone is not None and _is_hidden(gone.seen.server):
                self.forgot.add("request")
            self.asked[request] = asked
            if len(self.asked) > self._limits.session_open_calls:
                gone = self.asked.pop(next(iter(self.asked)))
                self.forgot.add("request")
            if gone is not None:
                gone.seen.waiting -= gone.rank is None
        if id_ is not None:
            self.waiting[id_] = asked
            if len(self.waiting) > self._limits.session_open_calls:
                del self.waiting[next(iter(self.waiting))]
                self.forgot.add("call")

    def _key(self, source: int, server: str | None, rpc: object, side: int) -> object:
        """Return what a request (side 0) or a response is known by: without a usable rpc id, by its number."""
        if not _is_hidden(rpc):
            return rpc
        counts = self.hidden.get((source, server))
        if counts is None:
            room(len(self.hidden), self._limits.session_names, "servers at the gateway")
            counts = self.hidden[source, server] = [0, 0]
        counts[side] += 1
        return (counts[side],)


# Timed record or not, with a call id or not, and the calls it can pair with: numbers as in Tool.started. What can pair
# with the fewest comes first. Two ids never pair, and what is timed on both sides was paired when it came.
_PAIRING: Final = (
    (True, True, (3,)),
    (False, True, (1, 3)),
    (True, False, (2, 3)),
    (False, False, (0, 1, 2, 3)),
)


def _unpaired(seen: Seen, way: int, free: dict[tuple[Tool, int], list[int]]) -> list[int]:
    """Return the flags of the records of one way that stay, after untimed ones were paired."""
    pools = [free.setdefault((tool, way), _free(tool, way)) for tool in sorted(seen.candidates, key=_rank)]
    left: list[int] = []
    for timed, with_id, kinds in _PAIRING:
        several = seen.kept(way, timed=timed, with_id=with_id)
        _mark(several, _take(pools, kinds, sum(map(_present, several))))
        left += [flag for flags in several for flag in flags if flag != GONE]
    return left


def _is_hidden(told: object) -> bool:
    return isinstance(told, str) and MASKED in told


def _rank(tool: Tool) -> tuple[bool, str, str]:
    return tool.rank


def _free(tool: Tool, way: int) -> list[int]:
    timed, nameless, *untimed = tool.started
    return [timed - tool.paired[way][0], nameless - tool.paired[way][1], *untimed]


def _present(flags: Flags) -> int:
    return len(flags) - flags.count(GONE)


def _mark(several: Iterable[Flags], paired: int) -> None:
    """Take out the first so many records."""
    present = ((flags, position) for flags in several for position, flag in enumerate(flags) if flag != GONE)
    for flags, position in islice(present, paired):
        flags[position] = GONE


def _take(pools: list[list[int]], kinds: Iterable[int], wanted: int) -> int:
    """Take up to ``wanted`` calls out of the pools; return how many."""
    taken = 0
    for kind in kinds:
        for pool in pools:
            some = min(pool[kind], wanted - taken)
            pool[kind] -= some
            taken += some
    return taken
