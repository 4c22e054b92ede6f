"""Every jq program compiles.

A program that does not compile fails on the path where it is needed, which may be the one path no example takes; and
where its status is swallowed, it gives nothing and the run scores zero.

Each literal program is compiled with the jq at hand, without being run: those given to ``jq`` and to ``gh api --jq``,
out of variables and here-documents, and in ``.jq`` files. Programs with other expansions in them, and programs that
include modules, are left out.

What to do: mend the named line. If the program is right for a newer jq, see ``jq-newer``.
"""

from collections.abc import Iterator
from typing import Final

from verifier.findings import Finding, Severity
from verifier.jq_compiled import compiled_programs
from verifier.jq_versions import compile_newer, version_here
from verifier.rule import EVERY_CONTRACT, Profile, Rule
from verifier.runs import Runs
from verifier.subject import Subject
from verifier.syntax import syntax_of

_ADVICE: Final = "Mend the program; try it with `jq -n 'PROGRAM'`."


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:  # noqa: ARG001 - compiled, not run
    """Yield a finding for each program that neither the jq at hand nor a newer one compiles."""
    for program, here in compiled_programs(syntax_of(subject)):
        if here.message is None:
            continue
        newer = compile_newer(program.text, program.names)
        if newer is not None and newer.message is None:
            continue
        text = f"{version_here()} does not compile the program: {here.message}"
        yield RULE.finds(subject, text, _ADVICE, at=program.at(line=here.line))


RULE: Final = Rule(
    "jq-compiles",
    "every jq program compiles",
    Profile.DEFAULT,
    Severity.ERROR,
    __doc__ or "",
    check,
    EVERY_CONTRACT,
)
