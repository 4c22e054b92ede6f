"""Numbers that match longer ones."""

import pytest

from tests.verifier.scripts import expect_marked, expect_nothing

_ID = "static-prefix-match"


@pytest.mark.parametrize(
    "text",
    [
        "jq --arg n 1 'select(.body | §contains(\"#\\($n)\"))'\n",
        "jq --arg n 1 '.a,\n select(.body | §test(\"(?i)closes #\\($n)\"))'\n",
        "jq --arg n 1 '.body | §contains(\"#\" + $n)'\n",
        "jq --argjson n 1 '.body | §contains(\"#\" + ($n | tostring))'\n",
        "jq --arg n 1 '.url | §startswith(\"https://x/issues/\\($n)\")'\n",
        "gh api x --jq '.[] | §contains(\"/pull/\\(.number | tostring)\")'\n",
        '[[ "$body" == §*"#$n"* ]]\n',
        'case "$body" in §*"#$n"*) echo 1 ;; esac\n',
        'grep -q §"#$n" <<<"$body"\n',
        '[[ "$body" =~ §\\#$n ]]\n',
        "jq --arg mark \"#$n\" '.body | §contains($mark)'\n",
        'jq -c --arg a b --arg url "https://x/issues/$n" \'.url | §startswith( $url )\' <<<"$x"\n',
        "jq --arg n 1 '\"#\\($n)\" as $mark | .body | §contains($mark)'\n",
        "jq --arg n 1 '(\"closes #\" + $n) as $mark | .body | §contains($mark)'\n",
    ],
)
def test_found(text: str) -> None:
    expect_marked(_ID, text)


@pytest.mark.parametrize(
    "text",
    [
        "jq --arg n 1 '.body | test(\"#\\($n)(?![0-9])\")'\n",
        "jq --arg n 1 '.body | test(\"#\\($n)\\\\b\")'\n",
        "jq --arg n 1 '.body | contains(\"(#\\($n))\")'\n",
        'jq --arg n 1 \'.body | contains("#" + $n + " ")\'\n',
        "jq --arg n 1 '.body | endswith(\"#\\($n)\")'\n",
        "jq --arg n 1 '.body | contains(\"run:\\($n)\")'\n",
        "jq --arg n 1 '\"see #\\($n)\" | length'\n",
        "jq '.body | contains(\"#12\")'\n",
        '[[ "$key" == "issue#$n" ]]\n',
        '[[ $body =~ \\#"$n"([^0-9]|$) ]]\n',
        'grep -qw "#$n" <<<"$body"\ngrep -q "#$n\\b" <<<"$body"\n',
        'echo "#$n"\n# contains("#\\($n)")\n',
        "jq --arg mark \"#$n \" '.body | contains($mark)'\n",
        'jq --arg mark "#$n" --arg n "$n" \'.body | contains($n), contains("$mark"), .a == $mark\'\n',
        "jq --arg n 1 '\"#\\($n).\" as $mark | .body | contains($mark)'\n",
        '[[ "$body" =~ \\#$n$ ]]\n[[ "#$n" =~ x ]]\n',
        'grep -x "#$n" <<<"$body"\ngrep --word-regexp "#$n" <<<"$body"\ngrep "$n" x\n',
    ],
)
def test_look_alikes(text: str) -> None:
    expect_nothing(_ID, text)
