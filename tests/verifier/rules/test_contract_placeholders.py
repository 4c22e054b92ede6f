"""Marks of the skeleton, and other placeholders, that are still there."""

import pytest

from tests.verifier.running import Edit, found, running, told
from verifier.registry import rule

_ID = "contract-placeholders"


@pytest.mark.parametrize(
    ("edit", "text"),
    [
        (('"Issues given to', '"FILL IN: the outcome, such as: Issues given to'), "not filled in: the outcome"),
        (("# Times are read", "# FILL IN: the days; then take this line away.\n# Times are read"), "the days"),
        (('zeroRule: "Zero when', 'zeroRule: "TODO Zero when'), "evidence.zeroRule is a placeholder"),
        (('"The number of the issue in the event, kept in the case."', '"..."'), "evidence.assignment is a"),
        (('"octo-org/widgets"', '"OWNER/REPO"'), "is a placeholder: 'OWNER/REPO'"),
        (("workflows/issue-triage.md", "workflows/WORKFLOW-NAME.md"), "sourcePath is a placeholder"),
        (("0123456789abcdef0123456789abcdef01234567", "0" * 40), "adoption.commit is a placeholder"),
        (("2026-08-01T09:30:00Z", "1970-01-01T00:00:00Z"), "adoption.adoptedAt is a placeholder"),
    ],
)
def test_found(edit: Edit, text: str) -> None:
    only = found(_ID, edit)
    assert only, edit
    assert all(one.startswith("error: ") for one in only)
    assert text in only[0]


def test_each_mark_is_told_at_its_place() -> None:
    with running("#!/usr/bin/env bash\n# FILL IN: one\nx='FILL IN: two'; y='FILL IN: three'\n") as (subject, runs):
        marks = [(one.line, one.column, one.message) for one in rule(_ID).check(subject, runs)]
    assert [mark[:2] for mark in marks] == [(2, 3), (3, 4), (3, 22)]
    assert marks[0][2] == "not filled in: one"


@pytest.mark.parametrize(
    "edit",
    [
        ("# Times are read", "# TODO: mend this some day. Fill in: nothing.\n# Times are read"),
        ("targetMissed: {events", 'other: {text: "TODO", more: "..."}, targetMissed: {events'),
        ('zeroRule: "Zero when', 'zeroRule: "Zero when a TODO list is left ... and when'),
    ],
)
def test_look_alikes(edit: Edit) -> None:
    assert found(_ID, edit) == []


def test_a_script_that_cannot_be_run_is_still_read() -> None:
    with running("#!/usr/bin/env bash\n# FILL IN: one\nif\n") as (subject, runs):
        assert [told(one) for one in rule(_ID).check(subject, runs)] == ["error: not filled in: one"]
