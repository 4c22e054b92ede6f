"""A grader artifact, zip or folder, into an archived run: bounded, in memory, never extracted, not yet trusted."""

from opvalue.archive.artifact import read_archive, read_artifact
from opvalue.archive.layout import Generation
from opvalue.archive.run import ArchivedRun

__all__ = ["ArchivedRun", "Generation", "read_archive", "read_artifact"]
