"""The API's side of the made-up server: who may read what, and which document answers which path."""

import hashlib
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from tests.sim import answers, evidence_api
from tests.sim.call import NOT_FOUND, Call, paged
from tests.sim.wire import Reply, Request
from tests.sim.world import SimArtifact, SimRepository, SimRun

if TYPE_CHECKING:
    from tests.sim.sim import Sim

_ENTERPRISE_PREFIX: Final = "/api/v3"
_REPOSITORY: Final = re.compile(r"/(?:repos/(?P<name>[^/]+/[^/]+)|repositories/(?P<id>[0-9]+))(?P<rest>/.*|)")
_SEARCH_CAP: Final = 1000

BAD_CREDENTIALS: Final = Reply.problem(401, "Bad credentials")
NEEDS_LOGIN: Final = Reply.problem(401, "Requires authentication")
NOT_ACCESSIBLE: Final = Reply.problem(403, "Resource not accessible by personal access token")
GONE: Final = Reply.problem(410, "Artifact has expired")


def serve(sim: "Sim", request: Request) -> Reply:
    """Return the API's answer."""
    enterprise = request.path.startswith(f"{_ENTERPRISE_PREFIX}/")
    path = request.path.removeprefix(_ENTERPRISE_PREFIX) if enterprise else request.path
    root = request.origin + (_ENTERPRISE_PREFIX if enterprise else "")
    found = _REPOSITORY.fullmatch(path)
    if request.token is not None and request.token not in sim.tokens:
        return BAD_CREDENTIALS
    if found is None:
        return evidence_api.serve(sim, request, root, path, lambda repository: _visible(sim, request, repository))
    if request.method != "GET":
        return NOT_FOUND
    if found["name"]:
        repository, former = sim.find_repository(found["name"])
    else:
        repository, former = sim.repositories.get(int(found["id"])), False
    if repository is None or not _visible(sim, request, repository):
        return NOT_FOUND
    if former:
        return _moved(request, f"{root}/repositories/{repository.id}{found['rest']}")
    return _cached(request, _route(sim, request, root, repository, found["rest"]))


def _visible(sim: "Sim", request: Request, repository: SimRepository) -> bool:
    if not repository.private:
        return True
    access = sim.tokens.get(request.token or "")
    return access is not None and (access.repositories is None or repository.full_name in access.repositories)


def _may_read_actions(sim: "Sim", request: Request, repository: SimRepository) -> bool:
    access = sim.tokens.get(request.token or "")
    return not repository.private or (access is not None and access.actions)


def _moved(request: Request, url: str) -> Reply:
    location = f"{url}?{urlencode(request.query)}" if request.query else url
    return Reply.problem(301, "Moved Permanently", location=location)


def _cached(request: Request, reply: Reply) -> Reply:
    if reply.status != 200:
        return reply
    etag = f'W/"{hashlib.sha256(reply.body).hexdigest()}"'
    if request.headers.get("if-none-match") == etag:
        return Reply(304, {"etag": etag})
    return reply.with_header("etag", etag)


def _route(sim: "Sim", request: Request, root: str, repository: SimRepository, rest: str) -> Reply:
    for pattern, handler in _ROUTES:
        found = pattern.fullmatch(rest)
        if found is not None:
            if rest and not _may_read_actions(sim, request, repository):
                return NOT_ACCESSIBLE
            return handler(Call(sim, request, root, repository, found.groups()))
    return evidence_api.route(sim, request, root, repository, rest)


def _repository(call: Call) -> Reply:
    return Reply.of(answers.full_repository(call.root, call.repository))


def _run(call: Call) -> Reply:
    run = call.repository.runs.get(int(call.parts[0]))
    return NOT_FOUND if run is None else Reply.of(answers.workflow_run(call.root, run))


def _attempt(call: Call) -> Reply:
    run = call.repository.runs.get(int(call.parts[0]))
    attempt = int(call.parts[1])
    if run is None or not 1 <= attempt <= run.attempt:
        return NOT_FOUND
    return Reply.of(answers.workflow_run(call.root, run, attempt))


def _artifacts(call: Call) -> Reply:
    run = call.repository.runs.get(int(call.parts[0]))
    if run is None:
        return NOT_FOUND
    name = call.request.argument("name")
    listed = [one for one in run.artifacts if name in {"", one.name}]
    total = len(listed) if run.total_count is None else run.total_count
    return paged(call, "artifacts", listed, total, lambda one: answers.artifact(call.root, run, one))


def _artifact(call: Call) -> Reply:
    found = _find(call)
    return NOT_FOUND if found is None else Reply.of(answers.artifact(call.root, *found))


def _download(call: Call) -> Reply:
    found = _find(call)
    if found is None:
        return NOT_FOUND
    access = call.sim.tokens.get(call.request.token or "")
    if access is None:
        return NEEDS_LOGIN
    if not access.actions:
        return NOT_ACCESSIBLE
    artifact = found[1]
    if artifact.expired or artifact.gone:
        return GONE
    artifact.links += 1
    signature = hashlib.sha256(f"{artifact.id}/{artifact.links}".encode()).hexdigest()
    signed = f"{call.sim.blob_origin}/signed/{artifact.id}/{artifact.links}?sig={signature}&se=2026-09-01T00%3A00%3A00Z"
    return Reply(302, {"location": artifact.link or signed, "content-type": "text/html"})


def _workflow(call: Call) -> Reply:
    for run in call.repository.runs.values():
        if call.parts[0] in {run.path.rsplit("/", 1)[-1], str(run.workflow_id)}:
            return Reply.of(answers.workflow(call.root, run))
    return NOT_FOUND


def _workflow_runs(call: Call) -> Reply:
    wanted = call.parts[0]
    created = call.request.argument("created")
    runs = [
        run
        for run in call.repository.runs.values()
        if wanted in {run.path.rsplit("/", 1)[-1], str(run.workflow_id)} and _within(run.created_at, created)
    ]
    if not runs and not any(wanted == run.path.rsplit("/", 1)[-1] for run in call.repository.runs.values()):
        return NOT_FOUND
    runs.sort(key=lambda run: (run.created_at, run.id), reverse=True)
    shown = runs[:_SEARCH_CAP] if created else runs
    return paged(call, "workflow_runs", shown, len(runs), lambda run: answers.workflow_run(call.root, run))


def _within(created_at: str, span: str) -> bool:
    # Times of one form and zone compare as text.
    first, dots, last = span.partition("..")
    return not dots or first <= created_at <= last


def _find(call: Call) -> tuple[SimRun, SimArtifact] | None:
    found = call.sim.find_artifact(int(call.parts[0]))
    return found if found is not None and found[0].repository is call.repository else None


_ROUTES: Final[tuple[tuple[re.Pattern[str], Callable[[Call], Reply]], ...]] = tuple(
    (re.compile(pattern), handler)
    for pattern, handler in (
        ("", _repository),
        (r"/actions/runs/([0-9]+)", _run),
        (r"/actions/runs/([0-9]+)/attempts/([0-9]+)", _attempt),
        (r"/actions/runs/([0-9]+)/artifacts", _artifacts),
        (r"/actions/artifacts/([0-9]+)", _artifact),
        (r"/actions/artifacts/([0-9]+)/zip", _download),
        (r"/actions/workflows/([^/]+)", _workflow),
        (r"/actions/workflows/([^/]+)/runs", _workflow_runs),
    )
)
