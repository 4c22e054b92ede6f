"""Scripts that no parser reads."""

import pytest

from opvalue.errors import OpvalueError
from tests.verifier.scripts import MAIN, NothingRun, expect_nothing, findings_of, subject_of

_ID = "static-analysable"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (b"#!/usr/bin/env bash\nx=a\necho ${x~}\n", 3),
        (b"#!/usr/bin/env bash\r\necho 1\r\n", 1),
        (b"echo 1\necho \0\n", 2),
    ],
)
def test_the_line_is_named(text: bytes, line: int) -> None:
    (found,) = findings_of(_ID, subject_of(text))
    assert (found.severity.value, found.path, found.line, found.column) == ("error", MAIN, line, 1)


def test_a_script_that_bash_refuses_is_not_this_rules_business() -> None:
    refused = NothingRun(OpvalueError("no"))
    assert findings_of(_ID, subject_of("if then\n"), refused) == []


def test_a_sourced_file() -> None:
    main = 'source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"\n'
    (found,) = findings_of(_ID, subject_of(main, {".github/graders/lib.sh": "echo 1\necho ${x~}\n"}))
    assert found.severity.value == "error"
    assert ".github/graders/lib.sh" in found.message


@pytest.mark.parametrize(
    "text", ["echo '${x~}'\n", "# ${x~}\n", "echo `date`\n", "[ a \\> b ]\n", "x=${a:-b|c}\n", "time { :; }\n"]
)
def test_what_one_of_the_parsers_reads(text: str) -> None:
    expect_nothing(_ID, text)


def test_a_module_of_jq_is_no_script() -> None:
    main = 'jq -f "$(dirname "${BASH_SOURCE[0]}")/lib.jq"\n'
    assert findings_of(_ID, subject_of(main, {".github/graders/lib.jq": "def f: if . then ${ else end;\n"})) == []
