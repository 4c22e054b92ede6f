"""Where a download goes: a seekable file, its running digest, and what is known of the rest to resume it.

The cap holds while bytes arrive. What was written is taken back when the download fails.
"""

import hashlib
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import BinaryIO

from opvalue.atomic import OutputUnwritable
from opvalue.http.client import Download, media_type
from opvalue.http.errors import DownloadTooLarge
from opvalue.identity import Digest

_CONTENT_RANGE = re.compile(r"bytes (?P<first>[0-9]{1,18})-[0-9]{1,18}/(?P<total>[0-9]{1,18}|\*)")
_LENGTH = re.compile(r"[0-9]{1,18}")


class Sink:
    """The part of a file from its current position on."""

    def __init__(self, file: BinaryIO, cap: int) -> None:
        """Take a file and the most bytes to write to it. Raises ``OutputUnwritable`` for one that cannot seek."""
        self._file = file
        self._cap = cap
        try:
            self._base = file.tell()
        except (OSError, ValueError) as error:
            raise _unwritable(error) from None
        self._size = 0
        self._digest = hashlib.sha256()
        self._total: int | None = None
        self._etag = ""
        self._media_type = ""

    @property
    def is_short(self) -> bool:
        """Tell whether the answer ended before the size it named."""
        return self._total is not None and self._size < self._total

    def range_headers(self) -> dict[str, str]:
        """Return the headers that ask for what is missing, none when the whole must be asked for.

        Only a strong validator makes two parts one whole.
        """
        if not self._size or not self._etag.startswith('"'):
            return {}
        return {"range": f"bytes={self._size}-", "if-range": self._etag}

    def begin(self, headers: Mapping[str, str]) -> None:
        """Forget what was written, if anything: an answer with the whole begins. Raises ``DownloadTooLarge``."""
        self.forget()
        length = headers.get("content-length", "")
        self._total = int(length) if _LENGTH.fullmatch(length) else None
        self._etag = headers.get("etag", "")
        self._media_type = media_type(headers.get("content-type", ""))
        if self._total is not None and self._total > self._cap:
            raise self._too_large(self._total)

    def continues(self, headers: Mapping[str, str]) -> bool:
        """Tell whether a partial answer is exactly the missing rest of the same thing."""
        found = _CONTENT_RANGE.fullmatch(headers.get("content-range", ""))
        if found is None or not self._size or headers.get("etag", "") != self._etag:
            return False
        total = None if found["total"] == "*" else int(found["total"])
        return int(found["first"]) == self._size and total in {self._total, None}

    def write(self, chunk: bytes) -> None:
        """Append. Raises ``DownloadTooLarge`` before the cap is passed, and ``OutputUnwritable``."""
        size = self._size + len(chunk)
        if size > self._cap:
            raise self._too_large(size)
        try:
            rest = memoryview(chunk)
            while rest:
                # An unbuffered file may take a part only.
                rest = rest[self._file.write(rest) :]
        except (OSError, ValueError) as error:
            raise _unwritable(error) from None
        self._digest.update(chunk)
        self._size = size

    def finish(self) -> Download:
        """Return what the download brought. Raises ``OutputUnwritable``."""
        try:
            self._file.flush()
        except (OSError, ValueError) as error:
            raise _unwritable(error) from None
        return Download(self._size, Digest(self._digest.hexdigest()), self._media_type)

    def forget(self) -> None:
        """Cut the file back to where it was. Raises ``OutputUnwritable``."""
        try:
            self._file.seek(self._base)
            self._file.truncate()
        except (OSError, ValueError) as error:
            raise _unwritable(error) from None
        self._size = 0
        self._digest = hashlib.sha256()
        self._total, self._etag = None, ""

    def abandon(self) -> None:
        """Cut the file back as well as it goes, when another error is on its way."""
        with suppress(OutputUnwritable):
            self.forget()

    def _too_large(self, size: int) -> DownloadTooLarge:
        return DownloadTooLarge(
            "the download is too large", expected=f"at most {self._cap} bytes", found=f"{size} bytes or more"
        )


def _unwritable(error: OSError | ValueError) -> OutputUnwritable:
    # Python's own complaints, of a file that is closed or cannot seek, have no number and no such text.
    return OutputUnwritable(f"cannot write the download: {getattr(error, 'strerror', None) or error}")
