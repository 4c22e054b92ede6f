"""What an entry is of, and the record that lies beside its bytes. Pure.

The key holds everything that makes an artifact another one; where any of it changes, there is no hit (RG-02). Nothing
about a run is kept, only the artifact's bytes. A record is evidence of nothing: it says what to compare with.
"""

from typing import NamedTuple

from opvalue.errors import OpvalueError
from opvalue.identity import Digest, Host
from opvalue.strictjson import JsonObject, dumps, dumps_compact, loads_object

_VERSION = 1


class ArtifactKey(NamedTuple):
    """One artifact of one run, as the API lists it."""

    host: Host
    repository_id: int
    run_id: str
    artifact_id: int
    size: int
    """As listed, in bytes; older servers mean the files in the zip."""
    offered: Digest | None
    """As listed; ``None`` where the server offers none."""

    @property
    def name(self) -> str:
        """64 hexadecimal characters that stand for this key alone, whatever text is in it."""
        return Digest.of(dumps_compact(list(_document(self).values())).encode()).hex


class Record(NamedTuple):
    """What was put into the cache for a key."""

    key: ArtifactKey
    digest: Digest
    """Of the artifact's bytes."""
    size: int
    """How many bytes they are."""

    def encode(self) -> bytes:
        """Return the record as it is written."""
        return dumps({**_document(self.key), "sha256": self.digest.hex, "bytes": self.size}).encode()


def parse_record(data: bytes) -> Record | None:
    """Return the record that was written as exactly these bytes; ``None`` for any others."""
    try:
        record = _record(loads_object(data, what="the record"))
    except OpvalueError:
        return None
    if record is None or record.encode() != data or record.key.offered not in {None, record.digest}:
        return None
    return record


def _document(key: ArtifactKey) -> JsonObject:
    return {
        "version": _VERSION,
        "host": key.host.name,
        "repositoryId": key.repository_id,
        "runId": key.run_id,
        "artifactId": key.artifact_id,
        "size": key.size,
        "offered": key.offered.hex if key.offered is not None else None,
    }


def _record(document: JsonObject) -> Record | None:
    host, run_id = document.get("host"), document.get("runId")
    numbers = [_natural(document.get(name)) for name in ("repositoryId", "artifactId", "size", "bytes")]
    digest = Digest.parse(document.get("sha256"))
    if not isinstance(host, str) or not isinstance(run_id, str) or digest is None:
        return None
    repository_id, artifact_id, size, length = numbers
    if repository_id is None or artifact_id is None or size is None or length is None:
        return None
    offered = Digest.parse(document.get("offered"))
    return Record(ArtifactKey(Host.parse(host), repository_id, run_id, artifact_id, size, offered), digest, length)


def _natural(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
