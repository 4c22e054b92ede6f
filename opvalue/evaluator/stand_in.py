"""The evidence seam as data: programs that stand first on the evaluator's search path, such as a ``gh`` of ours.

Not here: brokered evidence. ``no_evidence`` offers none, and tells that it was asked for.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

_NO_GH = rb"""#!/bin/sh
# Stands in for gh where no evidence is offered: fails loudly, and leaves a note of what was asked.
printf '%s\0' "$*" >>"${0%/*}/../notes/requests"
echo 'gh: no evidence is offered to this evaluator; the request was noted' >&2
exit 1
"""


class StandIn(NamedTuple):
    """What the evaluator meets in place of programs that would gather evidence."""

    files: tuple[tuple[str, bytes], ...] = ()
    """Executable files by plain name. The folder ``../notes`` beside theirs is writable when they run; what they append
    to ``../notes/requests``, each text ended by a NUL, is returned by ``Staged.evidence_requests``."""
    environment: Mapping[str, str] = MappingProxyType({})
    """Variables added to the evaluator's. They cannot replace one of its own."""


def no_evidence() -> StandIn:
    """Return a stand-in whose ``gh`` fails and notes each request.

    A failure to observe must never become a score: a caller that finds a note refuses the result as not observed,
    whatever the script made of the failure. Not noticed: evidence asked for by other means than ``gh`` by name.
    """
    return StandIn(files=(("gh", _NO_GH),))
