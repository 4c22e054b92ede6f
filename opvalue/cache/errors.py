"""What can be wrong with the cache. One class a cause.

None of them stops a regrade: ``Cached.problem`` carries them to the user. They end only ``opvalue cache``.
"""

from opvalue.errors import Kind, OpvalueError


class CacheUnusable(OpvalueError):
    """The cache as a whole cannot be used, so the artifact was downloaded and not kept."""

    kind = Kind.USAGE


class FolderNotPrivate(CacheUnusable):
    """The cache's folder belongs to somebody else, is open to others, is a link or is no folder."""

    code = "cache.not-private"
    advice = "Move it away, or name another place with OPVALUE_CACHE_DIR; a new one is made as it should be."


class Unwritable(CacheUnusable):
    """The cache cannot be made, read or written: no home folder, no permission, no room, no locks."""

    code = "cache.unwritable"
    advice = "Make room with `opvalue cache prune`, or name another place with OPVALUE_CACHE_DIR."


class Busy(CacheUnusable):
    """Another process holds the entry, and has not finished its download in all the time it was waited for."""

    code = "cache.busy"
    advice = "Look for an opvalue process that hangs, and end it."


class EntryDamaged(OpvalueError):
    """An entry is not what was put into the cache: cut, altered, replaced, or another's. It is dropped, never used."""

    code = "cache.damaged"
    kind = Kind.REFUSED
    advice = "Look for a program that changes files in the cache, or a failing disk."
