"""One made-up GitHub: what it holds, who may read it, and how the n-th request fails. No sockets here.

``handle`` takes one request and returns one answer; ``SimClient`` calls it directly, ``SimServer`` serves it over
loopback. Everything asked of it is kept in ``requests``, so that a test can look for a token where it must not be.
"""

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tests.sim import api, blobs, evidence_api
from tests.sim.wire import Fault, Reply, Request
from tests.sim.world import SimArtifact, SimRepository, SimRun, sha256, zipped

API: Final = "https://api.github.com"
BLOBS: Final = "https://blobs.example"
Rewrite = Callable[[Request, Reply], Reply | None]


@dataclass
class Access:
    """What a token may do."""

    repositories: frozenset[str] | None = None
    """Private repositories it can see, by full name; ``None`` means all."""
    actions: bool = True
    """Whether it may read runs of private repositories and download artifacts at all."""


@dataclass
class Sim:
    """The server's whole state. ``api_origins`` are the origins that count as the API; others are strangers."""

    blob_origin: str = BLOBS
    api_origins: set[str] = field(default_factory=lambda: {API})
    repositories: dict[int, SimRepository] = field(default_factory=dict)
    tokens: dict[str, Access] = field(default_factory=dict)
    faults: dict[int, Fault | Reply] = field(default_factory=dict)
    """By the number of the request, from 1, on whatever host."""
    every_fault: Fault | Reply | None = None
    """For every request that has no fault of its own."""
    rewrites: list[Rewrite] = field(default_factory=list)
    """Each may replace an answer on its way out."""
    requests: list[Request] = field(default_factory=list)
    replies: list[Reply] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._ids = itertools.count(5000)

    # Building the world

    def repository(self, full_name: str = "acme/widgets", *, number: int | None = None, **facts: Any) -> SimRepository:
        """Add a repository."""
        made = SimRepository(full_name, number or next(self._ids), **facts)
        self.repositories[made.id] = made
        return made

    def run(self, repository: SimRepository, number: int = 123, **facts: Any) -> SimRun:
        """Add a run to ``repository``."""
        made = repository.runs[number] = SimRun(number, repository, **facts)
        return made

    def artifact(self, run: SimRun, name: str = "agent", content: bytes | None = None, **facts: Any) -> SimArtifact:
        """Add an artifact to ``run``; its listed digest is the right one unless given."""
        content = zipped() if content is None else content
        facts.setdefault("digest", sha256(content))
        made = SimArtifact(next(self._ids), name, content, **facts)
        run.artifacts.append(made)
        return made

    def token(self, value: str, *, repositories: frozenset[str] | None = None, actions: bool = True) -> str:
        """Let ``value`` be a valid token."""
        self.tokens[value] = Access(repositories, actions)
        return value

    def edit(self, part: str, change: Callable[[Any], Any], *, page: int | None = None) -> None:
        """Let ``change`` replace the JSON document of every answer whose path holds ``part``."""

        def rewrite(request: Request, reply: Reply) -> Reply | None:
            wanted_page = page is None or request.argument("page", "1") == str(page)
            if part not in request.path or not wanted_page or reply.status != 200:
                return None
            return Reply.of(change(reply.json()), reply.status)

        self.rewrites.append(rewrite)

    def answer(self, part: str, reply: Reply) -> None:
        """Answer every request whose path holds ``part`` with ``reply``."""
        self.rewrites.append(lambda request, _: reply if part in request.path else None)

    # Serving

    def handle(self, request: Request) -> Reply:
        """Return the answer to one request."""
        self.requests.append(request)
        fault = self.faults.get(len(self.requests), self.every_fault)
        reply = fault if isinstance(fault, Reply) else self._reply(request)
        if isinstance(fault, Fault):
            reply = reply._replace(fault=fault)
        self.replies.append(reply)
        return reply

    def _reply(self, request: Request) -> Reply:
        if request.origin == self.blob_origin:
            reply = evidence_api.tarball(self, request) or blobs.serve(self.find_artifact, request)
        elif request.origin in self.api_origins:
            reply = api.serve(self, request)
        else:
            reply = Reply(200, {"content-type": "text/html"}, b"<html>a stranger's page</html>")
        for rewrite in self.rewrites:
            reply = rewrite(request, reply) or reply
        return reply

    # Looking back

    def find_artifact(self, number: int) -> tuple[SimRun, SimArtifact] | None:
        """Return the artifact of that id and its run."""
        for repository in self.repositories.values():
            for run in repository.runs.values():
                for artifact in run.artifacts:
                    if artifact.id == number:
                        return run, artifact
        return None

    def find_repository(self, full_name: str) -> tuple[SimRepository | None, bool]:
        """Return the repository of that name, letter case aside, and whether the name is a former one."""
        wanted = full_name.lower()
        for repository in self.repositories.values():
            if repository.full_name.lower() == wanted:
                return repository, False
        for repository in self.repositories.values():
            if wanted in {former.lower() for former in repository.former_names}:
                return repository, True
        return None, False

    def tokens_seen(self) -> Mapping[str, set[str]]:
        """Return every origin that was sent a credential, with the credentials."""
        seen: dict[str, set[str]] = {}
        for request in self.requests:
            if "authorization" in request.headers:
                seen.setdefault(request.origin, set()).add(request.headers["authorization"])
        return seen

    def paths(self) -> list[str]:
        """Return the paths asked for, in order."""
        return [request.path for request in self.requests]
