"""The trajectory graders, one file each; opt-in, over a bounded projection of the session."""

from opvalue.graders.trajectory.from_session import project
from opvalue.graders.trajectory.projection import Projection

__all__ = ["Projection", "project"]
