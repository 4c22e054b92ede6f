r"""The script runs under Bash 3.2 as well, the Bash of macOS.

Newer constructs pass a syntax check there and fail when they are run, not always loudly: ``declare -A`` prints an error
and goes on with an ordinary array, so that every key is element 0.

Reported: associative arrays and name references, ``mapfile`` and ``readarray``, ``${x^^}``, ``${x,,}``, ``${x@Q}``,
``${x:0:-1}``, ``${list[-1]}``, ``|&``, ``&>>``, ``;&`` and ``;;&``, ``coproc``, ``wait -n``, ``printf '%(..)T'``,
``[[ -v x ]]``, ``{fd}>file``, ``{01..10}``, ``{1..9..2}``, ``shopt`` options of later versions, ``$EPOCHSECONDS``,
``read -N``, ``read -i`` and ``read -t 0.5``, ``\u00e9`` in ``$'...'``, ``printf`` or ``echo``,
``case`` with unbalanced parentheses inside ``$(...)``, and, under nounset, ``"${list[@]}"`` of a list that may be empty
(before Bash 4.4 an error; write ``${list[@]+"${list[@]}"}``).

What to do: jq for data, ``while read`` for lists, ``tr`` for letter case.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from opvalue.bash.tree import Body, Case, Declaration, Opaque, Parameter, Redirected, Simple, Substitution, Test, Word
from opvalue.bash.visit import commands_in, words_of
from verifier.findings import Finding, Severity
from verifier.gaps import gaps
from verifier.rule import EVERY_CONTRACT, Profile, Rule
from verifier.runs import Runs
from verifier.status import options_of
from verifier.subject import SourceFile, Subject
from verifier.syntax import Call, Site, Syntax, syntax_of

_ADVICE: Final = "Write it in a way Bash 3.2 knows; see the rule's explanation for each construct."
_GAPS: Final = (
    (re.compile(rb"\|&"), "|&", "4.0"),
    (re.compile(rb";;&"), ";;&", "4.0"),
    (re.compile(rb"(?<!;);&"), ";&", "4.0"),
    (re.compile(rb"(?<![\w-])coproc(?=\s)"), "coproc", "4.0"),
)
_EXPANSIONS: Final = (
    (re.compile(r"^\$\{!?[\w\[\]@*]+(?:\^\^?|,,?)"), "changing the letter case in an expansion", "4.0"),
    (re.compile(r"^\$\{!?[\w\[\]@*]+@[A-Za-z]\}"), "the operator @ in an expansion", "4.4"),
    (re.compile(r"^\$\{\w+(?:\[[^]]*\])?:[^:}]*:\s*-\d"), "a negative length in an expansion", "4.2"),
    (re.compile(r"^\$\{\w+\[-\d+\]"), "a negative subscript", "4.3"),
)
_DECLARE: Final = {
    "A": ("an associative array", "4.0"),
    "n": ("a name reference", "4.3"),
    "g": ("declare -g", "4.2"),
    "l": ("declare -l", "4.0"),
    "u": ("declare -u", "4.0"),
}
_SHOPT: Final = {
    "assoc_expand_once": "5.0",
    "autocd": "4.0",
    "checkjobs": "4.0",
    "dirspell": "4.0",
    "globasciiranges": "4.3",
    "globstar": "4.0",
    "inherit_errexit": "4.4",
    "lastpipe": "4.2",
    "localvar_inherit": "5.0",
    "patsub_replacement": "5.2",
}
_VARIABLES: Final = {"BASHPID": "4.0", "EPOCHREALTIME": "5.0", "EPOCHSECONDS": "5.0", "SRANDOM": "5.1"}
_CODE_POINT: Final = "\\u for a character"
_UNICODE: Final = re.compile(r"\\[uU][0-9A-Fa-f]")
_BRACES: Final = (
    (re.compile(r"\{0\d+\.\.\d+\}|\{\d+\.\.0\d+\}"), "zeros before a number in braces", "4.0"),
    (re.compile(r"\{-?\w+\.\.-?\w+\.\.-?\d+\}"), "a step in braces", "4.0"),
)


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:  # noqa: ARG001 - read, not run
    """Yield a finding for each construct."""
    syntax = syntax_of(subject)
    for file, offset, what, since in _found(syntax):
        text = f"{what} is not known to Bash 3.2, but since {since}"
        yield RULE.finds(subject, text, _ADVICE, at=file.place(offset))
    yield from _empty_lists(subject, syntax)


def _found(syntax: Syntax) -> Iterator[tuple[SourceFile, int, str, str]]:
    for file, body in syntax.bodies:
        bare = gaps(file, body)
        for pattern, what, since in _GAPS:
            for hit in pattern.finditer(bare):
                yield file, hit.start(), what, since
    for site in syntax.sites:
        for offset, what, since in _of_site(site):
            yield site.file, offset, what, since
    for call in syntax.calls:
        if not syntax.is_function(call):
            for word, what, since in _of_call(call):
                yield call.site.file, word.start, what, since


def _of_site(site: Site) -> Iterator[tuple[int, str, str]]:
    command = site.command
    if isinstance(command, Declaration):
        yield from _declared(command)
    elif isinstance(command, Redirected):
        for one in command.redirects:
            if one.operator == "&>>":
                yield one.target.start, "&>>", "4.0"
            if one.descriptor.startswith("{"):
                yield one.target.start, "a descriptor's name in braces", "4.1"
    elif isinstance(command, Test):
        yield from ((word.start, "-v in a test", "4.2") for word in command.words if _is_option(word, "-v"))
    for word in words_of(command):
        raw = site.file.data[word.start : word.end]
        if raw.startswith(b"$'") and _UNICODE.search(raw.decode("utf-8", "replace")):
            yield word.start, _CODE_POINT, "4.2"
        yield from _of_word(site.file, word, braces=isinstance(command, Simple) or hasattr(command, "variable"))


def _declared(command: Declaration) -> Iterator[tuple[int, str, str]]:
    for word in command.words:
        text = word.literal or ""
        for letter in text[1:] if text.startswith("-") else "":
            if letter in _DECLARE:
                yield word.start, *_DECLARE[letter]


def _is_option(word: Word, option: str) -> bool:
    return word.literal == option and not any(getattr(part, "quoted", False) for part in word.parts)


def _of_word(file: SourceFile, word: Word, *, braces: bool) -> Iterator[tuple[int, str, str]]:
    for part in word.parts:
        if isinstance(part, Opaque) and not part.arithmetic:
            at = max(file.data.find(part.text.encode("utf-8", "surrogateescape"), word.start, word.end), word.start)
            yield from ((at, what, since) for pattern, what, since in _EXPANSIONS if pattern.match(part.text))
        elif isinstance(part, Parameter):
            if part.subscript is not None and part.subscript.strip().startswith("-"):
                text = f"${{{part.name}[{part.subscript}]".encode()
                yield max(file.data.find(text, word.start, word.end), word.start), "a negative subscript", "4.3"
            if part.name in _VARIABLES:
                yield word.start, f"${part.name}", _VARIABLES[part.name]
        elif isinstance(part, Substitution):
            yield from _unbalanced(file, part.body)
        elif braces and not getattr(part, "quoted", True):
            value = getattr(part, "value", "")
            yield from ((word.start, what, since) for pattern, what, since in _BRACES if pattern.search(value))


def _unbalanced(file: SourceFile, body: Body) -> Iterator[tuple[int, str, str]]:
    for command in commands_in(body):
        for item in command.items if isinstance(command, Case) else ():
            first = item.patterns[0].start
            if not file.data[:first].rstrip().endswith(b"("):
                yield first, "case with an unbalanced parenthesis inside $( )", "4.0"


def _of_call(call: Call) -> Iterator[tuple[Word, str, str]]:
    name, first = call.name, call.arguments[0] if call.arguments else None
    if name in {"mapfile", "readarray"}:
        yield call.word, name, "4.0"
    elif name == "wait" and (option := call.has("n") or call.has("p")):
        yield option, "wait -n", "4.3"
    elif name == "printf" and first is not None and re.search(r"%-?\d*\(", first.literal or ""):
        yield first, "printf %( )T", "4.2"
    elif name in {"[", "test"} and first is not None and first.literal == "-v":
        yield first, "-v in a test", "4.2"
    elif name == "read":
        yield from _of_read(call)
    elif name in {"printf", "echo"}:
        yield from ((word, _CODE_POINT, "4.2") for word in call.arguments if _UNICODE.search(word.literal or ""))
    elif name == "shopt":
        for word in call.arguments:
            if word.literal in _SHOPT and not _guarded(call):
                yield word, f"the option {word.literal}", _SHOPT[word.literal or ""]


def _of_read(call: Call) -> Iterator[tuple[Word, str, str]]:
    for letter, since in (("i", "4.0"), ("N", "4.1")):
        option = call.has(letter)
        if option is not None:
            yield option, f"read -{letter}", since
    for option, seconds in pairwise(call.arguments):
        if (option.literal or "").endswith("t") and "." in (seconds.literal or ""):
            yield seconds, "a fraction of a second for read -t", "4.0"


def _guarded(call: Call) -> bool:
    return any(step.caught for step in call.site.steps)


def _empty_lists(subject: Subject, syntax: Syntax) -> Iterator[Finding]:
    """Yield a finding for each list that starts empty and is expanded bare, where its length is nowhere asked for."""
    if "nounset" not in options_of(syntax):
        return
    empty = {
        one.name
        for site in syntax.sites
        for one in getattr(site.command, "assignments", ())
        if one.value is None and not one.elements and not one.append
    }
    asked = {name for name in empty if syntax.mentions(f"${{#{name}[", f"${{{name}[@]+", f"${{{name}[@]:+")}
    for site in syntax.sites:
        for word in words_of(site.command):
            for part in word.parts:
                if isinstance(part, Parameter) and part.subscript in {"@", "*"} and part.name in empty - asked:
                    if part.operator:
                        continue
                    yield RULE.finds(
                        subject,
                        f"the list {part.name} may be empty here, which nounset does not forgive before Bash 4.4",
                        f'Write ${{{part.name}[@]+"${{{part.name}[@]}}"}}.',
                        at=site.file.place(word.start),
                    )


RULE: Final = Rule(
    "static-bash32",
    "the script runs under Bash 3.2",
    Profile.QUICK,
    Severity.WARNING,
    __doc__ or "",
    check,
    EVERY_CONTRACT,
)
