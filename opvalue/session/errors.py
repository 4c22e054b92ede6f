"""Why a session is not read or redacted. One class a cause."""

from typing import Final

from opvalue.errors import Kind, OpvalueError

_WITHOUT: Final = (
    "opvalue session validate lists what is wrong; opvalue session redact SESSION -o FILE --skip-malformed writes the "
    "session without such lines."
)


class TooManySecrets(OpvalueError):
    """More masks and named secrets than are looked for: the session cannot be redacted, so it is not written."""

    code = "session.too-many-secrets"
    kind = Kind.REFUSED
    advice = "Look at what prints ::add-mask:: in this run. A session is never written half redacted."


class SessionRefused(OpvalueError):
    """Base of every refusal to read a session. Nothing was graded."""

    kind = Kind.REFUSED


class LineMalformed(SessionRefused):
    """A line is not one strict JSON document in UTF-8, and not the last one broken off, which is dropped."""

    code = "session.line-malformed"
    advice = _WITHOUT


class NotAnEvent(SessionRefused):
    """A line is JSON and no event: no object, or without a dotted type, a data object or a provenance object."""

    code = "session.not-an-event"
    advice = "Give a unified session (usage/aw_session.jsonl); other traces are not read."


class LineTooLong(SessionRefused):
    """A line of the session, or an element of the array, is longer than any event is let be."""

    code = "session.line-too-long"
    advice = f"An event this long is not read into memory. {_WITHOUT}"


class SessionTooLarge(SessionRefused):
    """A session that comes through a pipe, or from a device, is larger than is read in this way: it may have no end."""

    code = "session.too-large"
    advice = "Look at what writes it. A session that is a file of its own may be of any size."


class ArrayMalformed(SessionRefused):
    """A session that begins as a JSON array does not go on as one: no comma, no end, or something after its end."""

    code = "session.array-malformed"
    advice = "Give one JSON array of events, or one event a line."


class SessionEncoding(SessionRefused):
    """The session begins with a byte order mark, or is UTF-16 or UTF-32."""

    code = "session.encoding"
    advice = "Save the session as UTF-8 without a byte order mark."


class SessionTooVaried(SessionRefused):
    """More different tool names, sources, scopes or questions than are kept apart: no number would be right."""

    code = "session.too-varied"
    advice = "No run has this many. Look at what wrote the session."


def room(there: int, most: int, what: str) -> None:
    """Refuse one more of ``what`` where there are ``most`` already. Raises ``SessionTooVaried``."""
    if there >= most:
        raise SessionTooVaried(f"the session has too many {what}", expected=f"at most {most}")
