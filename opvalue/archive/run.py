"""An archived run out of an artifact's grader files (reference 2.2, steps 4 to 7, in order).

Pure but for the source it reads from: a zip or a folder. Step 8, identities and digests, belongs to ``trust``; until
then nothing in an ``ArchivedRun`` is more than the archive's word, and its evaluator is for comparing, never to run.
"""

from typing import Final, NamedTuple, Protocol

from opvalue.archive import errors
from opvalue.archive.layout import Generation, choose_folder, generation_of
from opvalue.archive.script import check_script
from opvalue.archive.selection import refuse_one_shot_results, select
from opvalue.errors import OpvalueError
from opvalue.limits import Limits
from opvalue.records import (
    MANIFEST_FILE,
    RESULTS_FILE,
    ArchivedObservation,
    GraderEntry,
    Manifest,
    ResultEntry,
    Results,
    VersionUnsupported,
    parse_manifest,
    parse_results,
)

_SCHEMA_4_VERSIONS: Final = frozenset({1})
_SESSION_VERSION: Final = 2


class Source(Protocol):
    """Where grader files come from."""

    @property
    def found(self) -> frozenset[str]:
        """The wanted names that are there."""

    def read(self, name: str, limit: int, too_large: type[OpvalueError]) -> bytes:
        """Return the content of one of ``found``, at most ``limit`` bytes; beyond that raise ``too_large``."""


class ArchivedRun(NamedTuple):
    """What an artifact says of one run: consistent in form, not yet in content."""

    generation: Generation
    layout: str
    """The folder the grader files lay in."""
    manifest: Manifest
    results: Results
    grader: GraderEntry
    """The manifest entry of the operational-value grader."""
    result: ResultEntry
    """Its result."""
    observation: ArchivedObservation
    """Its original observation."""
    evaluator: bytes
    """The archived script, byte for byte."""


def read_run(source: Source, limits: Limits) -> ArchivedRun:
    """Read and select. Every refusal is a class of ``archive.errors`` or ``records.errors``."""
    folder = choose_folder(source.found)
    results = _read_results(source, folder, limits)  # step 4
    generation, evaluator = _read_evaluator(source, folder, results, limits)  # step 5
    manifest = _read_manifest(source, folder, limits)  # step 6
    selected = select(generation, manifest, results)  # step 7
    return ArchivedRun(generation, folder, manifest, results, *selected, evaluator)


def _read_results(source: Source, folder: str, limits: Limits) -> Results:
    name = f"{folder}/{RESULTS_FILE}"
    if name not in source.found:
        raise errors.ResultsMissing(f"{name} is not in the artifact")
    data = source.read(name, limits.record_bytes, errors.ResultsTooLarge)
    try:
        results = parse_results(data, versions=_SCHEMA_4_VERSIONS)
    except VersionUnsupported as error:
        raise _other_version(error) from None
    refuse_one_shot_results(results)
    return results


def _read_evaluator(source: Source, folder: str, results: Results, limits: Limits) -> tuple[Generation, bytes]:
    generation = generation_of(source.found, folder)
    if generation is None:
        raise _evaluator_absent(folder, results)
    name = f"{folder}/{generation.evaluator_file}"
    data = source.read(name, limits.evaluator_bytes, errors.EvaluatorTooLarge)
    check_script(data, name)
    return generation, data


def _evaluator_absent(folder: str, results: Results) -> errors.EvaluatorAbsent:
    ids = {generation.grader_id for generation in Generation}
    graded = [result for result in results.results if result.id in ids]
    return errors.EvaluatorAbsent(
        f"the artifact holds no evaluator in {folder}",
        expected=" or ".join(generation.evaluator_file for generation in reversed(Generation)),
        hint=None if graded else "The run had no operational-value grader. Choose another run.",
    )


def _read_manifest(source: Source, folder: str, limits: Limits) -> Manifest:
    name = f"{folder}/{MANIFEST_FILE}"
    if name not in source.found:
        raise errors.ManifestMissing(f"{name} is not in the artifact")
    data = source.read(name, limits.record_bytes, errors.ManifestTooLarge)
    try:
        return parse_manifest(data, versions=_SCHEMA_4_VERSIONS)
    except VersionUnsupported as error:
        raise _other_version(error) from None


def _other_version(error: VersionUnsupported) -> OpvalueError:
    if error.version != _SESSION_VERSION:
        return error
    return errors.SessionContract(
        "the run's graders follow the Graders Specification 0.5.0", expected=error.expected, found=error.message
    )
