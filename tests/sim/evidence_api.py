"""Which document of evidence answers which path: a repository's issues, files, checks, and what searches over all."""

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from tests.sim import answers, evidence_graphql
from tests.sim import evidence_answers as documents
from tests.sim.call import NOT_FOUND, Call, cut, listed, paged
from tests.sim.evidence import MERGE_SHA, SimComment, SimIssue, SimReaction
from tests.sim.wire import Reply, Request
from tests.sim.world import SimRepository

if TYPE_CHECKING:
    from tests.sim.sim import Sim

_RAW: Final = re.compile(r"application/vnd\.github\.(?:v3\.)?raw(?:\+json)?")
_QUALIFIER: Final = re.compile(r'(-?)([a-z]+):("[^"]*"|\S+)|("[^"]*"|\S+)')
_TARBALL: Final = re.compile(r"/codeload/([0-9]+)/([^/]+)")
Visible = Callable[[SimRepository], bool]


def serve(sim: "Sim", request: Request, root: str, path: str, visible: Visible) -> Reply:
    """Answer what belongs to no repository by its path."""
    seen = [repository for repository in sim.repositories.values() if visible(repository)]
    if path == "/graphql" or request.path == "/api/graphql":
        return evidence_graphql.serve(request, root, seen)
    if request.method != "GET":
        return NOT_FOUND
    if path == "/search/issues":
        return _search(request, root, seen)
    return NOT_FOUND


def route(sim: "Sim", request: Request, root: str, repository: SimRepository, rest: str) -> Reply:
    """Answer what lies below a repository, apart from its runs."""
    for pattern, handler in _ROUTES:
        found = pattern.fullmatch(rest)
        if found is not None:
            return handler(Call(sim, request, root, repository, found.groups()))
    return NOT_FOUND


def tarball(sim: "Sim", request: Request) -> Reply | None:
    """Answer for the host that holds tarballs; ``None`` when it is not asked for one."""
    found = _TARBALL.fullmatch(request.path)
    repository = sim.repositories.get(int(found[1])) if found else None
    if repository is None:
        return None
    return Reply(200, {"content-type": "application/x-gzip"}, repository.evidence.tarball)


def _issues(call: Call) -> Reply:
    state = call.request.argument("state", "open")
    since = call.request.argument("since")
    labels = set(filter(None, call.request.argument("labels").split(",")))
    found = [
        one
        for one in _newest(call.repository)
        if state in {"all", one.state} and one.updated_at >= since and labels <= set(one.labels)
    ]
    return listed(call, found, lambda one: documents.issue(call.root, call.repository, one))


def _newest(repository: SimRepository) -> list[SimIssue]:
    return sorted(repository.evidence.issues.values(), key=lambda one: -one.number)


def _issue(call: Call) -> Reply:
    found = _numbered(call)
    return NOT_FOUND if found is None else Reply.of(documents.issue(call.root, call.repository, found))


def _numbered(call: Call) -> SimIssue | None:
    return call.repository.evidence.issues.get(int(call.parts[0]))


def _of_issue(list_it: Callable[[Call, SimIssue], Reply]) -> Callable[[Call], Reply]:
    def handler(call: Call) -> Reply:
        found = _numbered(call)
        return NOT_FOUND if found is None else list_it(call, found)

    return handler


def _comments(call: Call, issue: SimIssue) -> Reply:
    return listed(call, issue.comments, lambda one: documents.comment(call.root, call.repository, issue, one))


def _timeline(call: Call, issue: SimIssue) -> Reply:
    return listed(call, documents.timeline(call.root, call.repository, issue), lambda one: one)


def _events(call: Call, issue: SimIssue) -> Reply:
    numbers = range(len(issue.events))
    return listed(call, numbers, lambda index: documents.event(call.root, call.repository, issue, index))


def _labels(call: Call, issue: SimIssue) -> Reply:
    return listed(call, issue.labels, lambda name: documents.label(call.root, call.repository, name))


def _reactions(call: Call, issue: SimIssue) -> Reply:
    return _listed_reactions(call, issue.reactions)


def _listed_reactions(call: Call, reactions: Sequence[SimReaction]) -> Reply:
    wanted = call.request.argument("content")
    shown = [one for one in reactions if wanted in {"", one.content}]
    return listed(call, shown, lambda one: documents.reaction(call.root, one))


def _all_comments(call: Call) -> Reply:
    pairs = [(issue, one) for issue in call.repository.evidence.issues.values() for one in issue.comments]
    return listed(call, pairs, lambda pair: documents.comment(call.root, call.repository, *pair))


