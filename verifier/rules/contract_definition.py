"""``--definition`` prints the whole schema-4 contract, as one JSON object.

The definition is frozen with the workflow: it says what counts as evidence, what zero and null mean, and how the
evaluator is checked. A regrade refuses one that is not complete.

All fields are told at once, each with an example of the right form. ``opvalue schema definition`` prints the contract.

What to do: write every field; print nothing else on standard output; end with status 0, without reading standard input.
"""

from collections.abc import Iterator
from typing import Final

from opvalue.contract import DefinitionIncomplete, parse_definition
from opvalue.contract.fields import Finding as FieldFinding
from opvalue.contract.fields import definition_findings
from opvalue.errors import OpvalueError
from opvalue.evaluator import SyntaxInvalid
from verifier.definition_places import place_of
from verifier.findings import Finding, Severity
from verifier.rule import Profile, Rule
from verifier.runs import Runs
from verifier.subject import Subject
from verifier.telling import how, short

_PRINT: Final = "Print the definition as one JSON object and end with status 0."


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:
    """Yield a finding for each field that breaks the contract, or one where there is no definition."""
    printed = runs.definition
    if isinstance(printed, SyntaxInvalid):
        return
    if isinstance(printed, OpvalueError):
        yield RULE.finds(subject, f"--definition gives no definition: {how(printed)}", _PRINT)
        return
    left = runs.defined.left_running
    if left is not None:
        yield RULE.finds(subject, f"--definition leaves processes running: {how(left)}", "Wait for them.")
    if runs.document is not None:
        for field in definition_findings(runs.document):
            text = f"in the definition, {field.path} {field.problem}"
            yield RULE.finds(subject, short(text), _advice(field), at=place_of(subject, runs.document, field.path))
        return
    try:
        parse_definition(printed)
    except DefinitionIncomplete:
        return
    except OpvalueError as refused:
        yield RULE.finds(subject, f"--definition gives no definition: {how(refused)}", refused.hint)


def _advice(field: FieldFinding) -> str:
    if field.expected.partition(",")[0] == field.example:
        return f'Write "{field.path.rpartition(".")[2]}": {field.example}.'
    return f"Write {field.expected}, for example {field.example}."


RULE: Final = Rule(
    "contract-definition",
    "the definition holds the whole contract",
    Profile.QUICK,
    Severity.ERROR,
    __doc__ or "",
    check,
)
