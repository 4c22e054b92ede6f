"""A configuration as it is after reading: one entry a grader, in manifest order (reference 5.1).

Plain values. Nothing is checked here; ``configure`` makes them.
"""

import enum
from collections.abc import Iterable
from typing import Final, NamedTuple

from opvalue.graders.metadata import BUILTIN, DEFAULTS, Metadata
from opvalue.strictjson import JsonObject

OPERATIONAL_VALUE: Final = "operational-value"
"""The reserved id whose Bash evaluator the repository owns."""

_RANKS: Final = {id_: rank for rank, id_ in enumerate(BUILTIN)}


class Source(enum.Enum):
    """Where a grader's code comes from."""

    BUILTIN = "builtin"
    INLINE = "inline"
    """JavaScript in the workflow's frontmatter."""
    OPERATIONAL_VALUE = "operational-value"
    """A Bash file of the repository."""


class Entry(NamedTuple):
    """One grader, its defaults filled in."""

    id: str
    name: str
    """The id where neither the registry nor the author gives a name."""
    description: str | None
    source: Source
    enabled: bool
    unit: str | None
    direction: str | None
    """``higher_is_better`` or ``lower_is_better``; ``None`` where a custom grader declares none."""
    threshold: int | float | None
    minimum: int | float | None
    maximum: int | float | None
    config: JsonObject
    """Empty when none was declared."""
    script: str | None
    """The JavaScript of an inline grader, as declared."""
    run: str | None
    """The evaluator's path from the repository root."""
    digest: str | None = None
    """SHA-256 of a custom grader's source in UTF-8, where it is known: 64 lower-case hexadecimal characters."""


class Configuration(NamedTuple):
    """Every grader that was configured or is on by default.

    The order: enabled built-ins as in the registry, then enabled custom ones by id, then disabled ones by id. A
    built-in that is neither a default nor named has no entry.
    """

    entries: tuple[Entry, ...]

    @property
    def enabled(self) -> tuple[Entry, ...]:
        """Those that run."""
        return tuple(entry for entry in self.entries if entry.enabled)

    @property
    def custom(self) -> tuple[Entry, ...]:
        """Those whose code is the repository's, enabled or not."""
        return tuple(entry for entry in self.entries if entry.source is not Source.BUILTIN)

    def find(self, grader_id: str) -> Entry | None:
        """Return the entry of that id, enabled or not."""
        return next((entry for entry in self.entries if entry.id == grader_id), None)


def in_manifest_order(entries: Iterable[Entry]) -> Configuration:
    """Return the configuration of ``entries``, whose ids must differ."""
    return Configuration(tuple(sorted(entries, key=_rank)))


def declared(row: Metadata) -> Entry:
    """Return a built-in's entry as the registry declares it, enabled."""
    return Entry(
        id=row.id,
        name=row.name,
        description=row.description,
        source=Source.BUILTIN,
        enabled=True,
        unit=row.unit,
        direction=row.direction,
        threshold=row.threshold,
        minimum=row.minimum,
        maximum=row.maximum,
        config={},
        script=None,
        run=None,
    )


def defaults() -> Configuration:
    """Return what holds where ``graders`` is absent, null or empty: the ten defaults."""
    return in_manifest_order(declared(row) for row in DEFAULTS)


def _rank(entry: Entry) -> tuple[int, int, str]:
    if not entry.enabled:
        return 2, 0, entry.id
    if entry.source is Source.BUILTIN:
        return 0, _RANKS[entry.id], entry.id
    return 1, 0, entry.id