def _comment(call: Call) -> Reply:
    found = _find_comment(call)
    return NOT_FOUND if found is None else Reply.of(documents.comment(call.root, call.repository, *found))


def _comment_reactions(call: Call) -> Reply:
    found = _find_comment(call)
    return NOT_FOUND if found is None else _listed_reactions(call, found[1].reactions)


def _find_comment(call: Call) -> tuple[SimIssue, SimComment] | None:
    for issue in call.repository.evidence.issues.values():
        for comment in issue.comments:
            if comment.id == int(call.parts[0]):
                return issue, comment
    return None


def _pulls(call: Call) -> Reply:
    state = call.request.argument("state", "open")
    found = [one for one in _newest(call.repository) if one.pull is not None and state in {"all", one.state}]
    return listed(call, found, lambda one: documents.pull(call.root, call.repository, one))


def _pull(call: Call) -> Reply:
    found = _numbered(call)
    if found is None or found.pull is None:
        return NOT_FOUND
    return Reply.of(documents.pull(call.root, call.repository, found, full=True))


def _reviews(call: Call, issue: SimIssue) -> Reply:
    if issue.pull is None:
        return NOT_FOUND
    return listed(call, issue.pull.reviews, lambda one: documents.review(call.root, call.repository, issue, one))


def _files(call: Call, issue: SimIssue) -> Reply:
    pull = issue.pull
    if pull is None:
        return NOT_FOUND
    sha = pull.head_sha
    return listed(call, pull.files, lambda name: documents.changed_file(call.root, call.repository, sha, name))


def _pull_commits(call: Call, issue: SimIssue) -> Reply:
    if issue.pull is None:
        return NOT_FOUND
    return listed(call, [issue.pull.head_sha], lambda sha: documents.commit(call.root, call.repository, sha))


def _commit(call: Call) -> Reply:
    sha = MERGE_SHA if call.parts[0] == call.repository.default_branch else call.parts[0]
    if re.fullmatch(r"[0-9a-f]{40}", sha) is None:
        return Reply.problem(422, f"No commit found for SHA: {sha}")
    return Reply.of(documents.commit(call.root, call.repository, sha))


def _checks(call: Call) -> Reply:
    runs = call.repository.evidence.checks.get(call.parts[0], [])
    name = call.request.argument("check_name")
    runs = [one for one in runs if name in {"", one.name}]
    sha = call.parts[0]
    return paged(call, "check_runs", runs, len(runs), lambda one: documents.check(call.root, call.repository, sha, one))


def _contents(call: Call) -> Reply:
    path = call.parts[0].strip("/")
    files = call.repository.evidence.files
    if path in files:
        if _RAW.fullmatch(call.request.headers.get("accept", "")):
            return _raw(files[path])
        return Reply.of(documents.content(call.root, call.repository, path, files[path]))
    prefix = f"{path}/" if path else ""
    below = sorted({name[len(prefix) :].split("/")[0] for name in files if name.startswith(prefix)})
    if not below:
        return NOT_FOUND
    return Reply.of([_listed(call, f"{prefix}{name}") for name in below])


def _listed(call: Call, path: str) -> object:
    data = call.repository.evidence.files.get(path)
    if data is None:
        return documents.folder(call.root, call.repository, path)
    return documents.content(call.root, call.repository, path, data, listed=True)


def _raw(data: bytes) -> Reply:
    return Reply(200, {"content-type": "application/vnd.github.raw; charset=utf-8"}, data)


def _blob(call: Call) -> Reply:
    for data in call.repository.evidence.files.values():
        if documents.blob_id(data) == call.parts[0]:
            if _RAW.fullmatch(call.request.headers.get("accept", "")):
                return _raw(data)
            return Reply.of(documents.blob(call.root, call.repository, data))
    return NOT_FOUND


def _tree(call: Call) -> Reply:
    recursive = bool(call.request.argument("recursive"))
    return Reply.of(documents.tree(call.root, call.repository, recursive=recursive))


def _tarball(call: Call) -> Reply:
    place = f"{call.sim.blob_origin}/codeload/{call.repository.id}/{call.parts[0]}"
    return Reply(302, {"location": place, "content-type": "text/html"})


def _protection(call: Call) -> Reply:
    found = call.repository.evidence.protections.get(call.parts[0])
    if found is None:
        return Reply.problem(404, "Branch not protected")
    return Reply.of(documents.protection(call.root, call.repository, call.parts[0], found))


