"""Addresses below an API root, in one spelling, or refused where two readers could differ (DESIGN 5).

One spelling: unreserved characters bare, all others as ``%XX`` in capitals, a query's order kept. What is accepted
means the same to a reader that decodes escapes first and to one that splits first: a slash inside a segment is taken
only below a repository, where paths of files and names of branches stand, and never makes a dot or empty segment.

Pure. Not decided here: which repository is whose.
"""

import re
from typing import Final

from opvalue.evidence.errors import OutsideHost, PathUnclear
from opvalue.identity import Host
from opvalue.limits import Limits

GRAPHQL_PATH: Final = "/graphql"
"""The path of a GraphQL request on every host, whatever its address is there."""

_MAX_TARGET: Final = Limits().target_characters
_SHOWN: Final = 100
_DEFAULT_PORTS: Final = {"https": ":443", "http": ":80"}

_PLAIN = re.compile(r"[\x21-\x7e]+")
_NOT_IN_A_TARGET = re.compile(r"[\\#]")
_ABSOLUTE = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://(?P<authority>[^/?]*)(?P<rest>.*)")
_BAD_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
_PIECE = re.compile(r"%[0-9A-Fa-f]{2}|.")
_ESCAPED = re.compile(rb"%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_IN_PATH = _UNRESERVED | frozenset("/!$&'()*+,=:@")
_IN_QUERY = _IN_PATH | {"?"}
_CONTROL = re.compile("[\x00-\x1f\x7f]")
# A searched text may be set over lines.
_CONTROL_IN_QUERY = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_SEPARATOR = re.compile(r"[/\\]")
OWNER: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
NAME: Final = re.compile(r"[A-Za-z0-9._-]{1,100}")
NUMBER: Final = re.compile(r"[1-9][0-9]{0,18}")


def below_root(target: str, host: Host) -> tuple[str, str]:
    """Return the path below ``host``'s API root and the query, both in their one spelling.

    ``target`` is such a path with its query, or an absolute address. Raises ``PathUnclear`` and ``OutsideHost``.
    """
    if not 0 < len(target) <= _MAX_TARGET:
        raise PathUnclear("the address is empty or too long", expected=f"1 to {_MAX_TARGET} characters")
    if not _PLAIN.fullmatch(target) or _NOT_IN_A_TARGET.search(target):
        raise _unclear(target, "holds a space, backslash, fragment, control byte or character outside ASCII")
    if _BAD_ESCAPE.search(target):
        raise _unclear(target, "holds a percent sign that begins no escape")
    absolute = _ABSOLUTE.fullmatch(target)
    rest = _at_origin(absolute, host) if absolute else target
    raw_path, _, raw_query = rest.partition("?")
    query = _query(raw_query, target)
    path = _path(raw_path, target)
    if absolute:
        path = _relative(path, host)
    _check_names(path, target)
    return path, query


def named_in(path: str) -> tuple[str, ...] | None:
    """Return what a path in its one spelling names: ``(owner, name)``, ``(number,)``, or ``None`` for neither."""
    first, *segments = path.split("/")[1:]
    if first == "repos" and len(segments) >= 2 and segments[1]:
        return (segments[0], segments[1])
    if first == "repositories" and segments and segments[0]:
        return (segments[0],)
    return None


def decoded(text: str) -> str:
    """Return ``text`` with its escapes resolved, ``+`` left alone. The escapes spell UTF-8 where ``below_root`` was."""
    return _unescaped(text).decode()


def _at_origin(found: re.Match[str], host: Host) -> str:
    scheme, _, root = host.api_url.partition("://")
    authority = root.partition("/")[0]
    # The port that the scheme has anyway is the same origin.
    origins = {authority} if ":" in authority else {authority, authority + _DEFAULT_PORTS[scheme]}
    if found["scheme"].lower() != scheme or found["authority"].lower() not in origins:
        raise _outside(found[0], host)
    rest = found["rest"]
    return rest if rest.startswith("/") else "/" + rest


def _relative(path: str, host: Host) -> str:
    origin, root = _origin_and_root(host)
    if origin + path == host.graphql_url:
        return GRAPHQL_PATH
    below = path.removeprefix(root)
    if (root and below == path) or below[:1] not in {"", "/"}:
        raise _outside(origin + path, host)
    return below or "/"


def _origin_and_root(host: Host) -> tuple[str, str]:
    scheme, _, rest = host.api_url.partition("://")
    authority, slash, root = rest.partition("/")
    return f"{scheme}://{authority}", slash + root


def _path(raw: str, target: str) -> str:
    if not raw.startswith("/"):
        raise _unclear(target, "does not begin with a slash")
    if ";" in raw:
        raise _unclear(target, "holds a semicolon, which some servers cut at")
    segments = _whole(raw, target).removesuffix("/").split("/")[1:]
    if raw != "/" and not all(segments):
        raise _unclear(target, "holds an empty segment")
    if any(_is_dots(segment) for segment in segments):
        raise _unclear(target, "holds a dot segment")
    return _spelled(raw, _IN_PATH)


def _whole(raw: str, target: str) -> str:
    # What a server sees that decodes before it splits.
    text = _text(raw, target)
    if _CONTROL.search(text) or "\\" in text:
        raise _unclear(target, "holds an escaped control byte or backslash")
    return text


def _is_dots(segment: str) -> bool:
    # A proxy and the server behind it may both decode: an escape of an escape must not become a dot segment either.
    while True:
        if any(part in {".", ".."} for part in _SEPARATOR.split(segment)):
            return True
        once = _unescaped(segment).decode("utf-8", "replace")
        if once == segment:
            return False
        segment = once


def _query(raw: str, target: str) -> str:
    if ";" in raw:
        raise _unclear(target, "holds a semicolon in its query, which some servers take for &")
    if _CONTROL_IN_QUERY.search(_text(raw, target)):
        raise _unclear(target, "holds an escaped control byte")
    return _spelled(raw, _IN_QUERY)


def _text(raw: str, target: str) -> str:
    try:
        return _unescaped(raw).decode()
    except UnicodeDecodeError:
        raise _unclear(target, "holds escapes that are not UTF-8") from None


def _check_names(path: str, target: str) -> None:
    named = named_in(path)
    segments = path.split("/")[1:]
    upper = segments[: 1 + len(named)] if named else segments
    if any("%2F" in segment for segment in upper):
        raise _unclear(target, "holds an escaped slash outside the part below a repository")
    if named is None:
        return
    if len(named) == 1 and not NUMBER.fullmatch(named[0]):
        raise _unclear(target, "names a repository by something that is not a number")
    if len(named) == 2 and not (OWNER.fullmatch(named[0]) and NAME.fullmatch(named[1])):
        raise _unclear(target, "names a repository as none can be called")


def _spelled(raw: str, plain: frozenset[str]) -> str:
    return _PIECE.sub(lambda piece: _one(piece[0], plain), raw)


def _one(piece: str, plain: frozenset[str]) -> str:
    if len(piece) == 1:
        return piece if piece in plain else f"%{ord(piece):02X}"
    character = chr(int(piece[1:], 16))
    return character if character in _UNRESERVED else piece.upper()


def _unescaped(text: str) -> bytes:
    return _ESCAPED.sub(lambda found: bytes((int(found[1], 16),)), text.encode())


def _unclear(target: str, why: str) -> PathUnclear:
    return PathUnclear(f"the address {why}", expected="a plain path below the API root", found=_short(target))


def _outside(target: str, host: Host) -> OutsideHost:
    return OutsideHost("the address is not below the API root", expected=host.api_url, found=_short(target))


def _short(text: str) -> str:
    # A query may hold a signature.
    shown = text.partition("?")[0]
    return repr(shown if len(shown) <= _SHOWN else shown[:_SHOWN] + "...")
