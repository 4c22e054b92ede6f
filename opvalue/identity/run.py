"""Which run is meant: an id, or a run's web address (DESIGN 4; AW-06). Ids stay text from end to end (BS-06)."""

import re
from typing import NamedTuple, Self
from urllib.parse import urlsplit

from opvalue.errors import Kind, OpvalueError
from opvalue.identity.repository import Repository, RepositoryRefused

_ID = re.compile(r"[1-9][0-9]{0,18}")
_BLANK_OR_CONTROL = re.compile(r"[\x00-\x20\x7f]")
_MAX_ID = 2**63 - 1
_PATH = re.compile(
    r"/(?P<owner>[^/]+)/(?P<name>[^/]+)/actions/runs/(?P<id>[^/]+)(?:/attempts/(?P<attempt>[^/]+)|/job/[^/]+)?/?"
)


class RunRefRefused(OpvalueError):
    """A run that is neither a positive id nor the address of a run."""

    code = "identity.run"
    kind = Kind.USAGE
    advice = "Give the run's number, or its address, such as https://github.com/OWNER/REPO/actions/runs/123."


class RunRef(NamedTuple):
    """A run as the user named it. ``repository`` and ``attempt`` are known only when the address held them."""

    run_id: str
    repository: Repository | None = None
    attempt: int | None = None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a run id or a run URL. Raises ``RunRefRefused``."""
        if "/" not in text:
            return cls(_run_id(text))
        # The URL parser drops tabs and line feeds, and would join what they part.
        if _BLANK_OR_CONTROL.search(text):
            raise _refused(text)
        try:
            parts = urlsplit(text)
        except ValueError:
            raise _refused(text) from None
        found = _PATH.fullmatch(parts.path)
        if found is None:
            raise _refused(text)
        try:
            repository = Repository.parse(f"{parts.netloc}/{found['owner']}/{found['name']}")
        except RepositoryRefused:
            raise _refused(text) from None
        if parts.scheme not in {"https", repository.host.server_url.partition(":")[0]}:
            raise _refused(text)
        attempt = int(_run_id(found["attempt"])) if found["attempt"] else None
        return cls(_run_id(found["id"]), repository, attempt)


def _run_id(text: str) -> str:
    if not _ID.fullmatch(text) or int(text) > _MAX_ID:
        raise _refused(text)
    return text


def _refused(text: str) -> RunRefRefused:
    return RunRefRefused(
        f"{text[:80]!r} is not a run", expected="a positive number, or https://HOST/OWNER/REPO/actions/runs/NUMBER"
    )
