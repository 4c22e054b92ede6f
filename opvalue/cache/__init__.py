"""Artifacts that were downloaded before, kept by what they are and checked at every use (RG-02)."""

from opvalue.cache.cache import ArtifactCache, Cached, Entry, Pruned, open_default
from opvalue.cache.record import ArtifactKey, Record

__all__ = ["ArtifactCache", "ArtifactKey", "Cached", "Entry", "Pruned", "Record", "open_default"]
