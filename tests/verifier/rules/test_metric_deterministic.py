"""Metrics that depend on more than their evidence."""

import pytest

from tests.verifier.running import found

_ID = "metric-deterministic"
_RUN = "--metric) metric ;;"


@pytest.mark.parametrize(
    "new",
    [
        '--metric) metric >/dev/null; jq -n "$RANDOM * 1e-6" ;;',
        "--metric) if [[ -e README.md ]]; then echo 0.5; else metric; fi ;;",
        '--metric) if [[ "$TZ" == UTC ]]; then metric; else exit 3; fi ;;',
    ],
)
def test_another_answer_for_the_same_evidence_is_an_error(new: str) -> None:
    (only,) = found(_ID, (_RUN, new))
    assert only.startswith("error: --metric gives ")


def test_the_same_answer_is_fine() -> None:
    assert found(_ID) == []
