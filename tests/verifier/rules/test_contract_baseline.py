"""Baselines that are not frozen."""

import pytest

from tests.verifier.running import Edit, found

_ID = "contract-baseline"
_OLD = 'baseline: {mode: "attainment-only", value: null, evidenceCutoff: null, provenance: []},'
_PINNED = '{"repository": "a/b", "kind": "issue", "ref": "7"}'


def _found(cutoff: str, provenance: str, *others: Edit) -> list[str]:
    new = (
        f'baseline: {{mode: "baseline-comparable", value: 0.5, evidenceCutoff: "{cutoff}", provenance: {provenance}}},'
    )
    return found(_ID, (_OLD, new), *others)


@pytest.mark.parametrize(
    ("cutoff", "provenance", "text"),
    [
        ("2026-08-01T09:30:01Z", f"[{_PINNED}]", "error: the baseline's evidence ends at"),
        ("2026-08-01", f"[{_PINNED}]", "error: the baseline's evidenceCutoff is no time"),
        (
            "2026-07-01T00:00:00Z",
            '[{"repository": "a/b", "kind": "commit", "ref": "main"}]',
            "error: baseline.provenance[0] names what moves",
        ),
        (
            "2026-07-01T00:00:00Z",
            f'[{_PINNED}, {{"repository": "a/b", "kind": "search"}}]',
            "error: baseline.provenance[1] lacks ref",
        ),
        (
            "2026-07-01T00:00:00Z",
            '[{"repository": "a/b", "kind": "commit", "ref": "0123abc"}]',
            "warning: baseline.provenance[0] shortens",
        ),
        ("2026-07-01T00:00:00Z", '"last month"', "note: baseline.provenance[0] is a text"),
    ],
)
def test_a_baseline_that_moves(cutoff: str, provenance: str, text: str) -> None:
    (only,) = _found(cutoff, provenance)
    assert only.startswith(text)


def test_a_frozen_baseline_is_fine() -> None:
    assert _found("2026-08-01T09:30:00Z", f"[{_PINNED}]") == []
    assert found(_ID) == []


def test_without_a_time_of_adoption_the_cutoff_is_not_compared() -> None:
    assert (
        _found("2026-07-01T00:00:00Z", f"[{_PINNED}]", ('adoptedAt: "2026-08-01T09:30:00Z"', 'adoptedAt: "soon"')) == []
    )
