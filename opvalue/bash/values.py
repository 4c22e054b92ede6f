"""What a word stands for, as far as the text alone tells: a string, or unknown and why.

Two strings stand for directories whose names are not known before the script runs: ``ROOT`` for the private tree with
the commit's files (what ``GITHUB_WORKSPACE`` names), ``SCRATCH`` for the empty directory it starts in. They hold NUL,
which no script may hold, and look like absolute paths two levels deep, so that cutting at slashes does to them what
Bash does to the real names. A result that cuts into one is unknown.
"""

import posixpath
from typing import Final, NamedTuple, TypeAlias

ROOT: Final = "/\0/\0"
SCRATCH: Final = "/\0scratch/\0"
SYSTEM_PATH: Final = "/\0path"
"""Stands for the ``PATH`` a script starts with."""
LONGEST: Final = 4096
"""Characters; a longer value is not followed."""


class Unknown(NamedTuple):
    """A value that only a run would tell. ``prefix`` is its beginning as far as known."""

    why: str
    prefix: str = ""
    unset: bool = False
    """It is a variable that nothing sets, which expands to nothing; most likely a mistake."""


Value: TypeAlias = str | Unknown


def checked(text: str) -> Value:
    """Return ``text``, or unknown when it is too long or keeps only a piece of a stand-in directory."""
    if len(text) > LONGEST:
        return Unknown("the value is too long")
    if "\0" in text.replace(ROOT, "").replace(SCRATCH, ""):
        return Unknown("it depends on where the repository lies")
    return text


def below_root(text: str) -> bool:
    """Tell whether an absolute path lies in the private tree, or is the tree itself."""
    return text == ROOT or text.startswith(ROOT + "/")


def normal(text: str, folder: Value) -> Value:
    """Return the absolute, cleaned form of a path as seen from ``folder``. Nothing in the tree is a link."""
    if not text.startswith("/"):
        if isinstance(folder, Unknown):
            return folder
        text = f"{folder}/{text}"
    return checked("/" + posixpath.normpath(text).lstrip("/"))


def dirname(text: str) -> Value:
    """Return what ``dirname`` prints."""
    bare = text.rstrip("/")
    if not bare:
        return "/" if text else "."
    head = posixpath.dirname(bare)
    return checked(head) if head else "."


def basename(text: str, suffix: str = "") -> Value:
    """Return what ``basename`` prints."""
    name = text.rstrip("/").rpartition("/")[2]
    if not name:
        return "/" if text else ""
    return checked(name.removesuffix(suffix) if name != suffix else name)


def trimmed(text: str, operator: str, pattern: str) -> Value:
    """Return ``${text OPERATOR pattern}`` for a pattern without wildcards, or with one ``*`` at its start or end."""
    star_first, star_last = pattern.startswith("*"), pattern.endswith("*") and len(pattern) > 1
    fixed = pattern[1:] if star_first else pattern[:-1] if star_last else pattern
    if any(sign in fixed for sign in "*?[\\(") or (star_first and star_last):
        return Unknown("its pattern is not one that is followed")
    if not fixed:
        return "" if len(operator) == 2 else text
    if operator.startswith("#"):
        return checked(_without_start(text, fixed, star_first, star_last, longest=operator == "##"))
    return checked(_without_end(text, fixed, star_first, star_last, longest=operator == "%%"))


def _without_start(text: str, fixed: str, star_first: bool, star_last: bool, *, longest: bool) -> str:
    if star_first:
        at = text.rfind(fixed) if longest else text.find(fixed)
        return text if at < 0 else text[at + len(fixed) :]
    if star_last and longest:
        return "" if text.startswith(fixed) else text
    return text.removeprefix(fixed)


def _without_end(text: str, fixed: str, star_first: bool, star_last: bool, *, longest: bool) -> str:
    if star_last:
        at = text.find(fixed) if longest else text.rfind(fixed)
        return text if at < 0 else text[:at]
    if star_first and longest:
        return "" if text.endswith(fixed) else text
    return text.removesuffix(fixed)
