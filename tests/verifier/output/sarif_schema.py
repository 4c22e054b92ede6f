"""The parts of the SARIF 2.1.0 standard (OASIS, sections 3.13 to 3.58) that our logs use, as a JSON Schema of our own.

Each object is closed, as the standard's own schema closes it: a misspelt property is found.
"""

from typing import Any, Final


def _closed(required: list[str], **properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": required, "properties": properties, "additionalProperties": False}


_TEXT: Final = {"type": "string", "minLength": 1}
_INDEX: Final = {"type": "integer", "minimum": 0}
_COUNT: Final = {"type": "integer", "minimum": 1}
_LEVEL: Final = {"enum": ["none", "note", "warning", "error"]}
_MESSAGE: Final = _closed(["text"], text=_TEXT, markdown=_TEXT)
_VERSION: Final = {"type": "string", "pattern": r"^\d+\.\d+\.\d+([-+].*)?$"}
# 3.4.3: a URI reference that is relative, since a base is given (3.4.4); no dot segments (3.10.2).
_RELATIVE: Final = {"type": "string", "pattern": r"^(?![A-Za-z][A-Za-z0-9+.-]*:)(?!/)(?!.*(^|/)\.\.?(/|$))[^\s\\]+$"}
_REGION: Final = _closed(
    ["startLine"],
    startLine=_COUNT,
    startColumn=_COUNT,
    endLine=_COUNT,
    endColumn=_COUNT,
    snippet=_closed(["text"], text={"type": "string"}),
)
_PHYSICAL: Final = _closed(
    ["artifactLocation"],
    artifactLocation=_closed(["uri"], uri=_RELATIVE, uriBaseId=_TEXT),
    region=_REGION,
)
_RULE: Final = _closed(
    ["id"],
    id=_TEXT,
    shortDescription=_MESSAGE,
    fullDescription=_MESSAGE,
    help=_MESSAGE,
    helpUri={"type": "string", "pattern": "^https://"},
    defaultConfiguration=_closed([], level=_LEVEL),
)
_RESULT: Final = _closed(
    ["message"],
    ruleId=_TEXT,
    ruleIndex=_INDEX,
    level=_LEVEL,
    message=_MESSAGE,
    locations={"type": "array", "items": _closed([], physicalLocation=_PHYSICAL)},
    partialFingerprints={"type": "object", "additionalProperties": _TEXT},
    suppressions={
        "type": "array",
        "uniqueItems": True,
        "items": _closed(["kind"], kind={"enum": ["inSource", "external"]}, justification=_TEXT),
    },
)
_DRIVER: Final = _closed(
    ["name"],
    name=_TEXT,
    version=_TEXT,
    semanticVersion=_VERSION,
    rules={"type": "array", "uniqueItems": True, "items": _RULE},
)
_RUN: Final = _closed(
    ["tool"],
    tool=_closed(["driver"], driver=_DRIVER),
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    results={"type": "array", "items": _RESULT},
)
SARIF: Final = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    **_closed(
        ["version", "runs"],
        **{"$schema": {"type": "string"}},
        version={"const": "2.1.0"},
        runs={"type": "array", "items": _RUN},
    ),
}
