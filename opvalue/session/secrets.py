"""What counts as a secret: the built-in patterns, and the masks a run registered (reference 1.6).

Pure: text in, text out. Where the values of named secrets come from is the caller's business.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from opvalue.session.vocabulary import REDACTED
from opvalue.strictjson import JsonValue, dumps_compact

_BASE64URL: Final = "[A-Za-z0-9_-]"
_IN_LINK: Final = r"[A-Za-z0-9._~%!&()+,;=^|-]"
"""Of a name or password in a link; a variable's name in its place is none."""


class Pattern(NamedTuple):
    """The shape of one kind of secret."""

    hint: str
    """A text that each of its kind holds, which is looked for before the shape is."""
    regex: re.Pattern[str]
    also: str
    """Another one; empty where one is rare enough."""
    left: str
    """What stands there afterwards, with what the groups of ``regex`` found."""


def _pattern(hint: str, regex: str, *, also: str = "", left: str = REDACTED) -> Pattern:
    return Pattern(hint, re.compile(regex), also, left)


PATTERNS: Final = (
    _pattern("gh", rf"gh[pousr]_[A-Za-z0-9_]{{30,}}(?:\.{_BASE64URL}+){{0,2}}"),
    _pattern("github_pat_", r"github_pat_[A-Za-z0-9_]{22,}"),
    _pattern("sk-", rf"(?<![A-Za-z0-9])sk-(?:ant-|proj-|svcacct-)?{_BASE64URL}{{32,}}"),
    _pattern("xox", r"xox[abeoprs]-[A-Za-z0-9-]{10,}"),
    _pattern("AIza", rf"AIza{_BASE64URL}{{35}}"),
    _pattern("ya29.", rf"ya29\.{_BASE64URL}{{20,}}"),
    _pattern("AKIA", r"(?<![A-Z0-9])AKIA[A-Z0-9]{16}(?![A-Z0-9])"),
    _pattern("ASIA", r"(?<![A-Z0-9])ASIA[A-Z0-9]{16}(?![A-Z0-9])"),
    _pattern("glpat-", rf"glpat-{_BASE64URL}{{20,}}"),
    _pattern("npm_", r"(?<![A-Za-z0-9_])npm_[A-Za-z0-9]{36}"),
    _pattern("pypi-", rf"pypi-AgE{_BASE64URL}{{50,}}"),
    _pattern("eyJ", rf"(?<!{_BASE64URL})eyJ{_BASE64URL}{{10,}}\.{_BASE64URL}{{10,}}\.{_BASE64URL}{{10,}}"),
    _pattern("sig=", r"(?<=[?&;]sig=)[A-Za-z0-9%+/=_-]{20,}"),
    _pattern("X-Amz-Signature=", r"(?<=X-Amz-Signature=)[0-9a-fA-F]{32,}"),
    _pattern("AccountKey=", r"(?<=AccountKey=)[A-Za-z0-9+/]{40,}={0,2}"),
    _pattern("k_live_", r"(?<![A-Za-z0-9])[sr]k_live_[A-Za-z0-9]{16,}"),
    _pattern("hf_", r"(?<![A-Za-z0-9_])hf_[A-Za-z0-9]{34,}"),
    _pattern("SG.", rf"(?<![A-Za-z0-9])SG\.{_BASE64URL}{{22}}\.{_BASE64URL}{{43}}"),
    _pattern("AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[A-Z0-9]{58}"),
    _pattern("earer ", r"([Bb]earer )(?=[A-Za-z._~+/-]*[0-9])[A-Za-z0-9._~+/-]{20,}={0,2}", left=rf"\g<1>{REDACTED}"),
    _pattern("asic ", r"([Bb]asic )(?=[A-Za-z+/]*[0-9=])[A-Za-z0-9+/]{12,}={0,2}", left=rf"\g<1>{REDACTED}"),
    _pattern("://", rf"://{_IN_LINK}{{1,100}}:{_IN_LINK}{{3,400}}@", also="@", left=f"://{REDACTED}@"),
    _pattern(
        "PRIVATE KEY-----", r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]*(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?"
    ),
)
"""GitHub, model providers, Slack, Google, AWS, GitLab, npm, PyPI, JSON Web Tokens, signed links, Stripe, Hugging Face,
SendGrid, age, Authorization headers, names and passwords in links, private keys. The page on sessions lists them."""

# In any case of its own letters: those outside ASCII that are said to be the same in another case make no command.
_MASK: Final = re.compile(r"::add-mask(?: [^\n\r:]*)?::([^\n\r]*)", re.IGNORECASE | re.ASCII)
_ESCAPED: Final = re.compile(r"%(0D|0A|25)", re.IGNORECASE)
_UNESCAPED: Final = {"0D": "\r", "0A": "\n", "25": "%"}
_LINE_END: Final = re.compile(r"\r\n|\r|\n")


class Secrets(NamedTuple):
    """What to take out besides what has the shape of a secret."""

    values: tuple[str, ...] = ()
    """Values of named secrets, as they are."""
    masks: tuple[str, ...] = ()
    """Payloads of ``::add-mask::`` commands, as they were printed: percent-encoded, possibly of several lines."""


def mask_payloads(text: str) -> list[str]:
    """Return what each ``::add-mask::`` command in ``text`` registers, undecoded."""
    return _MASK.findall(text) if "::" in text else []


def masks_in(values: Iterable[JsonValue]) -> list[str]:
    """Return the payloads of every ``::add-mask::`` command in any string or key of ``values``, each once, sorted."""
    return sorted({payload for value in values for text in texts_in(value) for payload in mask_payloads(text)})


def texts_in(value: JsonValue) -> Iterator[str]:
    """Yield every string in ``value``, keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
        for item in value.values():
            yield from texts_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from texts_in(item)


def decoded(payload: str) -> str:
    """Return a workflow command's payload with ``%0D``, ``%0A`` and ``%25`` decoded, each once."""
    return _ESCAPED.sub(lambda found: _UNESCAPED[found[1].upper()], payload)


def forms(value: str) -> set[str]:
    """Return the texts under which ``value`` may occur: each of its lines, trimmed too, and as JSON spells them.

    Blank lines are none, and neither are lines of stars alone: there is nothing to hide in them.
    """
    found = {form for line in _LINE_END.split(value) for form in (line, line.strip())}
    found = {form for form in found if form.strip("* \t\v\f")}
    return found | {dumps_compact(form)[1:-1] for form in found}
