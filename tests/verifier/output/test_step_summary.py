"""The page in a job's summary."""

import re

import pytest

from tests.verifier.output.reports import ERROR, EVERY, HOSTILE, NASTY, WARNING, report, script
from verifier.findings import Severity
from verifier.output.step_summary import MOST, MOST_BYTES, escaped, step_summary


def test_the_page() -> None:
    lines = list(step_summary(EVERY))
    assert lines[0] == "## Evaluators verified"
    assert lines[2].endswith("score&#46;sh**: 1 error, 1 warning, 1 note")
    assert lines[4:6] == ["| | line | finding | what to do |", "|---|---:|---|---|"]
    assert lines[6] == (
        "| error | 7 | a failure of gh is taken for a number "
        "[static-swallowed-failure](https://github.com/opvalue/opvalue/blob/main/docs/rules.md#static-swallowed-failure)"
        " | Let it fail |"
    )
    assert lines[-1] == "**other&#46;sh**: no findings"


def test_a_text_can_do_nothing() -> None:
    shown = escaped(NASTY)
    assert not re.search(r"[\n\r\x1b\u202e`|<>\[\]()*_!@]", shown.replace("&#", "").replace(";", ""))
    (row,) = [line for line in step_summary(report(script(HOSTILE))) if line.startswith("| error")]
    assert row.count("|") == 5
    assert "<img" not in row


def test_long_ones_are_cut_and_counted() -> None:
    lines = list(step_summary(report(script(*[WARNING] * (MOST + 5)))))
    assert lines[-1] == "| | | and 5 more | |"
    large = ERROR._replace(message="|" * 500, advice="|" * 500)
    lines = list(step_summary(report(*[script(*[large] * MOST)] * 5)))
    assert sum(len(line.encode()) + 1 for line in lines) < MOST_BYTES + 200
    assert lines[-1] == "\nand 4 more evaluators: 400 errors"
    assert large.severity is Severity.ERROR


def test_what_just_fits_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = list(step_summary(EVERY))
    size = sum(len(line.encode()) + 1 for line in whole[1:])
    monkeypatch.setattr("verifier.output.step_summary.MOST_BYTES", size)
    assert list(step_summary(EVERY)) == whole
    monkeypatch.setattr("verifier.output.step_summary.MOST_BYTES", size - 1)
    assert list(step_summary(EVERY))[-1] == "\nand 1 more evaluators: no findings"
