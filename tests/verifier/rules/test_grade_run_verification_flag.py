"""Gradings that know when they are checked."""

import pytest

from tests.verifier.running import found

_ID = "grade-run-verification-flag"
_CASE = '  case="$(case_of "$request")"'
_FLAG = "  if jq -e '.config.verification == true' <<<\"$request\" >/dev/null; then\n    {}\n  fi\n"


@pytest.mark.parametrize(
    ("what", "text"),
    [
        (
            'observation 1 \'{"issue":1}\' "$(times_of "$request")" "" null; return',
            "changes the grading: value null and then 1",
        ),
        ("exit 3", "with config.verification the grading fails"),
        ('echo "{}"; return', "with config.verification the grading fails"),
    ],
)
def test_another_grading_is_an_error(what: str, text: str) -> None:
    (only,) = found(_ID, (_CASE, _FLAG.format(what) + _CASE))
    assert only.startswith("error: ")
    assert text in only


def test_a_grading_that_works_when_checked_only_is_an_error() -> None:
    (only,) = found(
        _ID, (_CASE, "  jq -e '.config.verification == true' <<<\"$request\" >/dev/null || exit 3\n" + _CASE)
    )
    assert only == "error: the grading succeeds with config.verification only"


def test_the_same_grading_is_fine() -> None:
    assert found(_ID) == []
