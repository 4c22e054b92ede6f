"""The tools of a session by name and server, and which native call a gateway record may be the twin of.

Names compare trimmed and in lower case; separators count, so ``list_issues`` is not ``list-issues``. A name may carry
its server's as a prefix (``server-name``, ``server__name``, ``mcp__server__name``). A native call that names no server
can be a call to any. A server whose name redaction touched is not named, and a tool whose name it touched is no other's
twin.
"""

import math
from itertools import chain, islice
from typing import Final

from msgspec import Struct

from opvalue.limits import Limits
from opvalue.session.errors import room
from opvalue.session.remembered import short
from opvalue.session.vocabulary import MASKED

RPC: Final = 0
RECORD: Final = 1
"""The two ways in which a gateway records a call, as a request with its response and as one record."""

TIED: Final = 1_024
"""Calls and records of one instant that are kept apart."""

CANDIDATES: Final = 64
"""Open calls of one tool that are always looked at; more rarely run at a time, but many may never end."""
_MOST_STEPS: Final = 1 << 24
"""How many calls are looked at beyond that, in a session."""
_Alias = tuple[str | None, str]
_ANY: Final = "\0any"


def millisecond(time: float) -> int:
    """Return the millisecond that a time falls in: no finer do the clocks of an agent and a gateway agree."""
    return math.floor(time)


class Call(Struct, eq=False):
    """A native call that has not ended yet."""

    tool: "Tool"
    id: str | None
    since: float | None
    number: int
    """In the order of starts."""
    counted: bool = True
    """False for a replayed one."""
    shadow: "Call | None" = None
    """An earlier open call of the same id."""
    above: "Call | None" = None
    """The later open call of the same id whose shadow this is."""
    request: object = None
    """Rpc id and time of the gateway's request that is the same call; true if it has no id."""
    record: object = None
    """Likewise, of the gateway's record."""


class Tool:
    """A tool as native calls name it."""

    __slots__ = ("closed", "closed_at", "crowded", "hidden", "name", "open", "paired", "rank", "started")

    def __init__(self, name: str, server: str | None) -> None:
        self.name: Final = name
        self.hidden: Final = MASKED in name
        """Whether redaction touched the name: then two calls by it need not be of one tool."""
        self.crowded = False
        """Whether a call of it is no more known while a record of the gateway may be its twin."""
        self.rank: Final = (server is None, name, server or "")
        """What tools are put in order by, where one has to come first: a call that names its server is no other's."""
        self.open: dict[Call, None] = {}
        self.closed: list[Call] = []
        """Calls that ended at ``closed_at``, the latest time: a record of the same instant may still be theirs."""
        self.closed_at: float | None = None
        self.started = [0, 0, 0, 0]
        """Calls: timed with an id, timed without one, untimed with an id, untimed without one."""
        self.paired = ([0, 0], [0, 0])
        """For each way of recording, timed calls with a twin: those with an id, those without."""

    def end(self, call: Call, time: float | None) -> None:
        """Close a call."""
        self.open.pop(call, None)
        if time is None or call.since is None:
            return
        if time != self.closed_at:
            self.closed_at = time
            self.closed = [call]
        elif len(self.closed) < TIED:
            self.closed.append(call)
        else:
            self.crowded = True

    def twin(self, way: int, time: float, rpc: object, with_id: bool, reach: int) -> bool:
        """Give the oldest call that ran at ``time`` and has no twin of this way one; tell whether there was any.

        A record with the rpc id and time of a twin is that twin once more. At most ``reach`` open ones are looked at.
        """
        key = True if rpc is None else (rpc, time)
        free = None
        opened = self.open if reach == len(self.open) else islice(self.open, reach)
        for call in chain(opened, self.closed) if self.closed_at == time else opened:
            twin = call.request if way == RPC else call.record
            if twin is None:
                if free is None and call.since is not None and call.since <= time and not (with_id and call.id):
                    free = call
            elif twin == key and key is not True:
                return True
        if free is None:
            return False
        self.pair(free, way, key)
        return True

    def pair(self, call: Call, way: int, key: object) -> None:
        """Note that a call has a twin of one way; ``key`` is the twin's rpc id and time, or true."""
        if way == RPC:
            call.request = key
        else:
            call.record = key
        self.paired[way][call.id is None] += 1


