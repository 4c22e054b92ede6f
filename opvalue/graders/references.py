"""Metric references of experiments: which enabled grader one names (Graders Specification 7; reference 7.2).

Read are ``grader:<id>``, ``graders.<id>`` and ``graders.<id>.value``, trimmed. Whether results hold a number for it is
not looked at here.
"""

from typing import Final

from opvalue.graders.configuration import Configuration, Entry
from opvalue.graders.errors import (
    ReferenceRefused,
    ReferenceToDisabled,
    ReferenceToNothing,
    ReferenceToUnknown,
    ReferenceWithSuffix,
)
from opvalue.graders.metadata import BUILTIN

_SHORT: Final = "grader:"
_DOTTED: Final = "graders."
_FORMS: Final = "grader:<id> | graders.<id> | graders.<id>.value"


def is_reference(text: str) -> bool:
    """Tell whether ``text`` has the beginning of a reference to a grader; other metrics are somebody else's."""
    return text.strip().startswith((_SHORT, _DOTTED))


def resolve(text: str, configuration: Configuration) -> Entry:
    """Return the enabled grader that ``text`` names, a built-in or a custom one.

    Raises ``ReferenceRefused`` where it is no reference, and its subclasses for an empty id, another suffix than
    ``value``, an unknown grader, a disabled one.
    """
    identifier = _identifier(text.strip())
    entry = configuration.find(identifier)
    if entry is None:
        raise ReferenceToUnknown(
            f"{text.strip()[:120]!r} names no configured grader",
            expected=" | ".join(entry.id for entry in configuration.enabled) or "an enabled grader; there is none",
            found=f"{identifier[:80]}, a built-in that runs only where it is named" if identifier in BUILTIN else None,
        )
    if not entry.enabled:
        raise ReferenceToDisabled(f"{text.strip()!r} names a disabled grader", expected="an enabled grader")
    return entry


def _identifier(text: str) -> str:
    if text.startswith(_SHORT):
        identifier, suffix = text.removeprefix(_SHORT).strip(), ""
    elif text.startswith(_DOTTED):
        identifier, dot, suffix = text.removeprefix(_DOTTED).partition(".")
        if dot and suffix != "value":
            raise ReferenceWithSuffix(
                f"{text[:120]!r} has another suffix than value", expected=_FORMS, found=suffix[:80]
            )
    else:
        raise ReferenceRefused(f"{text[:120]!r} is no reference to a grader", expected=_FORMS)
    if not identifier:
        raise ReferenceToNothing(f"{text!r} names no grader", expected=_FORMS)
    return identifier
