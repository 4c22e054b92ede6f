"""Scripts that look for what only the job has."""

import pytest

from tests.verifier.scripts import expect_marked, expect_nothing

_ID = "static-job-files"


@pytest.mark.parametrize(
    "text",
    [
        "jq .items «/tmp/gh-aw/agent_output.json\n",
        "if [[ -f «/tmp/gh-aw/agent/x.json ]]; then echo 1; fi\n",
        'x="$(cat <«/tmp/gh-aw/prompt.txt)"\n',
        'folder=«/tmp/gh-aw\nls "$folder"\n',
        'number="$(jq .issue.number «"$GITHUB_EVENT_PATH")"\n',
        'x="$(cat «"${GITHUB_EVENT_PATH:-}")"\n',
        'cat «"$RUNNER_TEMP/x"\n',
        'jq . «"$GH_AW_AGENT_OUTPUT"\n',
        'gh api «"repos/a/b/commits/$GITHUB_SHA"\n',
        'sha=¶"${GITHUB_SHA:-main}"\n',
        "jq -n '.a,\n «$ENV.GITHUB_EVENT_PATH'\n",
        "jq -n '«env.GITHUB_SHA'\n",
        "jq -n '«$ENV[\"GITHUB_RUN_ID\"]'\n",
    ],
)
def test_found(text: str) -> None:
    expect_marked(_ID, text)


@pytest.mark.parametrize(
    "text",
    [
        "echo /tmp/gh-aw/x is not read >&2\n",
        "cat <<'END'\n/tmp/gh-aw holds the agent's output, GITHUB_SHA the commit\nEND\n",
        "# /tmp/gh-aw/agent_output.json\n",
        "jq -n '.env.GITHUB_SHA, $ENV.HOME, $myenv.GITHUB_SHA, \"GITHUB_SHA\"'\n",
        'cat /tmp/gh-awful\nfail "nothing in /tmp/gh-aw"\n',
        'repository="${GITHUB_REPOSITORY:-octo-org/widgets}"\nsource "$GITHUB_WORKSPACE/x.sh"\n',
        'host="${GITHUB_SERVER_URL#https://}"\n',
    ],
)
def test_look_alikes(text: str) -> None:
    expect_nothing(_ID, text)
