"""An artifact to keep, and who writes it."""

import hashlib
from pathlib import Path
from typing import BinaryIO

from opvalue.cache import ArtifactCache, ArtifactKey
from opvalue.identity import GITHUB, Digest

DATA = b"PK\x05\x06" + bytes(18)
OTHER = b"PK\x05\x06" + b"\x01" * 18
KEY = ArtifactKey(GITHUB, 7001, "12345", 555, len(DATA), None)
OFFERED = KEY._replace(offered=Digest.of(DATA))


class Fill:
    """Writes an artifact, and counts how often it is asked to."""

    def __init__(self, data: bytes = DATA) -> None:
        self.data = data
        self.calls = 0

    def __call__(self, file: BinaryIO) -> Digest:
        self.calls += 1
        file.write(self.data)
        return Digest(hashlib.sha256(self.data).hexdigest())


def never(_file: BinaryIO) -> Digest:
    """Fail the test: a hit asks nobody."""
    raise AssertionError("it was downloaded again")


def fetched(cache: ArtifactCache, key: ArtifactKey = KEY, data: bytes = DATA) -> bool:
    """Fetch what must be ``data`` without a problem; tell whether it was a hit."""
    with cache.fetch(key, Fill(data)) as found:
        assert found.problem is None
        assert found.file.read() == data
        assert found.digest == Digest.of(data)
        return found.hit


def files(cache: ArtifactCache) -> dict[str, str]:
    """Return the endings of the files that are there, by the beginning of their names, locks apart."""
    found: dict[str, str] = {}
    for file in sorted(cache.folder.iterdir()):
        if file.suffix != ".lock":
            found[file.name[:8]] = found.get(file.name[:8], "") + file.suffix
    return found


def blob(cache: ArtifactCache, key: ArtifactKey = KEY) -> Path:
    """Return the file of the artifact's bytes."""
    return cache.folder / f"{key.name}.zip"


def record(cache: ArtifactCache, key: ArtifactKey = KEY) -> Path:
    """Return the file of its record."""
    return cache.folder / f"{key.name}.json"
