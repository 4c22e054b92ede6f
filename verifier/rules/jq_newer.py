"""A jq program compiles with older versions of jq as well.

Debian 12 and Ubuntu 22.04 have jq 1.6. There ``if`` wants its ``else``, a keyword is no name (``$end``, ``$label``),
``.[].[]`` is a mistake, and ``pick``, ``abs``, ``toarray``, ``trim`` and others are missing.

Told by compiling: a program that the jq at hand refuses and the newer one of PyPI's ``jq`` package, where that is
installed, takes. Where the jq at hand is a newer one itself, the text tells of these things, though not of others.

What to do: write it the older way, or have every reader install jq 1.7.1 or later.
"""

from collections.abc import Iterator
from typing import Final

from verifier.findings import Finding, Severity
from verifier.jq_compiled import compiled_programs
from verifier.jq_older import needs_newer
from verifier.jq_versions import compile_newer, newer_version, version_here
from verifier.rule import EVERY_CONTRACT, Profile, Rule
from verifier.runs import Runs
from verifier.subject import Subject
from verifier.syntax import syntax_of

_OLD: Final = ("jq-1.5", "jq-1.6")
_ADVICE: Final = "Write it so that jq 1.6 takes it: an else to each if, no keyword as a name, no newer function."


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:  # noqa: ARG001 - compiled, not run
    """Yield a finding for each program that only the newer version compiles."""
    old = version_here().startswith(_OLD)
    for program, here in compiled_programs(syntax_of(subject)):
        told = needs_newer(program.text) if here.message is None and not old else None
        if told is not None:
            line = program.text.count("\n", 0, told.offset) + 1
            text = f"the program needs a jq newer than 1.6: {told.reason}"
            yield RULE.finds(subject, text, _ADVICE, at=program.at(line=line))
        newer = compile_newer(program.text, program.names) if here.message is not None else None
        if newer is not None and newer.message is None:
            text = (
                f"the program needs a jq newer than {version_here()}: {here.message} "
                f"(PyPI's jq {newer_version()} compiles it)"
            )
            yield RULE.finds(subject, text, _ADVICE, at=program.at(line=here.line))


RULE: Final = Rule(
    "jq-newer",
    "jq programs compile with older versions",
    Profile.DEFAULT,
    Severity.WARNING,
    __doc__ or "",
    check,
    EVERY_CONTRACT,
)
