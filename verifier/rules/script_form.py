"""The file is one that a regrade takes.

A regrade refuses an evaluator that is not UTF-8, is larger than 64 KiB, or does not begin with one of these two lines,
which end in a line feed alone:

.. code-block:: sh

    #!/usr/bin/env bash
    #!/bin/bash

So ``#!/bin/sh``, ``#!/usr/bin/bash``, a byte order mark before it, or options behind it mean that no run can ever be
graded again.

What to do: begin with one of the two lines; put options into ``set``; save the file as UTF-8 with LF; move what is too
much into a sourced file.
"""

from collections.abc import Iterator
from typing import Final

from opvalue.archive.errors import EvaluatorNoShebang, EvaluatorNotUtf8
from opvalue.archive.script import check_script
from opvalue.limits import Limits
from verifier.findings import Finding, Severity
from verifier.rule import Profile, Rule
from verifier.runs import Runs
from verifier.subject import Subject
from verifier.telling import how

_MOST: Final = Limits().evaluator_bytes


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:  # noqa: ARG001 - read, not run
    """Yield a finding where the archive's reader would refuse the script."""
    if len(subject.data) > _MOST:
        text = f"the script is larger than {_MOST // 1024} KiB, and no regrade takes it"
        yield RULE.finds(subject, text, "Move a part into a file that the script sources.")
    try:
        check_script(subject.data, "the script")
    except EvaluatorNotUtf8 as refused:
        yield RULE.finds(subject, how(refused), "Save it as UTF-8.")
    except EvaluatorNoShebang as refused:
        advice = "Begin with the line #!/usr/bin/env bash, ended by a line feed alone."
        yield RULE.finds(subject, how(refused), advice, at=(subject.name, 1, 1))


RULE: Final = Rule(
    "script-form",
    "a regrade takes the file",
    Profile.QUICK,
    Severity.ERROR,
    __doc__ or "",
    check,
)
