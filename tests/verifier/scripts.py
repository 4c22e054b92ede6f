"""Scripts as texts with marks where a finding is expected, and what a rule finds in them.

``«`` marks an error, ``§`` a warning, ``¶`` a note; each stands right before the character the finding points at.
"""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple, cast

from opvalue.errors import OpvalueError
from opvalue.evaluator import parse_with_shfmt
from opvalue.identity import RepoPath
from verifier.findings import Finding
from verifier.registry import rule
from verifier.rule import Contract
from verifier.runs import Runs
from verifier.subject import Asked, Subject

MAIN: Final = ".github/graders/score.sh"
STRICT: Final = "#!/usr/bin/env bash\nset -euo pipefail\n"
_MARK: Final = re.compile("¶|«|§")
_SEVERITIES: Final = {"«": "error", "§": "warning", "¶": "note"}


class NothingRun(NamedTuple):
    """In place of runs, for rules that only ask whether Bash accepts the script."""

    syntax: OpvalueError | None = None


def subject_of(text: str | bytes, files: Mapping[str, str] | None = None, *, session: bool = False) -> Subject:
    """Return a script as a subject, with other files of its repository."""
    others = files or {}

    def read(path: RepoPath) -> bytes | None:
        found = others.get(path.text)
        return None if found is None else found.encode()

    return Subject(
        MAIN,
        RepoPath.parse(MAIN),
        text if isinstance(text, bytes) else text.encode(),
        read=read,
        parser=parse_with_shfmt,
        asked=Asked(Contract.SESSION if session else Contract.SCHEMA_4),
    )


def findings_of(rule_id: str, subject: Subject, runs: object = NothingRun()) -> list[Finding]:
    """Return what a rule finds, in the order of the text."""
    found = rule(rule_id).check(subject, cast(Runs, runs))
    return sorted(found, key=lambda one: (one.path, one.line or 0, one.column or 0))


def expect_marked(rule_id: str, marked: str, *, session: bool = False, strict: bool = True) -> None:
    """Assert that a rule finds what is marked, in severity, line and column, and nothing else."""
    text = (STRICT if strict else "") + marked
    expected = []
    while (mark := _MARK.search(text)) is not None:
        before = text[: mark.start()]
        line = before.count("\n") + 1
        expected.append((_SEVERITIES[mark[0]], line, len(before) - before.rfind("\n")))
        text = before + text[mark.end() :]
    found = [
        (one.severity.value, one.line, one.column) for one in findings_of(rule_id, subject_of(text, session=session))
    ]
    assert found == sorted(expected, key=lambda one: one[1:]), text


def expect_nothing(rule_id: str, text: str, *, session: bool = False) -> None:
    """Assert that a rule finds nothing."""
    assert not _MARK.search(text)
    expect_marked(rule_id, text, session=session)
