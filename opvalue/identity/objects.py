"""Commit ids and repository paths, in the one spelling that may reach git (reference 2.2, step 10)."""

import posixpath
import re
from typing import Final, NamedTuple, Self

from opvalue.errors import Kind, OpvalueError

WORKFLOWS: Final = ".github/workflows"

_FULL_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_MAX_PATH = 1024


class PathRefused(OpvalueError):
    """A path that could climb, be taken for an option, or name something else on another system."""

    code = "identity.unsafe-path"
    kind = Kind.REFUSED
    advice = "Use a plain path relative to the repository root, such as .github/graders/name.sh."


class CommitId(NamedTuple):
    """A full object id: 40 hexadecimal characters (SHA-1) or 64 (SHA-256). Abbreviations are not ids."""

    hex: str

    @classmethod
    def parse(cls, text: object) -> Self | None:
        """Return the id ``text`` spells in lower case, or ``None``."""
        if isinstance(text, str) and _FULL_ID.fullmatch(text):
            return cls(text)
        return None

    @property
    def short(self) -> str:
        """The first twelve characters, for people."""
        return self.hex[:12]

    def __str__(self) -> str:
        return self.hex


class RepoPath(NamedTuple):
    """A path relative to the repository root, clean and in POSIX form."""

    text: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return ``text`` as a path, or raise ``PathRefused`` naming the rule it breaks."""
        why = _unsafe(text)
        if why is not None:
            raise PathRefused(f"the path {text[:80]!r} {why}", expected="a clean path below the repository root")
        return cls(text)

    @classmethod
    def declared(cls, text: str, *, beside: str = WORKFLOWS) -> Self:
        """Return an evaluator path as frontmatter declares it: ``./x.sh`` lies beside the workflow file."""
        if text.startswith("./"):
            return cls.parse(posixpath.normpath(posixpath.join(beside, text)))
        return cls.parse(text)

    @property
    def folder(self) -> str:
        """The folder the file lies in, empty for the repository root."""
        return posixpath.dirname(self.text)

    @property
    def parts(self) -> tuple[str, ...]:
        """The path's segments."""
        return tuple(self.text.split("/"))

    def __str__(self) -> str:
        return self.text


def _unsafe(text: str) -> str | None:
    if not text:
        return "is empty"
    if len(text) > _MAX_PATH:
        return f"is longer than {_MAX_PATH} characters"
    if text.startswith("-"):
        return "begins with a dash"
    if text.startswith("/"):
        return "is absolute"
    if "\\" in text or ":" in text:
        return "holds a backslash or a colon"
    if _CONTROL.search(text):
        return "holds a control character"
    if _LONE_SURROGATE.search(text):
        return "holds half a surrogate pair, which no file name can"
    if text in {".", ".."} or text.startswith("../"):
        return "climbs out of the repository"
    if posixpath.normpath(text) != text:
        return "is not in its cleaned form"
    return None
