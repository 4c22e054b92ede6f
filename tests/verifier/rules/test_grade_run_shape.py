"""Gradings that give no observation where nothing has happened."""

import pytest

from tests.verifier.running import edited, found, running
from verifier.registry import rule

_ID = "grade-run-shape"
_NONE = '"null" ]]; then\n    observation null \'{"issue":null}\' "$times"'


@pytest.mark.parametrize(
    ("edit", "text"),
    [
        (("--grade-run) grade_run ;;", "--grade-run) : ;;"), "printed nothing"),
        (("--grade-run) grade_run ;;", ""), "fails in a first grading"),
        ((_NONE, '"null" ]]; then\n    fail "no event" "$times"'), "no event"),
        ((_NONE, '"null" ]]; then\n    observation null null "$times"'), "case is not an object"),
        (("diagnostics: {mentions: $mentions}", 'value: (if $value == null then "none" else $value end)'), "value"),
        (("--grade-run) grade_run ;;", "--grade-run) grade_run; echo true ;;"), "more than one value"),
    ],
)
def test_no_observation_is_an_error(edit: tuple[str, str], text: str) -> None:
    (only,) = found(_ID, edit)
    assert only.startswith("error: --grade-run ")
    assert text in only


@pytest.mark.parametrize(
    ("line", "advice"),
    [
        (': "$THRESHOLD"', "Mend the line that Bash names: "),
        ("treshold", "Mend the line that Bash names: "),
        ("exit 3", "Print an observation with a null value"),
    ],
)
def test_what_to_do_fits_the_failure(line: str, advice: str) -> None:
    with running(edited(("--grade-run) grade_run ;;", f"--grade-run) {line} ;;"))) as (made, runs):
        (only,) = rule(_ID).check(made, runs)
    assert only.advice.startswith(advice)


def test_a_null_observation_is_fine() -> None:
    assert found(_ID) == []
