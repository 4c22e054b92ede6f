"""Bounded reads at given places of one open, seekable file. The file is never loaded whole and never opened again."""

import os
from typing import BinaryIO

from opvalue.archive.errors import ArchiveCut, ArtifactUnreadable


class Window:
    """An open file and its size when it was opened."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        try:
            self.size = file.seek(0, os.SEEK_END)
        except OSError as error:
            raise unreadable(error) from None

    def read(self, offset: int, size: int) -> bytes:
        """Return exactly ``size`` bytes at ``offset``. Raises ``ArchiveCut`` when the file ends before."""
        try:
            self._file.seek(offset)
            data = self._file.read(size)
            while len(data) < size and (more := self._file.read(size - len(data))):
                data += more
        except OSError as error:
            raise unreadable(error) from None
        if len(data) < size:
            raise ArchiveCut(
                "the archive ends before its own records say",
                expected=f"{size} bytes at {offset}",
                found=f"{len(data)} bytes",
            )
        return data


def unreadable(error: OSError, what: str = "the artifact") -> ArtifactUnreadable:
    """Return the refusal for a failed system call."""
    return ArtifactUnreadable(f"{what} cannot be read: {error.strerror or error}")
