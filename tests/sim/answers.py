"""The documents the made-up API answers with, in the shape of GitHub's OpenAPI description. Pure."""

import base64
from typing import Any, Final

from tests.sim.world import SimArtifact, SimRepository, SimRun

_OWNER_PATHS: Final = {
    "events_url": "events{/privacy}",
    "followers_url": "followers",
    "following_url": "following{/other_user}",
    "gists_url": "gists{/gist_id}",
    "organizations_url": "orgs",
    "received_events_url": "received_events",
    "repos_url": "repos",
    "starred_url": "starred{/owner}{/repo}",
    "subscriptions_url": "subscriptions",
}
_REPOSITORY_PATHS: Final = {
    "archive_url": "{archive_format}{/ref}",
    "assignees_url": "assignees{/user}",
    "blobs_url": "git/blobs{/sha}",
    "branches_url": "branches{/branch}",
    "collaborators_url": "collaborators{/collaborator}",
    "comments_url": "comments{/number}",
    "commits_url": "commits{/sha}",
    "compare_url": "compare/{base}...{head}",
    "contents_url": "contents/{+path}",
    "contributors_url": "contributors",
    "deployments_url": "deployments",
    "downloads_url": "downloads",
    "events_url": "events",
    "forks_url": "forks",
    "git_commits_url": "git/commits{/sha}",
    "git_refs_url": "git/refs{/sha}",
    "git_tags_url": "git/tags{/sha}",
    "hooks_url": "hooks",
    "issue_comment_url": "issues/comments{/number}",
    "issue_events_url": "issues/events{/number}",
    "issues_url": "issues{/number}",
    "keys_url": "keys{/key_id}",
    "labels_url": "labels{/name}",
    "languages_url": "languages",
    "merges_url": "merges",
    "milestones_url": "milestones{/number}",
    "notifications_url": "notifications{?since,all,participating}",
    "pulls_url": "pulls{/number}",
    "releases_url": "releases{/id}",
    "stargazers_url": "stargazers",
    "statuses_url": "statuses/{sha}",
    "subscribers_url": "subscribers",
    "subscription_url": "subscription",
    "tags_url": "tags",
    "teams_url": "teams",
    "trees_url": "git/trees{/sha}",
}


def node_id(kind: str, number: int) -> str:
    """Return an opaque id such as GraphQL uses."""
    return base64.b64encode(f"{len(kind):03}:{kind}{number}".encode()).decode()


def owner(root: str, login: str) -> dict[str, Any]:
    """``simple-user``."""
    url = f"{root}/users/{login}"
    return {
        "login": login,
        "id": 1000 + sum(login.encode()),
        "node_id": node_id("User", 1000 + sum(login.encode())),
        "avatar_url": f"https://avatars.example/u/{login}",
        "gravatar_id": "",
        "url": url,
        "html_url": f"https://github.com/{login}",
        **{key: f"{url}/{path}" for key, path in _OWNER_PATHS.items()},
        "type": "Organization",
        "user_view_type": "public",
        "site_admin": False,
    }


def minimal_repository(root: str, repository: SimRepository) -> dict[str, Any]:
    """``minimal-repository``, as runs carry it."""
    url = f"{root}/repos/{repository.full_name}"
    return {
        "id": repository.id,
        "node_id": node_id("Repository", repository.id),
        "name": repository.name,
        "full_name": repository.full_name,
        "private": repository.private,
        "owner": owner(root, repository.owner),
        "html_url": f"https://github.com/{repository.full_name}",
        "description": None,
        "fork": repository.fork,
        "url": url,
        **{key: f"{url}/{path}" for key, path in _REPOSITORY_PATHS.items()},
    }


def full_repository(root: str, repository: SimRepository) -> dict[str, Any]:
    """``full-repository``."""
    counts = ("forks", "forks_count", "open_issues", "open_issues_count", "stargazers_count", "watchers")
    switches = ("has_issues", "has_projects", "has_wiki", "has_pages", "has_discussions", "has_downloads")
    web = f"https://github.com/{repository.full_name}"
    return {
        **minimal_repository(root, repository),
        **dict.fromkeys((*counts, "watchers_count", "network_count", "subscribers_count", "size"), 0),
        **dict.fromkeys(switches, True),
        "default_branch": repository.default_branch,
        "clone_url": f"{web}.git",
        "git_url": f"git:{web.removeprefix('https:')}.git",
        "ssh_url": f"git@github.com:{repository.full_name}.git",
        "svn_url": web,
        "homepage": None,
        "language": None,
        "license": None,
        "mirror_url": None,
        "archived": False,
        "disabled": False,
        "created_at": "2025-01-01T00:00:00Z",
        "updated_at": "2026-08-01T00:00:00Z",
        "pushed_at": "2026-08-01T00:00:00Z",
    }


