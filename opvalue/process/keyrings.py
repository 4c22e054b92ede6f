"""A filter of system calls that keeps the kernel's keyrings from a child; namespaces do not part them (keyrings(7)).

A child would find the keys of the session that it was started from, such as tickets and keys of file systems, by
``keyctl`` and its like. Not filtered: anything else; the sandbox's other layers are namespaces.
"""

import os
import struct
from typing import Final, NamedTuple

_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_NUMBER_AT, _ARCHITECTURE_AT = 0, 4
_ALLOW: Final = 0x7FFF0000
_NOT_PERMITTED: Final = 0x00050001
"""SECCOMP_RET_ERRNO with EPERM."""
_OTHER_ABI: Final = 0x40000000
"""From here on, numbers of x86_64 are those of x32, a second spelling of every call."""


class _Calls(NamedTuple):
    """How an architecture names itself (AUDIT_ARCH), and its numbers of add_key, request_key and keyctl."""

    architecture: int
    numbers: tuple[int, int, int]


_KNOWN: Final = {
    "x86_64": _Calls(0xC000003E, (248, 249, 250)),
    "aarch64": _Calls(0xC00000B7, (217, 218, 219)),
    "riscv64": _Calls(0xC00000F3, (217, 218, 219)),
}


def keyring_filter(machine: str | None = None) -> bytes | None:
    """Return the filter (seccomp(2), classic BPF) for ``machine``, by default this one; ``None`` where none is known.

    Calls of another architecture's ABI, such as those of 32-bit programs, are refused altogether.
    """
    calls = _KNOWN.get(machine or os.uname().machine)
    if calls is None:
        return None
    refusals = len(calls.numbers) + 1
    steps = [
        (_LOAD, 0, 0, _ARCHITECTURE_AT),
        (_EQUAL, 0, refusals + 2, calls.architecture),
        (_LOAD, 0, 0, _NUMBER_AT),
        (_AT_LEAST, refusals, 0, _OTHER_ABI),
        *((_EQUAL, refusals - 1 - place, 0, number) for place, number in enumerate(calls.numbers)),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _NOT_PERMITTED),
    ]
    return b"".join(struct.pack("=HBBI", *step) for step in steps)
