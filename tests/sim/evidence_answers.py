"""The documents of evidence, in the shape of GitHub's OpenAPI description. Pure."""

import base64
import hashlib
from collections.abc import Sequence
from typing import Any, Final

from tests.sim.answers import full_repository, node_id, owner
from tests.sim.evidence import OPENED_AT, SimCheck, SimComment, SimIssue, SimPull, SimReaction, SimReview
from tests.sim.world import SimRepository

_REACTIONS: Final = ("+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes")
_TREE: Final = "7d" * 20


def user(root: str, login: str) -> dict[str, Any]:
    """``simple-user``, a person or a bot."""
    return {**owner(root, login), "type": "Bot" if login.endswith("[bot]") else "User"}


def blob_id(content: bytes) -> str:
    """Return the name git gives a blob."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def _address(root: str, repository: SimRepository, path: str) -> str:
    return f"{root}/repos/{repository.full_name}{path}"


def _web(repository: SimRepository, path: str) -> str:
    return f"https://github.com/{repository.full_name}{path}"


def reaction_counts(url: str, reactions: Sequence[SimReaction]) -> dict[str, Any]:
    """``reaction-rollup``."""
    contents = [reaction.content for reaction in reactions]
    counts = {name: contents.count(name) for name in _REACTIONS}
    return {"url": f"{url}/reactions", "total_count": len(contents), **counts}


def label(root: str, repository: SimRepository, name: str) -> dict[str, Any]:
    """``label``."""
    number = sum(name.encode())
    return {
        "id": number,
        "node_id": node_id("Label", number),
        "url": _address(root, repository, f"/labels/{name}"),
        "name": name,
        "color": "d73a4a",
        "default": name == "bug",
        "description": f"What is {name}",
    }


def issue(root: str, repository: SimRepository, found: SimIssue, *, score: bool = False) -> dict[str, Any]:
    """``issue``; with ``score`` as a search lists it."""
    url = _address(root, repository, f"/issues/{found.number}")
    kind = "issues" if found.pull is None else "pull"
    paths = {"labels_url": "/labels{/name}", "comments_url": "/comments", "events_url": "/events"}
    document = {
        "url": url,
        "repository_url": _address(root, repository, ""),
        **{key: url + path for key, path in paths.items()},
        "html_url": _web(repository, f"/{kind}/{found.number}"),
        "id": 70_000 + found.number,
        "node_id": node_id("Issue", 70_000 + found.number),
        "number": found.number,
        "title": found.title,
        "user": user(root, found.user),
        "labels": [label(root, repository, name) for name in found.labels],
        "state": found.state,
        "locked": False,
        "assignee": None,
        "assignees": [],
        "milestone": None,
        "comments": len(found.comments),
        "created_at": found.created_at,
        "updated_at": found.updated_at,
        "closed_at": found.closed_at,
        "author_association": "MEMBER",
        "active_lock_reason": None,
        "body": found.body,
        "reactions": reaction_counts(url, found.reactions),
        "timeline_url": f"{url}/timeline",
        "performed_via_github_app": None,
        "state_reason": found.state_reason,
        **({"score": 1.0} if score else {}),
    }
    if found.pull is not None:
        document["draft"] = found.pull.draft
        document["pull_request"] = _pull_links(root, repository, found, found.pull)
    return document


def _pull_links(root: str, repository: SimRepository, found: SimIssue, pull: SimPull) -> dict[str, Any]:
    web = _web(repository, f"/pull/{found.number}")
    return {
        "url": _address(root, repository, f"/pulls/{found.number}"),
        "html_url": web,
        "diff_url": f"{web}.diff",
        "patch_url": f"{web}.patch",
        "merged_at": pull.merged_at,
    }


def comment(root: str, repository: SimRepository, on: SimIssue, found: SimComment) -> dict[str, Any]:
    """``issue-comment``."""
    url = _address(root, repository, f"/issues/comments/{found.id}")
    return {
        "url": url,
        "html_url": _web(repository, f"/issues/{on.number}#issuecomment-{found.id}"),
        "issue_url": _address(root, repository, f"/issues/{on.number}"),
        "id": found.id,
        "node_id": node_id("IssueComment", found.id),
        "user": user(root, found.user),
        "created_at": found.created_at,
        "updated_at": found.created_at,
        "author_association": "NONE",
        "body": found.body,
        "reactions": reaction_counts(url, found.reactions),
        "performed_via_github_app": None,
    }


def reaction(root: str, found: SimReaction) -> dict[str, Any]:
    """``reaction``."""
    return {
        "id": found.id,
        "node_id": node_id("Reaction", found.id),
        "user": user(root, found.user),
        "content": found.content,
        "created_at": found.created_at,
    }


def event(root: str, repository: SimRepository, on: SimIssue, index: int) -> dict[str, Any]:
    """``issue-event``, also as the timeline shows it."""
    number = on.number * 1000 + index
    found = on.events[index]
    return {
        "id": number,
        "node_id": node_id("IssueEvent", number),
        "url": _address(root, repository, f"/issues/events/{number}"),
        "created_at": OPENED_AT,
        "commit_id": None,
        "commit_url": None,
        "performed_via_github_app": None,
        **found,
        "actor": user(root, found.get("actor", "mona")),
    }


def timeline(root: str, repository: SimRepository, on: SimIssue) -> list[dict[str, Any]]:
    """Return events and comments in order of time, as the timeline mixes them."""
    events = [event(root, repository, on, index) for index in range(len(on.events))]
    comments = [
        {
            "event": "commented",
            "actor": user(root, one.user),
            **comment(root, repository, on, one),
            "author_association": "NONE",
        }
        for one in on.comments
    ]
    return sorted([*events, *comments], key=lambda one: str(one["created_at"]))


def _side(root: str, repository: SimRepository, ref: str, sha: str) -> dict[str, Any]:
    # A full repository is what a simple pull request holds as well.
    return {
        "label": f"{repository.owner}:{ref}",
        "ref": ref,
        "sha": sha,
        "user": user(root, repository.owner),
        "repo": full_repository(root, repository),
    }


def pull(root: str, repository: SimRepository, found: SimIssue, *, full: bool = False) -> dict[str, Any]:
    """``pull-request-simple``, or with ``full`` ``pull-request``."""
    made = found.pull or SimPull()
    url = _address(root, repository, f"/pulls/{found.number}")
    links = {
        "self": url,
        "html": _web(repository, f"/pull/{found.number}"),
        "issue": _address(root, repository, f"/issues/{found.number}"),
        "comments": _address(root, repository, f"/issues/{found.number}/comments"),
        "review_comments": f"{url}/comments",
        "review_comment": _address(root, repository, "/pulls/comments{/number}"),
        "commits": f"{url}/commits",
        "statuses": _address(root, repository, f"/statuses/{made.head_sha}"),
    }
    shared = issue(root, repository, found)
    names = ("title", "user", "body", "labels", "milestone", "state", "locked", "assignee", "created_at", "updated_at")
    document = {
        **_pull_links(root, repository, found, made),
        "id": 80_000 + found.number,
        "node_id": node_id("PullRequest", 80_000 + found.number),
        "number": found.number,
        **{name: shared[name] for name in (*names, "assignees", "closed_at", "active_lock_reason")},
        "issue_url": links["issue"],
        "commits_url": links["commits"],
        "review_comments_url": links["review_comments"],
        "review_comment_url": links["review_comment"],
        "comments_url": links["comments"],
        "statuses_url": links["statuses"],
        "merge_commit_sha": made.merge_commit_sha,
        "requested_reviewers": [],
        "requested_teams": [],
        "head": _side(root, repository, made.head_ref, made.head_sha),
        "base": _side(root, repository, repository.default_branch, "0" * 40),
        "_links": {name: {"href": href} for name, href in links.items()},
        "author_association": "MEMBER",
        "auto_merge": None,
        "draft": made.draft,
    }
    return {**document, **_merged(root, found, made)} if full else document


def _merged(root: str, found: SimIssue, made: SimPull) -> dict[str, Any]:
    return {
        "merged": made.merged_at is not None,
        "mergeable": None if made.merged_at else True,
        "rebaseable": None if made.merged_at else True,
        "mergeable_state": "unknown" if made.merged_at else "clean",
        "merged_by": user(root, "hubot") if made.merged_at else None,
        "comments": len(found.comments),
        "review_comments": 0,
        "maintainer_can_modify": False,
        "commits": 1,
        "additions": 10,
        "deletions": 2,
        "changed_files": len(made.files),
    }


def review(root: str, repository: SimRepository, on: SimIssue, found: SimReview) -> dict[str, Any]:
    """``pull-request-review``."""
    web = _web(repository, f"/pull/{on.number}#pullrequestreview-{found.id}")
    pull_url = _address(root, repository, f"/pulls/{on.number}")
    return {
        "id": found.id,
        "node_id": node_id("PullRequestReview", found.id),
        "user": user(root, found.user),
        "body": found.body,
        "state": found.state,
        "html_url": web,
        "pull_request_url": pull_url,
        "author_association": "MEMBER",
        "_links": {"html": {"href": web}, "pull_request": {"href": pull_url}},
        "submitted_at": found.submitted_at,
        "commit_id": found.commit_id,
    }


def changed_file(root: str, repository: SimRepository, sha: str, name: str) -> dict[str, Any]:
    """``diff-entry``."""
    return {
        "sha": blob_id(name.encode()),
        "filename": name,
        "status": "modified",
        "additions": 5,
        "deletions": 1,
        "changes": 6,
        "blob_url": _web(repository, f"/blob/{sha}/{name}"),
        "raw_url": _web(repository, f"/raw/{sha}/{name}"),
        "contents_url": _address(root, repository, f"/contents/{name}?ref={sha}"),
        "patch": "@@ -1 +1 @@\n-old\n+new",
    }


def commit(root: str, repository: SimRepository, sha: str) -> dict[str, Any]:
    """``commit``."""
    url = _address(root, repository, f"/commits/{sha}")
    person = {"name": "Mona", "email": "mona@example.com", "date": OPENED_AT}
    return {
        "url": url,
        "sha": sha,
        "node_id": node_id("Commit", int(sha[:8], 16)),
        "html_url": _web(repository, f"/commit/{sha}"),
        "comments_url": f"{url}/comments",
        "commit": {
            "url": _address(root, repository, f"/git/commits/{sha}"),
            "author": person,
            "committer": person,
            "message": "Fix the crash\n\nCloses #1",
            "comment_count": 0,
            "tree": {"sha": _TREE, "url": _address(root, repository, f"/git/trees/{_TREE}")},
            "verification": {
                "verified": False,
                "reason": "unsigned",
                "payload": None,
                "signature": None,
                "verified_at": None,
            },
        },
        "author": user(root, "mona"),
        "committer": user(root, "mona"),
        "parents": [],
    }


def content(root: str, repository: SimRepository, path: str, data: bytes, *, listed: bool = False) -> dict[str, Any]:
    """``content-file``; ``listed`` in a folder, where the content itself is left out."""
    url = _address(root, repository, f"/contents/{path}?ref={repository.default_branch}")
    blob = blob_id(data)
    web = _web(repository, f"/blob/{repository.default_branch}/{path}")
    git = _address(root, repository, f"/git/blobs/{blob}")
    document: dict[str, Any] = {
        "name": path.rsplit("/", 1)[-1],
        "path": path,
        "sha": blob,
        "size": len(data),
        "url": url,
        "html_url": web,
        "git_url": git,
        "download_url": f"https://raw.example/{repository.full_name}/{repository.default_branch}/{path}",
        "type": "file",
    }
    if not listed:
        # encodebytes breaks lines after 60 characters of base64, as GitHub does.
        document |= {"content": _base64(data), "encoding": "base64"}
    return {**document, "_links": {"self": url, "git": git, "html": web}}


def folder(root: str, repository: SimRepository, path: str) -> dict[str, Any]:
    """Return one folder as a listing shows it."""
    document = content(root, repository, path, path.encode(), listed=True)
    return {**document, "type": "dir", "size": 0, "download_url": None}


def blob(root: str, repository: SimRepository, data: bytes) -> dict[str, Any]:
    """``blob``."""
    name = blob_id(data)
    return {
        "sha": name,
        "node_id": node_id("Blob", len(data)),
        "size": len(data),
        "url": _address(root, repository, f"/git/blobs/{name}"),
        "content": _base64(data),
        "encoding": "base64",
    }


def _base64(data: bytes) -> str:
    text = base64.b64encode(data).decode()
    return "".join(f"{text[start : start + 60]}\n" for start in range(0, len(text), 60))


def tree(root: str, repository: SimRepository, *, recursive: bool) -> dict[str, Any]:
    """``git-tree`` of the default branch."""
    files = repository.evidence.files
    folders = {path.rsplit("/", depth)[0] for path in files for depth in range(1, path.count("/") + 1)}
    entries = [_entry(root, repository, path, data) for path, data in files.items()]
    entries += [_entry(root, repository, path, None) for path in folders]
    shown = [entry for entry in entries if recursive or "/" not in entry["path"]]
    shown.sort(key=lambda entry: str(entry["path"]))
    return {
        "sha": _TREE,
        "url": _address(root, repository, f"/git/trees/{_TREE}"),
        "tree": shown,
        "truncated": False,
    }


def _entry(root: str, repository: SimRepository, path: str, data: bytes | None) -> dict[str, Any]:
    if data is None:
        sha = blob_id(path.encode())
        url = _address(root, repository, f"/git/trees/{sha}")
        return {"path": path, "mode": "040000", "type": "tree", "sha": sha, "url": url}
    sha = blob_id(data)
    url = _address(root, repository, f"/git/blobs/{sha}")
    return {"path": path, "mode": "100644", "type": "blob", "sha": sha, "size": len(data), "url": url}


def check(root: str, repository: SimRepository, sha: str, found: SimCheck) -> dict[str, Any]:
    """``check-run``."""
    url = _address(root, repository, f"/check-runs/{found.id}")
    return {
        "id": found.id,
        "name": found.name,
        "node_id": node_id("CheckRun", found.id),
        "head_sha": sha,
        "external_id": "",
        "url": url,
        "html_url": _web(repository, f"/runs/{found.id}"),
        "details_url": _web(repository, f"/runs/{found.id}"),
        "status": found.status,
        "conclusion": found.conclusion,
        "started_at": OPENED_AT,
        "completed_at": OPENED_AT if found.status == "completed" else None,
        "output": {
            "title": None,
            "summary": None,
            "text": None,
            "annotations_count": 0,
            "annotations_url": f"{url}/annotations",
        },
        "check_suite": {"id": 1},
        "app": _app(root, found.app),
        "pull_requests": [],
    }


def _app(root: str, slug: str) -> dict[str, Any]:
    return {
        "id": 15368,
        "slug": slug,
        "node_id": node_id("App", 15368),
        "owner": owner(root, "github"),
        "name": "GitHub Actions",
        "description": None,
        "external_url": "https://help.github.com",
        "html_url": f"https://github.com/apps/{slug}",
        "created_at": "2018-07-30T09:30:17Z",
        "updated_at": "2024-04-10T20:33:16Z",
        "permissions": {"checks": "write"},
        "events": ["push"],
    }


def protection(root: str, repository: SimRepository, branch: str, found: dict[str, Any]) -> dict[str, Any]:
    """``branch-protection``."""
    url = _address(root, repository, f"/branches/{branch}/protection")
    return {
        "url": url,
        "required_status_checks": {
            "url": f"{url}/required_status_checks",
            "strict": True,
            "contexts": found["contexts"],
            "contexts_url": f"{url}/required_status_checks/contexts",
            "checks": [{"context": name, "app_id": None} for name in found["contexts"]],
        },
        "required_pull_request_reviews": {
            "url": f"{url}/required_pull_request_reviews",
            "dismiss_stale_reviews": False,
            "require_code_owner_reviews": False,
            "required_approving_review_count": found["reviews"],
        },
        "enforce_admins": {"url": f"{url}/enforce_admins", "enabled": found["admins"]},
        "allow_force_pushes": {"enabled": False},
        "allow_deletions": {"enabled": False},
    }
