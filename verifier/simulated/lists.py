"""Lists of a made-up repository, sorted and narrowed as the query asks. Pure."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from verifier.simulated.reply import Asked, Builder, Reply
from verifier.simulated.setting import ISSUE, PULL
from verifier.simulated.things import Thing, Things

NUMBERS: Final = (ISSUE, PULL, *range(101, 400))
"""The issues and pull requests that there are, in the order of lists."""


def listed(items: Iterable[Thing], query: dict[str, str], *, key: str = "created_at", ascending: bool = False) -> Reply:
    """Return a list within the times asked for, sorted as asked."""
    since, until = query.get("since"), query.get("until")
    kept = []
    for item in items:
        when = _date(item, key)
        changed = str(item.get("updated_at") or when)
        if (since and changed < since[:19]) or (until and when[:19] > until[:19]):
            continue
        kept.append(item)
    descending = not ascending if "direction" not in query else query["direction"] != "asc"
    kept.sort(key=lambda item: _date(item, query.get("sort", key) + "_at"), reverse=descending)
    return Reply(kept, paged=True)


def _date(item: Thing, key: str) -> str:
    named = {"created_at_at": "created_at", "created_at": "created_at", "updated_at": "updated_at"}.get(key, key)
    commit = item.get("commit")
    if isinstance(commit, dict):
        return str(commit["committer"]["date"])
    return str(item.get(named) or item.get("created_at") or item.get("submitted_at") or "")


def issues(asked: Asked) -> Reply:
    """Return the repository's issues, pull requests among them."""
    query, things = asked.query, asked.things
    labels = [name for name in query.get("labels", "").split(",") if name]
    items = [with_words(things, things.issue(number), labels, query.get("creator")) for number in NUMBERS[: asked.many]]
    return listed(_in_state(items, query.get("state", "open")), query)


def pulls(asked: Asked) -> Reply:
    """Return the repository's pull requests."""
    query, things = asked.query, asked.things
    numbers = [PULL, *(number for number in NUMBERS if number > 100 and number % 3 == 2)][: asked.many]
    items = [things.pull(number) for number in numbers]
    head = query.get("head", "").rpartition(":")[2]
    if head:
        items = [{**item, "head": {**item["head"], "ref": head}} for item in items[:1]]
    return listed(_in_state(items, query.get("state", "open")), query)


def _in_state(items: list[Thing], state: str) -> list[Thing]:
    return items if state == "all" else [item for item in items if item["state"] == state]


def with_words(things: Things, item: Thing, labels: Iterable[str], login: str | None) -> Thing:
    """Return the item with what was asked for: these labels, this author."""
    missing = [name for name in labels if name not in {label["name"] for label in item["labels"]}]
    labelled = [*item["labels"], *(things.label(name) for name in missing)]
    return {**item, "labels": labelled, "user": things.user(login) if login and login != "@me" else item["user"]}


def rows(build: Callable[[Things, int], Thing], **how: Any) -> Builder:
    """Return a builder of a plain list."""

    def builder(asked: Asked) -> Reply:
        return listed((build(asked.things, place) for place in range(asked.many)), asked.query, **how)

    return builder


def below(build: Callable[[Things, int, int], Thing]) -> Builder:
    """Return a builder of the list of what stands below an issue or pull request."""

    def builder(asked: Asked) -> Reply:
        items = (build(asked.things, place, int(asked.parts[0])) for place in range(asked.many))
        return listed(items, asked.query, ascending=True)

    return builder
