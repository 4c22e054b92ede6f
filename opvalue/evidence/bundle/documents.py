"""The JSON documents in a bundle, as written: seal, header, exchanges; and what the digest is taken of (DESIGN 5).

Pure. Key order is part of the format.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from opvalue.evidence.bundle.model import Header
from opvalue.evidence.exchange import Answer, Exchange, Request
from opvalue.identity import Digest
from opvalue.strictjson import JsonObject, dumps, dumps_compact

FORMAT: Final = "opvalue-bundle"
VERSION: Final = 1
EVIDENCE: Final = "opvalue-evidence"


class Listed(NamedTuple):
    """Exchanges as they are listed, and their bodies."""

    entries: list[JsonObject]
    blobs: dict[str, bytes]
    """By digest; an empty body is none."""


def seal_document(digest: Digest, following: int, sha256: Digest) -> bytes:
    """Return the first document: what follows it, by length and digest, and the digest of the evidence."""
    return _encoded(
        {
            "format": FORMAT,
            "version": VERSION,
            "digest": digest.hex,
            "following": {"bytes": following, "sha256": sha256.hex},
        }
    )


def header_document(header: Header) -> bytes:
    """Return the document that says which grading the evidence is of."""
    return _encoded(header_fields(header))


def header_fields(header: Header) -> JsonObject:
    """Return the fields of the header's document."""
    return {
        **_subject(header),
        "complete": header.complete,
        "failures": [{"cause": cause, "request": request} for cause, request in header.failures],
        "profile": {"gh": header.profile.gh, "jq": header.profile.jq},
    }


def exchanges_document(listed: Listed) -> bytes:
    """Return the document that lists the exchanges, their bodies by digest."""
    return _encoded({"exchanges": [*listed.entries]})


def list_exchanges(exchanges: Iterable[Exchange]) -> Listed:
    """Return the exchanges as they are listed. This is where their bodies are digested."""
    blobs: dict[str, bytes] = {}
    return Listed([_exchange(exchange, blobs) for exchange in exchanges], blobs)


def described(exchange: Exchange) -> JsonObject:
    """Return one exchange as it is listed."""
    return _exchange(exchange, {})


def identity(header: Header, listed: Listed) -> bytes:
    """Return what the digest of the evidence is taken of: one line of JSON without any time of observation."""
    document = {
        "format": EVIDENCE,
        "version": VERSION,
        **_subject(header),
        "complete": header.complete,
        "exchanges": [{"request": one["request"], "answer": one["answer"]} for one in listed.entries],
    }
    return dumps_compact(document).encode()


def _subject(header: Header) -> JsonObject:
    return {
        "host": header.host.name,
        "repositoryId": header.repository_id,
        "runId": header.run_id,
        "attempt": header.attempt,
        "evaluatorDigest": header.evaluator_digest.hex,
        "closureDigest": header.closure_digest.hex,
        "evidenceTimes": [str(instant) for instant in header.requests],
        "declared": [{"repository": one.repository, "id": one.id} for one in header.declared],
    }


def _exchange(exchange: Exchange, blobs: dict[str, bytes]) -> JsonObject:
    return {
        "request": _request(exchange.request, blobs),
        "answer": _answer(exchange.answer, blobs),
        "serverDate": exchange.server_date,
        "observedAt": str(exchange.observed_at),
    }


def _request(request: Request, blobs: dict[str, bytes]) -> JsonObject:
    return {
        "method": request.method,
        "path": request.path,
        "query": request.query,
        "accept": request.accept,
        "apiVersion": request.api_version,
        "body": _body(request.body, blobs),
    }


def _answer(answer: Answer, blobs: dict[str, bytes]) -> JsonObject:
    return {"status": answer.status, "headers": dict(answer.headers), "body": _body(answer.body, blobs)}


def _body(body: bytes, blobs: dict[str, bytes]) -> JsonObject | None:
    if not body:
        return None
    digest = Digest.of(body).hex
    blobs[digest] = body
    return {"sha256": digest, "bytes": len(body)}


def _encoded(document: JsonObject) -> bytes:
    return dumps(document).encode()
