"""What ``--metric`` is given: the definition's examples, and odd evidence of every sort. Pure."""

from typing import Final

from opvalue.contract.fields import VALIDATION_EXAMPLES
from opvalue.strictjson import JsonObject, dumps_compact

EXAMPLES: Final = VALIDATION_EXAMPLES
REPEATED: Final = ("targetAttained", "targetMissed")

ODD: Final[tuple[tuple[str, bytes], ...]] = (
    ("an empty object", b"{}"),
    ("an array", b"[]"),
    ("a text", b'"\\u0000 text \\ud83d\\udc1b"'),
    ("false", b"false"),
    ("zero", b"0"),
    ("null", b"null"),
    ("a large number", b"1e308"),
    ("objects a hundred deep", b'{"a":' * 100 + b"1" + b"}" * 100),
)
"""Evidence that is nobody's, with what findings call it."""


def example(document: JsonObject, name: str) -> bytes | None:
    """Return one of the definition's examples as ``--metric`` reads it, or ``None`` where it is not there."""
    examples = document.get("validationExamples")
    if not isinstance(examples, dict) or name not in examples:
        return None
    return dumps_compact(examples[name]).encode()


def twisted(document: JsonObject) -> tuple[tuple[str, bytes], ...]:
    """Return the attained example with every leaf made false, zero, huge, or of another type."""
    examples = document.get("validationExamples")
    attained = examples.get("targetAttained") if isinstance(examples, dict) else None
    if not isinstance(attained, dict) or not attained:
        return ()
    leaves = (("false", False), ("zero", 0), ("a large number", 1e300), ("an emoji", "\U0001f41b \u202e"))
    return tuple(
        (f"the attained example with {name} for every leaf", dumps_compact(_with_leaves(attained, leaf)).encode())
        for name, leaf in leaves
    )


def trailing(document: JsonObject) -> bytes | None:
    """Return the attained example with junk after it."""
    found = example(document, "targetAttained")
    return None if found is None else found + b" trailing"


def _with_leaves(value: object, leaf: object) -> object:
    if isinstance(value, dict):
        return {key: _with_leaves(inner, leaf) for key, inner in value.items()}
    if isinstance(value, list):
        return [_with_leaves(inner, leaf) for inner in value]
    return leaf
