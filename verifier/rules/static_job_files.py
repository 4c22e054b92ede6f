"""What only the workflow's job has is not read: the agent's output, the event's file, the runner's folders.

A regrade gets the request and what ``gh api`` answers. ``/tmp/gh-aw``, where the agent's output and logs lie in a job,
``GITHUB_EVENT_PATH``, ``RUNNER_TEMP`` and ``GH_AW_...`` are not there, so that a script that looks there grades a run
in one way when it ends and in another way ever after. And the agent's own word is no evidence.

A variable of the job with something else in its place, such as ``${GITHUB_SHA:-$sha}``, is a note: it may be the same.

What to do: take what tells runs apart out of the request (``run.id``, ``run.sha``, ``event``), keep it in ``case``, and
read the rest with ``gh api``.
"""

import re
from collections.abc import Iterator
from typing import Final

from opvalue.bash.tree import Command, Redirected, Simple, Word
from opvalue.bash.visit import words_of
from verifier.findings import Confidence, Finding, Severity
from verifier.jq_programs import jq_programs
from verifier.rule import Profile, Rule
from verifier.runs import Runs
from verifier.subject import Subject
from verifier.syntax import syntax_of
from verifier.words import parameters, template

_FOLDER: Final = re.compile(r"/tmp/gh-aw(?:/|$)")  # noqa: S108 - what scripts must not read
_FILES: Final = re.compile(r"GITHUB_EVENT_PATH|RUNNER_TEMP|GH_AW_\w+")
_JOB: Final = re.compile(
    r"GITHUB_(?:SHA|REF|REF_NAME|HEAD_REF|BASE_REF|RUN_ID|RUN_NUMBER|RUN_ATTEMPT|EVENT_NAME|ACTOR|JOB|WORKFLOW)"
)
_TALKS: Final = frozenset({"echo", "printf"})
_INSTEAD: Final = frozenset({":-", "-", ":=", "="})
_ADVICE: Final = "Take it from the request, keep it in the case, and read the rest with gh api."


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:  # noqa: ARG001 - read, not run
    """Yield a finding for each word that names what a regrade does not have."""
    syntax = syntax_of(subject)
    for program in jq_programs(syntax):
        for name, piece in program.environment():
            yield from _variable(subject, name, program.at(piece), low=False)
    for site in syntax.sites:
        for word in _words(site.command):
            at = site.file.place(word.start)
            if _FOLDER.match(template(word)):
                yield RULE.finds(subject, "the job's files in /tmp/gh-aw are not there in a regrade", _ADVICE, at=at)
            for parameter in parameters(word):
                yield from _variable(subject, parameter.name, at, low=parameter.operator in _INSTEAD)


def _variable(subject: Subject, name: str, at: tuple[str, int, int], *, low: bool) -> Iterator[Finding]:
    text = f"{name} is not set in a regrade"
    if _FILES.fullmatch(name):
        yield RULE.finds(subject, text, _ADVICE, at=at)
    elif _JOB.fullmatch(name):
        yield RULE.finds(subject, text, _ADVICE, at=at, confidence=Confidence.LOW if low else Confidence.HIGH)


def _words(command: Command) -> tuple[Word, ...]:
    """Return the words that may be read from: not what is said, and no here-documents."""
    if isinstance(command, Redirected):
        return tuple(one.target for one in command.redirects if not one.operator.startswith("<<"))
    if isinstance(command, Simple) and command.words and command.words[0].literal in _TALKS:
        return ()
    return tuple(words_of(command))


RULE: Final = Rule(
    "static-job-files",
    "nothing is read that only the workflow's job has",
    Profile.QUICK,
    Severity.ERROR,
    __doc__ or "",
    check,
)
