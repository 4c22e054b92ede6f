"""The living members of a process group, and the end of one. Linux lists them in ``/proc``; elsewhere they only count.

Nothing here reaches a process that left the group.
"""

import contextlib
import os
import signal
from pathlib import Path

_PROC = Path("/proc")


def kill_group(group: int) -> None:
    """Kill every member at once. A group that is gone, or not ours, is no error: its state is judged elsewhere."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def living_members(group: int) -> tuple[str, ...]:
    """Return the names of the group's living processes, or ``("a process",)`` where the system does not list them.

    The group's own leader must have been waited for. A zombie that nobody waits for (a container without an init) still
    answers a signal and is not alive, so where ``/proc`` can be read it decides.
    """
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return ()
    except PermissionError:
        # So answers a group of zombies on macOS, and on Linux a member that runs as another user.
        return _listed(group) or ()
    listed = _listed(group)
    return ("a process",) if listed is None else listed


def _listed(group: int) -> tuple[str, ...] | None:
    """Return the names in ``/proc``, or ``None`` where there is no such place."""
    if not (_PROC / "self/stat").exists():
        return None
    found = (_member(entry, group) for entry in _PROC.iterdir() if entry.name.isdecimal())
    return tuple(sorted(name for name in found if name is not None))


def _member(entry: Path, group: int) -> str | None:
    try:
        stat = (entry / "stat").read_bytes()
    except OSError:
        # It ended while the list was read.
        return None
    name, _, rest = stat.partition(b"(")[2].rpartition(b") ")
    state, _parent, member_of = rest.split(maxsplit=3)[:3]
    if state in {b"Z", b"X"} or int(member_of) != group:
        return None
    return name.decode("utf-8", "replace")
