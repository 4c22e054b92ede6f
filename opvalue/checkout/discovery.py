"""Let git find the repository a path belongs to, and read the few facts about it that matter.

Git applies its own ownership check and the user's ``safe.directory``; its refusal is passed on (GT-11). Two git
processes. No object is read.
"""

import os
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from opvalue.checkout.command import Call, discovered
from opvalue.checkout.errors import DubiousOwnership, GitFailed, NotARepository
from opvalue.checkout.objects import HEX_LENGTHS
from opvalue.checkout.plumbing import ask
from opvalue.checkout.remotes import CONFIG_PATTERN, Settings, read_settings
from opvalue.limits import Limits

_FACTS = (
    "rev-parse",
    "--is-shallow-repository",
    "--is-bare-repository",
    "--show-object-format",
    "--git-path",
    "objects",
)
_NO_SETTING = 1
_OWNERSHIP = ("dubious ownership", "unsafe repository")
_NO_REPOSITORY = ("not a git repository", "must be run in a work tree")


class Discovered(NamedTuple):
    """A repository as git found it."""

    git: Path
    path: Path
    """Absolute, as the user named it."""
    environ: Mapping[str, str]
    """The caller's environment, of which git gets a few names only."""
    call: Call
    """Calls git on this repository."""
    objects: Path
    """The object folder; of the main repository for a linked worktree."""
    object_format: str
    """``sha1`` or ``sha256``."""
    shallow: Path | None
    """The file that lists where a shallow history ends; ``None`` for a whole one."""
    bare: bool
    settings: Settings


def discover(git: Path, path: Path, environ: Mapping[str, str], limits: Limits) -> Discovered:
    """Return the repository that ``path`` is or lies in.

    Raises ``NotARepository``, ``DubiousOwnership``, ``GitFailed``, ``GitTimedOut``, ``GitMissing``.
    """
    place = _absolute(path)
    if not os.path.isdir(place):  # noqa: PTH112 - pathlib raises where a folder above is closed to us
        raise NotARepository(f"there is no folder {place}", expected="a git repository")
    call = discovered(git, place, environ)
    shallow, bare, object_format, folder = _facts(call, place, limits.git_seconds)
    if object_format not in HEX_LENGTHS:
        raise GitFailed(
            f"git does not know the object format of {place}",
            expected="sha1 or sha256",
            found=object_format,
            hint="Use git 2.30 or later.",
        )
    pattern = ("config", "--null", "--show-scope", "--get-regexp", CONFIG_PATTERN)
    settings = read_settings(ask(call, pattern, seconds=limits.git_seconds, empty_status=_NO_SETTING))
    objects = place / folder
    ends = objects.parent / "shallow" if shallow == "true" else None
    return Discovered(git, place, environ, call, objects, object_format, ends, bare == "true", settings)


def _absolute(path: Path) -> Path:
    try:
        return Path(os.path.abspath(path))  # noqa: PTH100 - links in the user's path stay as they are
    except FileNotFoundError:
        raise NotARepository("the current folder has been removed", expected="a git repository") from None


def _facts(call: Call, place: Path, seconds: float) -> tuple[str, str, str, str]:
    try:
        output = ask(call, _FACTS, seconds=seconds)
    except GitFailed as failed:
        if any(words in failed.message for words in _OWNERSHIP):
            # The lines that follow are git's advice, which the hint gives.
            raise DubiousOwnership(failed.message.partition("\n")[0], hint=_ownership_hint(place)) from None
        if any(words in failed.message for words in _NO_REPOSITORY):
            raise NotARepository(f"{place} is no git repository and lies in none", found=failed.message) from None
        raise
    # The folder comes last: its name may hold line feeds.
    words = os.fsdecode(output).removesuffix("\n").split("\n", 3)
    if len(words) != len(_FACTS) - 2:
        raise GitFailed(f"git did not describe {place}", found=repr(output[:80]), hint="Use git 2.30 or later.")
    shallow, bare, object_format, folder = words
    return shallow, bare, object_format, folder


def _ownership_hint(place: Path) -> str:
    return (
        "Git refuses repositories of other users. If you trust the owner, allow this one: "
        f"git config --global --add safe.directory {shlex.quote(str(place))}"
    )
