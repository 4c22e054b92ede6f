"""A failure to read evidence stays a failure.

An answer that did not come says nothing about the outcome. Taken for zero, for an empty list or for nothing found, it
turns a moment's outage into a grade that stays in the archive.

- ``gh api ... || echo 0`` scores the failure: an error.
- ``|| echo false`` says no for whatever was asked: a warning.
- ``|| echo '[]'`` and ``|| true``, with nothing that looks at the result afterwards, do the same a little later.
- ``local x=$(gh ...)`` succeeds whatever ``gh`` does; so does ``echo "$(gh ...)"``, ``<<<"$(gh ...)"``,
  ``done < <(gh ...)``, and ``gh ... | jq ...`` without pipefail.
- All that holds for a function that ends with the failure of its ``gh``, too: ``local x="$(pages ...)"``. An empty list
  in place of its answer is a note.
- In ``$(gh ...; echo done)`` errexit is off, and only the last command counts. So it is within a function that is
  called in ``$(...)``, in a condition or before ``||``: a note, at each ``gh`` there that is not the last command.

What to do: assign on a line of its own, ``x="$(gh api ...)" || fail "no answer"``, where ``fail`` exits with a failure
or prints an observation with a null value. Tell "404: it is not there" from other failures by looking at the answer.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from opvalue.bash.tree import AndOr, Arithmetic, Assignment, Declaration, Redirected, Simple, Test, Word
from opvalue.bash.visit import commands_in
from verifier.findings import Confidence, Finding, Severity
from verifier.readers import evidence_calls, reading_functions, run_calls
from verifier.rule import EVERY_CONTRACT, Profile, Rule
from verifier.runs import Runs
from verifier.status import End, Fate, Instead, end_of, errexit_is_off, instead_of
from verifier.steps import Role
from verifier.subject import Subject
from verifier.syntax import Call, Syntax, syntax_of
from verifier.words import parameters, template

_ADVICE: Final = (
    'Assign on a line of its own, x="$(gh api ...)", and let a failure end the script or give a null value with its '
    "reason."
)
_LOST: Final[Mapping[Fate, str]] = {
    Fate.PIPED: "a failure of {name} is lost in the pipeline: pipefail is never turned on",
    Fate.DECLARED: "a failure of {name} is hidden by the declaration around it",
    Fate.ARGUMENT: "a failure of {name} is lost: in an argument or test its status counts for nothing",
    Fate.PROCESS: "a failure of {name} is lost in the process substitution",
    Fate.SUBSTITUTED: "a failure of {name} is lost: errexit is off in a command substitution",
}


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:  # noqa: ARG001 - read, not run
    """Yield a finding for each call of ``gh``, or of a function that reads, whose failure is lost; notes for ``jq``."""
    syntax = syntax_of(subject)
    for call in (*evidence_calls(syntax), *run_calls(syntax)):
        yield from _of_gh(subject, syntax, call)
    readers = reading_functions(syntax)
    for call in syntax.calls:
        if call.name in readers and call.name != "gh" and syntax.is_function(call):
            yield from _of_function(subject, syntax, call)
    judged = {id(step.node) for call in syntax.named("gh") for step in call.site.steps if step.role is Role.STAGE}
    for call in syntax.named("jq"):
        if any(id(step.node) in judged for step in call.site.steps):
            continue
        end = end_of(call.site, syntax)
        if end.fate is Fate.DECLARED:
            yield _lost(subject, call, end.fate, Confidence.LOW)
        elif end.fate is Fate.CAUGHT and instead_of(end.instead) is Instead.NUMBER:
            yield RULE.finds(
                subject,
                "a jq program that fails is taken for a number",
                "Let it fail, or print null: a program may fail because it does not compile.",
                at=call.at,
                confidence=Confidence.LOW,
            )


def _of_gh(subject: Subject, syntax: Syntax, call: Call) -> Iterator[Finding]:
    end = end_of(call.site, syntax)
    if end.fate in _LOST:
        yield _lost(subject, call, end.fate, Confidence.HIGH)
    elif end.fate is Fate.CAUGHT:
        yield from _caught(subject, syntax, call, end)
    elif end.fate is Fate.TESTED and _is_answer(syntax, call, instead_of(end.instead)):
        text = f"a failure of gh may be taken for {instead_of(end.instead).value} here"
        yield RULE.finds(subject, text, _ADVICE, at=call.at, confidence=Confidence.LOW)
    elif end.fate is Fate.ERREXIT and call.site.function in errexit_is_off(syntax):
        text = f"a failure of gh does not end {call.site.function}: errexit is off where it is called"
        yield RULE.finds(subject, text, "Write || return 1 after it.", at=call.at, confidence=Confidence.LOW)
    elif end.fate is Fate.IGNORED and _silenced(call) and not (_takers(call) and _looked_at(syntax, call)):
        yield RULE.finds(
            subject,
            "a failure of gh is passed over: its message is thrown away and nothing asks for its status",
            _ADVICE,
            at=call.at,
            severity=Severity.WARNING,
        )


def _of_function(subject: Subject, syntax: Syntax, call: Call) -> Iterator[Finding]:
    """Yield a finding where the failure of a function that reads is lost. What is empty instead may be meant so."""
    end = end_of(call.site, syntax)
    if end.fate in _LOST:
        yield _lost(subject, call, end.fate, Confidence.HIGH)
    elif end.fate is Fate.CAUGHT:
        yield from _caught(subject, syntax, call, end, Confidence.LOW)


def _lost(subject: Subject, call: Call, fate: Fate, confidence: Confidence) -> Finding:
    text = _LOST[fate].format(name=call.name)
    return RULE.finds(subject, text, _ADVICE, at=call.at, severity=Severity.WARNING, confidence=confidence)


def _caught(
    subject: Subject, syntax: Syntax, call: Call, end: End, empty: Confidence = Confidence.HIGH
) -> Iterator[Finding]:
    instead = instead_of(end.instead)
    if _is_a_flag(syntax, call, end):
        return
    if instead is Instead.NUMBER:
        yield RULE.finds(subject, f"a failure of {call.name} is taken for a number", _ADVICE, at=call.at)
    elif instead is Instead.FALSE or (instead in {Instead.EMPTY, Instead.NOTHING} and not _looked_at(syntax, call)):
        yield RULE.finds(
            subject,
            f"a failure of {call.name} is taken for {instead.value}",
            _ADVICE,
            at=call.at,
            severity=Severity.WARNING,
            confidence=empty,
        )


def _is_a_flag(syntax: Syntax, call: Call, end: End) -> bool:
    """Tell whether what takes the answer's place is kept elsewhere, and tested: ``x="$(gh api ...)" || failed=1``."""
    kept = {one.name for command in commands_in(end.instead) for one in _assignments(command)}
    answers = {one.name for step in call.site.steps for one in _assignments(step.node)}
    if not kept or not answers or kept & answers:
        return False
    tested = {one.name for site in syntax.sites for word in _tested(site.command) for one in parameters(word)}
    counted = " ".join(site.command.text for site in syntax.sites if isinstance(site.command, Arithmetic))
    return all(name in tested or re.search(rf"\b{name}\b", counted) for name in kept)


