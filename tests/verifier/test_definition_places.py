"""Where a field of the definition stands in the text."""

from typing import Any, Final

import pytest

from tests.verifier.scripts import MAIN, STRICT, subject_of
from verifier.definition_places import place_of

_DOCUMENT: Final[dict[str, Any]] = {
    "schemaVersion": 4,
    "evidence": {"repositories": ["octo-org/widgets", "octo-org/\u00e9"], "zeroRule": '0: "{none}", [not], x'},
    "baseline": {"value": None, "provenance": [{"ref": "1"}]},
}
_TEXT: Final = (
    STRICT
    + """note='{"schemaVersion": 3}' # \u00e9
definition() {
  cat <<'JSON'
{
  "schemaVersion": 4,
  "evidence": {
    "repositories": ["octo-org/widgets", "octo-org/\u00e9"], "zeroRule": "0: \\"{none}\\", [not], x"
  },
  "baseline": {"value": null, "provenance": [{"ref": "1"}]}
}
JSON
}
"""
)


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("schemaVersion", (7, 3)),
        ("evidence.repositories[1]", (9, 42)),
        ("evidence.zeroRule", (9, 57)),
        ("evidence.missingRule", (8, 3)),
        ("baseline.value", (11, 16)),
        ("baseline.provenance[0].ref", (11, 47)),
        ("baseline.provenance[3].ref", (11, 31)),
        ("adoption.commit", (6, 1)),
    ],
)
def test_a_field_is_found_by_its_path(path: str, place: tuple[int, int]) -> None:
    assert place_of(subject_of(_TEXT), _DOCUMENT, path) == (MAIN, *place)


def test_what_is_not_written_out_has_no_place() -> None:
    assert place_of(subject_of(_TEXT), {**_DOCUMENT, "schemaVersion": 5}, "schemaVersion") is None
    assert place_of(subject_of(STRICT + "jq -n '{schemaVersion: 4}'\n"), {"schemaVersion": 4}, "schemaVersion") is None
    assert place_of(subject_of(_TEXT), None, "schemaVersion") is None


def test_a_definition_in_a_sourced_file_is_found_there() -> None:
    text = STRICT + 'source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"\n'
    subject = subject_of(text, {".github/graders/lib.sh": _TEXT})
    assert place_of(subject, _DOCUMENT, "schemaVersion") == (".github/graders/lib.sh", 7, 3)
