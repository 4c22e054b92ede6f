"""A grader artifact, zip or folder, into an archived run: bounded, in memory, never extracted, not yet trusted."""

from typing import TYPE_CHECKING

from opvalue.lazy import names_of

if TYPE_CHECKING:
    from opvalue.archive.artifact import read_archive, read_artifact
    from opvalue.archive.layout import Generation
    from opvalue.archive.run import ArchivedRun

__all__ = ["ArchivedRun", "Generation", "read_archive", "read_artifact"]

__getattr__ = names_of(
    __name__,
    {"artifact": ("read_archive", "read_artifact"), "layout": ("Generation",), "run": ("ArchivedRun",)},
)
