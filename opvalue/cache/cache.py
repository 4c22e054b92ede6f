"""The cache of artifacts: fetch through it, list it, prune it (RG-02).

There is no index. An entry is an artifact's bytes and a record of what they are, under a name made from the key. At
every use the bytes are hashed and compared with the record, and with the digest that the listing offers if it does.
Two processes that want one artifact download it once. A regrade never fails because of the cache.

Not done: pruning by itself, since an artifact may have expired at GitHub; and keeping anything that was found out
about an artifact. Where no digest is offered, whoever can write as this user can plant an artifact: what it must agree
with is checked after this, as for one that was downloaded.
"""

import hashlib
import os
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Final, NamedTuple, Self, cast

from opvalue.atomic import OutputUnwritable
from opvalue.cache.errors import Busy, CacheUnusable, EntryDamaged, Unwritable
from opvalue.cache.folder import BYTES, LOCK, PART, RECORD, Folder, open_folder
from opvalue.cache.record import ArtifactKey, Record, parse_record
from opvalue.errors import OpvalueError
from opvalue.identity import Digest, Instant
from opvalue.limits import MIB, Limits
from opvalue.process.errors import NoPrivateFolder
from opvalue.process.interrupts import uninterrupted
from opvalue.process.private import temporary_place

VARIABLE: Final = "OPVALUE_CACHE_DIR"

_FOLDER: Final = "artifacts"
_RECORD_BYTES: Final = 4096
_CHUNK: Final = MIB
_LAST_MILLISECOND: Final = 253_402_300_799_999
_DEFAULT: Final = Limits()

Fill = Callable[[BinaryIO], Digest]


