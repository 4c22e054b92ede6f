"""Times with fractions that jq refuses."""

import pytest

from tests.verifier.scripts import expect_marked, expect_nothing

_ID = "static-date-fractions"
_ASKS = 'request="$(cat)"\njq -r \'.evidenceAt\' <<<"$request"\n'


@pytest.mark.parametrize(
    "text",
    [
        "jq '.«evidenceAt | fromdateiso8601' <<<\"$x\"\n",
        "jq '.«run.createdAt // \"\" | fromdate'\n",
        "jq '\n  .«run.createdAt | strptime(\"%Y-%m-%dT%H:%M:%SZ\") | mktime'\n",
        'jq \'def cut: sub("\\\\.[0-9]+Z$"; "Z"); .«evidenceAt | fromdateiso8601\'\n',
        "jq 'try (.«evidenceAt | fromdateiso8601) catch null'\n",
        "P='.«evidenceAt | fromdate'\njq \"$P\"\n",
    ],
)
def test_a_time_of_the_request_is_an_error(text: str) -> None:
    expect_marked(_ID, text)


@pytest.mark.parametrize(
    "text",
    [
        _ASKS + "jq -n --arg t \"$1\" '$t | §fromdateiso8601'\n",
        _ASKS + "jq '\n  .when\n  | §strptime(\"%Y-%m-%dT%H:%M:%SZ\")'\n",
        _ASKS + 'jq -n --arg p "$1" \'($p | split("/")) as $q | $t | §fromdate\' --arg t x\n',
    ],
)
def test_where_nothing_cuts_fractions_it_is_a_warning(text: str) -> None:
    expect_marked(_ID, text)


@pytest.mark.parametrize(
    "text",
    [
        'jq \'.evidenceAt | sub("\\\\.[0-9]+Z$"; "Z") | fromdateiso8601\'\n',
        _ASKS + "jq '[.[] | select((.createdAt | fromdateiso8601) > (.closedAt // \"\" | fromdate))]'\n",
        "jq '.evidenceAt[0:19] + \"Z\" | fromdate'\n",
        _ASKS + "jq -n --arg t \"${t%.*}Z\" '$t | fromdateiso8601'\n",
        _ASKS + 'jq -n --arg t "$t" \'$t | split(".")[0] + "Z" | fromdateiso8601\'\n',
        _ASKS + "jq '[.[] | .created_at | fromdateiso8601]'\n",
        "jq -n --arg t \"$1\" '$t | fromdateiso8601'\n",
        'jq \'(.evidenceAt | fromdateiso8601)? // (.evidenceAt | sub("\\\\.[0-9]+Z$"; "Z") | fromdateiso8601)\'\n',
        "jq 'def fromdate: .; .evidenceAt | fromdate'\n",
        "# jq '.evidenceAt | fromdateiso8601'\necho '.evidenceAt | fromdateiso8601'\n",
        _ASKS + "jq '.x | todateiso8601'\n",
        _ASKS + "jq '(.day + \"T00:00:00Z\") | fromdateiso8601'\n",
        _ASKS + "jq -n '\"2026-08-01T00:00:00Z\" | fromdate'\n",
    ],
)
def test_look_alikes(text: str) -> None:
    expect_nothing(_ID, text)
