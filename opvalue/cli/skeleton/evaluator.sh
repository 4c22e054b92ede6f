#!/usr/bin/env bash
# Operational value of {{name}}: FILL IN: the outcome that a run is worth something for, in one sentence.
set -euo pipefail

readonly REPOSITORY="{{repository}}"
# FILL IN: after how many days the outcome can no longer move; then take this line away.
readonly MATURATION_DAYS=7

# Times of the request have fractions, which jq's reader refuses: they are cut off. What is no UTC time is null.
readonly TIME='
def seconds:
  if type == "string" and test("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?Z$")
  then sub("[.][0-9]+Z$"; "Z") | (fromdateiso8601? // null)
  else null
  end;
def up_to($cutoff): seconds as $at | $at != null and $at <= ($cutoff | seconds);
'

usage() {
  printf 'usage: %s --definition | --metric | --grade-run\n' "${0##*/}" >&2
  exit 2
}

# fail REASON: nothing can be observed: a failing exit, and nothing on standard output.
fail() {
  printf '%s: %s\n' "${0##*/}" "$1" >&2
  exit 1
}

# The frozen contract. Each text says what the functions below do.
definition() {
  cat <<'JSON'
{
  "schemaVersion": 4,
  "grader": "operational-value",
  "repository": {{repository_json}},
  "workflowName": {{name_json}},
  "sourcePath": {{source_json}},
  "adoption": {"commit": {{commit_json}}, "adoptedAt": {{adopted_json}}},
  "operationalValue": "FILL IN: the outcome, such as: The issue given to a run is closed as completed, and stays so.",
  "evidence": {
    "opportunity": "FILL IN: what a run can attain, such as: One issue.",
    "assignment": "FILL IN: how a run gets it, such as: The number of the event's issue, kept in the case.",
    "accepted": "FILL IN: what counts, such as: The last closed or reopened event up to the cutoff.",
    "repositories": [{{repository_json}}],
    "collection": "FILL IN: how it is read, such as: The issue's events, all pages.",
    "maturation": "FILL IN: when it can no longer move, such as: Seven days after the run was created.",
    "zeroRule": "FILL IN: what is an observed miss, such as: 0 when the issue is open at the cutoff.",
    "missingRule": "FILL IN: what is null, such as: null when the run had no issue."
  },
  "primaryMetric": {
    "id": "completed",
    "formula": "FILL IN: the formula, such as: 1 if the last such event closed it as completed, else 0",
    "direction": "higher_is_better"
  },
  "baseline": {"mode": "attainment-only", "value": null, "evidenceCutoff": null, "provenance": []},
  "validationExamples": {
    "targetAttained": {"events": [{"event": "closed", "reason": "completed", "at": "2026-08-05T10:00:00Z"}]},
    "targetMissed": {"events": []},
    "missing": {},
    "malformed": {"events": "none"}
  }
}
JSON
}

# One evidence object on standard input; a number in [0,1], or null, on standard output.
# FILL IN: the formula, and the four examples above that go with it; then take this line away.
metric() {
  jq -R -s -c '
    (fromjson? // null)
    | if type != "object" or (.events | type) != "array" then null
      elif .events | all(type == "object" and all(.event, .reason, .at; type == "string")) | not then null
      else
        .events
        | sort_by(.at)
        | last
        | if . != null and .event == "closed" and .reason == "completed" then 1 else 0 end
      end
  '
}

# assigned REQUEST TIMES: the case of a first grading. A regrade gets back what this printed.
# FILL IN: how a run gets its opportunity; then take this line away.
assigned() {
  jq -c '
    (if (.event | type) == "object" then .event.issue.number? else null end) as $number
    | {issue: ($number // .config.issue // null)}' <<<"$1"
}

# key_of CASE: the opportunity's name, the same for every run that is given the same; none where there is none.
key_of() {
  jq -r 'if (.issue | type) == "number" then "issue:\(.issue)" else "none" end' <<<"$1"
}

# provenance_of CASE: where the evidence lies, in declared repositories.
provenance_of() {
  jq -c --arg repository "$REPOSITORY" '
    [{repository: $repository, kind: "issue-events", ref: "\(.issue)"}]' <<<"$1"
}

# pages PATH: all items of a list as one array. An answer that is no list is a failure.
pages() {
  gh api --paginate "$1" |
    jq -s -c 'if length > 0 and all(type == "array") then add else error("an answer is no list") end'
}

# collect CASE TIMES: the evidence that metric reads, with nothing in it from after the cutoff.
# FILL IN: the evidence; then take this line away.
collect() {
  local number cutoff events
  number="$(jq -r '.issue' <<<"$1")" || return 1
  cutoff="$(jq -r '.cutoff' <<<"$2")" || return 1
  events="$(pages "repos/$REPOSITORY/issues/$number/events?per_page=100")" || return 1
  jq -c --arg cutoff "$cutoff" "$TIME"'
    {events: [
      .[]
      | select(.event == "closed" or .event == "reopened")
      | select(.created_at | up_to($cutoff))
      | {event, reason: (.state_reason // "completed"), at: .created_at}
    ]}' <<<"$events"
}

# times_of REQUEST: creation (null where the request has none), cutoff and maturity, in whole seconds.
times_of() {
  jq -c --argjson days "$MATURATION_DAYS" "$TIME"'
    (.evidenceAt | seconds) as $evidence
    | (.run.createdAt | seconds) as $created
    | if $evidence == null then error("evidenceAt is no time") else . end
    | (if $created == null then $evidence else $created + $days * 86400 end) as $matures
    | {created: $created, cutoff: ([$evidence, $matures] | min), matures: $matures}
    | map_values(if . == null then null else todateiso8601 end)' <<<"$1"
}

# observation VALUE CASE TIMES PROVENANCE MESSAGE
observation() {
  local key
  key="$(key_of "$2")"
  jq -n -c --argjson value "$1" --argjson case "$2" --argjson times "$3" --argjson provenance "$4" \
    --arg message "$5" --arg key "$key" '
    {
      value: $value,
      opportunityKey: $key,
      case: $case,
      evidenceCutoff: $times.cutoff,
      maturesAt: $times.matures,
      provenance: $provenance
    }
    + (if $message == "" then {} else {message: $message} end)'
}

grade_run() {
  local request times case evidence value message=""
  request="$(cat)"
  times="$(times_of "$request")" || fail "the request has no time of the evidence"
  case="$(jq -c 'if (.case | type) == "object" then .case else null end' <<<"$request")" || fail "no request"
  if [[ "$case" == "null" ]]; then
    case="$(assigned "$request" "$times")" || fail "it cannot be told what the run was assigned"
  fi
  if [[ "$(key_of "$case")" == "none" ]]; then
    observation null "$case" "$times" "[]" "the run had no opportunity"
    return
  fi
  if [[ "$(jq -r '.created' <<<"$times")" == "null" ]]; then
    observation null "$case" "$times" "[]" "the run has no time of creation, from which its maturity counts"
    return
  fi
  # Evidence that cannot be read is no evidence: neither zero nor nothing found.
  evidence="$(collect "$case" "$times")" || fail "the evidence cannot be read"
  value="$(metric <<<"$evidence")" || fail "the metric failed"
  [[ "$value" != "null" ]] || message="the evidence does not say"
  observation "$value" "$case" "$times" "$(provenance_of "$case")" "$message"
}

[[ $# -eq 1 ]] || usage
case "$1" in
  --definition) definition ;;
  --metric) metric ;;
  --grade-run) grade_run ;;
  *) usage ;;
esac
