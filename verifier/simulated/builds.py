"""Commits, files, checks, workflow runs and releases of a made-up repository. Pure."""

import base64
import hashlib
import json
from typing import Any, Final

from verifier.simulated.things import Thing, Things
from verifier.simulated.words import API, WEB

_CONCLUSIONS: Final = ("success", "success", "failure", "skipped", "success")
_LARGEST: Final = 150_000
ENTRIES: Final = (
    "README.md",
    "src/app.go",
    "src/engine.go",
    "src/store.go",
    "src/app_test.go",
    "docs/guide.md",
    ".github/workflows/ci.yml",
)
"""What trees list."""


def commit(things: Things, place: int, *, sha: str | None = None, path: str | None = None) -> Thing:
    """``commit``."""
    sha = sha or things.sha("commit", place)
    time = things.when(things.phase(place), "commit", place)
    login = things.login(place)
    person = {"name": login, "email": f"{login}@example.com", "date": time}
    return {
        "sha": sha,
        "node_id": f"C_{sha[:8]}",
        "url": f"{API}/repos/{things.name}/commits/{sha}",
        "html_url": f"{WEB}/{things.name}/commit/{sha}",
        "commit": {
            "author": person,
            "committer": person,
            "message": f"{things.title(place)}\n\n{things.text(place)}",
            "tree": {"sha": things.sha("tree", sha)},
            "verification": {"verified": False, "reason": "unsigned"},
        },
        "author": things.user(login),
        "committer": things.user(login),
        "parents": [{"sha": things.sha("commit", place + 1)}],
        "stats": {"total": 12, "additions": 10, "deletions": 2},
        "files": [
            changed_file(things, index, name) for index, name in enumerate([path] if path else things.files()[:3])
        ],
    }


def changed_file(things: Things, place: int, name: str) -> Thing:
    """``diff-entry``."""
    status = ("modified", "added", "removed")[place % 3]
    return {
        "sha": things.sha("file", name),
        "filename": name,
        "status": status,
        "additions": 5,
        "deletions": 1,
        "changes": 6,
        "patch": "@@ -1,2 +1,3 @@\n line\n-old\n+new\n+more",
    }


def file_bytes(things: Things, path: str, ref: str) -> bytes:
    """Return a file's content: of the kind its name says, longer or shorter by the ref."""
    count = 40 + things.draw("lines", path, ref).below(900)
    if path.endswith(".json"):
        return json.dumps({"name": path, "count": count, "items": [{"id": 1}], "coverage": 0.8}).encode()
    if path.endswith((".yml", ".yaml")):
        return b"name: ci\non: push\npermissions:\n  contents: read\n"
    if path.endswith(".md"):
        return (
            "\n".join([f"# {path}", "", things.text(0), *(f"Line {number}" for number in range(count))]).encode()
            + b"\n"
        )
    return "".join(f"line_{number}\n" for number in range(count)).encode()


def content(things: Things, path: str, ref: str) -> Thing | list[Thing]:
    """``content-file``, or the list of a folder where the path looks like one."""
    if (
        path
        and "." not in path.rsplit("/", 1)[-1]
        and path.rsplit("/", 1)[-1] not in {"CODEOWNERS", "LICENSE", "Makefile"}
    ):
        return [_listed(things, f"{path}/{name}", ref) for name in ("README.md", "app.go", "app_test.go")]
    data = file_bytes(things, path, ref)
    return {**_listed(things, path, ref), "content": base64.encodebytes(data).decode(), "encoding": "base64"}


def _listed(things: Things, path: str, ref: str) -> Thing:
    data = file_bytes(things, path, ref)
    return {
        "name": path.rsplit("/", 1)[-1],
        "path": path,
        "sha": hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest(),
        "size": len(data),
        "type": "file",
        "url": f"{API}/repos/{things.name}/contents/{path}?ref={ref}",
        "download_url": f"https://raw.githubusercontent.com/{things.name}/{ref}/{path}",
    }


def blob(things: Things, sha: str) -> Thing:
    """``blob``."""
    data = file_bytes(things, "blob.txt", sha)
    return {"sha": sha, "size": len(data), "content": base64.encodebytes(data).decode(), "encoding": "base64"}


def tree(things: Things, sha: str) -> Thing:
    """``git-tree``, all levels."""
    names = dict.fromkeys([*things.files(), *ENTRIES])
    entries: list[Thing] = [
        {
            "path": name,
            "mode": "100644",
            "type": "blob",
            "size": 200 + things.draw("size", name, sha).below(_LARGEST),
            "sha": things.sha("file", name),
        }
        for name in names
    ]
    folders = {name.rpartition("/")[0] for name in names if "/" in name}
    entries += [
        {"path": one, "mode": "040000", "type": "tree", "sha": things.sha("tree", one)} for one in sorted(folders)
    ]
    return {"sha": sha, "tree": sorted(entries, key=lambda entry: str(entry["path"])), "truncated": False}


