"""Scripts that leave something behind."""

import pytest

from tests.verifier.running import RUNNER, SANDBOXED, edited, found, running, told
from verifier import plan
from verifier.registry import rule

_ID = "grade-run-leaves-nothing"
_VALUE = 'value="$(jq -c \'{events: .}\' <<<"$kept" | metric)"'


def _found(more: str, *, sandboxed: bool = False) -> list[str]:
    runner = SANDBOXED if sandboxed else RUNNER
    with running(edited((_VALUE, f"{_VALUE}\n  {more}")), runner=runner) as (subject, runs):
        list(runs.grades(plan.MATURE, plan.ELSEWHERE))
        return [told(one) for one in rule(_ID).check(subject, runs)]


@pytest.mark.parametrize(
    ("more", "text"),
    [
        (": >result.json", "result.json in the working folder"),
        ('mkdir -p "$HOME/.cache"', ".cache/ in the home folder"),
    ],
)
def test_files_outside_are_a_warning(more: str, text: str) -> None:
    assert _found(more) == [f"warning: files are written outside TMPDIR: {text}"]


def test_files_in_the_common_folder_are_seen_in_the_sandbox() -> None:
    if not SANDBOXED.layers:
        pytest.skip("no sandbox works here")
    assert _found(": >/tmp/seen", sandboxed=True) == ["warning: files are written outside TMPDIR: seen in /tmp"]


def test_processes_are_an_error() -> None:
    (only,) = _found("sleep 30 >/dev/null 2>&1 &")
    assert only.startswith("error: a run leaves processes running: ")


def test_temporary_files_are_fine() -> None:
    assert _found('work="$(mktemp -d)"; : >"$work/x"; rm -rf "$work"') == []
    assert found(_ID) == []
