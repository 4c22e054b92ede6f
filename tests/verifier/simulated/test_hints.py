"""Words out of a script."""

from verifier.simulated import hints_of

_SCRIPT = r"""
readonly REPORT_LABEL="weekly-report"
BOT_LOGIN='my-bot[bot]'
local title_prefix="[perf]"
x="$(jq 'map(select(.user.login == "hubot" and (.state // "") == "closed" and (.body | contains("marker")))' <<<"$y")"
jq 'select(.title | startswith("[docs] "))' ; jq 'test("^Fix: ")'
secret="$(cat)"; branch="$1"
"""


def test_what_is_compared_is_found() -> None:
    hints = hints_of(_SCRIPT)
    assert hints.of("login") == ("my-bot[bot]", "hubot") or set(hints.of("login")) == {"my-bot[bot]", "hubot"}
    assert hints.of("label") == ("weekly-report",)
    assert hints.of("state") == ("closed",)
    assert {"marker", "Fix: ", "[perf]"} <= set(hints.of("text"))
    assert hints.of("ref") == ()


def test_labels_of_a_definition_s_examples_are_found() -> None:
    text = '{"targetAttained": {"labels": ["type:bug", "area:ui"]}, "targetMissed": {"events": [{"label": "team/ui"}]}}'
    assert hints_of(text).of("label") == ("type:bug", "area:ui", "team/ui")
    assert hints_of('{"labels": [], "label": 3, "relabel": "x"}').of("label") == ()
