"""Where grader files lie in an artifact, and under which names (reference 1.2). Names compare exactly (ZP-06). Pure."""

import enum
from collections.abc import Set as AbstractSet
from typing import Final

from opvalue.archive import errors
from opvalue.records import MANIFEST_FILE, RESULTS_FILE


class Generation(enum.Enum):
    """Which schema-4 generation archived the run. The value is the grader's id and, alike, its source."""

    VALUE = "value"
    """V0: grader ``value``, key ``function``, archived as ``value_function.sh``."""
    OPERATIONAL_VALUE = "operational-value"
    """V1 and V2, which cannot be told apart by their files."""

    @property
    def grader_id(self) -> str:
        """The id of the grader in manifest and results."""
        return self.value

    @property
    def source(self) -> str:
        """The grader's source in the manifest."""
        return self.value

    @property
    def evaluator_file(self) -> str:
        """The name of the archived evaluator."""
        return _EVALUATOR_FILES[self]


_EVALUATOR_FILES: Final = {
    Generation.VALUE: "value_function.sh",
    Generation.OPERATIONAL_VALUE: "operational_value_evaluator.sh",
}

FOLDERS: Final = ("agent/graders", "graders", "tmp/gh-aw/agent/graders", "tmp/gh-aw/graders")
FILES: Final = (RESULTS_FILE, *_EVALUATOR_FILES.values(), MANIFEST_FILE)

# The newer kind of run keeps its records here; recognised, never read.
SESSION_FOLDER: Final = "usage/graders"
SESSION_FILES: Final = (RESULTS_FILE, MANIFEST_FILE)

WANTED: Final = frozenset(
    [f"{folder}/{file}" for folder in FOLDERS for file in FILES]
    + [f"{SESSION_FOLDER}/{file}" for file in SESSION_FILES]
)
"""Every name that is looked for."""


def choose_folder(found: AbstractSet[str]) -> str:
    """Return the one folder that holds grader files, of the wanted names ``found``.

    Raises ``TwoLayouts``, ``SessionContract`` when only the newer kind's folder has any, and ``NoGraderData``.
    """
    folders = [folder for folder in FOLDERS if any(f"{folder}/{file}" in found for file in FILES)]
    if len(folders) > 1:
        raise errors.TwoLayouts(
            "grader files lie in more than one place", expected="one folder", found=" and ".join(folders)
        )
    if folders:
        return folders[0]
    if found:
        raise errors.SessionContract(
            "the grader files are those of the newer kind",
            expected=f"one of {', '.join(FOLDERS)}",
            found=SESSION_FOLDER,
        )
    raise errors.NoGraderData("the artifact holds no grader files", expected=f"one of {', '.join(FOLDERS)}")


def generation_of(found: AbstractSet[str], folder: str) -> Generation | None:
    """Return the generation whose evaluator lies in ``folder``, or ``None`` without one. Raises ``TwoGenerations``."""
    present = [generation for generation in Generation if f"{folder}/{generation.evaluator_file}" in found]
    if len(present) > 1:
        raise errors.TwoGenerations(
            f"{folder} holds the evaluators of two generations",
            expected="one evaluator",
            found=" and ".join(generation.evaluator_file for generation in present),
        )
    return present[0] if present else None


def folders_above(name: str) -> tuple[str, ...]:
    """Return every folder a file lies in, outermost first: ``a`` and ``a/b`` for ``a/b/c``."""
    parts = name.split("/")[:-1]
    return tuple("/".join(parts[: count + 1]) for count in range(len(parts)))
