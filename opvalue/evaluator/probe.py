"""Watch one call of a script more closely than a regrade does: for checking scripts, never for grading runs.

A probe may give the script another working folder, apart from its place for temporary files, and other variables; it
tells what the script wrote outside that place, and which lines Bash went through. The script itself is not changed.

Not seen without a sandbox: what is written in ``/tmp`` by name. Not seen anywhere: what a script writes and removes
again. Without Bash 4.1 no lines are told.
"""

import os
import re
import select
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from types import MappingProxyType
from typing import Final, Self

from opvalue.errors import printable
from opvalue.evaluator.errors import CannotLay
from opvalue.evaluator.layout import make_folder
from opvalue.process import Mount, Sandbox
from opvalue.process.private import is_folder

FOLDER: Final = "probe"
_WORK: Final = "work"
_COMMON: Final = "common"
_TRACE: Final = "trace"
_START: Final = "start"
_TEMPORARY: Final = "/tmp"  # noqa: S108 - the sandbox's own
_MOUNTED: Final = {"opvalue/"}
"""What the sandbox itself puts there."""

_BLOCK: Final = 65_536
_LAST_BLOCKS: Final = 16
"""Read after the call: no pipe holds more. A process that got away from it may write for ever."""
_KEPT: Final = 8_192
_MOST_LINES: Final = 100_000
_MOST_NAMES: Final = 20
_POLL_MS: Final = 20

# Read by Bash before the script. A descriptor that scripts do not choose by hand; nothing is inherited by name.
_STARTED = rb"""if (( BASH_VERSINFO[0] > 4 || (BASH_VERSINFO[0] == 4 && BASH_VERSINFO[1] >= 1) )); then
  exec 249>"${BASH_ENV%/*}/trace"
  BASH_XTRACEFD=249
  PS4=$'\x1e${BASH_SOURCE-}\x1f${LINENO-}\x1f'
fi
unset BASH_ENV
[[ -z ${BASH_XTRACEFD-} ]] || set -x
"""
_LINE = re.compile(rb"\x1e([^\x1e\x1f\n]*)\x1f([0-9]{1,9})\x1f")


class Probe:
    """How to watch one call, and what was seen. To be used once."""

    def __init__(
        self,
        *,
        environment: Mapping[str, str] = MappingProxyType({}),
        working_files: tuple[tuple[str, bytes], ...] | None = None,
    ) -> None:
        """``environment`` replaces the script's own variables.

        ``working_files``, by relative path, lie in a working folder of their own; ``None``: as in a regrade.
        """
        self.environment = environment
        self.working_files = working_files
        self.written: tuple[str, ...] = ()
        """What the script left outside its place for temporary files, printable; at most 20 names a place."""
        self.lines: frozenset[tuple[str, int]] = frozenset()
        """File, by its path in the script's tree, and line of each command that Bash went through."""

    def variables(self, base: str) -> dict[str, str]:
        """Return the variables that are added to the script's. ``base`` is its root as it sees it."""
        return {**self.environment, "BASH_ENV": f"{base}/{FOLDER}/{_START}"}

    def working_folder(self, base: str, usual: str) -> str:
        """Return the working folder as the script sees it."""
        return usual if self.working_files is None else f"{base}/{FOLDER}/{_WORK}"

    def confined(self, sandbox: Sandbox, root: Path, inside: str) -> Sandbox:
        """Return the sandbox with the probe's folders as well."""
        watched = (Mount(root / FOLDER, f"{inside}/{FOLDER}", writable=True),)
        if any(kept.startswith(f"{_TEMPORARY}/") for kept in sandbox.kept):
            return sandbox.holding(*sandbox.mounts, *watched)
        common = Mount(root / FOLDER / _COMMON, _TEMPORARY, writable=True)
        return sandbox.holding(common, *sandbox.mounts, *watched)

    @contextmanager
    def watching(self, root: Path, home: Path, tree: str) -> Iterator[None]:
        """Watch what runs within the block. The caller removes the folder afterwards.

        ``tree`` is the folder of the script's files as the script sees it. Raises ``CannotLay``.
        """
        folder = root / FOLDER
        for one in (folder, folder / _WORK, folder / _COMMON):
            make_folder(one)
        try:
            _lay(folder / _WORK, self.working_files or ())
            _lay(folder, ((_START, _STARTED),))
            trace = _Trace(folder / _TRACE)
        except OSError as error:
            raise CannotLay(f"cannot lay out what watches the script: {error.strerror}") from None
        before = {place: _names(place) for place in (folder / _WORK, folder / _COMMON, home)}
        try:
            with trace:
                yield
        finally:
            self.lines = frozenset(_relative(trace.lines, tree))
            shown = {folder / _WORK: "the working folder", folder / _COMMON: _TEMPORARY, home: "the home folder"}
            found = []
            for place, names in before.items():
                new = sorted(_names(place) - names - _MOUNTED)
                found += [f"{name} in {shown[place]}" for name in new[:_MOST_NAMES]]
            self.written = tuple(found)


def _lay(folder: Path, files: tuple[tuple[str, bytes], ...]) -> None:
    for name, data in files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


class _Trace:
    """Reads what Bash says of its way, without end if need be, and keeps each line once."""

    def __init__(self, path: Path) -> None:
        self.lines: set[tuple[str, int]] = set()
        os.mkfifo(path, 0o600)
        # For writing as well: the script never waits for a reader, and no end comes before ours.
        self._pipe = os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        self._ended = False
        self._thread = Thread(target=self._read, name="trace", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended = True
        self._thread.join()
        os.close(self._pipe)

    def _read(self) -> None:
        ready = select.poll()
        ready.register(self._pipe, select.POLLIN)
        rest = b""
        blocks = 0
        while blocks < _LAST_BLOCKS:
            ended = self._ended
            if ready.poll(0 if ended else _POLL_MS):
                blocks += ended
                with suppress(BlockingIOError):
                    rest = self._take(rest + os.read(self._pipe, _BLOCK))
            elif ended:
                return

    def _take(self, block: bytes) -> bytes:
        end = 0
        for found in _LINE.finditer(block):
            end = found.end()
            if len(self.lines) < _MOST_LINES:
                self.lines.add((found[1].decode("utf-8", "replace"), int(found[2])))
        return block[max(end, len(block) - _KEPT) :]


def _relative(lines: set[tuple[str, int]], tree: str) -> Iterator[tuple[str, int]]:
    for name, number in lines:
        path = os.path.normpath(name)
        if path.startswith(f"{tree}/"):
            yield path[len(tree) + 1 :], number


def _names(folder: Path) -> set[str]:
    try:
        if not is_folder(folder):
            return set()
        folder.chmod(0o700)
        with os.scandir(folder) as found:
            names = (f"{entry.name}/" if entry.is_dir(follow_symlinks=False) else entry.name for entry in found)
            return {printable(name) for name in names}
    except OSError:
        return set()
