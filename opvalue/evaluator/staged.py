"""A script laid out privately, and its modes. Made by ``Runner.stage``.

Each call gets an empty scratch folder as working folder and ``TMPDIR``, and an empty home; both are removed afterwards,
and the names of what was left in scratch are reported. The private copy is compared with what was laid before and after
each call. The exit status is judged before the output. Standard output is returned as it is.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Final

from opvalue.errors import printable
from opvalue.evaluator.environment import Folders
from opvalue.evaluator.errors import SyntaxInvalid
from opvalue.evaluator.layout import Layout, make_folder
from opvalue.evaluator.probe import FOLDER, Probe
from opvalue.evaluator.status import judge_status, said, shown_status
from opvalue.evaluator.tools import Tools
from opvalue.identity import Digest, RepoPath
from opvalue.limits import Limits
from opvalue.process import SYSTEM_FOLDERS, Command, Finished, LeftRunning, Mount, Sandbox, run
from opvalue.process.private import is_folder, remove_tree
from opvalue.process.sandbox import INSIDE

TREE: Final = "tree"
STAND_IN: Final = "stand-in"
TOOLS: Final = "tools"
BROKER: Final = "broker"
_HOME = "home"
_SCRATCH = "scratch"

_MOST_NAMES = 100


def _no_grace() -> float:
    return 0.0


# Scripts that ``bash -n`` accepted in this process, by the Bash asked.
_sound: set[tuple[Path, Digest]] = set()


class Staged:
    """One script, ready to run. Not to be used after its ``Runner.stage`` block has ended."""

    def __init__(
        self,
        root: Path,
        layout: Layout,
        path: RepoPath,
        script: bytes,
        *,
        limits: Limits,
        tools: Tools,
        sandbox: Sandbox | None,
        environment: Callable[[Folders], dict[str, str]],
    ) -> None:
        self._root = root
        self._layout = layout
        self._script = f"{TREE}/{path}"
        self._digest = Digest.of(script)
        self._limits = limits
        self._tools = tools
        self._base = str(root) if sandbox is None else INSIDE
        self._sandbox = None if sandbox is None else sandbox.holding(*_mounts(root))
        self._env = environment(Folders(*(f"{self._base}/{name}" for name in (TREE, STAND_IN, TOOLS, _HOME, _SCRATCH))))
        self._left: list[str] = []

    @property
    def broker_folder(self) -> Path:
        """A private folder that the script sees beside its stand-ins' one, as ``broker``, read-only in the sandbox.

        For the socket at which stand-ins find whoever answers them.
        """
        return self._root / BROKER

    def left_behind(self) -> tuple[str, ...]:
        """Return the names that the calls so far left in their scratch folders, printable, in order of the calls.

        A folder's name ends with a slash; what lies in it is not listed. At most 100 names a call.
        """
        return tuple(self._left)

    def check_syntax(self) -> None:
        """Have ``bash -n`` read the script; it executes nothing. An accepted script is not asked about again.

        Raises ``SyntaxInvalid``, ``Changed`` and what ``process.run`` raises.
        """
        if (self._tools.bash, self._digest) in _sound:
            return
        self._layout.verify()
        finished = run(
            Command(
                argv=(str(self._tools.bash), "-n", f"{self._root}/{self._script}"),
                cwd=self._root,
                env={"LC_ALL": "C"},
                seconds=self._limits.syntax_seconds,
                stream_bytes=self._limits.stream_bytes,
                name="bash -n",
            )
        )
        if finished.status != 0:
            message = said(finished.stderr, f"{self._root}/{TREE}/")
            raise SyntaxInvalid(f"the evaluator is not valid Bash: {message or shown_status(finished.status)}")
        _sound.add((self._tools.bash, self._digest))

    def definition(self) -> bytes:
        """Return what ``--definition`` prints. Raises what ``call`` raises."""
        return self.call("--definition", seconds=self._limits.definition_seconds).stdout

    def metric(self, evidence: bytes) -> bytes:
        """Return what ``--metric`` prints for an evidence object; limited like ``--definition``."""
        return self.call("--metric", stdin=evidence, seconds=self._limits.definition_seconds).stdout

    def grade_run(self, request: bytes, *, grace: Callable[[], float] = _no_grace) -> bytes:
        """Return what ``--grade-run`` prints for a request. ``grace`` and errors as for ``call``."""
        return self.call("--grade-run", stdin=request, seconds=self._limits.grade_run_seconds, grace=grace).stdout

    def call(
        self,
        *arguments: str,
        stdin: bytes = b"",
        seconds: float,
        grace: Callable[[], float] = _no_grace,
        probe: Probe | None = None,
    ) -> Finished:
        """Run the script with these arguments to its end and return its output.

        ``grace`` gives the seconds that do not count, because the script waited for whoever answers its stand-ins.
        ``probe`` watches the call; what it saw is in it afterwards, however the call ended.
        Raises, in this order: ``TimedOut``, ``OutputTooLarge``, ``Changed``, ``Killed``, ``ExitStatus``,
        ``LeftRunning``; and the faults of starting a process. Not checked: standard output.
        """
        title = f"the evaluator's {arguments[0]}" if arguments else "the evaluator"
        self._layout.verify()
        left_running = None
        with self._scratch(probe):
            command = self._command(arguments, stdin, seconds, title)._replace(grace=grace)
            try:
                finished = run(command if probe is None else self._probed(command, probe))
            except LeftRunning as left:
                left_running, finished = left, left.finished
        self._layout.verify()
        judge_status(finished, title, said(finished.stderr, f"{self._base}/{TREE}/"))
        if left_running is not None:
            raise left_running
        return finished

    def _command(self, arguments: tuple[str, ...], stdin: bytes, seconds: float, title: str) -> Command:
        return Command(
            argv=(str(self._tools.bash), f"{self._base}/{self._script}", *arguments),
            cwd=Path(f"{self._base}/{_SCRATCH}"),
            env=self._env,
            seconds=seconds,
            stream_bytes=self._limits.stream_bytes,
            stdin=stdin,
            name=title,
            sandbox=self._sandbox,
        )

    def _probed(self, command: Command, probe: Probe) -> Command:
        return command._replace(
            cwd=Path(probe.working_folder(self._base, str(command.cwd))),
            env={**command.env, **probe.variables(self._base)},
            sandbox=None if self._sandbox is None else probe.confined(self._sandbox, self._root, INSIDE),
        )

    @contextmanager
    def _scratch(self, probe: Probe | None) -> Iterator[None]:
        """Make the call's own folders, note what it left in scratch, and remove them."""
        folders = (self._root / _SCRATCH, self._root / _HOME)
        try:
            for folder in folders:
                make_folder(folder)
            tree = f"{self._base}/{TREE}"
            with nullcontext() if probe is None else probe.watching(self._root, folders[1], tree):
                yield
            self._left += _names(folders[0])
        finally:
            for folder in (*folders, *([] if probe is None else [self._root / FOLDER])):
                remove_tree(folder)


