"""Cases that do not come back as they were."""

import pytest

from tests.verifier.running import found

_ID = "grade-run-replay"
_CASE = "then .case\n"


@pytest.mark.parametrize(
    ("new", "text"),
    [
        ("then (.case | .seen = ((.seen // 0) + 1))\n", "alters it: case"),
        ("then (.case | .issue |= tostring)\n", "alters it: case"),
        ('then {issue: (.case.number // error("no number"))}\n', "fails"),
        ("then null\n", "alters it"),
    ],
)
def test_an_altered_or_refused_case_is_an_error(new: str, text: str) -> None:
    (only,) = found(_ID, (_CASE, new))
    assert only.startswith("error: a regrade with the case that was returned ")
    assert text in only


def test_a_key_that_changes_is_an_error() -> None:
    key = 'opportunityKey: (if $case.issue == null then "none" else "issue:\\($case.issue)" end)'
    (only,) = found(_ID, (key, 'opportunityKey: "issue:\\($case.issue):\\($times.cutoff)"'))
    assert 'opportunityKey "issue:42:2026' in only


def test_a_case_that_stays_is_fine() -> None:
    assert found(_ID) == []
