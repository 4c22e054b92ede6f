"""The workflow that a definition names. Pure."""

from opvalue.identity import PathRefused, RepoPath
from opvalue.strictjson import JsonObject


def source_path(document: JsonObject | None) -> RepoPath | None:
    """Return the definition's ``sourcePath``, or ``None`` where it has none that is a path."""
    text = (document or {}).get("sourcePath")
    try:
        return RepoPath.parse(text) if isinstance(text, str) else None
    except PathRefused:
        return None
