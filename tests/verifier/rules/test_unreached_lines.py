"""Lines that nothing reaches."""

from tests.verifier.running import GOOD, edited, running
from verifier.registry import rule
from verifier.rule import Profile

_ID = "unreached-lines"
_VALUE = 'value="$(jq -c \'{events: .}\' <<<"$kept" | metric)"'


def _lines(text: str) -> tuple[str, int | None]:
    with running(text, profile=Profile.DEFAULT) as (subject, runs):
        (only,) = rule(_ID).check(subject, runs)
    assert only.severity.value == "note"
    return only.message, only.line


def _line(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


def test_a_path_that_cannot_be_reached_is_listed() -> None:
    text = edited((_VALUE, f'{_VALUE}\n  if [[ "$number" == never ]]; then\n    value=0\n    count=7\n  fi'))
    first = _line(text, "    value=0\n")
    message, _ = _lines(text)
    assert f"{first} to {first + 1}" in message


def test_only_what_needs_a_case_is_left_of_the_good_one() -> None:
    line = _line(GOOD, 'observation null "$case" "$times" "no issue was given')
    assert _lines(GOOD) == (f"no check went through lines {line} to {line + 1}", line)


def test_commands_in_a_substitution_go_with_the_command_around_them() -> None:
    """Bash gives them the line of the outer command, or one further down."""
    text = edited(
        ('count="$(mentions "$kept" "$number")"', 'count="$(\n    mentions "$kept" "$number"\n  )"'),
        (
            '"$value" "$case" "$times" "" "$count"',
            '"$value" "$case" \\\n    "$(jq -c . <<<"$times")" "" "$(\n      jq . <<<"$count"\n    )"',
        ),
    )
    line = _line(text, 'observation null "$case" "$times" "no issue was given')
    assert _lines(text) == (f"no check went through lines {line} to {line + 1}", line)