def _search(request: Request, root: str, repositories: Sequence[SimRepository]) -> Reply:
    query = request.argument("q")
    if not query:
        return Reply.problem(422, "Validation Failed")
    words = _QUALIFIER.findall(query)
    wanted = {text.strip('"').lower() for _, name, text, _ in words if name == "repo"}
    found = [
        (repository, issue)
        for repository in repositories
        if not wanted or repository.full_name.lower() in wanted
        for issue in _newest(repository)
        if all(_matches(issue, *word) for word in words)
    ]
    page, links = cut(request, found)
    incomplete = any(repository.evidence.incomplete for repository in repositories)
    items = [documents.issue(root, repository, issue, score=True) for repository, issue in page]
    document = {"total_count": len(found), "incomplete_results": incomplete, "search_type": "lexical", "items": items}
    reply = Reply.of(document)
    return reply.with_header("link", links) if links else reply


def _matches(issue: SimIssue, minus: str, name: str, text: str, word: str) -> bool:
    text = text.strip('"')
    if name in {"is", "state", "type"}:
        kind = "issue" if issue.pull is None else "pr"
        holds = text in {issue.state, kind, "merged" if issue.pull and issue.pull.merged_at else ""}
    elif name == "label":
        holds = text in issue.labels
    elif name == "author":
        holds = text == issue.user
    elif name in {"repo", "sort", "created", "updated", "in", "org", "user"}:
        return True
    else:
        holds = word.strip('"').lower() in f"{issue.title} {issue.body or ''}".lower()
    return holds is (minus == "")


def _branch(call: Call) -> Reply:
    if call.parts[0] != call.repository.default_branch:
        return Reply.problem(404, "Branch not found")
    name = call.parts[0]
    root = call.root
    url = f"{root}/repos/{call.repository.full_name}/branches/{name}"
    shown = call.repository.evidence.protections.get(name)
    document = {
        "name": name,
        "commit": documents.commit(root, call.repository, MERGE_SHA),
        "_links": {"self": url, "html": f"https://github.com/{call.repository.full_name}/tree/{name}"},
        "protected": shown is not None,
        "protection": {"enabled": shown is not None},
        "protection_url": f"{url}/protection",
    }
    return Reply.of(document)


def _ref(call: Call) -> Reply:
    if call.parts[0] != call.repository.default_branch:
        return NOT_FOUND
    url = f"{call.root}/repos/{call.repository.full_name}/git"
    document = {
        "ref": f"refs/heads/{call.parts[0]}",
        "node_id": answers.node_id("Ref", 1),
        "url": f"{url}/refs/heads/{call.parts[0]}",
        "object": {"sha": MERGE_SHA, "type": "commit", "url": f"{url}/commits/{MERGE_SHA}"},
    }
    return Reply.of(document)


_ROUTES: Final[tuple[tuple[re.Pattern[str], Callable[[Call], Reply]], ...]] = tuple(
    (re.compile(pattern), handler)
    for pattern, handler in (
        (r"/issues", _issues),
        (r"/issues/comments", _all_comments),
        (r"/issues/comments/([0-9]+)", _comment),
        (r"/issues/comments/([0-9]+)/reactions", _comment_reactions),
        (r"/issues/([0-9]+)", _issue),
        (r"/issues/([0-9]+)/comments", _of_issue(_comments)),
        (r"/issues/([0-9]+)/timeline", _of_issue(_timeline)),
        (r"/issues/([0-9]+)/events", _of_issue(_events)),
        (r"/issues/([0-9]+)/labels", _of_issue(_labels)),
        (r"/issues/([0-9]+)/reactions", _of_issue(_reactions)),
        (r"/pulls", _pulls),
        (r"/pulls/([0-9]+)", _pull),
        (r"/pulls/([0-9]+)/reviews", _of_issue(_reviews)),
        (r"/pulls/([0-9]+)/files", _of_issue(_files)),
        (r"/pulls/([0-9]+)/commits", _of_issue(_pull_commits)),
        (r"/commits/([^/]+)", _commit),
        (r"/commits/([^/]+)/check-runs", _checks),
        (r"/contents(/.*|)", _contents),
        (r"/git/blobs/([0-9a-f]{40})", _blob),
        (r"/git/trees/([^/]+)", _tree),
        (r"/git/ref/heads/([^/]+)", _ref),
        (r"/tarball/([^/]+)", _tarball),
        (r"/branches/([^/]+)", _branch),
        (r"/branches/([^/]+)/protection", _protection),
    )
)