def _mounts(root: Path) -> tuple[Mount, ...]:
    """Return the private folder read-only, and over it what may be written.

    And the stand-ins over the machine's programs of their names, so that they are met by any path (``/usr/bin/gh``,
    ``command -p gh``, ``env -i gh``).
    """
    writable = (Mount(root / name, f"{INSIDE}/{name}", writable=True) for name in (_SCRATCH, _HOME))
    return (Mount(root, INSIDE), *writable, *_replaced(root / STAND_IN))


def _replaced(stand_ins: Path) -> Iterator[Mount]:
    names = [path.name for path in stand_ins.iterdir()]
    same_name = (os.path.realpath(f"{folder}/{name}") for folder in SYSTEM_FOLDERS for name in names)
    for place in sorted(set(same_name)):
        if os.path.isfile(place):  # noqa: PTH113
            yield Mount(stand_ins / os.path.basename(place), place)  # noqa: PTH119


def _names(folder: Path) -> tuple[str, ...]:
    try:
        # The script may have put a link in its place, or taken its own permissions away.
        if not is_folder(folder):
            return ()
        folder.chmod(0o700)
        with os.scandir(folder) as found:
            names = sorted(f"{entry.name}/" if entry.is_dir(follow_symlinks=False) else entry.name for entry in found)
    except OSError:
        return ()
    return tuple(printable(name) for name in names[:_MOST_NAMES])
