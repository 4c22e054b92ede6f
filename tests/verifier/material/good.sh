#!/usr/bin/env bash
# Operational value of issue triage: the issue that a run was given is closed as completed, and stays so, within a week.
#
# Nothing here is today's state: the timeline is read whole, cut at the cutoff, and the last event decides.
set -euo pipefail

readonly GRADER="operational-value"
readonly REPOSITORY="octo-org/widgets"
readonly MATURATION_DAYS=7

# Times are read without fractions: jq refuses them.
readonly TIME='
def seconds:
  if type == "string" and test("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?Z$")
  then sub("[.][0-9]+Z$"; "Z") | fromdateiso8601
  else null
  end;
def stamp: todateiso8601;
'

usage() {
  printf 'usage: %s --definition | --metric | --grade-run\n' "${0##*/}" >&2
  exit 2
}

# fail REASON: the run cannot be graded; nothing on standard output, a failing exit.
fail() {
  printf '%s: %s\n' "${0##*/}" "$1" >&2
  exit 1
}

definition() {
  jq -n --arg grader "$GRADER" --arg repository "$REPOSITORY" '
    {
      schemaVersion: 4,
      grader: $grader,
      repository: $repository,
      workflowName: "Issue triage",
      sourcePath: ".github/workflows/issue-triage.md",
      adoption: {commit: "0123456789abcdef0123456789abcdef01234567", adoptedAt: "2026-08-01T09:30:00Z"},
      operationalValue: "Issues given to the workflow are closed as completed within a week.",
      evidence: {
        opportunity: "One issue, named by the event that started the run.",
        assignment: "The number of the issue in the event, kept in the case.",
        accepted: "The last closed or reopened event of the timeline up to the cutoff.",
        repositories: [$repository],
        collection: "GET repos/OWNER/REPO/issues/NUMBER/timeline, all pages.",
        maturation: "Seven days after the run was created.",
        zeroRule: "Zero when the issue is open at the cutoff, or was closed as not planned.",
        missingRule: "Null when there is no issue, or the timeline cannot be read."
      },
      primaryMetric: {
        id: "issue_completed",
        formula: "1 if the last of closed and reopened is closed as completed, else 0",
        direction: "higher_is_better"
      },
      baseline: {mode: "attainment-only", value: null, evidenceCutoff: null, provenance: []},
      validationExamples: {
        targetAttained: {events: [{event: "closed", created_at: "2026-08-05T10:00:00Z", state_reason: "completed"}]},
        targetMissed: {events: [{event: "labeled", created_at: "2026-08-05T10:00:00Z"}]},
        missing: {},
        malformed: {events: "none"}
      }
    }'
}

# metric: one evidence object on standard input, a number in [0,1] or null on standard output.
metric() {
  jq -c '
    def last_of_state: map(select(.event == "closed" or .event == "reopened")) | sort_by(.created_at) | last;
    if type != "object" or (.events | type) != "array" then null
    elif (.events | all(type == "object" and (.event | type) == "string")) | not then null
    else
      (.events | last_of_state) as $last
      | if $last == null or $last.event == "reopened" then 0
        elif ($last.state_reason // "completed") == "completed" then 1
        else 0
        end
    end'
}

# timeline NUMBER: every event of an issue as one array.
timeline() {
  gh api --paginate "repos/$REPOSITORY/issues/$1/timeline?per_page=100" | jq -s 'add // []'
}

# case_of REQUEST: the case as archived, or from the event of a first grading; null where there is none.
case_of() {
  jq -c '
    if (.case | type) == "object" then .case
    elif (.event | type) == "object" and (.event.issue.number | type) == "number" then {issue: .event.issue.number}
    else null
    end' <<<"$1"
}

# times_of REQUEST: when the run matures, and the earlier of that and the time of the evidence.
times_of() {
  jq -c --argjson days "$MATURATION_DAYS" "$TIME"'
    (.evidenceAt | seconds) as $evidence
    | ((.run.createdAt // .evidenceAt) | seconds) as $created
    | if $evidence == null or $created == null then error("the request has no times")
      else
        ($created + $days * 86400) as $matures
        | {matures: ($matures | stamp), cutoff: ([$evidence, $matures] | min | stamp)}
      end' <<<"$1"
}

# before EVENTS CUTOFF: the events up to the cutoff.
before() {
  jq -c --arg cutoff "$2" "$TIME"'
    ($cutoff | seconds) as $end_of_evidence
    | map(select((.created_at | seconds) as $at | $at != null and $at <= $end_of_evidence))' <<<"$1"
}

# mentions EVENTS NUMBER: how many comments up to the cutoff name the issue; a diagnostic, no part of the value.
mentions() {
  jq --arg number "$2" 'map(select((.body // "") | test("#\($number)(?![0-9])"))) | length' <<<"$1"
}

# observation VALUE CASE TIMES MESSAGE MENTIONS
observation() {
  jq -c -n --argjson value "$1" --argjson case "$2" --argjson times "$3" --arg message "$4" \
    --argjson mentions "$5" --arg repository "$REPOSITORY" '
    {
      value: $value,
      opportunityKey: (if $case.issue == null then "none" else "issue:\($case.issue)" end),
      case: $case,
      evidenceCutoff: $times.cutoff,
      maturesAt: $times.matures,
      provenance: (
        if $case.issue == null then []
        else [{repository: $repository, kind: "issue-timeline", ref: ($case.issue | tostring)}]
        end
      ),
      diagnostics: {mentions: $mentions}
    }
    + if $message == "" then {} else {message: $message} end'
}

grade_run() {
  local request case times number events kept value count
  request="$(cat)"
  case="$(case_of "$request")" || fail "the request is not JSON"
  times="$(times_of "$request")" || fail "the request has no usable times"

  if [[ "$case" == "null" ]]; then
    observation null '{"issue":null}' "$times" "no issue was given to the run" null
    return
  fi
  number="$(jq -r '.issue // empty' <<<"$case")"
  if [[ -z "$number" ]]; then
    observation null "$case" "$times" "no issue was given to the run" null
    return
  fi

  # A timeline that cannot be read is no evidence: neither zero nor an empty list.
  if ! events="$(timeline "$number")"; then
    fail "the timeline of issue $number cannot be read"
  fi
  if ! jq -e 'type == "array" and length > 0' <<<"$events" >/dev/null; then
    observation null "$case" "$times" "the timeline is empty" null
    return
  fi

  kept="$(before "$events" "$(jq -r '.cutoff' <<<"$times")")"
  value="$(jq -c '{events: .}' <<<"$kept" | metric)"
  count="$(mentions "$kept" "$number")"
  observation "$value" "$case" "$times" "" "$count"
}

main() {
  [[ $# -eq 1 ]] || usage
  case "$1" in
    --definition) definition ;;
    --metric) metric ;;
    --grade-run) grade_run ;;
    *) usage ;;
  esac
}

main "$@"