def _is_answer(syntax: Syntax, call: Call, instead: Instead) -> bool:
    """Tell whether what runs where a condition fails stands for the answer that did not come."""
    if instead is Instead.EMPTY:
        return not _looked_at(syntax, call)
    return instead in {Instead.NUMBER, Instead.FALSE}


def _silenced(call: Call) -> bool:
    return any(
        one.target.literal == "/dev/null" and (one.descriptor == "2" or one.operator.startswith("&"))
        for one in call.site.redirects
    )


def _looked_at(syntax: Syntax, call: Call) -> bool:
    """Tell whether the variable that takes the answer is tested anywhere, by ``[ ]``, ``[[ ]]``, ``case`` or ``:?``.

    An answer that nothing takes, such as that of a call for its status alone, counts as looked at. One that goes to a
    file, ``>"$folder/issue.json"``, is looked at where a test names the file's variable, or where a caller may do so.
    """
    names = _takers(call) or _files(call) or _takers_of_function(syntax, call)
    return not names or any(
        parameter.name in names
        for site in syntax.sites
        for word in _tested(site.command)
        for parameter in parameters(word)
    )


def _takers(call: Call) -> frozenset[str]:
    found: set[str] = set()
    for step in call.site.steps:
        node = step.node
        if isinstance(node, AndOr):
            found |= {one.name for link in node.rest for one in _assignments(link.command)}
        found |= {one.name for one in _assignments(node)}
    return frozenset(found)


def _files(call: Call) -> frozenset[str]:
    """Return the variables that name the file the answer goes to; none where callers of a function gave the name."""
    targets = [
        one.target
        for step in (*call.site.steps,)
        if isinstance(step.node, Redirected)
        for one in step.node.redirects
        if one.operator in {">", ">>", ">|"} and one.descriptor in {"", "1"}
    ]
    names = frozenset(one.name for target in targets for one in parameters(target))
    return frozenset() if any(name.isdigit() for name in names) else names


def _takers_of_function(syntax: Syntax, call: Call) -> frozenset[str]:
    calls = [other for other in syntax.calls if other.name == call.site.function]
    return frozenset[str]().union(*(_takers(other) for other in calls))


def _assignments(node: object) -> tuple[Assignment, ...]:
    if isinstance(node, Declaration) or (isinstance(node, Simple) and not node.words):
        return node.assignments
    return ()


def _tested(command: object) -> tuple[Word, ...]:
    if isinstance(command, Test):
        return command.words
    if isinstance(command, Simple) and command.words:
        if template(command.words[0]) in {"[", "test"}:
            return command.words
        return tuple(word for word in command.words if any(one.operator in {":?", "?"} for one in parameters(word)))
    word = getattr(command, "word", None)
    return (word,) if isinstance(word, Word) else ()


RULE: Final = Rule(
    "static-swallowed-failure",
    "a failure to read evidence stays a failure",
    Profile.QUICK,
    Severity.ERROR,
    __doc__ or "",
    check,
    EVERY_CONTRACT,
)
