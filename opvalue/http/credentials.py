"""Which token goes to which host, by gh's rule, and to no other (style: tokens and hosts; HB-01).

For github.com, tenants of ghe.com and gh's development host: ``GH_TOKEN``, then ``GITHUB_TOKEN``. For any other
host: ``GH_ENTERPRISE_TOKEN``, then ``GITHUB_ENTERPRISE_TOKEN``. Last, where gh is installed, ``gh auth token``.
An empty variable counts as unset. A host with a port is another host than the one without.

Nothing here is written to a file, and no token travels in an argument or an environment.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NoReturn

from opvalue.errors import OpvalueError
from opvalue.http.errors import TokenMalformed
from opvalue.identity import Host
from opvalue.process import Command, find_program, run

_CLOUD_VARIABLES: Final = ("GH_TOKEN", "GITHUB_TOKEN")
_ENTERPRISE_VARIABLES: Final = ("GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN")

# Where gh keeps its logins, how it finds the user's keyring, and what that needs. No variable that holds a token.
_PASSED_TO_GH: Final = (
    "DBUS_SESSION_BUS_ADDRESS",
    "GH_CONFIG_DIR",
    "HOME",
    "LOGNAME",
    "PATH",
    "USER",
    "XDG_CONFIG_HOME",
    "XDG_RUNTIME_DIR",
)
_QUIET_GH: Final = {"GH_NO_UPDATE_NOTIFIER": "1", "GH_PROMPT_DISABLED": "1", "NO_COLOR": "1"}
_GH_SECONDS: Final = 10.0
_GH_BYTES: Final = 64 * 1024

_TOKEN = re.compile(r"[\x21-\x7e]+")


class Token:
    """A secret that does not show itself: not in ``repr``, ``str`` or a format, and not to ``pickle`` or ``copy``."""

    __slots__ = ("_value", "source")

    def __init__(self, value: str, source: str) -> None:
        self._value = value
        self.source = source
        """Where it was found: a variable's name, or the command."""

    def reveal(self) -> str:
        """Return the secret itself. For the Authorization header of a request to its own host, and nothing else."""
        return self._value

    def __repr__(self) -> str:
        return f"<token from {self.source}>"

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("a token is not copied")


class Credentials:
    """Tokens by host, from a given environment. Each host is looked up once."""

    __slots__ = ("_environ", "_found")

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self._found: dict[Host, Token | None] = {}

    def token_for(self, host: Host) -> Token | None:
        """Return the token for exactly this host, or ``None``. Raises ``TokenMalformed``.

        Not checked: whether the host accepts it.
        """
        if host not in self._found:
            self._found[host] = self._from_variables(host) or self._from_gh(host)
        return self._found[host]

    def looked_for(self, host: Host) -> tuple[str, ...]:
        """Return the variables and the command that are asked for this host's token, in order, for error texts."""
        return (*_variables(host), f"gh auth token --hostname {host}")

    def __repr__(self) -> str:
        return "<credentials>"

    def _from_variables(self, host: Host) -> Token | None:
        for name in _variables(host):
            # A line feed at the end is what reading a secret from a file leaves.
            value = self._environ.get(name, "").strip()
            if not value:
                continue
            if not _TOKEN.fullmatch(value):
                raise TokenMalformed(f"the value of {name} is not a token", expected="one word of printable ASCII")
            return Token(value, name)
        return None

    def _from_gh(self, host: Host) -> Token | None:
        environ = {name: self._environ[name] for name in _PASSED_TO_GH if name in self._environ}
        try:
            program = find_program("gh", self._environ.get("PATH", ""))
            finished = run(
                Command(
                    argv=(str(program), "auth", "token", "--hostname", host.name),
                    cwd=Path("/"),
                    env=environ | _QUIET_GH,
                    seconds=_GH_SECONDS,
                    stream_bytes=_GH_BYTES,
                    name="gh auth token",
                )
            )
        except OpvalueError:
            return None
        value = finished.stdout.decode("ascii", "replace").strip()
        if finished.status != 0 or not _TOKEN.fullmatch(value):
            return None
        return Token(value, f"gh auth token --hostname {host}")


def _variables(host: Host) -> tuple[str, ...]:
    return _CLOUD_VARIABLES if host.is_cloud else _ENTERPRISE_VARIABLES
