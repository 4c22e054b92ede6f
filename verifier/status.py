"""What becomes of a command's failing exit status, as far as the text tells. Pure.

Bash gives a status away in many places: in a pipeline without pipefail, in ``local x=$(...)``, in an argument, in a
process substitution, in all but the last command of ``$(...)`` (where errexit is off), and wherever ``|| true`` says
so. What a function's caller makes of its status is not followed: leaving a function with it counts as passed on.
"""

import enum
import re
from itertools import pairwise
from typing import Final, NamedTuple

from opvalue.bash.tree import Body, Command, Function, Parameter, Redirected, Simple, Word
from opvalue.bash.visit import commands_in, words_of
from opvalue.strictjson import JsonRefused, JsonValue, loads
from verifier.steps import Role, Step
from verifier.syntax import Call, Site, Syntax
from verifier.words import template

_JQ_OPTION: Final = re.compile("-[ncr]+|--null-input|--compact-output|--raw-output")
LETTERS: Final = {"e": "errexit", "u": "nounset"}


class Fate(enum.Enum):
    """Where a failing status ends."""

    STOPS = "it is the status of what stands around: the function, the script"
    ERREXIT = "errexit ends the shell"
    TESTED = "something asks for it"
    CAUGHT = "what follows || runs instead"
    PIPED = "lost in a pipeline without pipefail"
    DECLARED = "hidden by local, declare, export or readonly"
    ARGUMENT = "lost in an argument, a test or a here-string"
    PROCESS = "lost in a process substitution"
    SUBSTITUTED = "lost in a command substitution, where errexit is off"
    IGNORED = "nothing asks for it and errexit is off"


_UNCHECKED: Final = frozenset({Role.LEFT, Role.CONDITION, Role.NEGATED})


class End(NamedTuple):
    """A fate, and for CAUGHT and TESTED what runs instead, as far as the text tells."""

    fate: Fate
    instead: Body = ()


_LOST: Final = {
    Role.DECLARED: Fate.DECLARED,
    Role.ARGUMENT: Fate.ARGUMENT,
    Role.PROCESS: Fate.PROCESS,
    Role.BACKGROUND: Fate.IGNORED,
    Role.NEGATED: Fate.TESTED,
    Role.CONDITION: Fate.TESTED,
}


def end_of(site: Site, syntax: Syntax) -> End:
    """Return what becomes of the failing status of a command."""
    options = options_at(site, syntax)
    for step in reversed(site.steps):
        if step.role is Role.LEFT:
            return End(Fate.CAUGHT, step.after) if step.caught else End(Fate.TESTED)
        if step.role in _LOST:
            return End(_LOST[step.role], step.after if step.role is Role.CONDITION else _negated(site))
        if step.role is Role.STAGE and "pipefail" not in options:
            return End(Fate.PIPED)
        if step.role is Role.LIST:
            return _in_a_row(step, options)
        if isinstance(step.node, Function):
            return End(Fate.STOPS)
    return End(Fate.STOPS)


def _in_a_row(step: Step, options: frozenset[str]) -> End:
    if _asks(step.after[:1]):
        return End(Fate.TESTED)
    if step.node is None and step.substituted and "inherit_errexit" not in options:
        return End(Fate.SUBSTITUTED)
    return End(Fate.ERREXIT if "errexit" in options else Fate.IGNORED)


def _negated(site: Site) -> Body:
    """Return what runs where a command after ``!`` fails: the branch of the ``if`` whose condition it is."""
    for outer, inner in pairwise(site.steps):
        if inner.role is Role.NEGATED and outer.role is Role.CONDITION:
            return outer.after
    return ()


def errexit_is_off(syntax: Syntax) -> frozenset[str]:
    """Return the functions that are called where errexit is off: in a substitution, in a condition, before ``||``."""
    off: set[str] = set()
    calls = [call for call in syntax.calls if syntax.is_function(call)]
    while True:
        new = {
            call.name
            for call in calls
            if call.site.function in off or any(step.substituted or step.role in _UNCHECKED for step in call.site.steps)
        }
        if new <= off:
            return frozenset(off)
        off |= new


def options_of(syntax: Syntax) -> frozenset[str]:
    """Return the shell options that the script turns on anywhere: errexit, nounset, pipefail, inherit_errexit."""
    return frozenset(
        option for call in syntax.named("set", "shopt") for option, turned_on in _settings(call).items() if turned_on
    )


def options_at(site: Site, syntax: Syntax) -> frozenset[str]:
    """Return those options without the ones that a ``set +e`` or the like before a command has turned off.

    That is one in the same function, in the same row of commands or in one around it. For a function count those of the
    script's outermost row as well: it may be called when all of them have been run.
    """
    latest: dict[str, bool] = {}
    for call in syntax.named("set", "shopt"):
        if _is_before(call.site, site) or (site.function is not None and len(call.site.steps) == 1):
            latest |= _settings(call)
    return options_of(syntax) - {option for option, turned_on in latest.items() if not turned_on}


