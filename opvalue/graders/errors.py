"""Every cause of this room's refusals; those of a configuration are declared beside it."""

from opvalue.errors import Kind, OpvalueError
from opvalue.graders.configuration import errors as configuration

__all__ = [
    "ReferenceRefused",
    "ReferenceToDisabled",
    "ReferenceToNothing",
    "ReferenceToUnknown",
    "ReferenceWithSuffix",
    "configuration",
]


class ReferenceRefused(OpvalueError):
    """A metric reference is neither ``grader:ID`` nor ``graders.ID`` nor ``graders.ID.value``."""

    code = "graders.not-a-reference"
    kind = Kind.USAGE
    advice = "Write grader:<id> or graders.<id>.value, with the id of an enabled grader."


class ReferenceToNothing(ReferenceRefused):
    """A metric reference names no grader: its id is empty."""

    code = "graders.reference-empty"


class ReferenceToUnknown(ReferenceRefused):
    """A metric reference names a grader that is neither configured nor on by default."""

    code = "graders.reference-unknown"
    advice = (
        "Name an enabled grader, or configure the one that is meant: a trajectory grader runs only where it is named."
    )


class ReferenceToDisabled(ReferenceRefused):
    """A metric reference names a grader that the configuration disables."""

    code = "graders.reference-disabled"
    advice = "Enable the grader, or refer to another."


class ReferenceWithSuffix(ReferenceRefused):
    """A metric reference asks for something else of a grader than its ``value``."""

    code = "graders.reference-suffix"
    advice = "Write graders.<id>.value, or leave the suffix out: a grader has one value."
