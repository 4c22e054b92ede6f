"""The blob store the API's redirects lead to: signed links, parts of a body, no patience with credentials."""

import hashlib
import re
from collections.abc import Callable
from typing import Final

from tests.sim.wire import Reply, Request
from tests.sim.world import SimArtifact, SimRun

_SIGNED: Final = re.compile(r"/signed/([0-9]+)/([0-9]+)")
_RANGE: Final = re.compile(r"bytes=([0-9]+)-([0-9]*)")
_XML: Final = "application/xml"
Find = Callable[[int], tuple[SimRun, SimArtifact] | None]


def serve(find: Find, request: Request) -> Reply:
    """Return the store's answer to a signed link."""
    if "authorization" in request.headers:
        # A signed link and a credential at once are refused (AR-10).
        return _refused(400, "InvalidAuthenticationInfo")
    link = _SIGNED.fullmatch(request.path)
    found = find(int(link[1])) if link else None
    if link is None or found is None:
        return _refused(404, "BlobNotFound")
    artifact = found[1]
    signature = hashlib.sha256(f"{artifact.id}/{link[2]}".encode()).hexdigest()
    if request.argument("sig") != signature or int(link[2]) <= artifact.dead_links:
        return _refused(artifact.dead_status, "AuthenticationFailed")
    return _content(artifact, request)


def _content(artifact: SimArtifact, request: Request) -> Reply:
    etag = f'"{hashlib.sha256(artifact.content).hexdigest()[:32]}"'
    headers = {"content-type": artifact.media_type, "etag": etag}
    whole = memoryview(artifact.content)
    part = _RANGE.fullmatch(request.headers.get("range", "")) if artifact.ranges else None
    if artifact.ranges:
        headers["accept-ranges"] = "bytes"
    if part is None or request.headers.get("if-range", etag) != etag:
        return _slowly(artifact, Reply(200, headers, whole))
    start = int(part[1])
    if start >= len(whole):
        return Reply(416, {"content-range": f"bytes */{len(whole)}"})
    end = min(int(part[2] or len(whole)), len(whole) - 1)
    headers["content-range"] = f"bytes {start}-{end}/{len(whole)}"
    return _slowly(artifact, Reply(206, headers, whole[start : end + 1]))


def _slowly(artifact: SimArtifact, reply: Reply) -> Reply:
    reply = reply._replace(chunk=artifact.chunk, pause=artifact.pause)
    if artifact.cut_after is None or len(reply.body) <= artifact.cut_after:
        return reply
    return reply._replace(body=reply.body[: artifact.cut_after], length=len(reply.body))


def _refused(status: int, code: str) -> Reply:
    body = f'<?xml version="1.0" encoding="utf-8"?><Error><Code>{code}</Code></Error>'
    return Reply(status, {"content-type": _XML, "x-ms-error-code": code}, body.encode())
