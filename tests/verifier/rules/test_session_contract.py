"""Session graders that do more than read their file."""

import pytest

from tests.verifier.scripts import expect_marked, expect_nothing
from verifier.registry import rules_of
from verifier.rule import Contract, Profile

_ID = "session-contract"


@pytest.mark.parametrize(
    "text",
    [
        'x="$(«gh api repos/a/b)"\n',
        "«curl https://example.com\n",
        'jq . "$1" >«"$TMPDIR/x"\n',
        'jq . "$1" | tee «out\n',
        'echo «\'[{"id": "a", "value": 1}, {"id": "a", "value": 2}]\'\n',
        'printf \'%s\' «\'[{"id": " ", "value": 1}]\'\n',
        'echo «\'[{"id": "a", "value": 1, "unit": "s"}]\'\n',
        'jq \'[«{id: "a", value: .x, unit: "s"}]\' "$1"\n',
        'jq \'[«{id: " ", value: .x}]\' "$1"\n',
        'jq \'«[{id: "a", value: .x}, {"id": "a", "value": .y}]\' "$1"\n',
    ],
)
def test_found(text: str) -> None:
    expect_marked(_ID, text, session=True)


@pytest.mark.parametrize(
    "text",
    [
        'jq \'[{id: "a", value: .x}, {id: "b", value: (.y // null)}]\' "$1"\n',
        'jq \'if .a then [{id: "a", value: 1}] else [{id: "a", value: null}] end\' "$1" 2>/dev/null\n',
        'echo \'[{"id": "a", "value": null}]\'\necho \'[{not json\'\n',
        "echo 1 >&2\n# gh api x\n",
        'jq . "$1" | tee -\n',
        'jq \'.[] | {id: "a", name: .b}\' "$1"\n',
    ],
)
def test_nothing(text: str) -> None:
    expect_nothing(_ID, text, session=True)


def test_it_belongs_to_that_contract_alone() -> None:
    assert _ID in {rule.id for rule in rules_of(Profile.QUICK, Contract.SESSION)}
    assert _ID not in {rule.id for rule in rules_of(Profile.THOROUGH, Contract.SCHEMA_4)}
