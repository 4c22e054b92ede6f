"""The REST endpoints that evaluators call: which things a path asks for. Pure.

A path that is not known here is answered with a plain object or, where its last part is a plural, with a list.
"""

import re
from typing import Final

from opvalue.evidence.exchange import Request
from verifier.simulated import builds
from verifier.simulated.asked import in_range, query_of
from verifier.simulated.lists import below, issues, listed, pulls, rows
from verifier.simulated.reply import Asked, Builder, Reply, wrapped
from verifier.simulated.searches import search_reply
from verifier.simulated.setting import ISSUE, PULL, Setting
from verifier.simulated.things import Thing, Things

MANY: Final = 130
"""Items of a list where pages are to be turned."""
FEW: Final = 6


def answer(setting: Setting, seed: int, request: Request, *, many: int = FEW) -> Reply:
    """Return the reply to a GET."""
    query = query_of(request)
    path = request.path.removesuffix("/")
    if path.startswith("/search/"):
        return search_reply(setting, seed, path, query, many)
    name, rest = _repository(path, setting)
    things = Things(setting, seed, name)
    for pattern, builder in _ROUTES:
        found = pattern.fullmatch(rest)
        if found is not None:
            return builder(Asked(things, found.groups(""), query, many, request.accept))
    return _unknown(things, rest or path)


def _repository(path: str, setting: Setting) -> tuple[str, str]:
    found = re.match(r"/repos/([^/]+/[^/]+)(.*)", path)
    if found is not None:
        return found[1], found[2]
    found = re.match(r"/repositories/\d+(.*)", path)
    return setting.repository, path if found is None else found[1]


# Builders


def _contents(asked: Asked) -> Reply:
    path, ref = asked.parts[0], asked.query.get("ref", "main")
    found = builds.content(asked.things, path, ref)
    if "raw" in asked.accept and isinstance(found, dict):
        return Reply(raw=builds.file_bytes(asked.things, path, ref))
    return Reply(found)


def _commits(asked: Asked) -> Reply:
    path = asked.query.get("path")
    return listed((builds.commit(asked.things, place, path=path) for place in range(asked.many)), asked.query)


def _checks(asked: Asked) -> Reply:
    wanted = asked.query.get("check_name")
    runs = [builds.check_run(asked.things, place, asked.parts[0]) for place in range(asked.many)]
    runs = [{**one, "name": wanted} for one in runs[:1]] if wanted else runs
    return wrapped("check_runs", runs)


def _statuses(asked: Asked) -> Reply:
    statuses = [builds.status(asked.things, place) for place in range(3)]
    return Reply({"state": statuses[0]["state"], "sha": asked.parts[0], "total_count": 3, "statuses": statuses})


def _runs(asked: Asked) -> Reply:
    query = asked.query
    known = {"event": "event", "branch": "head_branch", "head_sha": "head_sha"}
    wanted = {known[key]: value for key, value in query.items() if key in known}
    if query.get("status") in {"success", "failure", "cancelled", "skipped"}:
        wanted["conclusion"] = query["status"]
    runs = [builds.workflow_run(asked.things, place, **wanted) for place in range(asked.many)]
    created = query.get("created")
    runs = [one for one in runs if created is None or in_range(one["created_at"], created)]
    return wrapped("workflow_runs", sorted(runs, key=lambda one: str(one["created_at"]), reverse=True))


def _run(asked: Asked) -> Reply:
    number = asked.parts[0]
    place = 0 if number == asked.things.setting.run_id else 2
    return Reply(builds.workflow_run(asked.things, place, id=int(number)))


def _review_comment(things: Things, place: int, number: int) -> Thing:
    return {
        **things.comment(place, number),
        "path": things.files()[0],
        "line": 3,
        "pull_request_review_id": 8_000 + place,
    }


def _unknown(things: Things, rest: str) -> Reply:
    if rest.rsplit("/", 1)[-1].endswith("s"):
        return listed(({**things.comment(place, ISSUE), "name": things.title(place)} for place in range(FEW)), {})
    return Reply({**things.comment(0, ISSUE), "name": things.title(0), "state": "open", "login": things.login(0)})


def _route(pattern: str, builder: Builder) -> tuple["re.Pattern[str]", Builder]:
    return re.compile(pattern.replace("N", r"(\d{1,12})").replace("X", r"([^/]+)").replace("*", r"(.*)")), builder


