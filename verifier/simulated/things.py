"""The things of a made-up repository, as the REST API shows them today. Pure.

Each thing has a story: what happened to it, and in which phase of the run's time. What a thing is follows from the seed
and its number alone, so that it is the same in every answer.
"""

from typing import Any, Final

from verifier.simulated.setting import ISSUE, PULL
from verifier.simulated.words import API, WEB, Telling, is_pull

_REACTIONS: Final = ("+1", "heart", "-1", "rocket", "eyes")

Thing = dict[str, Any]


class Things(Telling):
    """A made-up repository."""

    # People and marks

    def user(self, login: str) -> Thing:
        """``simple-user``."""
        number = sum(login.encode())
        kind = "Bot" if login.endswith("[bot]") else "User"
        url = f"{API}/users/{login}"
        return {"login": login, "id": number, "node_id": f"U_{number}", "url": url, "type": kind, "site_admin": False}

    def label(self, name: str) -> Thing:
        """``label``."""
        number = sum(name.encode())
        return {
            "id": number,
            "node_id": f"LA_{number}",
            "name": name,
            "color": "d73a4a",
            "default": False,
            "description": name,
        }

    def reaction(self, place: int) -> Thing:
        """``reaction``."""
        content = self.word(place, self.hints.of("content"), _REACTIONS)
        phase = self.phase(place)
        return {
            "id": 900 + place,
            "node_id": f"REA_{place}",
            "user": self.user(self.login(place + 1)),
            "content": content,
            "created_at": self.when(phase, "reaction", place),
        }

    # Issues

    def issue(self, number: int, **more: Any) -> Thing:
        """``issue``; a pull request where the number says so."""
        place = 0 if number < 100 else number - 101
        pull = is_pull(number)
        url = f"{API}/repos/{self.name}/issues/{number}"
        opened = self.opened(number)
        found: Thing = {
            "url": url,
            "repository_url": f"{API}/repos/{self.name}",
            "html_url": f"{WEB}/{self.name}/{'pull' if pull else 'issues'}/{number}",
            "id": 70_000 + number,
            "node_id": f"I_{number}",
            "number": number,
            "title": self.title(place),
            "user": self.user(self.login(place)),
            "labels": [self.label(name) for name in self.label_names(place)],
            "locked": False,
            "assignee": None,
            "assignees": [],
            "milestone": None,
            "comments": 5,
            "created_at": opened,
            "author_association": "MEMBER",
            "body": self.text(place),
            "reactions": {"url": f"{url}/reactions", "total_count": 2, "+1": 1, "-1": 0, "heart": 1, "rocket": 0},
            "timeline_url": f"{url}/timeline",
            **self._state(number, opened),
        }
        if pull:
            found |= {"draft": False, "pull_request": {"url": f"{API}/repos/{self.name}/pulls/{number}"}}
            found["pull_request"]["merged_at"] = self._merged(number)
        return {**found, **more}

    def _state(self, number: int, opened: str) -> Thing:
        closed, reason, changed = None, None, opened
        for turn in self.story(number):
            changed = self.when(turn.phase, "turn", number, turn.what)
            reopened = turn.what == "reopened"
            closed = None if reopened else changed
            reason = "reopened" if reopened else "not_planned" if turn.what == "not_planned" else "completed"
        return {
            "state": "open" if closed is None else "closed",
            "state_reason": reason,
            "closed_at": closed,
            "closed_by": None if closed is None else self.user("mona"),
            "updated_at": changed,
        }

    def _merged(self, number: int) -> str | None:
        story = self.story(number)
        return self.when(story[-1].phase, "turn", number, "closed") if story and story[-1].what == "closed" else None

    def comment(self, place: int, number: int) -> Thing:
        """``issue-comment``; ``number`` is what it stands below."""
        time = self.when(self.phase(place), "comment", number, place)
        return {
            "id": 5_000 + place,
            "node_id": f"IC_{place}",
            "url": f"{API}/repos/{self.name}/issues/comments/{5_000 + place}",
            "html_url": f"{WEB}/{self.name}/issues/{number}#issuecomment-{5_000 + place}",
            "issue_url": f"{API}/repos/{self.name}/issues/{number}",
            "user": self.user(self.login(place)),
            "created_at": time,
            "updated_at": time,
            "author_association": "MEMBER",
            "body": self.text(place),
            "reactions": {"total_count": 1, "+1": 1, "-1": 0},
        }

    def events(self, number: int) -> list[Thing]:
        """Return the events of an issue or pull request, in order of time."""
        turns = [
            self._event(turn.phase, _NAMES[turn.what], number, **_DETAILS[turn.what]) for turn in self.story(number)
        ]
        if is_pull(number) and self._merged(number) is not None:
            merged = {**turns[-1], "event": "merged", "id": turns[-1]["id"] + 1, "commit_id": self.setting.sha}
            turns.insert(-1, {**merged, "created_at": turns[-1]["created_at"]})
        others = [*self._labelled(number), self._event("late", "assigned", number, assignee=self.user("mona"))]
        return sorted([*turns, *others], key=_when)

    def _labelled(self, number: int) -> list[Thing]:
        """Return the events of labels: all are set early, the first is taken away late, with odd seeds set again."""
        names = self.label_names(0)
        events = [
            self._event("early", "labeled", number, label=self.label(name), id=number * 1_000 + place)
            for place, name in enumerate(names)
        ]
        events.append(self._event("late", "unlabeled", number, label=self.label(names[0])))
        again = names[0] if self.seed % 2 or self.setting.goes_on else _LATER_LABEL
        return [*events, self._event("after", "labeled", number, label=self.label(again), id=99)]

    def _event(self, phase: str, event: str, number: int, **more: Any) -> Thing:
        turn = "not_planned" if more.get("state_reason") == "not_planned" else event
        number_of_it = number * 1_000 + sum(f"{phase}{event}".encode())
        return {
            "id": number_of_it,
            "node_id": f"E_{number_of_it}",
            "url": f"{API}/repos/{self.name}/issues/events/{number_of_it}",
            "event": event,
            "actor": self.user(self.login(number_of_it)),
            "commit_id": None,
            "created_at": self.when(phase, "turn", number, turn),
            "performed_via_github_app": None,
            **more,
        }

    def timeline(self, number: int) -> list[Thing]:
        """Return everything that happened at an issue or pull request, in order of time."""
        comments = [{"event": "commented", "actor": (one := self.comment(i, number))["user"], **one} for i in range(4)]
        reviews = [{"event": "reviewed", **self.review(i, number)} for i in range(2)] if number == PULL else []
        crossed = self._event(
            "early", "cross-referenced", number, source={"type": "issue", "issue": self.issue(_other(number))}
        )
        return sorted([*self.events(number), crossed, *comments, *reviews], key=_when)

    # Pull requests

    def pull(self, number: int, **more: Any) -> Thing:
        """``pull-request``."""
        shared = self.issue(number)
        merged = self._merged(number)
        url = f"{API}/repos/{self.name}/pulls/{number}"
        refs = self.hints.of("ref", "head")
        ref = (
            f"{refs[0].rstrip('/')}/{number}"
            if refs and refs[0].endswith("/")
            else refs[0]
            if refs
            else f"work/{number}"
        )
        return {
            **{name: shared[name] for name in _SHARED},
            "url": url,
            "node_id": f"PR_{number}",
            "html_url": f"{WEB}/{self.name}/pull/{number}",
            "issue_url": shared["url"],
            "draft": False,
            "merged": merged is not None,
            "merged_at": merged,
            "merged_by": None if merged is None else self.user("mona"),
            "merge_commit_sha": self.sha("merge", number),
            "mergeable": None if merged else True,
            "mergeable_state": "unknown" if merged else "clean",
            "head": self._side(ref, self.sha("head", number)),
            "base": self._side("main", self.setting.sha),
            "commits": 2,
            "additions": 10,
            "deletions": 2,
            "changed_files": 3,
            "review_comments": 2,
            "requested_reviewers": [],
            "auto_merge": None,
            **more,
        }

    def _side(self, ref: str, sha: str) -> Thing:
        return {
            "label": f"{self.owner}:{ref}",
            "ref": ref,
            "sha": sha,
            "user": self.user(self.owner),
            "repo": self.repository(),
        }

    def review(self, place: int, number: int) -> Thing:
        """``pull-request-review``."""
        states = ("APPROVED", "CHANGES_REQUESTED", "COMMENTED", "DISMISSED")
        return {
            "id": 8_000 + place,
            "node_id": f"PRR_{place}",
            "user": self.user(self.login(place)),
            "body": self.text(place),
            "state": states[(place + self.seed) % 4],
            "html_url": f"{WEB}/{self.name}/pull/{number}#pullrequestreview-{8_000 + place}",
            "author_association": "MEMBER",
            "submitted_at": self.when(self.phase(place + 1), "review", number, place),
            "commit_id": self.sha("head", number),
        }

    # Repository

    def sha(self, *what: object) -> str:
        """Return the id of a commit or another object."""
        return self.draw("sha", *what).hex(40)

    def repository(self) -> Thing:
        """``full-repository``."""
        number = sum(self.name.lower().encode()) * 1_000
        return {
            "id": number,
            "node_id": f"R_{number}",
            "name": self.name.partition("/")[2],
            "full_name": self.name,
            "private": False,
            "owner": self.user(self.owner),
            "html_url": f"{WEB}/{self.name}",
            "url": f"{API}/repos/{self.name}",
            "fork": False,
            "default_branch": "main",
            "archived": False,
            "disabled": False,
            "language": "Go",
            "size": 1_234,
            "stargazers_count": 80,
            "open_issues_count": 12,
            "has_issues": True,
            "has_discussions": True,
            "created_at": "2020-01-01T00:00:00Z",
            "updated_at": self.setting.time("after", 0.9),
            "pushed_at": self.setting.time("after", 0.9),
        }


_LATER_LABEL: Final = "stale"
_SHARED: Final = (
    *("id", "number", "title", "user", "labels", "locked", "assignee", "assignees", "milestone", "comments"),
    *("created_at", "updated_at", "closed_at", "state", "author_association", "body"),
)
"""What a pull request has of the issue that it is as well."""
_NAMES: Final = {"closed": "closed", "not_planned": "closed", "reopened": "reopened"}
_DETAILS: Final[dict[str, Thing]] = {
    "closed": {"state_reason": "completed"},
    "not_planned": {"state_reason": "not_planned"},
    "reopened": {"state_reason": None},
}


def _when(item: Thing) -> str:
    return str(item.get("created_at") or item.get("submitted_at"))


def _other(number: int) -> int:
    return PULL if number == ISSUE else ISSUE
