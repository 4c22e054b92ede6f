"""Cutoffs that are not the earlier of two times."""

import pytest

from tests.verifier.running import found

_ID = "grade-run-cutoff"
_CUTOFF = "cutoff: ([$evidence, $matures] | min | stamp)"


@pytest.mark.parametrize(
    ("new", "text"),
    [
        ("cutoff: ($evidence | stamp)", "lies after maturity"),
        ("cutoff: ($matures | stamp)", "lies after the evidence time"),
        ("cutoff: ($created | stamp)", "earlier"),
        ("cutoff: (0 | stamp)", "earlier"),
        ('cutoff: ([$evidence, $matures] | min | strftime("%Y-%m-%d"))', "not a UTC time"),
        ("cutoff: ([$evidence, $matures] | min - 60 | stamp)", "earlier"),
    ],
)
def test_another_cutoff_is_an_error(new: str, text: str) -> None:
    first = found(_ID, (_CUTOFF, new))[0]
    assert first.startswith("error: in a ")
    assert text in first


def test_whole_seconds_are_fine() -> None:
    assert found(_ID) == []
