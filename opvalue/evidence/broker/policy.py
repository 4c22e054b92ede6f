"""What a request that came over the socket may be: one read at the run's host, or a note from the stand-in.

Pure. Headers are on a list: two pass, some say nothing that matters, every other one is refused, because it could
change whose answer comes back, or which, without being part of what a recorded answer is found by.
"""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from opvalue.errors import printable
from opvalue.evidence.broker.errors import (
    BrokenPages,
    CommandUnsupported,
    HeaderRefused,
    NotObserved,
    OtherHost,
    RequestUnclear,
)
from opvalue.evidence.broker.head import Head
from opvalue.evidence.exchange import ANYTHING, Request, normalise
from opvalue.identity import Host

ACCEPT: Final = "accept"
API_VERSION: Final = "x-github-api-version"
COMMAND: Final = "opvalue-command"
"""Which command a request is part of, by the name that the stand-in gave it."""

_FRAMING: Final = frozenset({"host", "content-length", "content-type"})
_IGNORED: Final = frozenset({COMMAND, "accept-encoding", "cache-control", "connection", "pragma", "user-agent"})
_ALLOWED: Final = frozenset({ACCEPT, API_VERSION}) | _FRAMING | _IGNORED

_NOTES: Final = {"opvalue:unsupported": CommandUnsupported, "opvalue:broken-pages": BrokenPages}
_PRINTED: Final = "opvalue:printed"
_COMMAND: Final = re.compile("[0-9a-f]{24}")
_NOTE_SHOWN: Final = 1024


class Received(NamedTuple):
    """One whole request, as it came."""

    head: Head
    body: bytes


def note_in(received: Received) -> NotObserved | None:
    """Return what the stand-in says has failed, when the request is such a note."""
    cause = _NOTES.get(received.head.target) if received.head.method == "POST" else None
    if cause is None:
        return None
    text = one_line(received.body.decode("utf-8", "replace")[:_NOTE_SHOWN])
    what = "the stand-in does not do this" if cause is CommandUnsupported else "the pages of an answer do not end"
    return cause(f"{what}: {text}")


def printed_in(received: Received) -> str | None:
    """Return the command that says it has printed all that it read, when the request says that."""
    if (received.head.method, received.head.target) != ("POST", _PRINTED):
        return None
    return received.body.decode("latin-1")


def command_in(received: Received) -> str | None:
    """Return which command a request is part of, where it says so. Raises ``HeaderRefused`` for any other name.

    A name is as short as those that the stand-in gives: they are kept until the command has printed.
    """
    command = received.head.headers.get(COMMAND)
    if command is not None and not _COMMAND.fullmatch(command):
        raise HeaderRefused("a command has an odd name", expected="24 hexadecimal digits", found=repr(command[:60]))
    return command


def request_in(received: Received, host: Host) -> Request:
    """Return the request that is meant, normalised.

    Raises ``HeaderRefused``, ``OtherHost``, ``RequestUnclear`` and the ``RequestRefused`` of ``normalise``. Not judged
    here: whether a posted document only reads, and of whom.
    """
    head = received.head
    _check_headers(head.headers)
    if head.headers.get("host", "").lower() != host.name:
        raise OtherHost(
            "another host than the run's is asked", expected=host.name, found=repr(head.headers.get("host", "")[:100])
        )
    if received.body and head.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise RequestUnclear("a request carries something else than JSON", expected="application/json")
    return normalise(
        head.method,
        head.target,
        host=host,
        accept=head.headers.get(ACCEPT, ANYTHING),
        api_version=head.headers.get(API_VERSION, ""),
        body=received.body,
    )


def one_line(text: str) -> str:
    """Return ``text`` as one printable line."""
    return printable(" ".join(text.split()))


def _check_headers(headers: Mapping[str, str]) -> None:
    refused = sorted(set(headers) - _ALLOWED)
    if refused:
        raise HeaderRefused(
            f"the header {refused[0][:60]} is not passed on", expected="Accept, X-GitHub-Api-Version, or no header"
        )
