"""The evidence seam as data: programs that stand first on the evaluator's search path, such as a ``gh`` of ours.

Not here: what they do, and who answers them; see ``opvalue.evidence``.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class StandIn(NamedTuple):
    """What the evaluator meets in place of programs that would gather evidence."""

    files: tuple[tuple[str, bytes], ...] = ()
    """Executable files by plain name. The folder ``../broker`` beside theirs is the caller's, see
    ``Staged.broker_folder``."""
    environment: Mapping[str, str] = MappingProxyType({})
    """Variables added to the evaluator's. They cannot replace one of its own."""
