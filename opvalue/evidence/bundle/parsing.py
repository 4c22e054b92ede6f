"""From a bundle's documents back to values (DESIGN 5). Pure.

Shapes are checked here. That nothing else is written in the documents, nor in another order or spelling, is checked
by writing the bundle again (``reading``).
"""

import re
from collections.abc import Mapping
from typing import Final

from opvalue.errors import OpvalueError
from opvalue.evidence.bundle.errors import BundleMalformed
from opvalue.evidence.bundle.fields import Fields
from opvalue.evidence.bundle.model import Declared, Failed, Header, Profile
from opvalue.evidence.errors import RequestRefused
from opvalue.evidence.exchange import RECORDED_HEADERS, Answer, Exchange, Request, http_date, normalise
from opvalue.identity import Digest, Host, Instant, Repository, RepositoryRefused, RunRef, RunRefRefused
from opvalue.strictjson import JsonRefused, JsonValue, loads

_MOST: Final = 2**63 - 1
_REQUEST: Final = ("method", "path", "query", "accept", "apiVersion")
_CAUSE: Final = re.compile(r"[a-z0-9-]{1,60}(?:\.[a-z0-9-]{1,60})?")
_HEADER: Final = (
    "host",
    "repositoryId",
    "runId",
    "attempt",
    "evaluatorDigest",
    "closureDigest",
    "evidenceTimes",
    "declared",
    "complete",
    "failures",
    "profile",
)


def header_in(data: bytes) -> Header:
    """Return the header that a document holds. Raises ``BundleMalformed``."""
    fields = Fields(_json(data, "the header"), _HEADER, "the header")
    profile = Fields(fields.value("profile"), ("gh", "jq"), "the profile")
    host = _host(fields.text("host"))
    return Header(
        host=host,
        repository_id=fields.number("repositoryId", least=1, most=_MOST),
        run_id=_run_id(fields.text("runId")),
        attempt=fields.number("attempt", least=1, most=_MOST),
        evaluator_digest=fields.digest("evaluatorDigest"),
        closure_digest=fields.digest("closureDigest"),
        requests=tuple(_instant(value) for value in fields.items("evidenceTimes")),
        complete=fields.flag("complete"),
        failures=tuple(_failed(value) for value in fields.items("failures")),
        profile=Profile(profile.text("gh"), profile.text("jq")),
        declared=tuple(_declared(value, host) for value in fields.items("declared")),
    )


def exchanges_in(data: bytes, blobs: Mapping[str, bytes], host: Host) -> tuple[Exchange, ...]:
    """Return the exchanges that a document lists, their bodies from ``blobs`` by digest. Raises ``BundleMalformed``."""
    listed = Fields(_json(data, "the list of exchanges"), ("exchanges",), "the list of exchanges").items("exchanges")
    return tuple(_exchange(value, blobs, host) for value in listed)


def _exchange(value: JsonValue, blobs: Mapping[str, bytes], host: Host) -> Exchange:
    fields = Fields(value, ("request", "answer", "serverDate", "observedAt"), "an exchange")
    return Exchange(
        _request(fields.value("request"), blobs, host),
        _answer(fields.value("answer"), blobs),
        _server_date(fields.text_or_none("serverDate")),
        fields.instant("observedAt"),
    )


def _server_date(text: str | None) -> str | None:
    if text != http_date(text):
        raise BundleMalformed("a server's date is none", expected="such as Sun, 30 Aug 2026 12:00:01 GMT, or null")
    return text


def _request(value: JsonValue, blobs: Mapping[str, bytes], host: Host) -> Request:
    fields = Fields(value, (*_REQUEST, "body"), "a request")
    method, path, query, accept, version = (fields.text(name) for name in _REQUEST)
    request = Request(method, path, query, accept, version, _body(fields.value("body"), blobs))
    try:
        normal = normalise(
            request.method,
            request.target,
            host=host,
            accept=request.accept,
            api_version=request.api_version,
            body=request.body,
        )
    except RequestRefused as error:
        raise _malformed("a request is none that may be made", error) from None
    if normal != request:
        raise BundleMalformed("a request is not in its one spelling", expected=normal.described())
    return request


def _answer(value: JsonValue, blobs: Mapping[str, bytes]) -> Answer:
    fields = Fields(value, ("status", "headers", "body"), "an answer")
    headers = fields.value("headers")
    present = RECORDED_HEADERS.intersection(headers) if isinstance(headers, dict) else ()
    found = Fields(headers, present, "the headers of an answer")
    return Answer(
        fields.number("status", least=100, most=599),
        tuple((name, found.text(name)) for name in sorted(present)),
        _body(fields.value("body"), blobs),
    )


def _body(value: JsonValue, blobs: Mapping[str, bytes]) -> bytes:
    if value is None:
        return b""
    fields = Fields(value, ("sha256", "bytes"), "a body")
    blob = blobs.get(fields.digest("sha256").hex)
    if blob is None:
        raise BundleMalformed("a body is not in the bundle", expected=fields.digest("sha256").hex)
    return blob


def _failed(value: JsonValue) -> Failed:
    fields = Fields(value, ("cause", "request"), "a failure")
    cause = fields.text("cause")
    if not _CAUSE.fullmatch(cause):
        raise BundleMalformed("the cause of a failure is no code", expected="such as evidence.replay-miss")
    return Failed(cause, fields.text("request"))


def _declared(value: JsonValue, host: Host) -> Declared:
    fields = Fields(value, ("repository", "id"), "a declared repository")
    name = fields.text("repository")
    try:
        Repository.parse(name, default_host=host)
    except RepositoryRefused as error:
        raise _malformed("a declared repository is none", error) from None
    if name != name.lower() or name.count("/") != 1:
        raise BundleMalformed("a declared repository is not OWNER/NAME in lower case", found=repr(name))
    known = fields.value("id") is not None
    return Declared(name, fields.number("id", least=1, most=_MOST) if known else None)


def _instant(value: JsonValue) -> Instant:
    return Fields({"time": value}, ("time",), "the header").instant("time")


def _host(name: str) -> Host:
    try:
        return Host.parse(name)
    except RepositoryRefused as error:
        raise _malformed("the header's host is none", error) from None


def _run_id(text: str) -> str:
    try:
        run_id = RunRef.parse(text).run_id
    except RunRefRefused as error:
        raise _malformed("the header's run is none", error) from None
    # A run's address would have been read as well.
    if run_id != text:
        raise BundleMalformed("the header's run is not a number", expected=run_id, found=repr(text))
    return run_id


def _json(data: bytes, what: str) -> JsonValue:
    try:
        return loads(data, what=what)
    except JsonRefused as error:
        raise _malformed(f"{what} is not strict JSON", error) from None


def _malformed(message: str, error: OpvalueError) -> BundleMalformed:
    return BundleMalformed(f"{message}: {error.message}", expected=error.expected, found=error.found)


def blob_named(name: str, data: bytes) -> bytes:
    """Return ``data`` when its digest is ``name``, else raise ``BundleMalformed``."""
    found = Digest.of(data).hex
    if found != name:
        raise BundleMalformed("a body is not what its name says", expected=name, found=found)
    return data
