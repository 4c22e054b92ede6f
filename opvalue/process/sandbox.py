"""The sandbox: bubblewrap around a child, where this Linux lets it work (DESIGN 5).

Inside, the root is read-only; homes, runtime and temporary folders are replaced by empty ones; what the caller mounts
lies below ``/tmp/opvalue``, whatever it is called outside; there is no network, no other process, no capability, no
keyring of the kernel's, and user and host have fixed names. Tools that lie in a hidden place are mounted back,
read-only.

Not hidden: readable files elsewhere on the root, such as a checkout in ``/opt/code``. Not limited: memory, number of
processes, disk. The kernel is the same, so a hole in it is a hole here.

With a process namespace of its own nothing outlives the command, and nothing would be said of it. So a shell of ours
starts the command, looks for other processes when it ended, and reports on the descriptor given to ``wrap``.
"""

import os
import re
import sys
from pathlib import Path
from threading import Lock
from typing import Final, NamedTuple, Self

from opvalue.errors import OpvalueError
from opvalue.process.child import GRACE_SECONDS, Command, run
from opvalue.process.errors import CannotStart, SandboxFailed, SandboxMissing, SandboxUnsure, StatusLost, TimedOut
from opvalue.process.keyrings import keyring_filter
from opvalue.process.private import temporary_place
from opvalue.process.programs import SYSTEM_FOLDERS, find_program, usual_path

INSIDE: Final = "/tmp/opvalue"  # noqa: S108 - in the sandbox's own, empty /tmp
"""The folder inside under which the caller mounts what the command needs."""

LAYERS: Final = (
    "bubblewrap",
    "read-only-root",
    "private-home",
    "private-temporary-folders",
    "no-network",
    "process-namespace",
    "ipc-namespace",
    "host-name-namespace",
    "user-namespace",
    "new-session",
    "no-capabilities",
    "die-with-parent",
)
"""What ``Sandbox.wrap`` asks bubblewrap for, by name; a bubblewrap that cannot give one of them fails the probe."""
KEYRINGS: Final = "no-keyrings"
"""The layer that a filter of system calls is, where one is known for this machine and the kernel takes it."""

_HIDDEN = ("/home", "/root", "/run", "/var/run", "/tmp", "/var/tmp", "/mnt", "/media", "/srv")  # noqa: S108
_LOOKS = 25
_CLOSED = re.compile(r"Can't (?:find source path|bind mount) (?:/oldroot)?(/.+?)(?: on .+)?: Permission denied")
_FLAGS = (
    *("--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"),
    *("--new-session", "--die-with-parent", "--cap-drop", "ALL"),
    *("--uid", "65534", "--gid", "65534", "--hostname", "opvalue"),
    *("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"),
)
# Process 1 is bubblewrap's own; $$ is this shell, which says nothing itself ("Killed") on the command's standard error.
# PATH is reset because the command's may lead to stand-ins.
_KEEPER = f"""report=/proc/self/fd/$1
shift
exec 9>&2 2>/dev/null
(exec "$@" 2>&9 9>&-)
status=$?
PATH=/usr/bin:/bin
looks=0
while :; do
  left=
  for entry in /proc/[0-9]*; do
    case $entry in
      /proc/1 | "/proc/$$") ;;
      *) if read -r name <"$entry/comm"; then left="$left, $name"; fi ;;
    esac
  done
  if [ -z "$left" ]; then
    printf '\\nended\\n' >"$report"
    exit "$status"
  fi
  looks=$((looks + 1))
  if [ "$looks" -gt {_LOOKS} ]; then
    printf '\\nleft %s\\n' "${{left#, }}" >"$report"
    exit "$status"
  fi
  sleep {GRACE_SECONDS / _LOOKS:g}
done
"""


class Mount(NamedTuple):
    """A file or folder of outside, and where it lies inside."""

    source: Path
    target: str
    writable: bool = False


class Sandbox(NamedTuple):
    """A sandbox that was seen to work here. Immutable; ``holding`` gives one with mounts."""

    program: Path
    """bubblewrap."""
    hidden: tuple[str, ...]
    """Folders replaced by empty ones."""
    kept: tuple[str, ...]
    """Folders and files of tools below a hidden one, mounted back read-only."""
    layers: tuple[str, ...] = LAYERS
    """What is in force, by name."""
    mounts: tuple[Mount, ...] = ()
    filter: bytes | None = None
    """The filter of system calls (``keyrings``); ``None`` for none."""

    def holding(self, *mounts: Mount) -> Self:
        """Return this sandbox with these mounts, and no others."""
        return self._replace(mounts=mounts)

    def wrap(self, argv: tuple[str, ...], cwd: Path, report: int, filtered: int | None = None) -> tuple[str, ...]:
        """Return the command that runs ``argv`` inside, with working folder ``cwd`` (a path inside)."""
        options = [str(self.program), *_FLAGS]
        if filtered is not None:
            options += ("--seccomp", str(filtered))
        for place in self.hidden:
            options += ("--tmpfs", place)
        for place in self.kept:
            options += ("--ro-bind", place, place)
        for mount in self.mounts:
            options += ("--bind" if mount.writable else "--ro-bind", str(mount.source), mount.target)
        return (*options, "--chdir", str(cwd), "--", "/bin/sh", "-c", _KEEPER, "sh", str(report), *argv)


