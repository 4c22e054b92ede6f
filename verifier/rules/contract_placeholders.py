"""Nothing of a skeleton is left to be filled in.

``opvalue evaluator new`` writes an evaluator that runs. Where only the author can decide, it says ``FILL IN:`` and why.
A definition with such a text is whole in form and says nothing; a function with such a comment is somebody else's
outcome.

Also found in a definition: ``TODO``, ``TBD``, ``FIXME`` and ``...`` in place of a text, ``OWNER/REPO`` for the
repository, ``WORKFLOW-NAME`` in the workflow's path or name, an adoption commit of noughts, and an adoption in 1970.

What to do: write what it asks for, and take the mark away.
"""

import re
from collections.abc import Iterator
from typing import Final

from opvalue.strictjson import JsonValue
from verifier.definition_places import place_of
from verifier.findings import Finding, Severity
from verifier.rule import Profile, Rule
from verifier.runs import Runs
from verifier.subject import SourceFile, Subject
from verifier.telling import short

MARK: Final = "FILL IN:"
_LEFT: Final = re.compile(r"(?:TODO|TBD|FIXME|XXX)\b.*|\.\.\.|\u2026", re.DOTALL)
_NAMES: Final = frozenset({"OWNER/REPO", "OWNER/NAME", "OWNER/REPOSITORY"})
_WORKFLOW: Final = "WORKFLOW-NAME"
_NOUGHTS: Final = re.compile(r"0{40}|0{64}")
_ADVICE: Final = "Write what it asks for, and take the mark away."


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:
    """Yield a finding for each mark in the text, and for each placeholder of another kind in the definition."""
    for file in subject.files:
        yield from _marks(subject, file)
    document = runs.document
    if document is None:
        return
    for path, text in _texts(document, ""):
        if MARK not in text and _is_placeholder(path, text):
            message = f"in the definition, {path} is a placeholder: {text!r}"
            at = place_of(subject, document, path)
            yield RULE.finds(subject, short(message), "Write what belongs there.", at=at)


def _marks(subject: Subject, file: SourceFile) -> Iterator[Finding]:
    start = 0
    mark = MARK.encode()
    while (at := file.data.find(mark, start)) >= 0:
        start = at + len(mark)
        rest = file.data[start:].partition(b"\n")[0].decode("utf-8", "replace")
        # What a mark asks for, without what follows the text it stands in.
        asked = re.split(r'"|; then take|, such as', rest)[0].strip()
        yield RULE.finds(subject, short(f"not filled in: {asked}"), _ADVICE, at=file.place(at))


def _texts(value: JsonValue, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            # Examples are evidence, in which any text may stand.
            if path or key != "validationExamples":
                yield from _texts(inner, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _texts(inner, f"{path}[{place}]")


def _is_placeholder(path: str, text: str) -> bool:
    text = text.strip()
    if path == "adoption.commit":
        return bool(_NOUGHTS.fullmatch(text))
    if path == "adoption.adoptedAt":
        return text.startswith("1970-01-01T")
    if path in {"workflowName", "sourcePath"} and _WORKFLOW in text:
        return True
    return text in _NAMES or bool(_LEFT.fullmatch(text))


RULE: Final = Rule(
    "contract-placeholders",
    "nothing is left to be filled in",
    Profile.QUICK,
    Severity.ERROR,
    __doc__ or "",
    check,
)
