"""An evaluator leaves ``gh`` too little to work with and takes its silence for a zero: no number comes of it."""

import pytest

from tests.attacks.test_evaluator_reaches_out import run

ASK = "gh api repos/acme/widgets/issues --jq length 2>/dev/null || echo 0"


@pytest.mark.parametrize("descriptors", range(4, 9))
def test_descriptors(descriptors: int) -> None:
    got = run(f"(ulimit -n {descriptors}; {ASK})")
    assert got.asked == ["/repos/acme/widgets/issues"]
    if got.failures:
        assert (got.out, got.failures[0].code) == ("0\n", "evidence.unsupported-command")
    else:
        assert got.out == "1\n"


def test_a_copy_of_the_stand_in_asks_the_same_broker() -> None:
    got = run(f'cp -r "$(dirname "$(command -v gh)")" "$TMPDIR/q"; PATH="$TMPDIR/q:$PATH"; {ASK}')
    assert (got.out, got.asked, got.failures) == ("1\n", ["/repos/acme/widgets/issues"], ())


@pytest.mark.parametrize(
    "script",
    [
        "timeout 1 gh api repos/acme/widgets/issues --jq 'def f: f; f' 2>/dev/null || echo 0",
        "timeout -s KILL 1 gh api repos/acme/widgets/issues --jq 'def f: f; f' 2>/dev/null || echo 0",
    ],
)
def test_ended_between_reading_and_printing(script: str) -> None:
    got = run(script)
    assert got.out == "0\n"
    assert [failure.code for failure in got.failures] == ["evidence.answer-not-taken"]


@pytest.mark.parametrize(
    ("script", "out"),
    [
        ("gh api repos/acme/widgets/issues --jq '.[].number, (range(100000))' | head -n 1", "1\n"),
        ("gh api repos/acme/widgets/issues --jq length >&-; echo 3", "3\n"),
        ("(gh api repos/acme/widgets/issues --jq length); gh --version >/dev/null", "1\n"),
    ],
)
def test_what_the_script_does_not_want_printed(script: str, out: str) -> None:
    got = run(script)
    assert (got.out, got.failures) == (out, ())


@pytest.mark.parametrize(
    "script",
    [
        '(ulimit -f 0; gh api repos/acme/widgets/issues >"$TMPDIR/x" 2>/dev/null || echo 0)',
        "gh api repos/acme/widgets/issues >/dev/full 2>/dev/null || echo 0",
        "gh api repos/acme/widgets/issues --jq length >/dev/full 2>/dev/null || echo 0",
        "(ulimit -n 5; gh api repos/acme/widgets/issues --jq length 2>/dev/null || echo 0)",
    ],
)
def test_what_was_read_and_lost(script: str) -> None:
    got = run(script)
    assert got.out == "0\n"
    assert [failure.code for failure in got.failures] == ["evidence.unsupported-command"]