class Detection(NamedTuple):
    """What looking for a sandbox brought: one that works, or the reason why there is none."""

    sandbox: Sandbox | None
    reason: str = ""
    hint: str | None = None
    """What to do about that very reason, where it is known."""

    def required(self) -> Sandbox:
        """Return the sandbox. Raises ``SandboxMissing`` with the reason."""
        if self.sandbox is None:
            raise SandboxMissing(f"no sandbox works here: {self.reason}", hint=self.hint)
        return self.sandbox


_detected: dict[tuple[tuple[Path, ...], tuple[Path, ...]], Detection] = {}
_trying = Lock()


def detect(tools: tuple[Path, ...] = (), libraries: tuple[Path, ...] = ()) -> Detection:
    """Try the sandbox once per set of tools and process; remember the outcome.

    ``tools`` are absolute programs that must work inside, and answer ``--version`` there. ``libraries`` are the files
    and folders they read, each mounted back where it lies in a hidden place. Raises ``SandboxUnsure`` where the trial
    itself failed for what may pass; that is not remembered.
    """
    # One tries, the others wait for the outcome.
    with _trying:
        asked = (tools, libraries)
        if asked not in _detected:
            _detected[asked] = _try(tools, libraries)
        return _detected[asked]


def _try(tools: tuple[Path, ...], libraries: tuple[Path, ...]) -> Detection:
    try:
        return _probe(tools, libraries)
    except SandboxFailed as error:
        said = error.found or error.message
        closed = _CLOSED.search(said)
        return Detection(None, said) if closed is None else _closed(closed[1])
    except (CannotStart, StatusLost, TimedOut) as error:
        # A machine that is busy must not be what takes the sandbox away.
        raise SandboxUnsure("the sandbox could not be tried", found=_told(error)) from None
    except OpvalueError as error:
        return Detection(None, _told(error))


def _told(error: OpvalueError) -> str:
    return error.message if error.found is None else f"{error.message}: {error.found}"


def _closed(place: str) -> Detection:
    return Detection(
        None,
        f"{place} lies in a folder that is closed to the sandbox, and Python or a tool is in there",
        "Install Python, bash and jq where everybody may read, such as /usr, or run this as the owner of that folder.",
    )


def _probe(tools: tuple[Path, ...], libraries: tuple[Path, ...]) -> Detection:
    if sys.platform != "linux":
        return Detection(None, "bubblewrap works on Linux only")
    hidden = _hidden_places()
    plain = Sandbox(find_program("bwrap", usual_path()), hidden, _kept(tools, libraries, hidden))
    filter_ = keyring_filter()
    if filter_ is None:
        return _tried(plain, tools)
    try:
        found = _tried(plain._replace(filter=filter_, layers=(*LAYERS, KEYRINGS)), tools)
    except SandboxFailed:
        # A kernel without such filters; where it is anything else, that is found now.
        return _tried(plain, tools)
    return found if found.sandbox is not None else _tried(plain, tools)


def _tried(sandbox: Sandbox, tools: tuple[Path, ...]) -> Detection:
    finished = run(
        Command(
            argv=("/bin/sh", "-c", 'for tool; do "$tool" --version || exit; done', "sh", *map(str, tools)),
            cwd=Path("/"),
            env={"LC_ALL": "C"},
            seconds=10,
            stream_bytes=65536,
            name="the sandbox's probe",
            sandbox=sandbox,
        )
    )
    if finished.status != 0:
        said = finished.stderr.decode("utf-8", "replace").strip()
        return Detection(None, f"a tool does not work inside: {said or finished.status}")
    return Detection(sandbox)


def _hidden_places() -> tuple[str, ...]:
    """Return the folders to hide, by their real names, none inside another."""
    places = (*_HIDDEN, os.environ.get("HOME", ""), str(temporary_place()))
    real = {os.path.realpath(place) for place in places if place.startswith("/")}
    usable = {place for place in real if os.path.isdir(place) and not _holds_system(place)}  # noqa: PTH112
    return tuple(sorted(place for place in usable if not any(_below(place, other) for other in usable)))


def _holds_system(place: str) -> bool:
    """Tell whether hiding this place would hide the system's programs: a home of ``/`` or ``/usr``."""
    return any(folder == place or _below(folder, place) for folder in SYSTEM_FOLDERS)


def _below(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip("/") + "/")


def _kept(tools: tuple[Path, ...], libraries: tuple[Path, ...], hidden: tuple[str, ...]) -> tuple[str, ...]:
    """Return what to mount back: the tools' folders, bare files for tools right in a hidden place, and libraries."""
    kept = {str(path) for path in libraries if any(_below(str(path), place) for place in hidden)}
    for tool in tools:
        for file in (str(tool), os.path.realpath(tool)):
            folder = os.path.dirname(file)  # noqa: PTH120
            if folder in hidden:
                kept.add(file)
            elif any(_below(folder, place) for place in hidden):
                kept.add(folder)
    return tuple(sorted(kept))
