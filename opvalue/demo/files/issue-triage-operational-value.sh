#!/usr/bin/env bash
# Operational value of "Issue Triage": how far was the run's issue brought, by its maturity, along the way it was
# opened for (labelled, assigned, closed)? Reads the issue's dated events, so that a later look sees the same past.
set -euo pipefail

definition() {
  cat <<'JSON'
{
  "schemaVersion": 4,
  "grader": "operational-value",
  "repository": "acme/widgets",
  "workflowName": "Issue Triage",
  "sourcePath": ".github/workflows/issue-triage.md",
  "adoption": {
    "commit": "9d8adc4ae74ec5d9d6aa675e3955fc4488130615",
    "adoptedAt": "2025-08-01T09:00:00Z"
  },
  "operationalValue": "The issue a run is opened for is labelled, assigned and closed within two weeks.",
  "evidence": {
    "opportunity": "One open issue per run.",
    "assignment": "The issue named in the workflow's configuration.",
    "accepted": "Events of that issue: labeled, assigned, closed.",
    "repositories": ["acme/widgets"],
    "collection": "The issue's events, all pages, by their creation time.",
    "maturation": "14 days after the run was created.",
    "zeroRule": "No accepted event by the cutoff is an observed miss.",
    "missingRule": "Events that cannot be read end the grading; an answer of another shape gives null."
  },
  "primaryMetric": {
    "id": "steps-done",
    "formula": "accepted steps done by the cutoff / 3",
    "direction": "higher_is_better"
  },
  "baseline": {
    "mode": "baseline-comparable",
    "value": 0.25,
    "evidenceCutoff": "2025-07-31T00:00:00Z",
    "provenance": [{"repository": "acme/widgets", "kind": "issues", "ref": "before-adoption"}]
  },
  "validationExamples": {
    "targetAttained": {"done": ["labeled", "assigned", "closed"]},
    "targetMissed": {"done": []},
    "missing": {},
    "malformed": {"done": "labeled"}
  }
}
JSON
}

# One evidence object in, one number or null out.
metric() {
  jq 'if type != "object" or (.done | type) != "array" then null
      else [.done[] | select(. == "labeled" or . == "assigned" or . == "closed")] | unique | length / 3
      end'
}

# The issue's events as one array. A failure to read them ends the script: it is no answer.
events() {
  gh api --paginate "repos/$1/issues/$2/events?per_page=100" | jq -s 'if all(type == "array") then add else null end'
}

grade_run() {
  local request repository issue seen evidence value
  request=$(cat)
  repository=$(jq -r '.run.repository' <<<"$request")
  issue=$(jq -r '.case.issue // .config.issue' <<<"$request")
  seen=$(events "$repository" "$issue")
  # The events may be larger than one argument can be (128 KiB): jq reads them after the request.
  evidence=$(printf '%s\n' "$request" "$seen" | jq -c -s '
    def seconds: sub("\\.[0-9]+Z$"; "Z") | fromdateiso8601;
    .[1] as $seen
    | .[0]
    | (.run.createdAt // .evidenceAt | seconds) as $created
    | ($created + 14 * 86400) as $matures
    | ([(.evidenceAt | seconds), $matures] | min) as $cutoff
    | (.case // {issue: .config.issue}) as $case
    | { done: (if ($seen | type) == "array"
               then [$seen[] | select((.created_at | seconds) <= $cutoff) | .event]
               else null end),
        case: $case,
        cutoff: ($cutoff | todate),
        matures: ($matures | todate),
        repository: .run.repository }')
  value=$(metric <<<"$evidence")
  jq --argjson value "$value" '
    { value: $value,
      opportunityKey: "issue:\(.case.issue)",
      case: .case,
      evidenceCutoff: .cutoff,
      maturesAt: .matures,
      provenance: [{repository: .repository, kind: "issue", ref: "\(.case.issue)"}],
      diagnostics: {done: .done} }' <<<"$evidence"
}

case "${1:-}" in
  --definition) definition ;;
  --metric) metric ;;
  --grade-run) grade_run ;;
  *)
    echo "usage: $0 --definition | --metric | --grade-run" >&2
    exit 2
    ;;
esac