def _is_before(one: Site, other: Site) -> bool:
    """Tell whether a command surely runs before another: it stands in front, in a row that holds the other as well."""
    same = one.file is other.file and one.function == other.function and len(one.steps) <= len(other.steps)
    held = same and all(outer.node is inner.node for outer, inner in zip(one.steps, other.steps, strict=False))
    return held and _start(one) < _start(other)


def _start(site: Site) -> int:
    return site.command.start if isinstance(site.command, Simple) else 0


def _settings(call: Call) -> dict[str, bool]:
    """Return the options that ``set`` or ``shopt`` turns on, or off."""
    words = [word.literal or "" for word in call.arguments]
    if call.name == "shopt":
        return dict.fromkeys(words, "-u" not in words)
    found: dict[str, bool] = {}
    for place, text in enumerate(words):
        if text[:1] in {"-", "+"} and text[1:2] != "-":
            found |= {LETTERS[letter]: text.startswith("-") for letter in text[1:] if letter in LETTERS}
            if text.endswith("o") and place + 1 < len(words):
                found[words[place + 1]] = text.startswith("-")
    return found


def _asks(following: Body) -> bool:
    """Tell whether the command after one looks at its status."""
    return any(
        part.name in {"?", "PIPESTATUS"}
        for command in commands_in(following)
        for word in words_of(command)
        for part in word.parts
        if isinstance(part, Parameter)
    ) or any("$?" in getattr(command, "text", "") for command in following)


class Instead(enum.Enum):
    """What takes the place of an answer that failed."""

    NUMBER = "a number"
    EMPTY = "an empty list or object"
    NOTHING = "nothing at all"
    FALSE = "false"
    OTHER = "something else"


def instead_of(body: Body) -> Instead:
    """Return what commands put in the place of an answer: ``echo 0``, ``count=0``, ``jq -n '[]'``, ``true``.

    What they say on standard error is passed over; where they do no more, it is nothing. Where they leave with a
    failure, there is no such answer.
    """
    command = next((one for one in body if not _complains(one)), None)
    if command is None:
        return Instead.NOTHING if body else Instead.OTHER
    while isinstance(command, Redirected):
        command = command.command
    inner = getattr(command, "body", None)
    if isinstance(inner, tuple):
        if any(map(_leaves_failing, inner)):
            return Instead.OTHER
        said = [instead_of((one,)) for one in inner if not _complains(one)] or [Instead.NOTHING]
        return next((found for found in said if found is not Instead.OTHER), Instead.OTHER)
    if not isinstance(command, Simple) or any(map(_leaves_failing, body)):
        return Instead.OTHER
    if not command.words:
        values = [one.value for one in command.assignments if one.value is not None]
        return _put(values[0]) if len(values) == 1 else Instead.OTHER
    return _said(command.words)


def _complains(command: Command) -> bool:
    return isinstance(command, Redirected) and any(
        one.operator == ">&" and one.target.literal == "2" for one in command.redirects
    )


def _leaves_failing(command: Command) -> bool:
    """Tell whether a command is ``exit 1``, ``return 1`` or the like."""
    words = command.words if isinstance(command, Simple) else ()
    return len(words) > 1 and words[0].literal in {"exit", "return"} and words[1].literal != "0"


def _said(words: tuple[Word, ...]) -> Instead:
    name, *rest = words
    if name.literal == "jq":
        return _made_by_jq(rest)
    if name.literal in {"true", ":"}:
        return Instead.NOTHING
    if name.literal == "return" and rest and rest[0].literal == "0":
        return Instead.NOTHING
    if name.literal not in {"echo", "printf"}:
        return Instead.OTHER
    texts = [word for word in rest if (word.literal or "") not in {"-n", "%s", "%s\\n", "%d", "%d\\n"}]
    return _put(texts[0]) if len(texts) == 1 else Instead.OTHER if texts else Instead.EMPTY


def _made_by_jq(arguments: list[Word]) -> Instead:
    """Return what ``jq -n`` prints for a program that is a text without anything to work out."""
    options = [word.literal or "" for word in arguments[:-1]]
    if not arguments or not all(_JQ_OPTION.fullmatch(text) for text in options) or "n" not in "".join(options):
        return Instead.OTHER
    return _put(arguments[-1])


def _put(word: Word) -> Instead:
    text = template(word).replace("\\n", "").strip()
    if text.replace(".", "", 1).lstrip("-").isdigit():
        return Instead.NUMBER
    if not text:
        return Instead.EMPTY
    if text == "false":
        return Instead.FALSE
    try:
        return Instead.EMPTY if _is_empty(loads(text.encode(), what="a text")) else Instead.OTHER
    except JsonRefused:
        return Instead.OTHER


def _is_empty(value: JsonValue) -> bool:
    """Tell whether a list or object says that there is nothing: ``[]``, ``{"items": [], "total_count": 0}``."""
    if isinstance(value, dict):
        return all(
            inner in (None, False, 0, "") or (isinstance(inner, dict | list) and _is_empty(inner))
            for inner in value.values()
        )
    return value == []
