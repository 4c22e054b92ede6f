"""Lines that no check ever went through, so that nobody knows whether they work.

Every run was traced, the script unchanged. What is listed here was not reached with made-up evidence: often the
handling of a rare answer, sometimes a path that can never be reached: a comparison that never holds, a decoded boolean.
Commands inside ``$(...)`` go with the command around them, as Bash miscounts their lines.

What to do: add a case that goes there (``--cases DIR``): record one with ``opvalue regrade RUN --evidence-at T
--record DIR/NAME/evidence.bundle``, write its request to ``request.json`` and ``{"value": ...}`` to ``expected.json``.
Or read the lines once more.
"""

from collections.abc import Iterator
from itertools import groupby
from typing import Final

from opvalue.bash.errors import NotAnalysable
from opvalue.bash.tree import Body, Declaration, Simple
from opvalue.bash.visit import words_of
from opvalue.errors import OpvalueError
from verifier.findings import Confidence, Finding, Severity
from verifier.rule import Profile, Rule
from verifier.runs import Runs
from verifier.steps import walk
from verifier.subject import SourceFile, Subject

_MOST: Final = 12
_ADVICE: Final = "Add a case that goes there: --cases DIR, see `opvalue rule show unreached-lines`. Or read them again."


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:
    """Yield at most one note a file."""
    if runs.document is None:
        return
    reached = {place for ended in runs.made() for place in ended.lines}
    if not reached:
        return
    for file, path in _files(subject):
        body = subject.bodies[file.name]
        if isinstance(body, NotAnalysable):
            continue
        lines = {line for name, line in reached if name == path}
        spans = sorted(set(_spans(file, body)))
        missed = [span for span in spans if not lines & set(range(span[0], span[1] + 1))]
        if missed and lines:
            text = f"no check went through {_listed(missed)}"
            yield RULE.finds(subject, text, _ADVICE, at=(file.name, missed[0][0], 1), confidence=Confidence.LOW)


def _files(subject: Subject) -> Iterator[tuple[SourceFile, str]]:
    closure = subject.closure
    paths = [subject.path] if isinstance(closure, OpvalueError) else [path for path, _ in closure.files]
    yield from zip(subject.files, map(str, paths), strict=True)


def _spans(file: SourceFile, body: Body) -> Iterator[tuple[int, int]]:
    """Yield the lines of each command; not of those in substitutions, to which Bash gives lines near the outer's."""
    for command, steps in walk(body):
        found = None if any(step.substituted for step in steps) else _span(file, command)
        if found is not None:
            yield found


def _span(file: SourceFile, command: object) -> tuple[int, int] | None:
    """Return the lines of a command that Bash tells about; of others, none."""
    if isinstance(command, Simple):
        return file.place(command.start)[1], file.place(command.end)[1]
    if isinstance(command, Declaration) and not command.assignments:
        return None
    if isinstance(command, Declaration):
        words = list(words_of(command))
        return (file.place(words[0].start)[1], file.place(words[-1].end)[1]) if words else None
    return None


def _listed(spans: list[tuple[int, int]]) -> str:
    """Return lines as ranges: ``lines 12, 40 to 44``; neighbours are joined."""
    lines = sorted({line for start, end in spans for line in range(start, end + 1)})
    ranges = []
    for _, group in groupby(enumerate(lines), lambda pair: pair[1] - pair[0]):
        run = [line for _, line in group]
        ranges.append(str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}")
    shown = ", ".join(ranges[:_MOST]) + (f" and {len(ranges) - _MOST} more places" if len(ranges) > _MOST else "")
    return f"line {shown}" if len(lines) == 1 else f"lines {shown}"


RULE: Final = Rule(
    "unreached-lines",
    "every line is gone through by some check",
    Profile.DEFAULT,
    Severity.NOTE,
    __doc__ or "",
    check,
)
