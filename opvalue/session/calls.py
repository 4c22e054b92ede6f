"""Native tool calls: starts and completions correlated, failures, neighbours, replays (DESIGN 8; reference 2.2).

1. A scope is a source (component, phase, path), a session and an owner (agent instance, else parent tool).
2. A completion closes the open call of its id in its scope, the latest of several. If its session or owner is not said
   and the source has one open call of that id, that one.
3. Without a match by id: the oldest open call of its name in its scope, unless both have an id; two ids never pair.
4. Without any match it is a call of its own if it has a name, and nothing otherwise.
5. Success has to be said by ``success``, whatever ``status`` says; a call that never ends has failed.
6. A start that was seen before (same event id and call id, or no call id; without an event id, same call id, tool and
   time in one scope) is a replayed history: it and its completion count once.
7. Neighbours are consecutive calls of one scope, by their starts. A call seen only complete stands where it ended; its
   arguments are unknown, so nothing decides whether it repeats or is repeated.
8. An id that redaction touched is none, and what else it touched equals nothing. It does so everywhere alike: so a
   completion whose id it touched closes the oldest call without an id, of its name if it says one.

Bounds: past ``session_open_calls`` the oldest open call of the scope stays unfinished for good. What is said is
uncertain if a completion then fits no call, or if the scopes that one may belong to were too many to look at all.
"""

from typing import Final

from opvalue.limits import Limits
from opvalue.session.arguments import KEPT, UNSHOWN, Arguments, Comparison, compare, digest
from opvalue.session.batch import Origin, Whereabouts
from opvalue.session.errors import room
from opvalue.session.remembered import Remembered, short
from opvalue.session.tools import Call, Tool, Tools
from opvalue.session.vocabulary import MASKED

_COMPATIBLE: Final = 64
"""Scopes of one source that are always looked at; the latest of more."""
_STEPS: Final = 16
"""What a look at a scope counts for, in looks at a call: it takes several times as long."""
_ROOM: Final = 4 << 20
"""Bytes of long arguments that are kept as they are, of all scopes together: to make a digest takes long."""
_COMPLETE: Final = "complete"
_Key = tuple[int, str | None, str | None]


class Scope:
    """Where calls are correlated, and neighbours are."""

    __slots__ = ("arguments", "hidden", "key", "long", "name", "named", "open")

    def __init__(self, key: _Key, *, hidden: bool = False) -> None:
        self.key: Final = key
        """Source, owner, session."""
        self.hidden: Final = hidden
        """Whether redaction touched source, owner or session: then this may be several scopes."""
        self.open: dict[object, Call] = {}
        """By id; a call without one by itself."""
        self.name: str | None = None
        """Of the tool of the last call."""
        self.arguments: Arguments = None
        self.long = 0
        """Bytes of these that take of the room for long ones."""
        self.named: dict[tuple[str | None, bool], dict[Call, None]] | None = None
        """Open calls by name and whether they lack an id, oldest first; made when it is first asked for.

        Without a name: all that lack an id.
        """

    def push_under(self, call: Call) -> None:
        """Open a call behind the one of its id, if there is one."""
        top = None if call.id is None else self.open.get(call.id)
        if top is None:
            self.open[call if call.id is None else call.id] = call
        else:
            _link(call, top.shadow)
            _link(top, call)
        self.name_it(call)

    def pop(self, call: Call) -> None:
        """Close a call that is open here."""
        key = call if call.id is None else call.id
        if call.above is not None:
            _link(call.above, call.shadow)
        elif call.shadow is None:
            del self.open[key]
        else:
            self.open[key], call.shadow.above = call.shadow, None
        self.unname(call)

    def unname(self, call: Call) -> None:
        """Take a call out of the index by name."""
        if self.named is not None:
            del self.named[call.tool.name, call.id is None][call]
            if call.id is None:
                del self.named[None, True][call]

    def oldest(self, name: str | None, *, nameless: bool) -> Call | None:
        """Return the call of one name that has been open longest; of those without an id, if so wanted.

        Without a name, of any: to be asked only of those without an id.
        """
        if self.named is None:
            self.named = {}
            for call in sorted(self.every(), key=_number):
                self.name_it(call)
        kinds = (True,) if nameless else (True, False)
        found = [next(iter(self.named.get((name, kind), ())), None) for kind in kinds]
        return min((call for call in found if call is not None), key=_number, default=None)

    def every(self) -> list[Call]:
        """Return all open calls."""
        found = []
        for top in self.open.values():
            call: Call | None = top
            while call is not None:
                found.append(call)
                call = call.shadow
        return found

    def name_it(self, call: Call) -> None:
        """Put a call into the index by name."""
        if self.named is not None:
            self.named.setdefault((call.tool.name, call.id is None), {})[call] = None
            if call.id is None:
                self.named.setdefault((None, True), {})[call] = None


