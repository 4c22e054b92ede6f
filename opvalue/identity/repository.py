"""Hosts and repositories, and the spellings git remotes and ``--repo`` give them.

Names compare without regard to letter case, as GitHub's do. Not known here: renames and numeric ids.
"""

import re
from typing import Final, NamedTuple, Self
from urllib.parse import urlsplit

from opvalue.errors import Kind, OpvalueError

_HOST = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[0-9]{1,5})?")
# Old accounts may end in a hyphen.
_OWNER = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
_NAME = re.compile(r"[A-Za-z0-9._-]{1,100}")
_SCP = re.compile(r"(?:[A-Za-z0-9._-]+@)?(?P<host>[A-Za-z0-9.-]+):(?!/)(?P<path>.+)")
# The URL parser drops tabs and line feeds, and git and browsers disagree on backslashes.
_NOT_IN_A_URL = re.compile(r"[\x00-\x20\x7f\\]")
_MAX_PORT = 65_535
_SCHEMES = frozenset({"https", "http", "ssh", "git", "git+ssh"})
_DEFAULT_PORTS: Final = {"https": 443, "http": 80, "ssh": 22, "git+ssh": 22, "git": 9418}

# The names under which a host's git service also answers on the port of HTTPS.
_SSH_OVER_HTTPS: Final = {"ssh.github.com": "github.com", "altssh.github.com": "github.com"}


class RepositoryRefused(OpvalueError):
    """A repository that is not ``OWNER/REPO`` or ``HOST/OWNER/REPO``."""

    code = "identity.repository"
    kind = Kind.USAGE
    advice = "Write OWNER/REPO, or HOST/OWNER/REPO for another host than github.com."


class Host(NamedTuple):
    """A GitHub host by name, in lower case, such as ``github.com`` or ``ghe.example.com``."""

    name: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the host ``text`` names. Raises ``RepositoryRefused``."""
        name, _, port = text.partition(":")
        if not _HOST.fullmatch(text) or ".." in text or not 0 < int(port or 1) <= _MAX_PORT:
            raise RepositoryRefused(f"{text[:80]!r} is not a host name", expected="a name such as github.com")
        # The port every web address has anyway does not make another host.
        return cls((name if port and int(port) == _DEFAULT_PORTS["https"] else text).lower())

    @property
    def server_url(self) -> str:
        """The web address, without a trailing slash. Plain HTTP for GitHub's own development host only."""
        return f"{'http' if self == LOCALHOST else 'https'}://{self.name}"

    @property
    def api_url(self) -> str:
        """The REST root: its own host for github.com and tenants of ghe.com, ``/api/v3`` elsewhere."""
        if self == LOCALHOST:
            return f"http://api.{self.name}"
        if self.is_cloud:
            return f"https://api.{self.name}"
        return f"{self.server_url}/api/v3"

    @property
    def graphql_url(self) -> str:
        """The GraphQL address."""
        if self.is_cloud:
            return f"{self.api_url}/graphql"
        return f"{self.server_url}/api/graphql"

    @property
    def is_cloud(self) -> bool:
        """Whether GitHub runs it: github.com, a tenant of ghe.com, or the development host that stands for them."""
        return self in {GITHUB, LOCALHOST} or self.name.endswith(".ghe.com")

    def __str__(self) -> str:
        return self.name


GITHUB: Final = Host("github.com")
LOCALHOST: Final = Host("github.localhost")
"""The development host that gh knows as well: a name below ``localhost``, so it never leaves the machine."""


class Repository(NamedTuple):
    """One repository on one host. ``owner`` and ``name`` keep the spelling they were given in."""

    host: Host
    owner: str
    name: str

    @classmethod
    def parse(cls, text: str, *, default_host: Host = GITHUB) -> Self:
        """Read ``OWNER/REPO`` or ``HOST/OWNER/REPO``. Raises ``RepositoryRefused``."""
        parts = text.split("/")
        if len(parts) not in {2, 3}:
            raise RepositoryRefused(f"{text[:80]!r} is not a repository", expected="[HOST/]OWNER/REPO")
        host = Host.parse(parts[0]) if len(parts) == 3 else default_host
        owner, name = parts[-2:]
        if not _OWNER.fullmatch(owner) or not _NAME.fullmatch(name) or name in {".", ".."}:
            raise RepositoryRefused(f"{text[:80]!r} is not a repository", expected="[HOST/]OWNER/REPO")
        return cls(host, owner, name)

    @classmethod
    def from_remote(cls, url: str) -> Self | None:
        """Return the repository a git remote's URL names, or ``None`` for a local path or another form."""
        location = _location(url.strip())
        if location is None:
            return None
        host, path = location
        slug = path.strip("/").removesuffix(".git")
        # A lone name after a host without dots would otherwise read as OWNER/REPO.
        if slug.count("/") != 1:
            return None
        try:
            return cls.parse(f"{host}/{slug}")
        except RepositoryRefused:
            return None

    @property
    def slug(self) -> str:
        """``OWNER/REPO``."""
        return f"{self.owner}/{self.name}"

    def same_as(self, other: "Repository") -> bool:
        """Tell whether both are one repository by host and name, letter case aside."""
        return self.host == other.host and self.slug.lower() == other.slug.lower()

    def __str__(self) -> str:
        return self.slug if self.host == GITHUB else f"{self.host}/{self.slug}"


def _location(url: str) -> tuple[str, str] | None:
    if _NOT_IN_A_URL.search(url):
        return None
    if "://" not in url:
        scp = _SCP.fullmatch(url)
        return (scp["host"], scp["path"]) if scp else None
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in _SCHEMES or not parts.hostname or parts.query or parts.fragment:
        return None
    # A port of the git transport says nothing of the web host, except for the web's own schemes.
    web = parts.scheme in {"https", "http"}
    shown = f":{port}" if web and port not in {None, _DEFAULT_PORTS[parts.scheme]} else ""
    return _SSH_OVER_HTTPS.get(parts.hostname, parts.hostname) + shown, parts.path
