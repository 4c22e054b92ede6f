"""For every rule a mutation of the good evaluator that only this rule finds.

A row is the rule and one replacement of text that occurs in ``material/good.sh``. ``OTHERS`` names rules that the
table cannot serve, with the reason.
"""

from pathlib import Path
from typing import Final, NamedTuple

import pytest

from tests.verifier.scripts import NothingRun, findings_of, subject_of
from verifier.registry import ids, rule
from verifier.rule import Contract

GOOD: Final = Path(__file__).with_name("material").joinpath("good.sh").read_text(encoding="utf-8")
_STATIC: Final = tuple(
    name for name in ids() if name.startswith(("static-", "jq-")) and Contract.SCHEMA_4 in rule(name).contracts
)


class Mutation(NamedTuple):
    """One change of the good evaluator."""

    rule: str
    old: str
    new: str


_TIMELINE: Final = "gh api --paginate \"repos/$REPOSITORY/issues/$1/timeline?per_page=100\" | jq -s 'add // []'"
_LATER: Final = '  kept="$(before'
MUTATIONS: Final = (
    Mutation("static-analysable", "readonly MATURATION_DAYS=7", "readonly MATURATION_DAYS=7\necho ${GRADER~} >&2"),
    Mutation("static-sourced", "usage() {", 'source "$(dirname "${BASH_SOURCE[0]}")/runtime.sh"\n\nusage() {'),
    Mutation("static-strict-mode", "set -euo pipefail", "set -eo pipefail"),
    Mutation("static-swallowed-failure", _TIMELINE, f"{_TIMELINE} || echo '[]'"),
    Mutation(
        "static-swallowed-failure",
        'if ! events="$(timeline "$number")"; then',
        'if ! events="$(gh api a || echo 0)"; then',
    ),
    Mutation("static-swallowed-failure", '"$(timeline "$number")"', '"$(timeline "$number" || gh api a; jq -n 1)"'),
    Mutation(
        "static-current-state",
        "/timeline?per_page=100\" | jq -s 'add // []'",
        '" | jq \'[select(.closed_at != null) | {event: "closed", created_at: .closed_at}]\'',
    ),
    Mutation("static-date-fractions", "(.evidenceAt | seconds) as $evidence", "(.evidenceAt | fromdate) as $evidence"),
    Mutation("static-prefix-match", '#\\($number)(?![0-9])"', '#\\($number)"'),
    Mutation("static-unpaginated", "gh api --paginate", "gh api"),
    Mutation("static-large-argument", _LATER, f'  jq -n --argjson seen "$events" 1 >/dev/null\n{_LATER}'),
    Mutation("static-search-incomplete", _LATER, f'  gh api -X GET search/code -f "q=$number" >/dev/null\n{_LATER}'),
    Mutation("static-other-network", _LATER, f'  curl -fsS "https://example.com/$number" >/dev/null\n{_LATER}'),
    Mutation("static-gh-other", _LATER, f'  gh issue view "$number" >/dev/null\n{_LATER}'),
    Mutation("static-other-gh", "gh api --paginate", "command -p gh api --paginate"),
    Mutation("static-gh-aw", _LATER, f'  gh aw audit "$number" >/dev/null\n{_LATER}'),
    Mutation("static-credentials", _LATER, f': "${{GITHUB_TOKEN:?}}"\n{_LATER}'),
    Mutation("static-dynamic", _LATER, f'  eval "number=$number"\n{_LATER}'),
    Mutation("static-writes", _LATER, f'  printf "%s" "$events" >events.json\n{_LATER}'),
    Mutation("static-job-files", _LATER, f'  number="$(jq -r .issue "${{GITHUB_EVENT_PATH:-x}}")"\n{_LATER}'),
    Mutation("static-bash32", _LATER, f"  number=${{number,,}}\n{_LATER}"),
    Mutation("static-gnu-only", _LATER, f'  date -d "$times" >/dev/null\n{_LATER}'),
    Mutation("jq-compiles", "map(select(.event ==", "map(select((.event =="),
    Mutation("jq-compiles", "| sort_by(.created_at) | last;", "| sort_by(.created_at) | latest;"),
    Mutation("jq-arguments", "$cutoff | seconds", "$limit | seconds"),
)
OTHERS: Final = {
    "jq-newer": "needs two versions of jq; see its own tests",
    "session-contract": "is of another contract",
}


def test_the_good_evaluator_is_found_to_be_good() -> None:
    subject = subject_of(GOOD)
    assert [finding for name in _STATIC for finding in findings_of(name, subject)] == []


@pytest.mark.parametrize("mutation", MUTATIONS, ids=[f"{number}-{one.rule}" for number, one in enumerate(MUTATIONS)])
def test_only_its_rule_finds_a_mutation(mutation: Mutation) -> None:
    assert GOOD.count(mutation.old) == 1
    subject = subject_of(GOOD.replace(mutation.old, mutation.new))
    found = {name for name in _STATIC for _ in findings_of(name, subject, NothingRun())}
    assert found == {mutation.rule}


def test_every_rule_has_a_mutation() -> None:
    served = {mutation.rule for mutation in MUTATIONS} | set(OTHERS)
    assert set(_STATIC) | {"session-contract"} <= served
