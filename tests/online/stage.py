"""One run that lies at the made-up GitHub, regraded by asking there: in process, over loopback, by a real process."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from opvalue.cache import ArtifactCache
from opvalue.evaluator import Runner
from opvalue.github import GitHub
from opvalue.http import Client, Credentials, HttpxClient
from opvalue.identity import GITHUB, Host, Instant, Repository, RunRef
from opvalue.limits import Limits
from opvalue.regrade import Regraded, RegradeRequest
from opvalue.regrade.document import Document
from opvalue.regrade.online import Server, regrade_online
from opvalue.strictjson import loads_object
from tests.sim import PROXIED_HOST, Sim, SimArtifact, SimClient, SimServer
from tests.support.canary import CANARY, Hunt
from tests.support.world import NOW, World

if TYPE_CHECKING:
    from opvalue.errors import OpvalueError

RUN_ID: Final = 123456
EVIDENCE_AT: Final = "2026-08-25T00:00:00Z"
_WIDGETS: Final = Repository.parse("acme/widgets")
UNCONFINED: Final = Runner(sandboxed=False)
WATCHED: Final = Path(__file__).parent / "watched.py"


class Stage:
    """``world`` as the made-up GitHub shows it: repository 42, run 123456 at the recorded commit, no artifact yet."""

    def __init__(self, world: World, **facts: Any) -> None:
        self.world = world
        self.sim = Sim()
        self.sim.token(CANARY)
        self.repository = self.sim.repository("acme/widgets", number=42)
        usual: dict[str, Any] = {
            "event": world.subject["eventName"],
            "head_sha": world.commit,
            "created_at": world.subject["createdAt"],
        }
        self.run = self.sim.run(self.repository, RUN_ID, **{**usual, **facts})
        self.cache = ArtifactCache(world.root / "cache")
        self.problems: list[OpvalueError] = []
        self.told: list[str] = []

    def upload(self, name: str = "agent", content: bytes | None = None, **facts: Any) -> SimArtifact:
        """Let the run have an artifact: as the world's records are now, unless ``content`` is given."""
        return self.sim.artifact(self.run, name, self.zipped() if content is None else content, **facts)

    def zipped(self) -> bytes:
        """Return the artifact that the world's records make now."""
        return self.world.artifact().read_bytes()

    def record(self, **subject: Any) -> None:
        """Change what the archive records of the run."""
        self.world.subject.update(subject)

    def attempt(self, number: int) -> None:
        """Let the archive be of another attempt."""
        self.world.results["run"]["attempt"] = self.world.subject["attempt"] = number

    def client(self, token: str | None = CANARY, host: Host = GITHUB) -> SimClient:
        """Return a client without sockets."""
        return SimClient(self.sim, _environ(token, host), host=host)

    def regrade(
        self,
        evidence_at: str = EVIDENCE_AT,
        *,
        client: Client | None = None,
        api_url: str | None = None,
        refresh: bool = False,
        runner: Runner = UNCONFINED,
        now: Instant = NOW,
        limits: Limits | None = None,
        **changes: Any,
    ) -> Regraded:
        """Regrade the run by what the made-up GitHub says, over loopback unless a client is given.

        ``changes`` are fields of the request.
        """
        if client is None and changes.get("repository", _WIDGETS).host == GITHUB:
            with self.loopback() as over:
                more: dict[str, Any] = {"refresh": refresh, "runner": runner, "now": now, "limits": limits}
                return over(evidence_at, **more, **changes)
        asked: dict[str, Any] = {
            "run": RunRef(str(RUN_ID)),
            "evidence_at": evidence_at,
            "checkout": self.world.repository.path,
            "repository": _WIDGETS,
            **changes,
        }
        request = RegradeRequest(**asked)
        host = request.repository.host if request.repository is not None else GITHUB
        github = GitHub(client or self.client(host=host), host, api_url=api_url)
        regraded = regrade_online(
            request,
            Server(github, self.cache, refresh),
            now=now,
            runner=runner,
            limits=limits,
            tell=self.told.append,
            warn=self.problems.append,
        )
        Document.model_validate(json.loads(regraded.to_json()))
        return regraded

    @contextmanager
    def loopback(self, token: str | None = CANARY, **how: Any) -> Iterator[Callable[..., Regraded]]:
        """Serve over loopback, and give what regrades there with the real client."""
        limits = how.pop("limits", Limits())
        waits: list[float] = how.pop("waits", [])
        with SimServer(self.sim) as server:
            roots = {GITHUB: server.api_url}
            credentials = Credentials(_environ(token, GITHUB))
            with HttpxClient(credentials, api_origins=roots, sleep=waits.append, limits=limits, **how) as client:
                yield lambda *args, **more: self.regrade(*args, client=client, api_url=server.api_url, **more)

    def asked(self) -> list[str]:
        """Return what the API and its store were asked for, in order, shortened."""
        return [path.removeprefix("/repos/acme/widgets/actions") for path in self.sim.paths()]


class Ended(NamedTuple):
    """How a real process ended."""

    status: int
    out: str
    err: str

    @property
    def document(self) -> dict[str, Any]:
        """Standard output, which is one JSON document and nothing else."""
        assert self.out.endswith("}\n")
        found: dict[str, Any] = loads_object(self.out.encode(), what="standard output")
        return found

    @property
    def error(self) -> dict[str, Any]:
        """The failure in it."""
        found: dict[str, Any] = self.document["error"]
        return found


class Program:
    """The real program in a process of its own, before a made-up GitHub that it reaches through a proxy."""

    def __init__(self, folder: Path, hunt: Hunt) -> None:
        self.folder = folder
        self.hunt = hunt
        self.temporary = folder / "temporary"
        self.cache = folder / "cache"
        self.temporary.mkdir()
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "TMPDIR": str(self.temporary),
            "OPVALUE_CACHE_DIR": str(self.cache),
            "GH_HOST": PROXIED_HOST,
            "GH_TOKEN": CANARY,
        }

    def start(self, *argv: str, **how: Any) -> "subprocess.Popen[bytes]":
        """Start ``opvalue`` with ``argv``, watched. ``env`` adds to the environment."""
        program = [sys.executable, "-P", str(WATCHED), str(self.folder / "seen"), *argv]
        env = {**self.env, **how.pop("env", {})}
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **how}
        with self.hunt.entrusting():
            return subprocess.Popen(program, cwd=self.folder, env=env, **streams)

    def run(self, *argv: str, **how: Any) -> Ended:
        """Run it to its end; nothing it made may stay but what was asked for."""
        with self.start(*argv, **how) as process:
            out, err = process.communicate(timeout=90)
        self.check((out or b"") + (err or b""))
        return Ended(process.returncode, (out or b"").decode(), (err or b"").decode())

    def check(self, output: bytes) -> None:
        """Hunt in what the process said, and in what it did."""
        self.hunt.search("the program's output", output)
        seen = self.folder / "seen"
        if seen.exists():
            for line in seen.read_text().splitlines():
                self.hunt.search("what the program did", json.loads(line))
        assert list(self.temporary.iterdir()) == [], "temporary files stayed"


def development_world(root: Path) -> World:
    """Return a run of last year's at GitHub's development host: the real program knows no time but the present."""
    world = World(root, year=2025)
    world.repository("remote", "set-url", "origin", f"http://{PROXIED_HOST}/acme/widgets.git")
    return world


def _environ(token: str | None, host: Host) -> Mapping[str, str]:
    # Without a PATH no gh is found to be asked for a token.
    name = "GH_TOKEN" if host.is_cloud else "GH_ENTERPRISE_TOKEN"
    return {"PATH": "", **({name: token} if token else {})}
