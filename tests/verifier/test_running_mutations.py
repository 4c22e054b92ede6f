"""For every rule that runs the script a mutation of the good evaluator that only this rule finds.

``unreached-lines`` is left out of "only": made-up evidence reaches no mutation that nothing reaches.
"""

from typing import Final, NamedTuple

import pytest

from tests.verifier.running import Edit, edited, running
from verifier.registry import ids, rule
from verifier.rule import Contract, Profile


class Mutation(NamedTuple):
    """One change of the good evaluator, and the first profile that finds it."""

    rule: str
    profile: Profile
    edits: tuple[Edit, ...]


_Q: Final = Profile.QUICK
_D: Final = Profile.DEFAULT
_T: Final = Profile.THOROUGH
_BASELINE: Final = 'baseline: {mode: "attainment-only", value: null, evidenceCutoff: null, provenance: []},'
_GRADED: Final = '  value="$(jq -c \'{events: .}\' <<<"$kept" | metric)"'
_ODD: Final = 'type != "object" or (.events | type) != "array" then null'
_COMPARABLE: Final = (
    'baseline: {mode: "baseline-comparable", value: 0.5, evidenceCutoff: "2026-09-01T00:00:00Z",'
    ' provenance: [{repository: $repository, kind: "issue", ref: "7"}]},'
)
_ZERO: Final = (
    'type != "object" then null\n    elif .events == null then 0\n    elif (.events | type) != "array" then null'
)
_MATURES: Final = "        ($created + $days * 86400) as $matures"
_MOVING: Final = (
    '        ((if (.event | type) == "object" then $created else $created + 1 end) + $days * 86400) as $matures'
)
_CASE: Final = '  case="$(case_of "$request")"'
_CANNED: Final = (
    "  if jq -e '.config.verification == true' <<<\"$request\" >/dev/null; then\n"
    '    observation 1 \'{"issue":42}\' "$(times_of "$request")" "" null\n    return\n  fi\n'
)
MUTATIONS: Final = (
    Mutation("script-form", _Q, (("#!/usr/bin/env bash", "#!/usr/bin/env -S bash -e"),)),
    Mutation("syntax", _Q, (('main "$@"', 'main "$@"\nif true; then'),)),
    Mutation("contract-definition", _Q, (('direction: "higher_is_better"', 'direction: "up"'),)),
    Mutation(
        "contract-baseline",
        _Q,
        ((_BASELINE, _COMPARABLE),),
    ),
    Mutation("contract-placeholders", _Q, (('"Zero when the issue is open', '"FILL IN: the issue is open'),)),
    Mutation("metric-examples", _D, (('"reopened" then 0', '"reopened" then 1'),)),
    Mutation(
        "metric-missing",
        _D,
        ((_ODD, _ZERO),),
    ),
    Mutation(
        "metric-deterministic",
        _D,
        (
            (
                "--metric) metric ;;",
                '--metric) metric | jq -c --arg zone "$TZ" \'if $zone == "UTC" then . else null end\' ;;',
            ),
        ),
    ),
    Mutation("metric-odd-evidence", _D, (('type != "object" or ', ""),)),
    Mutation(
        "grade-run-shape",
        _D,
        (
            (
                '"null" ]]; then\n    observation null \'{"issue":null}\' "$times"',
                '"null" ]]; then\n    observation null null "$times"',
            ),
        ),
    ),
    Mutation(
        "grade-run-cutoff", _D, (("cutoff: ([$evidence, $matures] | min | stamp)", "cutoff: ($evidence | stamp)"),)
    ),
    Mutation(
        "grade-run-maturity",
        _D,
        ((_MATURES, _MOVING),),
    ),
    Mutation(
        "grade-run-replay",
        _D,
        (("then .case\n", "then (.case | .issue = (.issue // null) | .seen = ((.seen // false) | not))\n"),),
    ),
    Mutation(
        "grade-run-created-at",
        _D,
        (("((.run.createdAt // .evidenceAt) | seconds)", '((.run.createdAt // "1970-01-01T00:00:00Z") | seconds)'),),
    ),
    Mutation(
        "grade-run-provenance",
        _D,
        (
            (
                '[{repository: $repository, kind: "issue-timeline"',
                '[{repository: "octo-org/other", kind: "issue-timeline"',
            ),
        ),
    ),
    Mutation(
        "grade-run-not-null-for-being-immature",
        _D,
        (
            (_GRADED, _GRADED + "\n  if ! jq -e '.matures == .cutoff' <<<\"$times\" >/dev/null; then value=null; fi"),
            ('"$value" "$case" "$times" ""', '"$value" "$case" "$times" "pending"'),
        ),
    ),
    Mutation(
        "grade-run-verification-flag",
        _D,
        ((_CASE, _CANNED + _CASE),),
    ),
    Mutation("grade-run-same-elsewhere", _D, ((_GRADED, _GRADED + "\n  if [[ -d .git ]]; then value=0.25; fi"),)),
    Mutation("grade-run-leaves-nothing", _D, ((_GRADED, _GRADED + '\n  : >"$HOME/.seen"'),)),
    Mutation(
        "missing-is-not-zero",
        _D,
        (
            (
                '    fail "the timeline of issue $number cannot be read"',
                '    observation 0 "$case" "$times" "" null\n    return',
            ),
        ),
    ),
    Mutation(
        "with-evidence",
        _D,
        (('<<<"$events" >/dev/null; then\n    observation', '<<<"$events"; then\n    observation'),),
    ),
    Mutation(
        "no-look-ahead",
        _D,
        (("$at != null and $at <= $end_of_evidence", "$at != null and ($at <= $end_of_evidence or true)"),),
    ),
)
OTHERS: Final = {
    "repository-registration": "needs a repository; see its own tests",
    "repository-adoption": "needs a repository; see its own tests",
    "repository-permissions": "needs a repository; see its own tests",
    "cases": "needs a case; see its own tests",
    "unreached-lines": "finds what nothing reaches; see its own tests",
}
_STATIC: Final = ("static-", "jq-")


@pytest.mark.parametrize("mutation", MUTATIONS, ids=[one.rule for one in MUTATIONS])
def test_only_its_rule_finds_a_mutation(mutation: Mutation) -> None:
    with running(edited(*mutation.edits), profile=mutation.profile) as (subject, runs):
        found = {
            name
            for name in ids()
            if Contract.SCHEMA_4 in rule(name).contracts and rule(name).profile <= mutation.profile
            for _ in rule(name).check(subject, runs)
        }
    assert found - {"unreached-lines"} == {mutation.rule}


def test_every_rule_that_runs_has_a_mutation() -> None:
    running_rules = {name for name in ids() if not name.startswith(_STATIC) and name != "session-contract"}
    assert running_rules <= {mutation.rule for mutation in MUTATIONS} | set(OTHERS)