def compare(things: Things, base: str, head: str) -> Thing:
    """``commit-comparison``."""
    commits = [commit(things, place) for place in range(3)]
    files = [changed_file(things, place, name) for place, name in enumerate(things.files())]
    return {
        "url": f"{API}/repos/{things.name}/compare/{base}...{head}",
        "status": "ahead",
        "ahead_by": 3,
        "behind_by": 0,
        "total_commits": 3,
        "base_commit": commit(things, 9),
        "merge_base_commit": commit(things, 9),
        "commits": commits,
        "files": files,
    }


def check_run(things: Things, place: int, sha: str) -> Thing:
    """``check-run``."""
    names = (*things.hints.of("check", "name"), "build", "test", "lint")
    started = things.when(things.phase(place), "check", place)
    return {
        "id": 300 + place,
        "name": names[place % len(names)],
        "head_sha": sha,
        "status": "completed",
        "conclusion": _CONCLUSIONS[(place + things.seed) % 5],
        "started_at": started,
        "completed_at": started,
        "app": {"id": 15368, "slug": "github-actions", "name": "GitHub Actions"},
        "check_suite": {"id": 1},
        "output": {"title": None, "summary": None, "annotations_count": 0},
    }


def status(things: Things, place: int) -> Thing:
    """``status``."""
    time = things.when(things.phase(place), "status", place)
    state = ("success", "failure", "pending")[(place + things.seed) % 3]
    return {"id": 400 + place, "context": f"ci/{place}", "state": state, "created_at": time, "updated_at": time}


def workflow_run(things: Things, place: int, **more: Any) -> Thing:
    """``workflow-run``."""
    setting = things.setting
    mine = place == 0
    time = str(setting.created).replace(".000Z", "Z") if mine else things.when(things.phase(place), "run", place)
    number = int(setting.run_id) + place
    return {
        "id": number,
        "name": setting.workflow if place % 2 == 0 else "CI",
        "node_id": f"WFR_{number}",
        "path": f".github/workflows/{setting.workflow_id if place % 2 == 0 else 'ci'}.lock.yml",
        "workflow_id": 77,
        "run_number": 10 + place,
        "run_attempt": 1,
        "event": ("schedule", "push", "workflow_dispatch", "pull_request")[place % 4],
        "status": "completed",
        "conclusion": _CONCLUSIONS[(place + things.seed) % 5],
        "head_branch": "main",
        "head_sha": setting.sha if mine else things.sha("commit", place),
        "display_title": things.title(place),
        "created_at": time,
        "run_started_at": time,
        "updated_at": time,
        "html_url": f"{WEB}/{things.name}/actions/runs/{number}",
        "actor": things.user(things.login(place)),
        "pull_requests": [],
        "repository": things.repository(),
        "head_repository": things.repository(),
        **more,
    }


def job(things: Things, place: int, run: str) -> Thing:
    """``job``."""
    names = (*things.hints.of("check", "name"), "agent", "build", "test")
    time = things.when(things.phase(place), "job", place)
    step = {
        "name": "Run",
        "status": "completed",
        "conclusion": "success",
        "number": 1,
        "started_at": time,
        "completed_at": time,
    }
    return {
        "id": 600 + place,
        "run_id": int(run) if run.isdigit() else 1,
        "name": names[place % len(names)],
        "status": "completed",
        "conclusion": _CONCLUSIONS[(place + things.seed) % 5],
        "started_at": time,
        "completed_at": time,
        "steps": [step],
        "head_sha": things.setting.sha,
    }


def artifact(things: Things, place: int) -> Thing:
    """``artifact``."""
    time = things.when(things.phase(place), "artifact", place)
    names = (*things.hints.of("name"), "agent", "coverage")
    return {
        "id": 500 + place,
        "name": names[place % len(names)],
        "size_in_bytes": 1_000,
        "expired": False,
        "created_at": time,
        "updated_at": time,
        "expires_at": "2099-01-01T00:00:00Z",
        "workflow_run": {"id": int(things.setting.run_id), "head_sha": things.setting.sha},
    }


def release(things: Things, place: int) -> Thing:
    """``release``."""
    time = things.when(things.phase(place), "release", place)
    return {
        "id": 200 + place,
        "tag_name": f"v1.{9 - place}.0",
        "name": things.title(place),
        "body": things.text(place),
        "draft": False,
        "prerelease": False,
        "target_commitish": "main",
        "author": things.user(things.login(place)),
        "created_at": time,
        "published_at": time,
        "assets": [{"id": 1, "name": "app.tar.gz", "size": 10, "download_count": 3, "created_at": time}],
    }


def protection(things: Things) -> Thing:
    """``branch-protection``."""
    names = [*things.hints.of("check"), "build", "test"]
    return {
        "url": f"{API}/repos/{things.name}/branches/main/protection",
        "required_status_checks": {
            "strict": True,
            "contexts": names,
            "checks": [{"context": name, "app_id": None} for name in names],
        },
        "required_pull_request_reviews": {"required_approving_review_count": 1, "dismiss_stale_reviews": True},
        "enforce_admins": {"enabled": True},
        "allow_force_pushes": {"enabled": False},
        "restrictions": None,
    }
