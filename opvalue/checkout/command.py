"""How git is called: an environment built from nothing, overrides for whatever a configuration could start.

Two views of one checkout. ``discovered`` calls name the user's path and let git apply its own ownership check and the
user's ``safe.directory``; they read configuration and refs, never content. ``isolated`` calls read objects through an
empty git directory of this package that borrows only the object folder: no setting, hook, replacement, graft or
promisor of the repository exists there, so nothing of it can run, and an absent object cannot be fetched behind the
user's back (git before 2.45 knows no switch for that). Not done here: judging what git answers.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

_EMPTY: Final = Path(__file__).parent / "empty"
"""One empty git directory for each object format."""

# Where the user's own settings are found, safe.directory among them; SUDO_UID is git's rule for root (GT-11).
_KEPT: Final = ("PATH", "HOME", "XDG_CONFIG_HOME", "SUDO_UID")

_FIXED: Final = {
    "LC_ALL": "C",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_GRAFT_FILE": os.devnull,
    "GIT_ATTR_NOSYSTEM": "1",
    # A list of allowed transports beats every protocol.* setting; no transport has this name.
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_ASKPASS": "false",
    "SSH_ASKPASS": "false",
}

_OVERRIDES: Final = (
    "protocol.allow=never",
    "core.fsmonitor=false",
    "core.untrackedCache=false",
    f"core.hooksPath={os.devnull}",
    f"core.attributesFile={os.devnull}",
    "core.sshCommand=false",
    "core.askPass=false",
    "core.pager=cat",
    "core.commitGraph=false",
    "core.bigFileThreshold=1m",
    "core.warnAmbiguousRefs=false",
    "advice.graftFileDeprecated=false",
    "credential.helper=",
    "gpg.program=false",
    "diff.external=",
    "log.showSignature=false",
    f"fetch.bundleURI={os.devnull}",
    "maintenance.auto=false",
    "gc.auto=0",
)


class Call(NamedTuple):
    """One way to call git: the words before the subcommand, and the whole environment."""

    argv: tuple[str, ...]
    env: Mapping[str, str]


def discovered(git: Path, path: Path, environ: Mapping[str, str]) -> Call:
    """Return a call on the repository that ``path`` is or lies in, as the user's git finds it."""
    kept = {name: environ[name] for name in _KEPT if name in environ}
    return Call((*_base(git), "-C", str(path)), {**kept, **_FIXED})


def isolated(git: Path, objects: Path, object_format: str, *, shallow: Path | None, environ: Mapping[str, str]) -> Call:
    """Return a call that sees the folder ``objects`` and nothing else of a repository.

    ``shallow`` is the file that says where a shallow history ends; git would fail on walking past it.
    """
    env = {
        "PATH": environ.get("PATH", os.defpath),
        **_FIXED,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_DIR": str(_EMPTY / object_format),
        "GIT_OBJECT_DIRECTORY": str(objects),
    }
    if shallow is not None:
        env["GIT_SHALLOW_FILE"] = str(shallow)
    return Call(_base(git), env)


def _base(git: Path) -> tuple[str, ...]:
    return (str(git), "--no-pager", "--no-replace-objects", *_flags(_OVERRIDES))


def _flags(settings: Sequence[str]) -> tuple[str, ...]:
    return tuple(word for setting in settings for word in ("-c", setting))
