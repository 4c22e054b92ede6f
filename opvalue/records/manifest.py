"""``grader_manifest.json``: which graders a run had, and how each was declared (reference 1.3).

Types are checked, nothing else: duplicate ids, digests, paths and sources are judged by ``archive`` and ``trust``.
"""

from typing import Final, NamedTuple

from opvalue.records.errors import ManifestMalformed
from opvalue.records.fields import READ_VERSIONS, Fields, load_record
from opvalue.records.files import MANIFEST_FILE
from opvalue.records.outcome import HIGHER_IS_BETTER
from opvalue.strictjson import JsonObject

# The first generation's source, whose entries declare their script as ``function``.
VALUE_SOURCE: Final = "value"


class GraderEntry(NamedTuple):
    """One grader as the compiler wrote it down."""

    id: str
    name: str
    """The id where no name was declared."""
    source: str
    """``builtin``, ``inline``, ``operational-value``, or ``value`` in the first generation."""
    enabled: bool
    unit: str
    """Empty when none was declared."""
    direction: str
    """``higher_is_better`` when none was declared; an unknown word is kept as it stands."""
    threshold: int | float | None
    digest: str | None
    """SHA-256 of the evaluator, as recorded; neither its form nor its value is checked here."""
    run: str | None
    """The evaluator's path as declared; of the first generation the field ``function``."""
    inline: bool
    """Whether the evaluator stood in the workflow file, which only one-shot evaluators do."""
    config: JsonObject
    """Empty when none was declared."""


class Manifest(NamedTuple):
    """The whole manifest, entries in file order."""

    version: int
    graders: tuple[GraderEntry, ...]


def parse_manifest(data: bytes, *, versions: frozenset[int] = READ_VERSIONS) -> Manifest:
    """Read a manifest of one of ``versions``. Raises ``ManifestMalformed`` or ``VersionUnsupported``.

    The caller bounds the size beforehand (``Limits.record_bytes``).
    """
    fields, version = load_record(data, what=MANIFEST_FILE, versions=versions, malformed=ManifestMalformed)
    return Manifest(version, tuple(_entry(entry) for entry in fields.each("graders")))


def _entry(fields: Fields) -> GraderEntry:
    identifier = fields.name("id")
    source = fields.string("source")
    return GraderEntry(
        id=identifier,
        name=fields.optional_string("name") or identifier,
        source=source,
        enabled=fields.boolean("enabled"),
        unit=fields.optional_string("unit") or "",
        direction=fields.optional_string("direction") or HIGHER_IS_BETTER,
        threshold=fields.optional_number("threshold"),
        digest=fields.optional_string("digest"),
        run=fields.optional_string("function" if source == VALUE_SOURCE else "run"),
        inline=bool(fields.optional_string("inline")),
        config={} if fields.document.get("config") is None else fields.json_object("config"),
    )
