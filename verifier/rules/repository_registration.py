"""The workflow exists, and registers this script.

``graders.operational-value.run`` in the frontmatter of the definition's ``sourcePath`` names the script: else no run is
graded by it, and a regrade finds that archive and workflow disagree. The workflow's name is the definition's.

Only with ``--checkout``. Read are the files on disk, imports within the repository included; what is imported from
another repository is not seen, and then nothing is said against a registration.

What to do: put these lines into the workflow's frontmatter, with the script's path from the repository's root:

.. code-block:: yaml

    graders:
      operational-value:
        run: .github/graders/NAME-operational-value.sh
"""

from collections.abc import Iterator
from typing import Final

from opvalue.errors import OpvalueError
from verifier.findings import Confidence, Finding, Severity
from verifier.repository import WorkflowFacts
from verifier.rule import Profile, Rule
from verifier.runs import Runs
from verifier.source_path import source_path
from verifier.subject import Subject
from verifier.telling import how, short


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:
    """Yield findings where the workflow is missing, unreadable, or registers something else."""
    repository, path = subject.asked.repository, source_path(runs.document)
    if repository is None or path is None:
        return
    try:
        facts = repository.workflow(path)
    except OpvalueError as problem:
        yield RULE.finds(subject, f"the workflow cannot be read: {how(problem)}", problem.hint)
        return
    if facts is None:
        text = f"the workflow of the definition, {path}, does not exist"
        yield RULE.finds(subject, text, "Mend sourcePath in the definition, or name the right --checkout.")
        return
    yield from _registered(subject, facts, str(path))
    yield from _named(subject, runs, facts)


def _registered(subject: Subject, facts: WorkflowFacts, path: str) -> Iterator[Finding]:
    advice = f"Write graders: operational-value: run: {subject.path} into its frontmatter."
    if facts.settings is None:
        elsewhere = bool(facts.imports_elsewhere)
        text = f"{path} registers no operational-value evaluator"
        if elsewhere:
            text += f", unless {facts.imports_elsewhere[0]} does, which is not read"
        yield RULE.finds(subject, short(text), advice, confidence=Confidence.LOW if elsewhere else Confidence.HIGH)
    elif facts.settings.run != subject.path:
        yield RULE.finds(subject, short(f"{path} registers another script: {facts.settings.run}"), advice)
    elif not facts.settings.enabled:
        text = f"{path} registers the script with enabled: false, so that no run is graded"
        yield RULE.finds(subject, text, "Take enabled: false away.", severity=Severity.WARNING)


def _named(subject: Subject, runs: Runs, facts: WorkflowFacts) -> Iterator[Finding]:
    name = (runs.document or {}).get("workflowName")
    if isinstance(name, str) and name.strip() and name.strip() not in facts.names:
        text = f"the definition's workflowName is {name!r}, the workflow's {min(facts.names)!r}"
        yield RULE.finds(subject, short(text), "Write the workflow's name.", severity=Severity.WARNING)


RULE: Final = Rule(
    "repository-registration",
    "the workflow registers the script",
    Profile.DEFAULT,
    Severity.ERROR,
    __doc__ or "",
    check,
)
