"""The trajectory graders, one file each; opt-in, over a bounded projection of the session."""

from typing import TYPE_CHECKING

from opvalue.lazy import names_of

if TYPE_CHECKING:
    from opvalue.graders.trajectory.from_session import project
    from opvalue.graders.trajectory.projection import Projection

__all__ = ["Projection", "project"]

__getattr__ = names_of(
    __name__,
    {
        "from_session": ("project",),
        "projection": ("Projection",),
    },
)
