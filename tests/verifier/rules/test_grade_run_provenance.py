"""Values without evidence, or with evidence of others."""

import pytest

from tests.verifier.running import found

_ID = "grade-run-provenance"
_ENTRY = '[{repository: $repository, kind: "issue-timeline", ref: ($case.issue | tostring)}]'
_ASKS = 'gh api --paginate "repos/$REPOSITORY/issues/$1/timeline'


@pytest.mark.parametrize(
    ("edit", "text"),
    [
        ((_ENTRY, "[]"), "error: in a first grading half-way"),
        ((_ENTRY, '[{repository: $repository, kind: "issue-timeline"}]'), "error: in a first grading half-way"),
        ((_ENTRY, "null"), "error: in a first grading half-way"),
        ((_ENTRY, '[{repository: "a/b", kind: "x", ref: "1"}]'), "warning: provenance names a/b, which"),
        ((_ASKS, _ASKS.replace("$REPOSITORY", "octo-org/target")), "warning: evidence of octo-org/target is asked for"),
        ((_ASKS, f"gh api user >/dev/null; {_ASKS}"), "note: evidence is asked for that belongs to no repository"),
    ],
)
def test_missing_and_foreign_evidence(edit: tuple[str, str], text: str) -> None:
    (only,) = found(_ID, edit)
    assert only.startswith(text)


def test_declared_evidence_is_fine() -> None:
    assert found(_ID) == []
