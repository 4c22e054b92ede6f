"""The recorded session in a ``usage`` artifact: found by exact name, read in blocks, never extracted.

The upload action cuts the folder that all files of an artifact share, so the session lies in one of two places. Not
checked here: that the session is this run's, and anything inside it.
"""

import re
from collections.abc import Iterator
from typing import BinaryIO, Final

from opvalue.archive import errors
from opvalue.archive.zipped import Wanted, ZippedFiles
from opvalue.limits import Limits

SESSION_NAMES: Final = ("usage/aw_session.jsonl", "aw_session.jsonl")

_WANTED: Final = Wanted(frozenset(SESSION_NAMES), re.compile(rb"(?:usage/)?aw_session\.jsonl/"), "a session")
_DEFAULT: Final = Limits()


class ArchivedSession:
    """The session of an open zip, which stays the caller's and must stay open."""

    descriptor: None = None
    """No file holds these bytes alone."""

    def __init__(self, file: BinaryIO, limits: Limits = _DEFAULT) -> None:
        """Find it. Raises the errors of ``archive.errors``: ``SessionAbsent``, ``TwoSessions``, the zip's own."""
        self._limits = limits
        self._files = ZippedFiles(file, limits, _WANTED)
        found = [name for name in SESSION_NAMES if name in self._files.found]
        if not found:
            raise errors.SessionAbsent("the artifact holds no session", expected=" or ".join(SESSION_NAMES))
        if len(found) > 1:
            raise errors.TwoSessions("the artifact holds two sessions", expected="one", found=" and ".join(found))
        self.name = found[0]

    def blocks(self) -> Iterator[bytes]:
        """Yield its bytes from the start. Nothing made of them counts before the last block was taken."""
        return self._files.stream(self.name, self._limits.session_bytes, errors.SessionTooLarge)
