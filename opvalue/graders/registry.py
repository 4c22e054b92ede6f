"""The registry: every built-in grader, in canonical order, with the function that measures it.

A formula lives in the module that bears its grader's id: ``builtin/`` for the ten defaults, ``trajectory/`` for the
rest. It is loaded when the grader is enabled. What else is known of a grader is in ``metadata``.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Final, NamedTuple

from opvalue.graders.measured import Measured
from opvalue.graders.metadata import BUILTIN, Metadata

Measure = Callable[..., Measured]

_ROOMS: Final = {True: "opvalue.graders.builtin", False: "opvalue.graders.trajectory"}


class Grader(NamedTuple):
    """A built-in grader: what the registry declares, and how it is measured."""

    metadata: Metadata
    measure: Measure
    """A default takes ``Lookups``; a trajectory grader the projection and its configuration."""

    @property
    def reads_projection(self) -> bool:
        """Whether it measures the projection of a trajectory rather than the lookups."""
        return not self.metadata.default


def module_of(metadata: Metadata) -> str:
    """Return the name of the module that holds the formula of a registered grader."""
    return f"{_ROOMS[metadata.default]}.{metadata.id.replace('-', '_')}"


def registered(identifier: str) -> Grader:
    """Return the built-in grader of that id, its formula loaded. Raises ``KeyError`` for an id of no built-in."""
    metadata = BUILTIN[identifier]
    return Grader(metadata, import_module(module_of(metadata)).measure)
