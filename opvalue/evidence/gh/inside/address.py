"""Addresses as Go's ``net/url`` writes them: what is escaped, what is kept, how a query is put together."""

from .streams import native

_HEX = b"0123456789ABCDEF"
_HEXADECIMAL = frozenset(b"0123456789abcdefABCDEF")
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~")
_KEPT_IN_PATH = _UNRESERVED | frozenset(b"$&+,/:;=@")
_VALID_IN_PATH = _KEPT_IN_PATH | frozenset(b"!'()*[]%")
_IN_SCHEME = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-.")
# What cannot stand in a request line, or would end it.
_BAD_IN_QUERY = frozenset(range(0x21)) | frozenset(range(0x7F, 0x100)) | frozenset(b'"<>')


class BadAddress(Exception):
    """Not an address; the text says why, in Go's words."""


def query_escape(data: bytes) -> str:
    """Return text for a query: a blank becomes a plus sign."""
    return _escape(data, _UNRESERVED).replace("%20", "+")


def encode_query(pairs: "list[tuple[str, bytes]]") -> str:
    """Return the query of names and values, sorted by name, values of one name in order."""
    ordered = sorted(pairs, key=lambda pair: native(pair[0]))
    return "&".join(f"{query_escape(native(name))}={query_escape(value)}" for name, value in ordered)


def target(address: str) -> str:
    """Return the address as it goes into a request line: path escaped where need be, query kept, fragment dropped.

    Raises ``BadAddress``.
    """
    if any(one < " " or one == "\x7f" for one in address):
        raise BadAddress("net/url: invalid control character in URL")
    address = address.partition("#")[0]
    before, mark, query = address.partition("?")
    scheme, slashes, rest = before.partition("://")
    if slashes and _IN_SCHEME.issuperset(scheme):
        authority, slash, path = rest.partition("/")
        odd = next((one for one in authority if not "!" <= one <= "~"), None)
        if odd is not None:
            raise BadAddress(f'invalid character "{odd}" in host name')
        before = f"{scheme}://{authority}{_path(slash + path)}"
    else:
        before = _path(before)
    if not mark:
        return before
    return f"{before}?{_escape(native(query), frozenset(range(0x100)) - _BAD_IN_QUERY)}"


def _path(path: str) -> str:
    data = native(path)
    plain = _unescape(data)
    if _VALID_IN_PATH.issuperset(data):
        return path
    return _escape(plain, _KEPT_IN_PATH)


def _escape(data: bytes, kept: "frozenset[int]") -> str:
    if kept.issuperset(data):
        return data.decode("ascii")
    escaped = bytearray()
    for byte in data:
        if byte in kept:
            escaped.append(byte)
        else:
            escaped += b"%%%c%c" % (_HEX[byte >> 4], _HEX[byte & 15])
    return escaped.decode("ascii")


def _unescape(data: bytes) -> bytes:
    if b"%" not in data:
        return data
    first, *others = data.split(b"%")
    plain = [first]
    for part in others:
        if len(part) < 2 or not _HEXADECIMAL.issuperset(part[:2]):
            shown = (b"%" + part[:2]).decode("utf-8", "replace")
            raise BadAddress(f'invalid URL escape "{shown}"')
        plain += [bytes((int(part[:2], 16),)), part[2:]]
    return b"".join(plain)
