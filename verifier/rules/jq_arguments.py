"""A jq program uses the named arguments that its call declares, and no others.

``$run`` without ``--arg run ...`` does not compile: the call fails each time it is reached.

What to do: declare it with ``--arg``, ``--argjson``, ``--slurpfile`` or ``--rawfile``, or mend the name. Calls whose
options come out of a list (``"${options[@]}"``) are not judged.
"""

from collections.abc import Iterator
from typing import Final

from verifier.findings import Finding, Severity
from verifier.jq_compiled import compiled_programs
from verifier.jq_versions import compile_newer
from verifier.rule import EVERY_CONTRACT, Profile, Rule
from verifier.runs import Runs
from verifier.subject import Subject
from verifier.syntax import syntax_of


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:  # noqa: ARG001 - compiled, not run
    """Yield a finding for each name that is not declared."""
    for program, here in compiled_programs(syntax_of(subject)):
        if program.open:
            continue
        newer = compile_newer(program.text, program.names) if here.message is not None else None
        for name in (newer or here).missing:
            text = f"${name} is declared neither by the call nor by the program"
            advice = f"Declare it: jq --arg {name} VALUE, or mend the name."
            yield RULE.finds(subject, text, advice, at=program.at(f"${name}"))


RULE: Final = Rule(
    "jq-arguments",
    "jq programs use declared arguments only",
    Profile.DEFAULT,
    Severity.ERROR,
    __doc__ or "",
    check,
    EVERY_CONTRACT,
)
