"""``gh auth status`` and ``gh auth token``, of the placeholder the evaluator was given. Nothing is logged in."""

from .failure import Failed, Unsupported
from .flags import SWITCH, TEXT, Flag, parse
from .settings import Settings
from .streams import variable, write

_STATUS = (Flag("active", "a", SWITCH), Flag("hostname", "h", TEXT), Flag("show-token", "t", SWITCH))
_TOKEN = (Flag("hostname", "h", TEXT), Flag("user", "u", TEXT))


def run(words: list[str], settings: Settings) -> None:
    """Carry out ``gh auth`` with these words. Raises ``Failed`` and ``Unsupported``."""
    command = words[0] if words else ""
    if command not in {"status", "token"}:
        raise Unsupported(f"gh {' '.join(['auth', *words])} is not supported by this stand-in for gh")
    given = parse(words[1:], _STATUS if command == "status" else _TOKEN)
    if given.arguments:
        raise Failed(f'unknown command "{given.arguments[0]}" for "gh auth {command}"')
    host = given.text("hostname") or variable("GH_HOST") or settings.host
    token = variable("GH_TOKEN") or variable("GITHUB_TOKEN") or settings.token
    if command == "token":
        write(f"{token}\n".encode("utf-8", "surrogateescape"))
        return
    shown = token if given.switch("show-token") else "*" * len(token)
    lines = (
        f"{host}",
        f"  \u2713 Logged in to {host} account opvalue (GH_TOKEN)",
        "  - Active account: true",
        "  - Git operations protocol: https",
        f"  - Token: {shown}",
    )
    write(("\n".join(lines) + "\n").encode("utf-8", "surrogateescape"))
