"""A session grader reads the session file and prints metrics; nothing else.

Under the session contract a script gets the path of a recorded session as its first argument and prints a JSON array
of objects with exactly ``id`` and ``value``: ids not blank and unique, values finite numbers or null. It has no
network, no ``gh``, and nowhere to write.

Told from the text: ``gh``, ``curl`` and the like (an error), files written (an error where the name is literal or the
command only writes), and metrics written out literally. That is no proof: what is put together at run time is not seen.

What to do: compute with jq from ``"$1"``, keep intermediate results in variables.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from opvalue.contract import parse_metrics
from opvalue.errors import OpvalueError
from verifier.findings import Finding, Severity
from verifier.jq_programs import JqProgram, jq_programs
from verifier.rule import Contract, Profile, Rule
from verifier.rules.static_other_network import check as network_findings
from verifier.runs import Runs
from verifier.subject import Subject
from verifier.syntax import Syntax, syntax_of
from verifier.writes import written

_METRIC: Final = re.compile(r"\{\s*\"?id\"?\s*:\s*\"(?P<id>(?:[^\"\\]|\\.)*)\"\s*,(?P<rest>[^{}]*)\}")
_KEY: Final = re.compile(r"(?:^|,)\s*\"?(\w+)\"?\s*:")
_ARRAY: Final = re.compile(r"\[[^\[\]]*\]")
_READS_ONLY: Final = 'Compute from the session file in "$1" alone.'
_SHAPE: Final = 'Print [{"id": "NAME", "value": NUMBER or null}, ...] with each id once.'


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:
    """Yield a finding for each thing a session grader may not do."""
    syntax = syntax_of(subject)
    for call in syntax.named("gh", "gh-aw"):
        yield RULE.finds(subject, "a session grader has no gh", _READS_ONLY, at=call.at)
    for finding in network_findings(subject, runs):
        yield finding._replace(rule=RULE.id, message=finding.message.replace(" past gh", ""), advice=_READS_ONLY)
    for file, word in written(syntax):
        if (word.literal or "x").startswith("/dev/") or word.literal == "-":
            continue
        text = "a session grader writes no files"
        yield RULE.finds(subject, text, "Keep it in a variable.", at=file.place(word.start))
    yield from _metrics(subject, syntax)


def _metrics(subject: Subject, syntax: Syntax) -> Iterator[Finding]:
    for call in syntax.named("echo", "printf"):
        for word in call.arguments:
            problem = _refused(word.literal or "")
            if problem is not None:
                yield RULE.finds(subject, f"the metrics are refused: {problem}", _SHAPE, at=call.place(word))
    for program in jq_programs(syntax):
        yield from _in_program(subject, program)


def _refused(text: str) -> str | None:
    """Return why a literal array of objects is no metrics, or ``None`` when it is, or is no such array."""
    try:
        document = json.loads(text) if text.lstrip().startswith("[{") else None
    except ValueError:
        return None
    if document is None:
        return None
    try:
        parse_metrics(text.encode())
    except OpvalueError as refused:
        return refused.message
    return None


def _in_program(subject: Subject, program: JqProgram) -> Iterator[Finding]:
    for found in _METRIC.finditer(program.text):
        keys = set(_KEY.findall(found["rest"]))
        at = program.at(found[0].split("\n")[0])
        if not found["id"].strip():
            yield RULE.finds(subject, "a metric's id is blank", _SHAPE, at=at)
        if "value" in keys and keys != {"value"}:
            extra = ", ".join(sorted(keys - {"value"}))
            yield RULE.finds(subject, f"a metric has keys beside id and value: {extra}", _SHAPE, at=at)
    for array in _ARRAY.finditer(program.text):
        counts = Counter(found["id"] for found in _METRIC.finditer(array[0]))
        for name, count in counts.items():
            if count > 1:
                text = f"{count} metrics of one array have the id {name}"
                yield RULE.finds(subject, text, _SHAPE, at=program.at(array[0].split("\n")[0]))


RULE: Final = Rule(
    "session-contract",
    "a session grader reads its file and prints metrics",
    Profile.QUICK,
    Severity.ERROR,
    __doc__ or "",
    check,
    frozenset({Contract.SESSION}),
)