class Cached(NamedTuple):
    """An artifact, open for reading from its start. Close it, or use it in a ``with`` statement."""

    file: BinaryIO
    """Exactly the bytes that were checked, whatever happens to names in the cache meanwhile. Not to be written to."""
    digest: Digest
    hit: bool
    """Whether it came from the cache."""
    problem: OpvalueError | None = None
    """What was wrong with the cache, for the user to know; ``file`` is right nonetheless."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.file.close()


class Entry(NamedTuple):
    """What the cache holds under one name."""

    name: str
    record: Record | None
    """``None`` for a damaged entry, what a killed process left, and an artifact that is being downloaded."""
    bytes: int
    """Of the artifact, as far as it is there."""
    used: Instant
    """When it was last used."""


class Pruned(NamedTuple):
    """What pruning did."""

    removed: tuple[Entry, ...]
    kept: tuple[Entry, ...]


class ArtifactCache:
    """The cache below the folder ``root``, which is made when it is first needed."""

    def __init__(self, root: Path, limits: Limits = _DEFAULT, *, sleep: Callable[[float], None] = time.sleep) -> None:
        self.folder = root / _FOLDER
        self._limits = limits
        self._sleep = sleep

    def fetch(self, key: ArtifactKey, fill: Fill, *, refresh: bool = False) -> Cached:
        """Return the artifact of ``key`` from the cache, or have ``fill`` write it and keep it.

        ``fill`` writes into a seekable, readable file and returns the SHA-256 of what it wrote; what it raises comes
        out as it is, and nothing is kept. It is called a second time where the cache has no room. ``refresh`` passes
        over what is cached and replaces it. For a fault of the cache nothing is raised: see ``Cached.problem``. Raises
        ``github.errors.DigestMismatch`` where ``fill`` wrote something else than is offered; ``OutputUnwritable`` and
        ``process.errors.NoPrivateFolder`` where there is no room for temporary files either.
        """
        try:
            with (
                open_folder(self.folder, make=True) as folder,
                folder.locked(key.name, seconds=self._limits.cache_wait_seconds, sleep=self._sleep),
            ):
                return self._fetch(folder, key, fill, refresh=refresh)
        except CacheUnusable as problem:
            return _without(key, fill, problem)

    def entries(self) -> tuple[Entry, ...]:
        """Return what is there, last used first. Artifacts are not hashed. Raises ``CacheUnusable``."""
        if not os.path.lexists(self.folder):
            return ()
        with open_folder(self.folder, make=False) as folder:
            found = [entry for name in folder.names() if (entry := _look(folder, name)) is not None]
        return tuple(sorted(found, key=lambda entry: (-entry.used.milliseconds, entry.name)))

    def prune(
        self, *, unused_since: Instant | None = None, max_bytes: int | None = None, everything: bool = False
    ) -> Pruned:
        """Remove what is damaged or left over; and what was not used since a time, or is over a size, or everything.

        What a process is at work on, and what was used meanwhile, stays. Raises ``CacheUnusable``.
        """
        entries = self.entries()
        chosen = {entry for entry in entries if everything or entry.record is None}
        if unused_since is not None:
            chosen |= {entry for entry in entries if entry.used < unused_since}
        if max_bytes is not None:
            chosen |= _over(max_bytes, [entry for entry in entries if entry not in chosen])
        if not os.path.lexists(self.folder):
            return Pruned((), ())
        with open_folder(self.folder, make=False) as folder:
            removed = {entry for entry in chosen if self._remove(folder, entry.name, entry)}
            for name in set(folder.names()) - {entry.name for entry in entries}:
                self._remove(folder, name, None)
        return Pruned(
            tuple(entry for entry in entries if entry in removed),
            tuple(entry for entry in entries if entry not in removed),
        )

    def _fetch(self, folder: Folder, key: ArtifactKey, fill: Fill, *, refresh: bool) -> Cached:
        damage = None
        try:
            found = None if refresh else self._find(folder, key)
        except EntryDamaged as error:
            folder.remove(key.name, RECORD, BYTES)
            damage, found = error, None
        return found or _download(folder, key, fill, damage)

    def _find(self, folder: Folder, key: ArtifactKey) -> Cached | None:
        """Return the entry, hashed; ``None`` for none. Raises ``EntryDamaged``."""
        if folder.look(key.name, RECORD) is None:
            return None
        with folder.read(key.name, RECORD) as file:
            record = parse_record(file.read(_RECORD_BYTES))
            if record is None or record.key != key:
                raise folder.damaged(key.name, RECORD, "another record")
            with ExitStack() as stack:
                artifact = stack.enter_context(folder.read(key.name, BYTES))
                fault = self._fault_of(artifact, record)
                if fault:
                    raise folder.damaged(key.name, BYTES, fault)
                os.utime(file.fileno())
                stack.pop_all()
        return Cached(artifact, record.digest, hit=True)

    def _fault_of(self, artifact: BinaryIO, record: Record) -> str | None:
        size = os.fstat(artifact.fileno()).st_size
        # The length first: hashing a file that is longer than any artifact could take for ever.
        if size != record.size or size > self._limits.archive_bytes:
            return f"{size} bytes in place of {record.size}"
        running = hashlib.sha256()
        while chunk := artifact.read(_CHUNK):
            running.update(chunk)
        artifact.seek(0)
        return None if running.hexdigest() == record.digest.hex else "other bytes"

    def _remove(self, folder: Folder, name: str, seen: Entry | None) -> bool:
        """Remove an entry as it was seen, or a mere lock; tell whether that was done."""
        try:
            with folder.locked(name, seconds=0, sleep=self._sleep):
                if _look(folder, name) != seen:
                    return False
                with uninterrupted():
                    folder.remove(name, RECORD, BYTES, PART, LOCK)
        except Busy:
            return False
        return True


def open_default(environ: Mapping[str, str], limits: Limits = _DEFAULT) -> ArtifactCache:
    """Return the user's cache: in ``OPVALUE_CACHE_DIR``, else where this system keeps caches. Touches nothing."""
    named = environ.get(VARIABLE)
    if named:
        return ArtifactCache(Path(named).absolute(), limits)
    from platformdirs import user_cache_path  # noqa: PLC0415 - not needed where the variable is set

    return ArtifactCache(user_cache_path("opvalue", appauthor=False), limits)


