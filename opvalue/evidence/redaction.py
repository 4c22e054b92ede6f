"""Secrets are taken out of an answer before anyone sees it: the evaluator, the bundle, the reader (DESIGN 5).

Taken out are exact secrets, GitHub's tokens by their shape, JSON web tokens, temporary clone tokens, signatures of
signed links, credentials in addresses and in Authorization lines; secrets and tokens also where escapes or base64
spell them (``veiled``). Everything else stays byte for byte. JSON stays JSON, and a second pass changes nothing.

Pure. Not found: a secret of unknown shape that is not given, and one in a compressed file.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from opvalue.evidence.address import decoded
from opvalue.evidence.errors import SecretInRequest, SecretNotRemovable
from opvalue.evidence.exchange import Answer, Request
from opvalue.evidence.veiled import beginning_in_base64, in_base64, without_encoded, without_escaped

PLACEHOLDER: Final = "REDACTED"
"""Stands for what was taken out. It is plain in JSON, in an address and in a table."""

_MARK: Final = PLACEHOLDER.encode()
_MOST_PASSES: Final = 8
_LONG_USER: Final = 20
_PLAIN_IN_ADDRESS: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

# Each begins with letters of its own, which the search is quick to skip to.
_SHAPES: Final = (
    (b"gh", re.compile(rb"gh[opsur]_[A-Za-z0-9_]{30,}+(?:\.[A-Za-z0-9_-]+)*+")),
    (b"github_pat_", re.compile(rb"github_pat_[A-Za-z0-9_]{30,}+")),
    (b"v1.", re.compile(rb"v1\.[0-9a-f]{40}(?![0-9a-f])")),
    # What says how a web token is signed may stay; to look for its beginning would be to read a run many times.
    (b".eyJ", re.compile(rb"(?<=\.)eyJ[A-Za-z0-9_-]{8,}+\.[A-Za-z0-9_-]{16,}+")),
)
_TOKENS: Final = (b"ghp_", b"gho_", b"ghu_", b"ghs_", b"ghr_")
_CUT_TOKEN = re.compile(rf"(?:{'|'.join(one.decode() for one in (*_TOKENS, b'github_pat_'))})\w*+(?=\W*+\Z)")
_IN_BASE64: Final = (*beginning_in_base64(_TOKENS), *in_base64([b"github_pat_"]))
_OF_TOKENS: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-")
_LEAST_ENCODED: Final = 8
"""Bytes of a secret that is looked for in base64; a shorter one is in any file."""
_CLONE_TOKEN = re.compile(rb'("temp(?:_clone_token|CloneToken)"\s*+:\s*+)"(?:[^"\\]++|\\.)++"', re.DOTALL)
_AUTHORIZATION = re.compile(
    rb"(uthorization[\\\"'\s:=]{1,16}+(?:basic|bearer|token)\s{1,8}+)[A-Za-z0-9+/=._~-]{16,}+", re.IGNORECASE
)
_USER = re.compile(rb"(://)([^\s/\"'<>@\\?#]++)(?=@)")
_PARAMETERS = re.compile(rb"(?<=[?#])[^\s\"'<>\\#?=]++=[^\s\"'<>\\#?]*+")
_PARAMETER = re.compile(rb"((?:\A|&)(?:amp;)?([A-Za-z0-9_.-]++)=)([^&()\[\]{}|^`,]++)")
_SECRET_NAMES: Final = frozenset({b"access_token", b"client_secret", b"jwt", b"sig", b"signature", b"token"})
_SECRET_PREFIXES: Final = (b"x-amz-", b"x-goog-")
_NEEDLES: Final = (*sorted(name + b"=" for name in _SECRET_NAMES), *_SECRET_PREFIXES)
_SIGNING_NAMES: Final = frozenset({b"sig", b"signature"})
# Terms of a signed link: no secrets, but new with each link, and of no use without the signature.
_SIGNED_NAMES: Final = frozenset(
    b"awsaccesskeyid expires googleaccessid key-pair-id policy se ske skoid sks skt sktid skv sp spr sr st sv".split()
)
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)

_ESCAPE = re.compile(rb"\\u([0-9a-f]{4})")
# An escape that need not be one: what it spells is plain ASCII.
_HIDING = re.compile(rb"\\(?:/|u00[0-7])")


def redact(body: bytes, content_type: str, secrets: Sequence[bytes] = ()) -> bytes:
    """Return ``body`` without secrets: ``secrets`` themselves, and what has the shape of one.

    Raises ``SecretNotRemovable`` for one of ``secrets`` or a token in data that is not UTF-8 or has zero bytes in
    between, and in JSON outside a string.
    """
    spellings = _spellings(secrets)
    if not _is_text(body):
        _check_binary(body, spellings)
        return body
    is_json = "json" in content_type.lower()
    cleaned = _settled(body, spellings, is_json=is_json)
    if b"\0" in cleaned:
        _check_binary(cleaned, spellings)
    if is_json and cleaned != body and _is_json(body) and not _is_json(cleaned):
        raise SecretNotRemovable("JSON holds a secret outside a string", expected="a string")
    return cleaned


def _check_binary(body: bytes, secrets: Sequence[bytes]) -> None:
    # Without zero bytes, for UTF-16 and UTF-32.
    for reading in (body, body.replace(b"\0", b"")) if b"\0" in body else (body,):
        if any(True for _ in _spans(reading, secrets)):
            raise SecretNotRemovable("binary data holds a secret", expected="text", found=f"{len(body)} bytes")


def redact_text(text: str, secrets: Sequence[bytes] = ()) -> str:
    """Return ``text``, such as the value of a header, without secrets."""
    data = text.encode("utf-8", "surrogatepass")
    return _settled(data, _spellings(secrets), is_json=False).decode("utf-8", "surrogatepass")


def redact_cut(text: str) -> str:
    """Return ``text``, whose end may be cut off, without secrets and without what begins as a token at its end."""
    return _CUT_TOKEN.sub(PLACEHOLDER, redact_text(text))


def redact_answer(answer: Answer, secrets: Sequence[bytes] = ()) -> Answer:
    """Return ``answer`` without secrets in its headers and its body. Raises ``SecretNotRemovable``."""
    headers = tuple((name, redact_text(value, secrets)) for name, value in answer.headers)
    return Answer(answer.status, headers, redact(answer.body, answer.header("content-type") or "", secrets))


def check_request(request: Request, secrets: Sequence[bytes] = ()) -> None:
    """Raise ``SecretInRequest`` when ``request`` holds a secret: it could not be recorded, nor found again without."""
    texts = (request.target, _read(request), request.accept, request.api_version)
    if not _are_clean(texts, secrets) or redact(request.body, "application/json", secrets) != request.body:
        # Redacted first: what was cut off in the middle is no longer known for a secret.
        shown = request._replace(path=redact_text(request.path, secrets), query=redact_text(request.query, secrets))
        # With plus signs for blanks only a reader that knows them finds it.
        text = shown.described() if _are_clean((shown.target, _read(shown)), secrets) else request.method
        raise SecretInRequest("the request holds a secret", found=redact_text(text, secrets))


def _read(request: Request) -> str:
    return decoded(request.target.replace("+", " "))


def _are_clean(texts: Iterable[str], secrets: Sequence[bytes]) -> bool:
    return all(redact_text(text, secrets) == text for text in texts)


def _settled(data: bytes, secrets: Sequence[bytes], *, is_json: bool) -> bytes:
    needles = (*_IN_BASE64, *in_base64(secret for secret in secrets if len(secret) >= _LEAST_ENCODED))
    values = _OF_TOKENS.union(*secrets)
    # What is left of one secret can, with its neighbours, look like another.
    for _ in range(_MOST_PASSES):
        # Escapes first: what begins plainly may end in one.
        cleaned = without_escaped(data, values, lambda plain: _spans(plain, secrets), _MARK)
        cleaned = _once(cleaned, secrets)
        if is_json:
            cleaned = _within_escapes(cleaned, secrets)
        cleaned = without_encoded(cleaned, needles, lambda plain: _once(plain, secrets))
        if cleaned == data:
            return data
        data = cleaned
    raise SecretNotRemovable("secrets overlap in a way that does not end")


def _once(data: bytes, secrets: Iterable[bytes]) -> bytes:
    for secret in secrets:
        data = data.replace(secret, _MARK)
    for beginning, shape in _SHAPES:
        if beginning in data:
            data = shape.sub(_MARK, data)
    if b'"temp' in data:
        data = _CLONE_TOKEN.sub(rb'\1"' + _MARK + b'"', data)
    if b"://" in data and b"@" in data:
        data = _USER.sub(_without_user, data)
    small = data.lower()
    if b"uthorization" in small:
        data = _AUTHORIZATION.sub(rb"\1" + _MARK, data)
    if any(name in small for name in _NEEDLES):
        data = _PARAMETERS.sub(_without_signature, data)
    return data


def _spans(data: bytes, secrets: Iterable[bytes]) -> Iterator[tuple[int, int]]:
    """Yield from where to where secrets and tokens are in ``data``."""
    for secret in secrets:
        at = data.find(secret)
        while at >= 0:
            yield at, at + len(secret)
            at = data.find(secret, at + len(secret))
    for beginning, shape in _SHAPES:
        if beginning in data:
            yield from (found.span() for found in shape.finditer(data))


def _without_user(found: re.Match[bytes]) -> bytes:
    user = found[2]
    secret = b":" in user or len(user) >= _LONG_USER
    return found[1] + _MARK if secret else found[0]


def _without_signature(found: re.Match[bytes]) -> bytes:
    signed = any(one[2].lower() in _SIGNING_NAMES for one in _PARAMETER.finditer(found[0]))

    def clean(one: re.Match[bytes]) -> bytes:
        name = one[2].lower()
        secret = name in _SECRET_NAMES or name.startswith(_SECRET_PREFIXES) or (signed and name in _SIGNED_NAMES)
        return one[1] + _MARK if secret else one[0]

    return _PARAMETER.sub(clean, found[0])


def _within_escapes(data: bytes, secrets: Sequence[bytes]) -> bytes:
    # A string can spell any character as an escape, and what it then says is what counts.
    if not _HIDING.search(data):
        return data
    return _STRING.sub(lambda found: _string(found[0], secrets), data)


def _string(token: bytes, secrets: Sequence[bytes]) -> bytes:
    if not _HIDING.search(token):
        return token
    try:
        text = str(json.loads(token, strict=False)).encode("utf-8", "surrogatepass")
    except ValueError:
        return token
    cleaned = _once(text, secrets)
    return token if cleaned == text else json.dumps(cleaned.decode("utf-8", "surrogatepass")).encode()


def _spellings(secrets: Iterable[bytes]) -> tuple[bytes, ...]:
    # Longest first: a secret may be a part of another.
    found = {spelling for secret in secrets if secret for spelling in (secret, _in_address(secret), *_in_json(secret))}
    return tuple(sorted(found, key=lambda one: (-len(one), one)))


def _in_address(secret: bytes) -> bytes:
    return b"".join(bytes((one,)) if one in _PLAIN_IN_ADDRESS else b"%%%02X" % one for one in secret)


def _in_json(secret: bytes) -> Iterable[bytes]:
    try:
        text = secret.decode()
    except UnicodeDecodeError:
        return ()
    plain = json.dumps(text, ensure_ascii=False)[1:-1].encode()
    escaped = json.dumps(text)[1:-1].encode()
    return plain, escaped, _ESCAPE.sub(lambda found: b"\\u" + found[1].upper(), escaped)


def _is_text(body: bytes) -> bool:
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return True


def _is_json(body: bytes) -> bool:
    try:
        json.loads(body)
    except (ValueError, RecursionError):
        return False
    return True
