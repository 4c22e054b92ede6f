"""Evidence comes by ``gh api`` alone.

Only what ``gh`` asks for is recorded, limited to the declared repositories and replayed. In a regrade there is no
other network: ``curl``, ``wget``, ``npx``, ``ssh``, ``git fetch`` and their like fail, or worse, read something else.

What to do: ask GitHub's API with ``gh api``; for files of a repository, ``gh api repos/OWNER/REPO/contents/PATH``.
"""

from collections.abc import Iterator
from typing import Final

from verifier.findings import Finding, Severity
from verifier.rule import Profile, Rule
from verifier.runs import Runs
from verifier.subject import Subject
from verifier.syntax import Syntax, syntax_of
from verifier.words import template

_PROGRAMS: Final = frozenset(
    [
        "aws",
        "az",
        "bunx",
        "curl",
        "dig",
        "docker",
        "ftp",
        "gcloud",
        "gsutil",
        "host",
        "http",
        "httpie",
        "https",
        "lynx",
        "nc",
        "ncat",
        "netcat",
        "nslookup",
        "npx",
        "npm",
        "openssl",
        "ping",
        "pip",
        "pip3",
        "pipx",
        "pnpm",
        "podman",
        "rsync",
        "scp",
        "sftp",
        "socat",
        "ssh",
        "telnet",
        "uvx",
        "wget",
        "wget2",
        "yarn",
    ]
)
_GIT: Final = frozenset({"clone", "fetch", "ls-remote", "pull", "push"})
_GIT_PAIRS: Final = frozenset({("remote", "show"), ("remote", "update"), ("submodule", "add"), ("submodule", "update")})
_GIT_WITH_VALUE: Final = frozenset({"-C", "-c", "--git-dir", "--work-tree"})
_SOCKETS: Final = ("/dev/tcp/", "/dev/udp/")
_LOCAL: Final = frozenset({("openssl", "dgst"), ("openssl", "enc"), ("openssl", "sha256"), ("openssl", "base64")})
_ADVICE: Final = "Read evidence with `gh api` only; nothing else reaches the network in a regrade, or is recorded."


def check(subject: Subject, runs: Runs) -> Iterator[Finding]:  # noqa: ARG001 - read, not run
    """Yield a finding for each program that goes to the network."""
    syntax = syntax_of(subject)
    for call in syntax.named(*_PROGRAMS):
        first = call.literals()[:1]
        if first and (call.name, first[0]) in _LOCAL:
            continue
        yield RULE.finds(subject, f"{call.name} goes to the network past gh", _ADVICE, at=call.at)
    for call in syntax.named("git"):
        command, *rest = _git_command(call.literals()) or [None]
        if command in _GIT or (command, *rest[:1]) in _GIT_PAIRS:
            yield RULE.finds(subject, f"git {command} goes to the network past gh", _ADVICE, at=call.at)
    yield from _sockets(subject, syntax)


def _git_command(texts: tuple[str | None, ...]) -> list[str | None] | None:
    """Return the command with what follows it, git's own options aside."""
    rest = list(texts)
    while rest:
        text = rest.pop(0)
        if text in _GIT_WITH_VALUE:
            rest = rest[1:]
        elif text is None or not text.startswith("-"):
            return [text, *rest]
    return None


def _sockets(subject: Subject, syntax: Syntax) -> Iterator[Finding]:
    for site in syntax.sites:
        for redirect in site.redirects:
            if template(redirect.target).startswith(_SOCKETS):
                at = site.file.place(redirect.target.start)
                yield RULE.finds(subject, "the redirection opens a network connection past gh", _ADVICE, at=at)


RULE: Final = Rule(
    "static-other-network",
    "evidence comes by gh api alone",
    Profile.QUICK,
    Severity.ERROR,
    __doc__ or "",
    check,
)
