"""The one error base: every refusal is a class with a stable code, and says expected, found and what to do.

No I/O here. Each room declares its own causes in its ``errors`` module, one class a cause; ``opvalue help errors``
lists them from the class docstrings. A class docstring says when it is raised; ``advice`` says what to do next.
"""

import enum
import errno
import re
from collections.abc import Iterator
from typing import ClassVar


class Kind(enum.Enum):
    """The family of a failure, and with it the exit status of the process (DESIGN 4)."""

    INTERNAL = "internal"
    USAGE = "usage"
    NOTHING = "nothing-to-grade"
    CREDENTIALS = "credentials"
    REFUSED = "refused"
    ARTIFACT = "artifact"
    EVALUATOR = "evaluator"
    NOT_MATURE = "not-mature"
    NOT_OBSERVED = "not-observed"
    INTERRUPTED = "interrupted"

    @property
    def exit_status(self) -> int:
        """The status the process ends with."""
        return _EXIT_STATUS[self]


_EXIT_STATUS = {
    Kind.INTERNAL: 1,
    Kind.USAGE: 2,
    Kind.NOTHING: 3,
    Kind.CREDENTIALS: 4,
    Kind.REFUSED: 5,
    Kind.ARTIFACT: 6,
    Kind.EVALUATOR: 7,
    Kind.NOT_MATURE: 8,
    Kind.NOT_OBSERVED: 9,
    Kind.INTERRUPTED: 130,
}

_UNSAFE = "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"


def printable(text: str) -> str:
    """Return ``text`` with every character that could steer a terminal or reorder a line written as an escape.

    Tab and line feed stay. Untrusted text passes through here before a person sees it.
    """
    # All of _UNSAFE is unprintable. The pattern is compiled only where there is something unprintable.
    if text.replace("\t", " ").replace("\n", " ").isprintable():
        return text
    return re.sub(_UNSAFE, lambda found: f"\\u{ord(found[0]):04x}", text)


def _set_in(text: str) -> str:
    return text.replace("\t", "    ").replace("\n", f"\n{'':12}")


class OpvalueError(Exception):
    """Base of every failure this package raises on purpose.

    ``message`` is one sentence. ``expected`` and ``found`` are short texts, given when there is something to compare.
    ``hint`` replaces the class's own ``advice`` where the case at hand allows a better one.
    """

    code: ClassVar[str] = "internal"
    kind: ClassVar[Kind] = Kind.INTERNAL
    advice: ClassVar[str] = "Report this with the command that was run."

    def __init__(
        self, message: str, *, expected: str | None = None, found: str | None = None, hint: str | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.expected = expected
        self.found = found
        self.hint = hint if hint is not None else self.advice

    def diagnostics(self) -> str:
        """Return the text for a person: what happened, expected and found, what to do. Safe for a terminal.

        Further lines of a text are set in, so that none of them looks like a line of ours.
        """
        first, *rest = self.message.split("\n")
        lines = [_set_in("\n".join((f"{first} [{self.code}]", *rest)))]
        if self.expected is not None:
            lines.append(_set_in(f"  expected  {self.expected}"))
        if self.found is not None:
            lines.append(_set_in(f"  found     {self.found}"))
        if self.hint:
            lines.append(_set_in(f"  do        {self.hint}"))
        return printable("\n".join(lines))

    def envelope(self) -> dict[str, object]:
        """Return the value that ``--json`` prints for a failure."""
        error: dict[str, object] = {
            "kind": self.kind.value,
            "code": self.code,
            "message": self.message,
            "hint": self.hint,
        }
        if self.expected is not None:
            error["expected"] = self.expected
        if self.found is not None:
            error["found"] = self.found
        return {"error": error}


class UsageError(OpvalueError):
    """The command line or an argument of a public function does not make sense."""

    code = "usage"
    kind = Kind.USAGE
    advice = "See --help."


class Interrupted(OpvalueError):
    """The user pressed Ctrl-C or the process was told to end."""

    code = "interrupted"
    kind = Kind.INTERRUPTED
    advice = "Nothing was written. Run the command again."


class MachineFault(OpvalueError):
    """What the machine did not give: space, open files, memory. No fault of the run, the archive or the evaluator."""

    kind = Kind.USAGE


class NoSpace(MachineFault):
    """There is no room: the disk is full, a quota is used up, or a file grew to the size that a process may write."""

    code = "machine.no-space"
    advice = "Free some space, or have the output and TMPDIR elsewhere; then run the command again."


class TooManyOpenFiles(MachineFault):
    """The process, or the whole machine, may not open any more files."""

    code = "machine.too-many-open-files"
    advice = "Raise the limit, as with `ulimit -n 1024`, then run the command again."


class OutOfMemory(MachineFault):
    """There is no memory left, or no more than this process may have."""

    code = "machine.out-of-memory"
    advice = "Free some memory, or raise the limit (`ulimit -v`); then run the command again."


_FAULTS = {
    errno.ENOSPC: NoSpace,
    errno.EDQUOT: NoSpace,
    errno.EFBIG: NoSpace,
    errno.EMFILE: TooManyOpenFiles,
    errno.ENFILE: TooManyOpenFiles,
    errno.ENOMEM: OutOfMemory,
}


def machine_fault(error: BaseException) -> MachineFault | None:
    """Return what the machine did not give, if that is why ``error`` was raised; its file is named where known."""
    if isinstance(error, MemoryError):
        return OutOfMemory("out of memory")
    fault = _FAULTS.get(error.errno or 0) if isinstance(error, OSError) else None
    if fault is None or not isinstance(error, OSError):
        return None
    place = f": {error.filename}" if isinstance(error.filename, str) else ""
    said = error.strerror or "no more is given"
    return fault(f"{said[:1].lower()}{said[1:]}{place}")


def every_error_class(base: type[OpvalueError] = OpvalueError) -> Iterator[type[OpvalueError]]:
    """Yield the base and every loaded subclass that declares a code of its own, depth first."""
    if "code" in vars(base):
        yield base
    for child in base.__subclasses__():
        yield from every_error_class(child)