class Tools:
    """All tools that native calls name."""

    def __init__(self, limits: Limits) -> None:
        self.names: Final[dict[str, None]] = {}
        """Names of tools, as spelled."""
        self.uncertain = False
        """Whether something was not looked at that a record of the gateway, or a completion, may belong to."""
        self.count = 0
        """How many tools there are; what ``twins_of`` gives can change only with it."""
        self._most: Final = limits.session_names
        self.known: Final[dict[str | tuple[str, str], Tool]] = {}
        """By name, or by server and name."""
        self._aliases: dict[_Alias, list[Tool]] = {}
        self._steps = 0
        self._others: dict[str, int] = {}

    def native(self, name: str, server: str | None) -> Tool:
        """Return the tool that a native call names."""
        return self.known.get((server, name) if server else name) or self._new(name, server)

    def twins_of(self, server: str | None, name: str) -> tuple[Tool, ...]:
        """Return the tools whose calls a gateway record of this server and name can stand for."""
        if MASKED in name:
            return ()
        plain = _plain(name)
        if not server or MASKED in server:
            wanted: list[_Alias] = [(_ANY, plain)]
        else:
            host = _plain(server)
            bare = _bare(host, plain)
            wanted = [(host, bare), (None, bare), *((None, spelled) for spelled in _prefixed(host, bare))]
        return tuple(dict.fromkeys(tool for alias in wanted for tool in self._aliases.get(alias, ())))

    def reach(self, tool: Tool) -> int:
        """Return how many open calls of a tool with more than ``CANDIDATES`` are looked at.

        All, as long as that takes no time to speak of.
        """
        size = len(tool.open)
        return size if self.spend(size) else CANDIDATES

    def spend(self, steps: int) -> bool:
        """Tell whether so much may still be looked at; else a twin, or the call of a completion, may stay unknown."""
        self._steps += steps
        if self._steps <= _MOST_STEPS:
            return True
        self.uncertain = True
        return False

    def also(self, name: str, calls: int) -> None:
        """Note calls that no native tool names."""
        name = self.named(name)
        self._others[name] = self._others.get(name, 0) + calls

    def distinct(self) -> int:
        """Return how many different names were called; one that redaction touched is another with each call."""
        called = {tool.name: 0 for tool in self.known.values() if any(tool.started)} | self._others
        natively = sum(sum(tool.started) for tool in self.known.values() if tool.hidden)
        return natively + sum(called[name] if MASKED in name else 1 for name in called)

    def hides(self) -> bool:
        """Tell whether redaction touched the name of a tool that was called."""
        return any(tool.hidden and any(tool.started) for tool in self.known.values())

    def named(self, name: str) -> str:
        """Note a name; return it, or its digest where it is long."""
        name = short(name)
        if name not in self.names:
            room(len(self.names), self._most, "tool names")
            self.names[name] = None
        return name

    def _new(self, name: str, server: str | None) -> Tool:
        key = (short(server), short(name)) if server else short(name)
        if key in self.known:  # its name is a long one
            return self.known[key]
        name = self.named(name)
        room(len(self.known), self._most, "tools")
        tool = self.known[key] = Tool(name, server and short(server))
        self.count += 1
        for alias in _aliases_of(server, name):
            self._aliases.setdefault(alias, []).append(tool)
        return tool


def _aliases_of(server: str | None, name: str) -> tuple[_Alias, ...]:
    plain = _plain(name)
    if not server or MASKED in server:
        return (None, plain), (_ANY, plain)
    host = _plain(short(server))
    bare = _bare(host, plain)
    return (host, bare), (_ANY, bare), *((_ANY, spelled) for spelled in _prefixed(host, bare))


def _plain(name: str) -> str:
    return name.strip().lower()


def _prefixed(server: str, name: str) -> tuple[str, str, str]:
    return f"{server}-{name}", f"{server}__{name}", f"mcp__{server}__{name}"


def _bare(server: str, name: str) -> str:
    for prefix in _prefixed(server, ""):
        if name.startswith(prefix) and len(name) > len(prefix):
            return name[len(prefix) :]
    return name
