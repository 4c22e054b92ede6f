"""Scripts that fail where there is evidence."""

import pytest

from tests.verifier.running import found
from verifier.rule import Profile

_ID = "with-evidence"
_FORM = '<<<"$events" >/dev/null; then\n    observation'
_VALUE = 'value="$(jq -c \'{events: .}\' <<<"$kept" | metric)"'


@pytest.mark.parametrize(
    ("edit", "text"),
    [
        ((_FORM, '<<<"$events"; then\n    observation'), "more than one value"),
        (
            (_VALUE, 'value="$(jq -c \'[.[] | .no.such[0:2] | ascii_downcase]\' <<<"$kept")"'),
            "fails in a first grading half-way",
        ),
        ((_VALUE, 'value="$(jq \'length + 1\' <<<"$kept")"'), "value"),
        ((_VALUE, f"{_VALUE}\n  gh issue view 1 >/dev/null || true"), "would not be observed"),
        ((_VALUE, f"{_VALUE}\n  gh api -X DELETE repos/a/b >/dev/null || true"), "would not be observed"),
    ],
)
def test_a_fault_with_evidence_is_an_error(edit: tuple[str, str], text: str) -> None:
    first = found(_ID, edit)[0]
    assert first.startswith("error: ")
    assert text in first


def test_every_seed_goes_through() -> None:
    assert found(_ID, profile=Profile.THOROUGH) == []


def test_a_request_that_names_nothing_is_a_warning() -> None:
    asking = (_VALUE, f"{_VALUE}\n  gh api repos/a/b/issues/$(jq -n .config)/events >/dev/null || true")
    (only,) = found(_ID, asking)
    assert only.startswith("warning: asks for /repos/a/b/issues/null/events in a first grading half-way to maturity")
    assert only.endswith(": a name or number is missing")
