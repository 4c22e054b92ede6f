"""Pick the one grader a regrade is about out of manifest and results (reference 2.2, step 7). Pure.

Not checked here: run identity, digests, subject and case. They are step 8 and belong to ``trust``.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeVar

from opvalue.archive import errors
from opvalue.archive.layout import Generation
from opvalue.records import ArchivedObservation, GraderEntry, Manifest, ResultEntry, Results, Status

_SHOWN: Final = 400
"""Characters of a recorded text in a refusal: a record can hold megabytes."""

_Entry = TypeVar("_Entry", GraderEntry, ResultEntry)


class Selected(NamedTuple):
    """The manifest entry, the result, and the result's observation."""

    grader: GraderEntry
    result: ResultEntry
    observation: ArchivedObservation


def refuse_one_shot_results(results: Results) -> None:
    """Raise ``OneShotEvaluator`` for results of a run whose evaluator returned metrics and no observation.

    Such a run may have archived no evaluator at all, so this comes before the evaluator is missed.
    """
    for result in _named(results.results, Generation.OPERATIONAL_VALUE):
        if result.has_metrics and result.observation is None:
            raise errors.OneShotEvaluator(
                "the run's evaluator is a one-shot one", expected="an observation", found="metrics only"
            )


def select(generation: Generation, manifest: Manifest, results: Results) -> Selected:
    """Return the grader, its result and its observation.

    In order: ``DuplicateGraders``, ``DuplicateResults``; ``GraderAbsent``, ``OneShotEvaluator``, ``GraderDisabled``,
    ``GraderWrongSource``; ``ResultAbsent``, ``OriginalRunFailed``, ``NoObservation``.
    """
    identifier = generation.grader_id
    graders = _named(manifest.graders, generation)
    found = _named(results.results, generation)
    if len(graders) > 1:
        raise errors.DuplicateGraders(f"the manifest lists {identifier} {len(graders)} times", expected="once")
    if len(found) > 1:
        raise errors.DuplicateResults(f"the results hold {identifier} {len(found)} times", expected="once")
    grader = _checked_grader(graders, generation)
    if not found:
        raise errors.ResultAbsent(f"the results hold no entry for {identifier}")
    return Selected(grader, found[0], _observation(found[0]))


def _named(entries: Sequence[_Entry], generation: Generation) -> list[_Entry]:
    return [entry for entry in entries if entry.id == generation.grader_id]


def _checked_grader(graders: list[GraderEntry], generation: Generation) -> GraderEntry:
    if not graders:
        raise errors.GraderAbsent(f"the run's manifest does not list the grader {generation.grader_id}")
    grader = graders[0]
    if grader.inline:
        raise errors.OneShotEvaluator(
            "the run's evaluator stood in the workflow file, which only one-shot evaluators do",
            expected="an evaluator file of its own",
            found="an inline evaluator",
        )
    if not grader.enabled:
        raise errors.GraderDisabled(f"the run had the grader {grader.id} disabled")
    if grader.source != generation.source:
        raise errors.GraderWrongSource(
            f"the grader {grader.id} is of another source",
            expected=generation.source,
            found=repr(grader.source[:_SHOWN]),
        )
    return grader


def _observation(result: ResultEntry) -> ArchivedObservation:
    if result.status == Status.ERROR.value:
        raise errors.OriginalRunFailed(
            f"the grader {result.id} ended with an error in the original run, so it recorded no observation",
            expected="an observation",
            found=None if result.error is None else result.error[:_SHOWN],
        )
    if result.observation is None:
        raise errors.NoObservation(
            f"the result of {result.id} holds no observation",
            expected="an observation",
            found=f"status {result.status[:_SHOWN]}",
        )
    return result.observation
