"""The living members of a process group, and the end of one. Linux lists them in ``/proc``; elsewhere they only count.

Nothing here reaches a process that left the group.
"""

import contextlib
import os
import signal
from pathlib import Path
from typing import NamedTuple

_PROC = Path("/proc")
_LOOKS = 10


def kill_group(group: int) -> None:
    """Kill every member at once. A group that is gone, or not ours, is no error: its state is judged elsewhere."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def living_members(group: int) -> tuple[str, ...]:
    """Return the names of the group's living processes, or ``("a process",)`` where the system does not list them.

    The group's own leader must have been waited for. A zombie that nobody waits for (a container without an init) still
    answers a signal and is not alive, so where ``/proc`` can be read it decides. One look is not enough: a chain of
    short-lived processes can slip through between two entries. Only the same
    zombies twice in a row mean that none lives.
    """
    before: frozenset[str] = frozenset()
    for _ in range(_LOOKS):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return ()
        except PermissionError:
            if not _can_list():
                # So answers a group of zombies on macOS.
                return ()
        if not _can_list():
            break
        living, dead = _listed(group)
        if living:
            return tuple(sorted(living))
        if dead and dead == before:
            return ()
        before = dead
    return ("a process",)


def _can_list() -> bool:
    return (_PROC / "self/stat").exists()


def _listed(group: int) -> tuple[list[str], frozenset[str]]:
    """Return the names of the living and the numbers of the dead."""
    living, dead = [], set()
    for entry in _PROC.iterdir():
        member = _member(entry) if entry.name.isdecimal() else None
        if member is None or member.group != group:
            continue
        if member.lives:
            living.append(member.name)
        else:
            dead.add(entry.name)
    return living, frozenset(dead)


class _Member(NamedTuple):
    name: str
    lives: bool
    group: int


def _member(entry: Path) -> _Member | None:
    try:
        stat = (entry / "stat").read_bytes()
    except OSError:
        # It ended while the list was read.
        return None
    name, _, rest = stat.partition(b"(")[2].rpartition(b") ")
    state, _parent, group = rest.split(maxsplit=3)[:3]
    return _Member(name.decode("utf-8", "replace"), state not in {b"Z", b"X"}, int(group))
