"""Times of creation that are null or have milliseconds."""

from tests.verifier.running import found

_ID = "grade-run-created-at"
_CREATED = "((.run.createdAt // .evidenceAt) | seconds)"


def test_1970_is_an_error() -> None:
    (only,) = found(_ID, (_CREATED, "((.run.createdAt | if . == null then 0 else seconds end))"))
    assert only.startswith("error: with a null createdAt the run matured at 1970")


def test_a_failure_at_null_is_a_warning() -> None:
    (only,) = found(_ID, (_CREATED, "(.run.createdAt | seconds)"))
    assert only.startswith("warning: a regrade with a null createdAt fails: ")


def test_a_failure_at_milliseconds_is_an_error() -> None:
    (only,) = found(_ID, (_CREATED, '((.run.createdAt // (.evidenceAt[:19] + "Z")) | fromdateiso8601)'))
    assert only.startswith("error: a regrade with milliseconds in createdAt fails: ")


def test_a_maturity_moved_by_milliseconds_is_an_error() -> None:
    edit = (
        _CREATED,
        '((.run.createdAt // .evidenceAt) | if test("[.]") then .[:10] + "T00:00:00Z" else . end | seconds)',
    )
    (only,) = found(_ID, edit)
    assert only.startswith("error: milliseconds in createdAt move maturesAt to 2026-08-18T00:00:00.000Z")


def test_both_met_is_fine() -> None:
    assert found(_ID) == []
