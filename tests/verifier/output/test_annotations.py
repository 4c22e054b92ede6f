"""Workflow commands: escaped, capped, and never issued by what a script says."""

import re

from tests.verifier.output.reports import ERROR, EVERY, HOSTILE, NOTE, WARNING, report, script
from verifier.output.annotations import CAP, annotations
from verifier.output.files import as_bytes

_COMMAND = re.compile(r"::(error|warning|notice) file=[^:,\r\n]+(,line=\d+,col=\d+)?,title=[a-z0-9-]+::[^\r\n]+")


def test_each_finding_is_a_command_at_its_place() -> None:
    assert list(annotations(EVERY)) == [
        f"::error file=.github/graders/score.sh,line=7,col=8,title={ERROR.rule}::{ERROR.message}. Let it fail",
        "::warning file=lib/run%2C time.sh,line=2,col=1,title=static-bash32::too: new. Use tr",
        "::notice file=.github/graders/score.sh,title=unreached-lines::never run. Add a case",
    ]


def test_no_finding_issues_a_command_of_its_own() -> None:
    hostile = HOSTILE._replace(path="x,line=1::y\n::stop-commands::z\u2028.sh")
    text = as_bytes(report(script(hostile)), "annotations").decode()
    assert text.count("\n") == 1
    assert _COMMAND.fullmatch(text.removesuffix("\n"))
    assert "file=x%2Cline=1%3A%3Ay%0A%3A%3Astop-commands%3A%3Az\\u2028.sh,line=3" in text
    assert "::a%0D%0A::error file=x::b%250A \\u001b[31m" in text


def test_ten_of_a_severity_are_shown_and_the_rest_is_counted() -> None:
    lines = list(annotations(report(script(*[ERROR] * 7), script(*[ERROR] * 5, *[WARNING] * CAP, NOTE))))
    assert [line.split(" ")[0] for line in lines] == ["::error"] * 10 + ["and"] + ["::warning"] * 10 + ["::notice"]
    assert lines[10] == "and 2 more of severity error"