def _download(folder: Folder, key: ArtifactKey, fill: Fill, problem: OpvalueError | None) -> Cached:
    file = folder.create(key.name, PART)
    try:
        digest = _filled(key, fill, file)
        record = Record(key, digest, os.fstat(file.fileno()).st_size)
        with uninterrupted():
            return Cached(file, digest, hit=False, problem=_keep(folder, record) or problem)
    except BaseException as error:
        _close(file)
        with uninterrupted(), suppress(OSError):
            folder.remove(key.name, PART)
        if isinstance(error, OutputUnwritable):
            raise Unwritable(f"cannot download to {folder.path}", found=error.message) from None
        raise


def _without(key: ArtifactKey, fill: Fill, problem: CacheUnusable) -> Cached:
    from tempfile import TemporaryFile  # noqa: PLC0415 - seldom needed, and slow to load

    try:
        file = cast(BinaryIO, TemporaryFile(dir=temporary_place()))  # noqa: SIM115 - the caller closes it
    except OSError as error:
        raise NoPrivateFolder(f"cannot make a temporary file: {error.strerror}") from None
    try:
        return Cached(file, _filled(key, fill, file), hit=False, problem=problem)
    except BaseException:
        _close(file)
        raise


def _filled(key: ArtifactKey, fill: Fill, file: BinaryIO) -> Digest:
    try:
        digest = fill(file)
        file.seek(0)  # writes out what is buffered
    except OSError as error:
        raise OutputUnwritable(f"cannot write the download: {error.strerror}") from None
    if key.offered not in {None, digest}:
        from opvalue.github.errors import DigestMismatch  # noqa: PLC0415 - brings pydantic; listing starts without it

        raise DigestMismatch(
            f"what was written for artifact {key.artifact_id} is not what is offered",
            expected=f"sha256:{key.offered}",
            found=f"sha256:{digest}",
        )
    return digest


def _keep(folder: Folder, record: Record) -> Unwritable | None:
    """Make what was downloaded the entry; return why not, if not."""
    name = record.key.name
    try:
        # A killed process may leave any of these steps undone: without a record there is no entry.
        folder.remove(name, RECORD)
        folder.rename(name, PART, BYTES)
        with folder.create(name, PART) as file:
            file.write(record.encode())
        folder.rename(name, PART, RECORD)
    except OSError as error:
        with suppress(OSError):
            folder.remove(name, PART, RECORD, BYTES)
        return Unwritable(f"cannot keep the artifact in {folder.path}: {error.strerror}")
    return None


def _over(max_bytes: int, entries: list[Entry]) -> set[Entry]:
    """Return those of ``entries``, last used first, that must go for the others to fit."""
    kept, total = list(entries), sum(entry.bytes for entry in entries)
    while kept and total > max_bytes:
        total -= kept.pop().bytes
    return set(entries[len(kept) :])


def _close(file: BinaryIO) -> None:
    # What is still buffered may find no room.
    with suppress(OSError):
        file.close()


def _look(folder: Folder, name: str) -> Entry | None:
    """Return what is there under a name without hashing it; ``None`` for a mere lock."""
    record, artifact, part = (folder.look(name, ending) for ending in (RECORD, BYTES, PART))
    there = [one for one in (record, artifact, part) if one is not None]
    if not there:
        return None
    found = _recorded(folder, name) if record is not None and artifact is not None else None
    whole = found is not None and artifact is not None and artifact.st_size == found.size
    used = record.st_mtime_ns if record is not None else max(one.st_mtime_ns for one in there)
    return Entry(
        name,
        found if whole else None,
        sum(one.st_size for one in (artifact, part) if one is not None),
        Instant(min(max(used // 1_000_000, 0), _LAST_MILLISECOND)),
    )


def _recorded(folder: Folder, name: str) -> Record | None:
    try:
        with folder.read(name, RECORD) as file:
            record = parse_record(file.read(_RECORD_BYTES))
    except EntryDamaged:
        return None
    return record if record is not None and record.key.name == name else None
