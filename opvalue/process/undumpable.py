"""Close this process to its own user: its memory and environment, before it holds a credential (DESIGN 5).

On Linux a process of the same user may read another's memory and environment below ``/proc``, unless that one says
that it is not to be dumped. The state lasts as long as the process; a program started from it is dumpable again.

Not stopped: root, or a process with CAP_SYS_PTRACE. Elsewhere than on Linux nothing is done; there a process of the
same user cannot read the memory of another without asking for it, but can read its environment.
"""

import sys
from typing import Final

_SET_DUMPABLE: Final = 4
"""PR_SET_DUMPABLE of prctl(2)."""


def undumpable() -> bool:
    """Let nobody of the same user read this process; tell whether that is so now.

    Nor does it leave a core file. Not undone: a variable that a parent of this process has in its own environment.
    """
    if sys.platform != "linux":
        return False
    import ctypes  # noqa: PLC0415 - only a process with a credential needs it

    try:
        return bool(ctypes.CDLL(None).prctl(_SET_DUMPABLE, 0, 0, 0, 0) == 0)
    except (OSError, AttributeError):
        return False
