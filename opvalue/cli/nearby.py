"""The name that somebody meant who typed another one. Nothing is printed here."""

from collections.abc import Iterable, Sequence
from typing import Final

_ALIKE: Final = (0.9, 0.7)
_MOST: Final = 3


def near(word: str, names: Iterable[str]) -> list[str]:
    """Return up to three of ``names`` that ``word`` may stand for, the likeliest first.

    Those it is alike; else those it is a part of, such as the last part of an error's code.
    """
    from difflib import get_close_matches  # noqa: PLC0415 - only for whoever mistyped a name

    listed, low = list(names), word.lower()
    for cutoff in _ALIKE:
        if found := get_close_matches(low, listed, n=_MOST, cutoff=cutoff):
            return found
    return [name for name in listed if len(low) > _MOST and low in name][:_MOST]


def did_you_mean(word: str, names: Iterable[str], *, command: str, otherwise: str) -> str:
    """Return what to do: ``command`` with the name that was meant, else ``otherwise``."""
    meant = near(word, names)
    return f"Did you mean: {_listed(command, meant)}?" if meant else otherwise


def _listed(command: str, names: Sequence[str]) -> str:
    return ", or ".join(f"{command} {name}" for name in names)
