"""The stand-in laid out for a test as an evaluator meets it, and the real gh before the same made-up GitHub."""

import os
import shutil
import stat
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from opvalue.evaluator import PLACEHOLDER_TOKEN
from opvalue.evidence.gh import stand_in
from opvalue.identity import Host, Repository
from opvalue.identity.repository import LOCALHOST
from tests.evidence.gh.bridge import Bridge
from tests.sim import PROXIED_HOST, Sim, SimServer

GH: Final = shutil.which("gh")
JQ: Final = Path(shutil.which("jq") or "/usr/bin/jq")
BASH: Final = Path("/bin/bash")
_SECONDS: Final = 60


class Ran(NamedTuple):
    """How a command ended."""

    status: int
    out: bytes
    err: bytes

    @property
    def first_line(self) -> bytes:
        """The first line of standard error."""
        return self.err.partition(b"\n")[0]


class StandInHere(NamedTuple):
    """A stand-in in its folder, its broker listening."""

    folder: Path
    bridge: Bridge
    env: Mapping[str, str]

    def __call__(self, *argv: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> Ran:
        return self.run([str(self.folder / "stand-in" / "gh"), *argv], stdin, env)

    def shell(self, script: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> Ran:
        """Run Bash with the stand-in first on its path."""
        return self.run([str(BASH), "-c", script], stdin, env)

    def run(self, argv: list[str], stdin: bytes, env: Mapping[str, str] | None) -> Ran:
        """Run a command in the scratch folder with the evaluator's environment."""
        return _run(argv, self.folder / "scratch", {**self.env, **(env or {})}, stdin)


def lay(folder: Path, *, host: Host = LOCALHOST, jq: Path = JQ, python: Path | None = None, branch: str = "") -> Path:
    """Lay the stand-in out below ``folder``; return the program's path."""
    for name in ("stand-in", "broker", "scratch"):
        (folder / name).mkdir(parents=True)
    made = stand_in(host=host, repository=Repository.parse("acme/widgets"), jq=jq, python=python, branch=branch)
    for name, data in made.files:
        path = folder / "stand-in" / name
        path.write_bytes(data)
        path.chmod(stat.S_IRUSR | (stat.S_IXUSR if data.startswith(b"#!") else 0))
    return folder / "stand-in" / "gh"


@contextmanager
def standing_in(
    sim: Sim,
    folder: Path,
    *,
    host: Host = LOCALHOST,
    jq: Path = JQ,
    python: Path | None = None,
    branch: str = "",
) -> Iterator[StandInHere]:
    """Lay a stand-in whose broker asks ``sim``."""
    lay(folder, host=host, jq=jq, python=python, branch=branch)
    env = {
        "PATH": f"{folder / 'stand-in'}:{os.environ['PATH']}",
        "HOME": str(folder / "scratch"),
        "LC_ALL": "C",
        "GH_HOST": host.name,
        "GH_TOKEN": PLACEHOLDER_TOKEN,
    }
    with Bridge(sim, folder / "broker", host) as bridge:
        yield StandInHere(folder, bridge, env)


class RealGh(NamedTuple):
    """The real gh before a made-up GitHub."""

    folder: Path
    env: Mapping[str, str]

    def __call__(self, *argv: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> Ran:
        return _run([GH or "gh", *argv], self.folder, {**self.env, **(env or {})}, stdin)


@contextmanager
def real_gh(sim: Sim, folder: Path) -> Iterator[RealGh]:
    """Let the real gh ask ``sim`` over loopback. Its repository is named, since it has no checkout to look at."""
    folder.mkdir(parents=True)
    with SimServer(sim, proxied=True) as server:
        env = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "LC_ALL": "C",
            "GH_HOST": PROXIED_HOST,
            "GH_TOKEN": PLACEHOLDER_TOKEN,
            "GH_REPO": "acme/widgets",
            "HTTP_PROXY": server.proxy_url,
            "GH_NO_UPDATE_NOTIFIER": "1",
        }
        yield RealGh(folder, env)


def _run(argv: list[str], folder: Path, env: Mapping[str, str], stdin: bytes) -> Ran:
    finished = subprocess.run(
        argv, cwd=folder, env=dict(env), input=stdin, capture_output=True, timeout=_SECONDS, check=False
    )
    return Ran(finished.returncode, finished.stdout, finished.stderr)
