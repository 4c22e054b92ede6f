"""What requests ask for."""

import pytest

from verifier.simulated.asked import in_range, search_of

_TIME = "2026-08-14T12:00:00Z"


@pytest.mark.parametrize(
    ("limits", "inside"),
    [
        ("2026-08-14", True),
        ("2026-08-13", False),
        (">=2026-08-14", True),
        (">2026-08-14", False),
        ("<=2026-08-14", True),
        ("<2026-08-14", False),
        ("<2026-08-14T12:00:01Z", True),
        (">2026-08-14T12:00:00Z", False),
        ("2026-08-14..2026-08-14", True),
        ("2026-08-01..2026-08-13", False),
        ("*..2026-08-14", True),
        ("2026-08-15..*", False),
        ("2026-08-14T11:00:00Z..2026-08-14T13:00:00Z", True),
    ],
)
def test_ranges_of_time(limits: str, inside: bool) -> None:
    assert in_range(_TIME, limits) is inside
    assert in_range(None, limits) is False


def test_searches_are_read() -> None:
    search = search_of('repo:a/b is:pr -label:old label:"good one" "two words" plain')
    assert search.values("repo") == ("a/b",)
    assert search.values("label") == ("good one",)
    assert search.kinds == {"pr"}
    assert search.words == ("two words", "plain")
