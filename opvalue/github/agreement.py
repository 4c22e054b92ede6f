"""Whether the API's record of a run allows a regrade, and whether the archive agrees with it (DESIGN 4.2, 4.5). Pure.

``check_run`` needs the API alone, and comes before anything is downloaded:

1. the run has completed;
2. its head is in its own repository: a fork's run is refused.

``agree`` compares what the archive records:

3. the attempt;
4. the creation time, unless the archive has none; the API's then serves for bounds only;
5. the event;
6. the commit, for events whose runs are at their head commit, unless the caller names the recorded one;
7. the repository: by name, letter case aside, or a former name of the same number. The user's word for a name
   counts only where the API knows nothing under it.

For other events a recorded commit can be another than the head: whether it is one is ``ApiAnchor``'s to say.
"""

from typing import Final

from opvalue.archive import ArchivedRun
from opvalue.github import errors
from opvalue.github.events import Recorded, recorded
from opvalue.github.facts import RepositoryFacts, RunFacts
from opvalue.identity import CommitId, Instant
from opvalue.trust import Check
from opvalue.trust.states import done, skipped

_COMPLETED: Final = "completed"
_CALLED: Final = "workflow_call"
_SHOWN: Final = 80
"""Characters of a recorded text in a refusal: a record can hold megabytes."""


def check_run(facts: RunFacts) -> tuple[Check, ...]:
    """Return the checks made of the run itself. Raises ``RunNotCompleted`` or ``ForkRun``."""
    if facts.status != _COMPLETED:  # 1
        raise errors.RunNotCompleted(
            f"run {facts.id} has not completed", expected=_COMPLETED, found=f"status {facts.status}"
        )
    if facts.is_fork:  # 2
        head = facts.head_repository
        raise errors.ForkRun(
            f"the head of run {facts.id} is in another repository",
            expected=facts.repository.full_name,
            found="a repository that is gone" if head is None else head.full_name,
        )
    return (
        done("run.status", f"GitHub's record: completed, {facts.conclusion or 'without a conclusion'}"),
        done("run.head-repository", f"GitHub's record: the head is in {_number(facts.repository)}, not in a fork"),
    )


def agree(
    archived: ArchivedRun,
    facts: RunFacts,
    *,
    named: RepositoryFacts | None = None,
    vouched: str | None = None,
    commit: CommitId | None = None,
) -> tuple[Check, ...]:
    """Return the checks made of the archive against the API. Raises one ``Recorded...Differs``.

    ``commit`` is the one the caller names for the run: then nothing but the archive is compared with it, by ``trust``.

    ``named`` is what the API has today under the recorded repository name, where the caller looked that up; needed
    only when the recorded name is not today's. ``vouched`` says, in words for a reader, how a name that the API no
    longer knows is the repository by the user's word. ``facts`` are of the attempt the archive was chosen for.
    """
    subject = archived.observation.subject
    if archived.results.attempt != facts.attempt:  # 3
        raise errors.RecordedAttemptDiffers(
            "the archive records another attempt of the run",
            expected=f"attempt {facts.attempt}",
            found=f"attempt {archived.results.attempt}",
        )
    agreed = (
        _agreed("run.attempt", f"attempt {facts.attempt}"),
        _creation(subject.created_at, facts),  # 4
        _event(subject.event_name, facts),  # 5
    )
    if commit is None:
        _check_commit(subject.sha, facts)  # 6
    return (*agreed, _repository(subject.repository, facts, named, vouched))  # 7


def _creation(created_at: str | None, facts: RunFacts) -> Check:
    if created_at is None:
        return skipped(
            "run.created-at", f"the archive records no creation time; bounds use GitHub's {facts.created_at}"
        )
    if Instant.parse_utc(created_at) != facts.created_at:
        raise errors.RecordedCreationDiffers(
            "the archive records another creation time of the run",
            expected=str(facts.created_at),
            found=created_at[:_SHOWN],
        )
    return _agreed("run.created-at", f"created {facts.created_at}")


def _event(event: str, facts: RunFacts) -> Check:
    if event == facts.event:
        return _agreed("run.event", f"event {event}")
    if event == _CALLED and facts.called_workflows:
        return _agreed("run.event", f"event {event}, called from a run of {facts.event}")
    raise errors.RecordedEventDiffers(
        "the archive records another event", expected=facts.event, found=event[:_SHOWN] or "none"
    )


def _check_commit(sha: str, facts: RunFacts) -> None:
    # A branch that leads to it does not help: then the archive could choose among all evaluators there ever were.
    if recorded(facts.event) is Recorded.HEAD and sha != facts.head_sha.hex:
        raise errors.RecordedCommitDiffers(
            f"the archive records another commit than run {facts.id} was at",
            expected=f"the head commit {facts.head_sha} of a run of {facts.event}",
            found=sha[:_SHOWN] or "none",
        )


def _repository(name: str, facts: RunFacts, named: RepositoryFacts | None, vouched: str | None) -> Check:
    today = facts.repository
    if today.is_named(name):
        return _agreed("run.repository", f"repository {_number(today)}")
    if named is not None and named.id == today.id:
        return _agreed("run.repository", f"repository {name}, a former name of {_number(today)}")
    if named is None and vouched is not None:
        return done("run.repository", f"repository {vouched}")
    raise errors.RecordedRepositoryDiffers(
        "the archive records another repository than the run's",
        expected=_number(today),
        found=name[:_SHOWN] or "none" if named is None else f"{name[:_SHOWN]} (id {named.id})",
    )


def _agreed(name: str, what: str) -> Check:
    return done(name, f"GitHub's record agrees: {what}")


def _number(repository: RepositoryFacts) -> str:
    return f"{repository.full_name} (id {repository.id})"
