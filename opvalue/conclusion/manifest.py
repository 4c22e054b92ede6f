"""The data-only manifest that a conclusion is given (Graders Specification 5, reference 5.1).

1. The document: version 2, graders, nothing else; types as ``records`` reads them.
2. Of each grader only data: code, or a file to run, refuses the whole manifest, also of a disabled grader.
3. A built-in is one, a custom grader is none; ids differ; fields are held to the rules of a workflow's own.

The manifest is complete: a default that it does not list does not run. Pure: bytes in, a configuration out.
"""

from typing import Final

from opvalue.conclusion.errors import ManifestExecutable, ManifestUnusable
from opvalue.graders.configuration import OPERATIONAL_VALUE, Configuration, Entry, Source, configure
from opvalue.graders.configuration.entry import in_manifest_order
from opvalue.graders.metadata import BUILTIN
from opvalue.graders.results import VERSION
from opvalue.identity import Digest
from opvalue.records import MANIFEST_FILE, Manifest, ManifestMalformed, VersionUnsupported, parse_manifest
from opvalue.records.manifest import GraderEntry
from opvalue.strictjson import JsonObject, loads_object

_CODE: Final = frozenset({"script", "run", "inline", "function", "source_code", "code", "evaluator"})
_SETTINGS: Final = ("enabled", "name", "description", "unit", "direction", "threshold", "min", "max", "config")
_FIELDS: Final = frozenset({"id", "source", "digest", *_SETTINGS})
_PLACEHOLDER: Final = {Source.INLINE: {"script": "return null"}, Source.OPERATIONAL_VALUE: {"run": "evaluator.sh"}}
"""What a custom grader must declare in a workflow, and must not carry here."""


def read_manifest(data: bytes) -> Configuration:
    """Return the configuration that a conclusion's manifest stands for; custom graders without their code.

    The caller bounds the size (``Limits.record_bytes``). Raises ``ManifestExecutable``, ``ManifestUnusable``,
    ``ConfigurationRefused`` and what ``records`` refuses.
    """
    manifest = _parsed(data)
    document = loads_object(data, what="the manifest")
    _refuse_unknown(document, frozenset({"version", "graders"}), "the manifest")
    graders = document["graders"]
    described = [one for one in graders if isinstance(one, dict)] if isinstance(graders, list) else []
    entries = [_entry(read, raw) for read, raw in zip(manifest.graders, described, strict=True)]
    ids = [entry.id for entry in entries]
    twice = next((one for one in ids if ids.count(one) > 1), None)
    if twice is not None:
        raise ManifestUnusable(f"the manifest lists {twice} more than once", expected="each grader once")
    return in_manifest_order(entries)


def _parsed(data: bytes) -> Manifest:
    try:
        return parse_manifest(data, versions=frozenset({VERSION}))
    except (ManifestMalformed, VersionUnsupported) as refused:
        message = refused.message.replace(MANIFEST_FILE, "the manifest")
        raise ManifestUnusable(message, expected=refused.expected, found=refused.found) from None


def _entry(read: GraderEntry, raw: JsonObject) -> Entry:
    _refuse_unknown(raw, _FIELDS, f"the grader {read.id!r}")
    source = _source(read)
    settings = {name: raw[name] for name in _SETTINGS if raw.get(name) is not None}
    checked = configure({read.id: {**settings, **_PLACEHOLDER.get(source, {})}}).find(read.id)
    if checked is None:  # an id that is another one once it is trimmed
        raise ManifestUnusable(f"the manifest holds the id {read.id!r}", expected="an id without spaces")
    if read.digest is not None and Digest.parse(read.digest) is None:
        raise ManifestUnusable(f"the digest of {read.id!r} is none", expected="64 lower-case hexadecimal characters")
    return checked._replace(script=None, run=None, digest=read.digest)


def _source(read: GraderEntry) -> Source:
    custom = Source.OPERATIONAL_VALUE if read.id == OPERATIONAL_VALUE else Source.INLINE
    source = Source.BUILTIN if read.id in BUILTIN else custom
    if read.source != source.value:
        message = f"the grader {read.id!r} has another source in the manifest than its id says"
        raise ManifestUnusable(message, expected=source.value, found=read.source)
    return source


def _refuse_unknown(document: JsonObject, known: frozenset[str], what: str) -> None:
    code = sorted(_CODE & document.keys())
    if code:
        raise ManifestExecutable(f"{what} carries {code[0]!r}", expected="data only", found=", ".join(code))
    unknown = sorted(document.keys() - known)
    if unknown:
        raise ManifestUnusable(
            f"{what} has a field that is none", expected=" | ".join(sorted(known)), found=", ".join(unknown)
        )
