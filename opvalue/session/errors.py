"""Why a session is not read or redacted. One class a cause."""

from opvalue.errors import Kind, OpvalueError


class TooManySecrets(OpvalueError):
    """More masks and named secrets than are looked for: the session cannot be redacted, so it is not written."""

    code = "session.too-many-secrets"
    kind = Kind.REFUSED
    advice = "Look at what prints ::add-mask:: in this run. A session is never written half redacted."
