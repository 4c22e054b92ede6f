"""The calls of ``gh api`` in a script, with what their arguments say: endpoint, method, fields, pages. Pure."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from opvalue.bash.tree import Parameter, Word, merged
from verifier.syntax import Call, Syntax
from verifier.words import HOLE, may_be_several, template

_WITH_VALUE: Final = {
    "-f": "--raw-field",
    "-F": "--field",
    "-X": "--method",
    "-H": "--header",
    "-q": "--jq",
    "-t": "--template",
    "-p": "--preview",
    "--cache": "--cache",
    "--hostname": "--hostname",
    "--input": "--input",
}
LISTS: Final = frozenset(
    {
        "artifacts",
        "check-runs",
        "comments",
        "commits",
        "events",
        "files",
        "issues",
        "jobs",
        "pulls",
        "reactions",
        "releases",
        "reviews",
        "runs",
        "statuses",
        "tags",
        "timeline",
    }
)
"""The last segments of endpoints that are lists."""
FEW: Final = 30
"""How many items a page holds where nothing is said."""
_ALL: Final = "@"
_LONG: Final = frozenset(_WITH_VALUE.values())
_PAGE: Final = re.compile(r"(?:^|[?&])page=")
_PER_PAGE: Final = re.compile(r"(?:^|[?&])per_page=(\d+)")


class GhApi(NamedTuple):
    """One call of ``gh api``."""

    call: Call
    endpoint: str | None
    """Without leading slash, with a hole for each expansion; ``None`` where no text tells it."""
    word: Word | None
    """The word that gives the endpoint."""
    options: tuple[tuple[str, Word, str], ...]
    """The options with a value: long name, the value's word, the value with holes."""
    switches: frozenset[str]
    open: bool
    """Whether there may be further arguments, out of a list."""

    @property
    def path(self) -> tuple[str, ...]:
        """The endpoint's segments, its query aside."""
        return tuple(piece for piece in (self.endpoint or "").partition("?")[0].split("/") if piece)

    @property
    def query(self) -> str:
        """The query of the address and all fields, joined."""
        fields = [text for name, _, text in self.options if name in {"--raw-field", "--field"}]
        return "&".join(((self.endpoint or "").partition("?")[2], *fields))

    @property
    def per_page(self) -> int | None:
        """How many it asks for at once."""
        found = _PER_PAGE.search(self.query)
        return int(found[1]) if found else None

    @property
    def reads(self) -> bool:
        """Whether the method is GET, as far as known."""
        methods = [text for name, _, text in self.options if name == "--method"]
        if methods:
            return methods[-1] == "GET"
        return not any(name in {"--raw-field", "--field", "--input"} for name, _, _ in self.options)

    @property
    def paged(self) -> bool:
        """Whether all pages are read, or may be: ``--paginate``, or a page number that is not fixed."""
        if "--paginate" in self.switches or self.open:
            return True
        return bool(_PAGE.search(self.query)) and HOLE in self.query

    def jq(self) -> Iterator[Word]:
        """Yield the words that give programs for ``--jq``."""
        return (word for name, word, _ in self.options if name == "--jq")


@lru_cache(maxsize=4)
def gh_api_calls(syntax: Syntax) -> tuple[GhApi, ...]:
    """Return every call of ``gh api``, and of functions that hand its endpoint, or all of its arguments, on to it."""
    calls = [call for call in syntax.named("gh") if call.arguments and call.arguments[0].literal == "api"]
    own = tuple(_read(call, syntax) for call in calls)
    return (*own, *(_read(call, syntax) for inner in own for call in _handed_on(inner, syntax)))


def _handed_on(inner: GhApi, syntax: Syntax) -> Iterator[Call]:
    """Yield the calls of a function that names an endpoint by its arguments alone, as if they were of ``gh api``."""
    name = inner.call.site.function
    if name is None or name == "gh" or any(call.site.function == name for call in syntax.named("shift")):
        return
    given = [_positional(word, name, syntax) for word in inner.call.arguments]
    if not any(given):
        return
    for outer in syntax.calls:
        if outer.name == name and syntax.is_function(outer):
            words: list[Word] = []
            for word, number in zip(inner.call.arguments, given, strict=True):
                if number == _ALL:
                    words.extend(outer.arguments)
                elif number is None or int(number) > len(outer.arguments):
                    words.append(word)
                else:
                    words.append(_with_end(word, outer.arguments[int(number) - 1]))
            yield Call(outer.site, "gh", outer.word, tuple(words))


def _positional(word: Word, function: str, syntax: Syntax) -> str | None:
    """Return which of a function's arguments a word ends in: its number, or ``@``; also by ``local path="$1"``."""
    part = word.parts[-1] if word.parts else None
    if not isinstance(part, Parameter) or part.operator or not _ends_with_segment(word):
        return None
    if part.name == _ALL or (part.name.isdecimal() and part.name != "0"):
        return part.name
    values = syntax.assigned_in(function, part.name)
    again = values[0] if len(values) == 1 else None
    return None if again is None else _positional(again, "", syntax)


def _ends_with_segment(word: Word) -> bool:
    """Tell whether a word's last segment, query included, is one expansion: ``"$path"``, ``"repos/$REPOSITORY/$1"``."""
    return template(word).rpartition("/")[2] == HOLE


def _with_end(word: Word, end: Word) -> Word:
    """Return a word with another one in place of its last part, where that one stands."""
    return Word(merged([*word.parts[:-1], *end.parts]), end.start, end.end)


def _read(call: Call, syntax: Syntax) -> GhApi:
    words = list(call.arguments[1:])
    options: list[tuple[str, Word, str]] = []
    switches: set[str] = set()
    operands: list[Word] = []
    while words:
        word = words.pop(0)
        text = template(word)
        name, glued, value = text.partition("=")
        if text.startswith("--") and name in _LONG:
            if glued:
                options.append((name, word, value))
            elif words:
                options.append((name, words[0], template(words.pop(0))))
        elif text[:2] in _WITH_VALUE and not text.startswith("--"):
            if text[2:]:
                options.append((_WITH_VALUE[text[:2]], word, text[2:]))
            elif words:
                options.append((_WITH_VALUE[text[:2]], words[0], template(words.pop(0))))
        elif text.startswith("-"):
            if value != "false":
                switches.add({"-i": "--include"}.get(name, name))
        else:
            operands.append(word)
    several = [word for word in operands if may_be_several(word)]
    plain = [word for word in operands if word not in several]
    first = plain[0] if plain else None
    return GhApi(call, _endpoint(first, syntax), first, tuple(options), frozenset(switches), bool(several))


def _endpoint(word: Word | None, syntax: Syntax) -> str | None:
    if word is None:
        return None
    text = syntax.text_of(word) or template(word)
    if not text.strip(HOLE):
        return None
    return re.sub(r"^https://[^/]+/(?:api/v3/)?", "", text).lstrip("/")