class NativeCalls:
    """All native calls of a session, in one pass."""

    def __init__(self, tools: Tools, limits: Limits) -> None:
        self.total = 0
        self.succeeded = 0
        self.repeated = 0
        self.undecided = 0
        self.uncertain = False
        """Whether a completion fitted no call after one had been given up."""
        self.ids: Final = Remembered(limits.session_remembered)
        """Native calls by id, or by the id of the event that starts them."""
        self._tools: Final = tools
        self._most: Final = limits.session_names
        self._most_open: Final = limits.session_open_calls
        self._origins: dict[Origin, int] = {}
        self._scopes: dict[_Key, Scope] = {}
        self._by_source: dict[int, list[Scope]] = {}
        self._sessions: dict[tuple[int, str | None], str | None] = {}
        self._ended = 0
        self._started = 0
        self._gave_up = False
        self._room = _ROOM

    def source(self, origin: Origin) -> int:
        """Return the number of a source."""
        component, phase, path = origin
        key = (short(component), short(phase), short(path))
        found = self._origins.get(key)
        if found is None:
            room(len(self._origins), self._most, "sources")
            found = self._origins[key] = len(self._origins)
        return found

    def begin_session(self, where: Whereabouts) -> None:
        """Note the session that events of this source and owner belong to where they do not say."""
        component, phase, path, owner, session = where
        key = (self.source((component, phase, path)), owner and short(owner))
        self._sessions[key] = session and short(session)

    def scope(self, where: Whereabouts) -> Scope:
        """Return the scope of an event; without a session of its own, of the latest one of its source and owner."""
        component, phase, path, owner, session = where
        source = self.source((component, phase, path))
        owner = owner and short(owner)
        session = short(session) if session else self._sessions.get((source, owner))
        key = (source, owner, session)
        found = self._scopes.get(key)
        if found is None:
            room(len(self._scopes), self._most, "scopes of tool calls")
            hidden = any(MASKED in part for part in (component, phase, path, owner, session) if part)
            found = self._scopes[key] = Scope(key, hidden=hidden)
            self._by_source.setdefault(source, []).append(found)
        return found

    def start(
        self, scope: Scope, time: float | None, event: str | None, id_: str | None, tool: Tool, arguments: bytes | None
    ) -> Call | None:
        """Open a call; return it if it counts, and is no replay."""
        # Each call runs through here, so what is short is written out in place.
        self._started += 1
        if id_ is not None and MASKED in id_:
            id_ = None
        call = Call(tool, id_, time, self._started)
        known = event if event is not None else None if time is None else (time, tool.name, scope)
        key = id_ if id_ is not None else event
        if (
            key is not None
            and not self.ids.add(key, known)
            and known is not None
            and not (tool.hidden or scope.hidden if event is None else MASKED in event)
        ):
            call.counted = False
            scope.push_under(call)
            if self._started - self._ended > self._most_open:
                self._forget(scope)
            return None
        if id_ is None:
            scope.open[call] = call
        else:
            earlier = scope.open.get(id_)
            if earlier is not None:
                call.shadow, earlier.above = earlier, call
            scope.open[id_] = call
        if scope.named is not None:
            scope.name_it(call)
        self.total += 1
        tool.open[call] = None
        tool.started[2 * (time is None) + (id_ is None)] += 1
        name = tool.name
        if scope.name == name:
            comparison = Comparison.UNDECIDED if tool.hidden or scope.hidden else compare(scope.arguments, arguments)
            self.repeated += comparison is Comparison.EQUAL
            self.undecided += comparison is Comparison.UNDECIDED
        scope.name = name
        if scope.long or (arguments is not None and len(arguments) > KEPT):
            self._keep(scope, arguments)
        else:
            scope.arguments = arguments
        if self._started - self._ended > self._most_open:
            self._forget(scope)
        return call

    def _keep(self, scope: Scope, arguments: bytes | None) -> None:
        """Keep the arguments of the last call of a scope, or their digest if they are too long."""
        self._room += scope.long
        size = 0 if arguments is None else len(arguments)
        scope.long = size if KEPT < size <= self._room else 0
        self._room -= scope.long
        scope.arguments = arguments if arguments is None or size <= KEPT or scope.long else digest(arguments)

    def complete(
        self, scope: Scope, time: float | None, id_: str | None, name: str | None, succeeded: bool
    ) -> Call | None:
        """Close a call, or count one that was only seen complete; return what was closed."""
        call = None if id_ is None else scope.open.get(id_)
        if call is None:
            of, call = self._found(scope, id_, name)
            if call is None:
                self._count_complete(scope, id_, name, succeeded=succeeded)
                return None
            of.pop(call)
        elif call.shadow is None and scope.named is None:
            del scope.open[id_]
        else:
            scope.pop(call)
        self._ended += 1
        if call.counted:
            self.succeeded += succeeded
            call.tool.end(call, time)
        return call

    def _found(self, scope: Scope, id_: str | None, name: str | None) -> tuple[Scope, Call | None]:
        called = short(name) if name else None
        if id_ is not None and MASKED in id_:
            return self._found_hidden(scope, called)
        if id_ is not None:
            near = [one for one in self._near(scope) if id_ in one.open]
            if len(near) == 1:
                return near[0], near[0].open[id_]
        return scope, None if called is None else scope.oldest(called, nameless=id_ is not None)

    def _found_hidden(self, scope: Scope, name: str | None) -> tuple[Scope, Call | None]:
        """Find the call of a completion whose id redaction touched: it has touched that of the call."""
        own = scope.oldest(name, nameless=True)
        if own is not None:
            return scope, own
        near = [(one, call) for one in self._near(scope) if (call := one.oldest(name, nameless=True)) is not None]
        return near[0] if len(near) == 1 else (scope, None)

    def _near(self, scope: Scope) -> list[Scope]:
        """Return the scopes of the same source that a completion of this one may belong to.

        All are looked at, as long as that takes no time to speak of; then the latest.
        """
        every = self._by_source[scope.key[0]]
        if len(every) > _COMPATIBLE and not self._tools.spend(_STEPS * len(every)):
            every = every[-_COMPATIBLE:]
        return [one for one in every if _compatible(one.key, scope.key)]

    def _count_complete(self, scope: Scope, id_: str | None, name: str | None, *, succeeded: bool) -> None:
        self.uncertain = self.uncertain or self._gave_up
        if not name:
            return
        self.total += 1
        self.succeeded += succeeded
        if id_ is not None and MASKED in id_:
            id_ = None
        if id_ is not None:
            self.ids.add(id_, _COMPLETE)
        # When it began is unknown, so a record of the gateway may be its twin whatever its time.
        tool = self._tools.native(name, None)
        tool.started[2 + (id_ is None)] += 1
        self.undecided += scope.name == tool.name
        scope.name, scope.arguments = tool.name, UNSHOWN

    def _forget(self, scope: Scope) -> None:
        """Let the call that has been open longest stay unfinished; of many of one id the older half."""
        key, top = next(iter(scope.open.items()))
        chain = [top]
        while (below := chain[-1].shadow) is not None:
            chain.append(below)
        gone = chain[len(chain) // 2 :]
        if len(gone) == len(chain):
            del scope.open[key]
        else:
            chain[len(chain) // 2 - 1].shadow = None
        for call in gone:
            scope.unname(call)
            call.tool.end(call, None)
            call.tool.crowded |= call.since is not None
        self._gave_up = True
        self._ended += len(gone)


def _link(above: Call, below: Call | None) -> None:
    above.shadow = below
    if below is not None:
        below.above = above


def _number(call: Call) -> int:
    return call.number


def _compatible(left: _Key, right: _Key) -> bool:
    _, owner, session = left
    _, other, another = right
    return (owner == other or owner is None or other is None) and (
        session == another or session is None or another is None
    )
