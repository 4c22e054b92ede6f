"""Searches in a made-up repository. Pure."""

from collections.abc import Iterable
from typing import Final

from verifier.simulated import builds
from verifier.simulated.asked import Search, in_range, search_of, within
from verifier.simulated.lists import NUMBERS, with_words
from verifier.simulated.reply import Reply
from verifier.simulated.setting import Setting
from verifier.simulated.things import Thing, Things

_CODE: Final = "/search/code"


def search_reply(setting: Setting, seed: int, path: str, query: dict[str, str], many: int) -> Reply:
    """Return the reply to a search of issues, commits, code or repositories."""
    search = search_of(query.get("q", ""))
    names = search.values("repo")
    things = Things(setting, seed, names[0] if names else setting.repository)
    if path == "/search/issues":
        items = list(_found_issues(things, search, many))
    elif path == "/search/commits":
        commits = [builds.commit(things, place) for place in range(many)]
        items = [one for one in commits if _commit_within(one, search)]
    elif path == _CODE:
        items = [
            {"name": name.rpartition("/")[2], "path": name, "repository": things.repository()}
            for name in things.files()
        ]
    else:
        items = [things.repository()]
    return Reply({"total_count": len(items), "incomplete_results": False, "items": items}, paged=True, items_in="items")


def _found_issues(things: Things, search: Search, many: int) -> Iterable[Thing]:
    kinds = search.kinds
    author = next(iter(search.values("author")), None)
    author = author.removeprefix("app/") + ("[bot]" if author.startswith("app/") else "") if author else None
    for number in NUMBERS[:many]:
        item = with_words(things, things.issue(number), search.values("label"), author)
        is_pull = "pull_request" in item
        merged = item["pull_request"]["merged_at"] if is_pull else None
        ranged = {**item, "merged_at": merged}
        if ("pr" in kinds and not is_pull) or ("issue" in kinds and is_pull) or ("merged" in kinds and merged is None):
            continue
        if item["state"] != "open" if "open" in kinds else item["state"] != "closed" if "closed" in kinds else False:
            continue
        if within(ranged, search):
            words = " ".join(word for word in search.words if word not in {"OR", "AND", "NOT"})
            yield {
                **item,
                "title": f"{words} {item['title']}".strip(),
                "body": f"{item['body']}\n\n{words}",
                "score": 1.0,
            }


def _commit_within(commit: Thing, search: Search) -> bool:
    date = commit["commit"]["committer"]["date"]
    return all(in_range(date, value) for value in search.values("committer-date", "author-date"))
