"""Metrics that do not survive odd evidence."""

from tests.verifier.running import found

_ID = "metric-odd-evidence"
_FORM = 'type != "object" or (.events | type) != "array" then null'
_RUN = "--metric) metric ;;"


def test_numbers_outside_the_range_and_second_documents_are_errors() -> None:
    (only,) = found(_ID, (_FORM, f'type == "number" then 7 elif {_FORM}'))
    assert only.startswith("error: --metric breaks its contract for zero: ")
    (only,) = found(_ID, (_FORM, f'type == "array" then (null, null) elif {_FORM}'))
    assert only.startswith("error: --metric breaks its contract for an array: ")


def test_failures_are_warnings() -> None:
    (only,) = found(_ID, (_FORM, '(.events | type) != "array" then null'))
    assert only.startswith("warning: --metric fails for an array: ")
    assert "and for 4 other kinds" in only


def test_output_broken_by_junk_is_a_note() -> None:
    (only,) = found(_ID, (_RUN, "--metric) metric 2>/dev/null || echo null ;;"))
    assert only.startswith("note: --metric breaks its contract where junk follows the evidence: ")


def test_nulls_are_fine() -> None:
    assert found(_ID) == []