def _head_commit(sha: str) -> dict[str, Any]:
    person = {"name": "Mona", "email": "mona@example.com"}
    return {
        "id": sha,
        "tree_id": sha[::-1],
        "message": "Change",
        "timestamp": "2026-08-20T09:00:00Z",
        "author": person,
        "committer": person,
    }


def _pull_request(root: str, run: SimRun) -> list[dict[str, Any]]:
    if run.pull_request is None:
        return []
    repository = {
        "id": run.repository.id,
        "url": f"{root}/repos/{run.repository.full_name}",
        "name": run.repository.name,
    }
    return [
        {
            "id": 9000 + run.pull_request,
            "number": run.pull_request,
            "url": f"{root}/repos/{run.repository.full_name}/pulls/{run.pull_request}",
            "head": {"ref": run.head_branch, "sha": run.head_sha, "repo": repository},
            "base": {"ref": run.repository.default_branch, "sha": "0" * 40, "repo": repository},
        }
    ]


def workflow(root: str, run: SimRun) -> dict[str, Any]:
    """``workflow``, the one a run is of."""
    file = run.path.rsplit("/", 1)[-1]
    web = f"https://github.com/{run.repository.full_name}"
    return {
        "id": run.workflow_id,
        "node_id": node_id("Workflow", run.workflow_id),
        "name": run.name,
        "path": run.path,
        "state": "active",
        "created_at": run.created_at,
        "updated_at": run.created_at,
        "url": f"{root}/repos/{run.repository.full_name}/actions/workflows/{run.workflow_id}",
        "html_url": f"{web}/blob/main/{run.path}",
        "badge_url": f"{web}/workflows/{file}/badge.svg",
    }


def workflow_run(root: str, run: SimRun, attempt: int | None = None) -> dict[str, Any]:
    """``workflow-run``, at its latest attempt or the one named."""
    attempt = run.attempt if attempt is None else attempt
    url = f"{root}/repos/{run.repository.full_name}/actions/runs/{run.id}"
    head = run.head_repository or run.repository
    return {
        "id": run.id,
        "name": run.name,
        "node_id": node_id("WorkflowRun", run.id),
        "head_branch": run.head_branch,
        "head_sha": run.head_sha,
        "path": run.path,
        "display_title": run.name,
        "run_number": run.id % 1000,
        "run_attempt": attempt,
        "event": run.event,
        "status": run.status,
        "conclusion": run.conclusion,
        "workflow_id": run.workflow_id,
        "check_suite_id": run.id + 1,
        "check_suite_node_id": node_id("CheckSuite", run.id + 1),
        "url": url,
        "html_url": f"https://github.com/{run.repository.full_name}/actions/runs/{run.id}",
        "pull_requests": _pull_request(root, run),
        "created_at": run.created_at,
        "updated_at": run.run_started_at,
        "actor": owner(root, "mona"),
        "triggering_actor": owner(root, "mona"),
        "run_started_at": run.run_started_at,
        "referenced_workflows": run.referenced_workflows,
        **{f"{part}_url": f"{url}/{part}" for part in ("jobs", "logs", "artifacts", "cancel", "rerun")},
        "check_suite_url": f"{root}/repos/{run.repository.full_name}/check-suites/{run.id + 1}",
        "previous_attempt_url": f"{url}/attempts/{attempt - 1}" if attempt > 1 else None,
        "workflow_url": f"{root}/repos/{run.repository.full_name}/actions/workflows/{run.workflow_id}",
        "head_commit": _head_commit(run.head_sha),
        "repository": minimal_repository(root, run.repository),
        "head_repository": None if run.head_repository_gone else minimal_repository(root, head),
        **run.earlier.get(attempt, {}),
    }


def artifact(root: str, run: SimRun, found: SimArtifact) -> dict[str, Any]:
    """``artifact``."""
    url = f"{root}/repos/{run.repository.full_name}/actions/artifacts/{found.id}"
    head = run.head_repository or run.repository
    return {
        "id": found.id,
        "node_id": node_id("Artifact", found.id),
        "name": found.name,
        "size_in_bytes": len(found.content),
        "url": url,
        "archive_download_url": f"{url}/zip",
        "expired": found.expired,
        **({"digest": found.digest} if found.has_digest else {}),
        "created_at": found.created_at,
        "updated_at": found.created_at,
        "expires_at": found.expires_at,
        "workflow_run": {
            "id": run.id,
            "repository_id": run.repository.id,
            "head_repository_id": head.id,
            "head_branch": run.head_branch or "",
            "head_sha": run.head_sha,
        },
    }
