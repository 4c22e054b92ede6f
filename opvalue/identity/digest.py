"""SHA-256 over received bytes, written as 64 lower-case hexadecimal characters (DESIGN 7; reference 1.5)."""

import hashlib
import re
from typing import NamedTuple, Self

_HEX = re.compile(r"[0-9a-f]{64}")


class Digest(NamedTuple):
    """A SHA-256 digest. Equality is equality of bytes; there is no prefix and no other spelling."""

    hex: str

    @classmethod
    def of(cls, data: bytes) -> Self:
        """Return the digest of exactly these bytes."""
        return cls(hashlib.sha256(data).hexdigest())

    @classmethod
    def parse(cls, text: object) -> Self | None:
        """Return the digest ``text`` spells, or ``None`` when it is anything but 64 lower-case hex characters."""
        if isinstance(text, str) and _HEX.fullmatch(text):
            return cls(text)
        return None

    def __str__(self) -> str:
        return self.hex
