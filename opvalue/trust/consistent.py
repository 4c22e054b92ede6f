"""Check that the archive agrees with itself and with the run asked for (reference 2.2, steps 8 and 10).

Steps, in this order, each with its own refusal:

1. the results are of the requested run and attempt;
2. manifest and results record one digest of the evaluator;
3. the archived evaluator has that digest;
4. the observation's subject is that run and attempt;
5. the subject's repository is the requested one;
6. there is a case;
7. commit, path and times are in a form that can be used safely.

Not shown by any of it: where the archive came from. Whoever wrote the file could have written all of it.
"""

from opvalue.archive import ArchivedRun, Generation
from opvalue.contract import Subject
from opvalue.identity import CommitId, Digest, Instant, RepoPath, Repository, RunRef
from opvalue.trust import errors
from opvalue.trust.states import Check, ConsistentRun, TrustPolicy, done, skipped

_RUN_SUBJECT = "workflow-run"
_SHOWN = 80
"""Characters of a recorded text in a refusal: a record can hold megabytes."""


def consistent(
    archived: ArchivedRun,
    requested: RunRef,
    repository: Repository,
    policy: TrustPolicy | None = None,
    *,
    known: tuple[Check, ...] = (),
    created_at: Instant | None = None,
) -> ConsistentRun:
    """Return the run as consistent, or raise the refusal of the first step that fails.

    ``repository`` is the one the caller resolved for ``requested``. The attempt is compared only when it was named.
    ``known`` are checks made before. ``created_at`` serves for bounds where the archive records no creation time; it
    never enters the evaluator's request.
    """
    policy = policy or TrustPolicy()
    observation = archived.observation
    _check_run(archived, requested)  # 1
    digest = _agreed_digest(archived)  # 2
    _check_evaluator(archived.evaluator, digest)  # 3
    _check_subject(archived)  # 4
    named = _check_repository(observation.subject, repository, policy)  # 5
    case = observation.case
    if not isinstance(case, dict):  # 6
        raise errors.CaseMissing("the archived observation holds no case", expected="an object")
    commit_id, path = _commit(observation.subject), _evaluator_path(archived)  # 7
    recorded_creation = _created_at(observation.subject)
    checks = (
        *known,
        done("archive.run", f"run {archived.results.run_id}, attempt {archived.results.attempt}"),
        done("archive.digests", "manifest, results and archived evaluator agree on the evaluator's digest"),
        done("archive.repository", named),
        _creation_check(recorded_creation, created_at),
    )
    return ConsistentRun(
        archived,
        repository,
        policy,
        commit_id,
        path,
        digest,
        recorded_creation or created_at,
        _time("maturesAt", observation.matures_at),
        case,
        checks,
    )


def _check_run(archived: ArchivedRun, requested: RunRef) -> None:
    found = archived.results
    if found.run_id != requested.run_id:
        raise errors.RunMismatch(
            "the archive belongs to another run", expected=requested.run_id, found=found.run_id[:_SHOWN] or "no run id"
        )
    if found.attempt < 1:
        raise errors.AttemptMismatch(
            "the archive records no valid attempt", expected="a positive attempt", found=str(found.attempt)
        )
    if requested.attempt is not None and found.attempt != requested.attempt:
        raise errors.AttemptMismatch(
            "the archive belongs to another attempt of the run",
            expected=f"attempt {requested.attempt}",
            found=f"attempt {found.attempt}",
        )


def _agreed_digest(archived: ArchivedRun) -> Digest:
    manifest = Digest.parse(archived.grader.digest)
    results = Digest.parse(archived.result.implementation_digest)
    if manifest is None:
        raise _no_digest("manifest", archived.grader.digest)
    if results is None:
        raise _no_digest("results", archived.result.implementation_digest)
    if manifest != results:
        raise errors.DigestRecordsDiffer(
            "manifest and results record different evaluators",
            expected=f"{manifest} (manifest)",
            found=f"{results} (results)",
        )
    return manifest


def _no_digest(record: str, value: str | None) -> errors.DigestMissing:
    return errors.DigestMissing(
        f"the {record} record no evaluator digest" if not value else f"the {record} record a malformed digest",
        expected="64 lower-case hexadecimal characters",
        found=repr(value[:_SHOWN]) if value else "none",
    )


def _check_evaluator(evaluator: bytes, digest: Digest) -> None:
    actual = Digest.of(evaluator)
    if actual == digest:
        return
    bare = Digest.of(evaluator.replace(b"\r\n", b"\n")) == digest
    raise errors.DigestMismatch(
        "the archived evaluator differs from its record only by carriage returns"
        if bare
        else "the archived evaluator is not the file its digest records name",
        expected=str(digest),
        found=str(actual),
    )


def _check_subject(archived: ArchivedRun) -> None:
    observation, results = archived.observation, archived.results
    found = (observation.subject_type, observation.subject.run_id, observation.subject.attempt)
    expected = (_RUN_SUBJECT, results.run_id, results.attempt)
    if found != expected:
        raise errors.SubjectMismatch(
            "the observation is of another subject than the results",
            expected="{} {} attempt {}".format(*expected),
            found="{} {} attempt {}".format(*(str(part)[:_SHOWN] for part in found)),
        )


def _check_repository(subject: Subject, repository: Repository, policy: TrustPolicy) -> str:
    how = policy.same_repository(subject.repository, repository)
    if how is None:
        raise errors.RepositoryMismatch(
            "the run was recorded in another repository",
            expected=repository.slug,
            found=subject.repository[:_SHOWN] or "none",
        )
    return f"repository recorded as {how}"


def _commit(subject: Subject) -> CommitId:
    commit = CommitId.parse(subject.sha)
    if commit is None:
        raise errors.CommitUnsafe(
            "the recorded commit is not a full object id",
            expected="40 or 64 lower-case hexadecimal characters",
            found=repr(subject.sha[:_SHOWN]),
        )
    return commit


def _evaluator_path(archived: ArchivedRun) -> RepoPath:
    if not archived.grader.run:
        key = "function" if archived.generation is Generation.VALUE else "run"
        raise errors.EvaluatorUndeclared("the manifest does not name the evaluator's file", expected=f"a `{key}` path")
    return RepoPath.declared(archived.grader.run)


def _created_at(subject: Subject) -> Instant | None:
    return None if subject.created_at is None else _time("subject.createdAt", subject.created_at)


def _time(field: str, text: str) -> Instant:
    instant = Instant.parse_utc(text)
    if instant is None:
        raise errors.SubjectTimeMalformed(
            f"the archived {field} is not a UTC time",
            expected="2026-08-30T12:00:00Z or with milliseconds",
            found=text[:_SHOWN],
        )
    return instant


def _creation_check(recorded: Instant | None, known: Instant | None) -> Check:
    if recorded is not None:
        return done("archive.created-at", f"creation recorded as {recorded}")
    if known is not None:
        return skipped("archive.created-at", f"the archive records no creation time: bounds are those of {known}")
    return skipped("archive.created-at", "the archive records no creation time: bounds that need it are not made")
