"""An evaluator that tells what it was given: its request and surroundings come back as diagnostics."""

from typing import Final

from tests.support.world import material

_TELL: Final = b"""
    | .diagnostics = {event: $request.event, case: $request.case, evidenceAt: $request.evidenceAt,
                      keys: ($request | keys), verification: ($request.config | has("verification")),
                      environment: $ENV}' --argjson request "$request"
"""


def telling_evaluator() -> bytes:
    """Return the demo's evaluator, its diagnostics replaced."""
    script = material("issue-triage-operational-value.sh")
    head, end, tail = script.partition(b"      diagnostics: {done: $evidence.done} }'\n")
    assert end
    return head + b"      diagnostics: {} }" + _TELL.lstrip(b"\n").replace(b"    |", b"\n    |", 1) + tail