_ROUTES: Final = (
    _route("", lambda a: Reply(a.things.repository())),
    _route("/issues", issues),
    _route("/issues/N", lambda a: Reply(a.things.issue(int(a.parts[0])))),
    _route("/issues/N/timeline", lambda a: Reply(a.things.timeline(int(a.parts[0])), paged=True)),
    _route("/issues/N/events", lambda a: Reply(a.things.events(int(a.parts[0])), paged=True)),
    _route(
        "/issues/events",
        lambda a: Reply([{**one, "issue": a.things.issue(ISSUE)} for one in a.things.events(ISSUE)], paged=True),
    ),
    _route("/issues/N/comments", below(Things.comment)),
    _route("/issues/N/labels", lambda a: Reply(a.things.issue(int(a.parts[0]))["labels"], paged=True)),
    _route("/issues/comments", rows(lambda t, i: t.comment(i, ISSUE))),
    _route("/issues/comments/N", lambda a: Reply({**a.things.comment(0, ISSUE), "id": int(a.parts[0])})),
    _route(
        "(?:/issues/N|/issues/comments/N|/pulls/comments/N|/comments/N|/releases/N)/reactions", rows(Things.reaction)
    ),
    _route("/pulls", pulls),
    _route("/pulls/N", lambda a: Reply(a.things.pull(int(a.parts[0])))),
    _route("/pulls/N/reviews", below(Things.review)),
    _route("/pulls/N/comments", below(_review_comment)),
    _route("/pulls/comments", rows(lambda t, i: _review_comment(t, i, PULL))),
    _route("/pulls/N/commits", lambda a: Reply([builds.commit(a.things, i) for i in range(3)], paged=True)),
    _route(
        "/pulls/N/merge",
        lambda a: (
            Reply(status=204)
            if a.things.pull(int(a.parts[0]))["merged"]
            else Reply({"message": "Not Found"}, status=404)
        ),
    ),
    _route(
        "/pulls/N/files",
        lambda a: Reply(
            [builds.changed_file(a.things, i, name) for i, name in enumerate(a.things.files())], paged=True
        ),
    ),
    _route("/pulls/N/requested_reviewers", lambda a: Reply({"users": [a.things.user("mona")], "teams": []})),
    _route("/commits", _commits),
    _route("/commits/X", lambda a: Reply(builds.commit(a.things, 0, sha=_sha(a)))),
    _route(
        "/git/commits/X", lambda a: Reply({"sha": a.parts[0], **builds.commit(a.things, 0, sha=a.parts[0])["commit"]})
    ),
    _route("/commits/X/pulls", lambda a: Reply([a.things.pull(PULL)], paged=True)),
    _route("/commits/X/check-runs", _checks),
    _route(
        "/commits/X/check-suites",
        lambda a: wrapped("check_suites", [builds.check_run(a.things, i, a.parts[0]) for i in range(2)]),
    ),
    _route("/commits/X/status", _statuses),
    _route("/commits/X/statuses|/statuses/X", rows(builds.status)),
    _route("/compare/*", lambda a: Reply(builds.compare(a.things, *_two(a.parts[0])))),
    _route("/contents/?*", _contents),
    _route("/readme", lambda a: Reply(builds.content(a.things, "README.md", "main"))),
    _route("/git/blobs/X", lambda a: Reply(builds.blob(a.things, a.parts[0]))),
    _route("/git/trees/*", lambda a: Reply(builds.tree(a.things, a.parts[0]))),
    _route(
        "/git/(?:ref|refs|matching-refs)/*",
        lambda a: Reply({"ref": f"refs/{a.parts[0]}", "object": {"type": "commit", "sha": a.things.setting.sha}}),
    ),
    _route(
        "/tags|/branches",
        lambda a: Reply(
            [{"name": name, "commit": {"sha": a.things.setting.sha}} for name in ("v1.2.0", "main")], paged=True
        ),
    ),
    _route(
        "/branches/X", lambda a: Reply({"name": a.parts[0], "protected": True, "commit": builds.commit(a.things, 0)})
    ),
    _route("/branches/X/protection", lambda a: Reply(builds.protection(a.things))),
    _route(
        "/branches/X/protection/required_status_checks",
        lambda a: Reply(builds.protection(a.things)["required_status_checks"]),
    ),
    _route("/actions/runs", _runs),
    _route("/actions/workflows/X/runs", _runs),
    _route("/actions/runs/N", _run),
    _route("/actions/runs/N/attempts/N", _run),
    _route(
        "/actions/runs/N(?:/attempts/N)?/jobs",
        lambda a: wrapped("jobs", [builds.job(a.things, i, a.parts[0]) for i in range(3)]),
    ),
    _route("/actions/jobs/N", lambda a: Reply(builds.job(a.things, 0, "1"))),
    _route(
        "/actions/runs/N/artifacts|/actions/artifacts",
        lambda a: wrapped("artifacts", [builds.artifact(a.things, i) for i in range(3)]),
    ),
    _route(
        "/actions/workflows",
        lambda a: wrapped(
            "workflows",
            [
                {
                    "id": 77,
                    "name": a.things.setting.workflow,
                    "state": "active",
                    "path": f".github/workflows/{a.things.setting.workflow_id}.lock.yml",
                }
            ],
        ),
    ),
    _route("/releases", rows(builds.release, key="created_at")),
    _route("/releases/(?:latest|N|tags/X)", lambda a: Reply(builds.release(a.things, 0))),
    _route("/labels", lambda a: Reply([a.things.label(name) for name in a.things.label_names(0)], paged=True)),
    _route("/labels/X", lambda a: Reply(a.things.label(a.parts[0]))),
    _route("/languages", lambda _: Reply({"Go": 1000, "Shell": 50})),
)


def _sha(asked: Asked) -> str:
    ref = asked.parts[0]
    return ref if re.fullmatch(r"[0-9a-f]{7,40}", ref) else asked.things.sha("head", ref)


def _two(text: str) -> tuple[str, str]:
    base, _, head = text.partition("...")
    return base, head
