"""Null before maturity."""

import pytest

from tests.verifier.running import found

_ID = "grade-run-not-null-for-being-immature"
_VALUE = 'value="$(jq -c \'{events: .}\' <<<"$kept" | metric)"'
_IMMATURE = "\n  if ! jq -e '.matures == .cutoff' <<<\"$times\" >/dev/null; then value=null; fi"
_SAID = '"$value" "$case" "$times" ""'


@pytest.mark.parametrize("message", ["pending", "the run is not mature", "awaiting maturity", "Too early to tell"])
def test_null_that_says_so_is_an_error(message: str) -> None:
    (only,) = found(_ID, (_VALUE, _VALUE + _IMMATURE), (_SAID, f'"$value" "$case" "$times" "{message}"'))
    assert only.startswith("error: the value is null for being immature in a first grading half-way to maturity")


_DIAGNOSED = "diagnostics: {mentions: $mentions}"


@pytest.mark.parametrize("said", ['"pending"', '{notes: ["too early"]}', '"not yet mature"'])
def test_null_whose_diagnostics_say_so_is_an_error(said: str) -> None:
    more = f"diagnostics: (if $value == null then {{mentions: $mentions, state: {said}}} else {{}} end)"
    (only,) = found(_ID, (_VALUE, _VALUE + _IMMATURE), (_DIAGNOSED, more))
    assert only.startswith("error: the value is null for being immature in a first grading half-way to maturity")


def test_a_check_that_is_pending_after_maturity_too_says_nothing() -> None:
    more = 'diagnostics: {mentions: $mentions, check: "pending"}'
    assert found(_ID, (_VALUE, "value=null"), (_DIAGNOSED, more)) == []


def test_null_that_turns_into_a_number_is_a_note() -> None:
    (only,) = found(_ID, (_VALUE, _VALUE + _IMMATURE))
    assert only == "note: the value is null half-way to maturity, and 1 after it"


def test_a_number_before_maturity_is_fine() -> None:
    assert found(_ID) == []
    assert found(_ID, (_SAID, '"$value" "$case" "$times" "not mature"')) == []
