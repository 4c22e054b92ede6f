"""Made-up answers to GraphQL queries, by the names of the fields that are selected. Pure.

GitHub's schema is not known here: a field with ``nodes``, ``edges`` or ``totalCount`` below it is a connection, what
has other fields below it is an object, and a leaf's value goes by its name. Which thing an object is follows from the
fields around it and from the ``number`` that is asked for.
"""

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from opvalue.strictjson import JsonRefused, JsonValue, loads
from verifier.simulated.asked import search_of, within
from verifier.simulated.setting import ISSUE, PULL, Setting
from verifier.simulated.things import Thing, Things

if TYPE_CHECKING:
    from graphql.language import FieldNode, FragmentDefinitionNode, SelectionSetNode

_PULLS: Final = frozenset(
    {"pullRequest", "pullRequests", "PullRequest", "associatedPullRequests", "closedByPullRequestsReferences"}
)
_ISSUES: Final = frozenset({"issue", "issues", "Issue", "issueOrPullRequest", "closingIssuesReferences"})
_CONNECTION: Final = frozenset({"nodes", "edges", "totalCount", "pageInfo", "issueCount"})
_COUNT: Final = 4
_EVENTS: Final = {
    "ClosedEvent": "closed",
    "ReopenedEvent": "reopened",
    "LabeledEvent": "labeled",
    "UnlabeledEvent": "unlabeled",
    "MergedEvent": "merged",
    "AssignedEvent": "assigned",
    "CrossReferencedEvent": "cross-referenced",
}


_REST_NAMES: Final = {"author": "user"}


class _Place(NamedTuple):
    """Where a field stands."""

    kind: str
    """The last field or type that says what things these are."""
    number: int
    place: int
    item: Thing
    """The same thing as the REST API shows it; empty where it has none."""


class _Query(NamedTuple):
    things: Things
    variables: dict[str, JsonValue]
    fragments: "dict[str, FragmentDefinitionNode]"
    empty: bool


def answer_query(setting: Setting, seed: int, body: bytes, *, empty: bool = False) -> Thing:
    """Return the answer to a posted query; with ``empty`` every connection is."""
    from graphql import GraphQLError, parse  # noqa: PLC0415 - many scripts ask no query
    from graphql.language import FragmentDefinitionNode, OperationDefinitionNode  # noqa: PLC0415

    try:
        posted = loads(body, what="the query")
        text = posted.get("query") if isinstance(posted, dict) else None
        document = parse(text if isinstance(text, str) else "")
    except (JsonRefused, GraphQLError):
        return {"errors": [{"message": "Parse error"}]}
    variables = posted.get("variables") if isinstance(posted, dict) else None
    known = variables if isinstance(variables, dict) else {}
    fragments = {one.name.value: one for one in document.definitions if isinstance(one, FragmentDefinitionNode)}
    operations = [one for one in document.definitions if isinstance(one, OperationDefinitionNode)]
    name = f"{known.get('owner')}/{known.get('name') or known.get('repo')}" if "owner" in known else setting.repository
    query = _Query(Things(setting, seed, name), known, fragments, empty)
    data: Thing = {}
    for operation in operations:
        data |= _selected(query, operation.selection_set, _Place("query", ISSUE, 0, {}))
    return {"data": data}


def _fields(query: _Query, selection: "SelectionSetNode", kind: str) -> "list[FieldNode]":
    """Return the fields that are selected of a thing of a type: those of other types' fragments are left out."""
    from graphql.language import FieldNode, FragmentSpreadNode, InlineFragmentNode  # noqa: PLC0415

    found: list[FieldNode] = []
    for one in selection.selections:
        if isinstance(one, FieldNode):
            found.append(one)
        elif isinstance(one, InlineFragmentNode):
            wanted = one.type_condition.name.value if one.type_condition else kind
            if wanted == kind or kind not in _types(query, selection):
                found += _fields(query, one.selection_set, kind)
        elif isinstance(one, FragmentSpreadNode) and one.name.value in query.fragments:
            found += _fields(query, query.fragments[one.name.value].selection_set, kind)
    return found


def _types(query: _Query, selection: "SelectionSetNode") -> list[str]:
    from graphql.language import InlineFragmentNode  # noqa: PLC0415

    del query
    return [
        one.type_condition.name.value
        for one in selection.selections
        if isinstance(one, InlineFragmentNode) and one.type_condition
    ]


def _selected(query: _Query, selection: "SelectionSetNode", at: _Place) -> Thing:
    result: Thing = {}
    for field in _fields(query, selection, at.kind):
        key = field.alias.value if field.alias else field.name.value
        result[key] = _value(query, field, at)
    return result


def _arguments(query: _Query, field: "FieldNode") -> dict[str, Any]:
    from graphql import value_from_ast_untyped  # noqa: PLC0415

    return {one.name.value: value_from_ast_untyped(one.value, query.variables) for one in field.arguments or ()}


def _value(query: _Query, field: "FieldNode", at: _Place) -> Any:
    name = field.name.value
    if field.selection_set is None:
        return _leaf(query, name, at)
    arguments = _arguments(query, field)
    below = _inside(query, name, arguments, at)
    inner = {one.name.value for one in _fields(query, field.selection_set, name)}
    if inner & _CONNECTION:
        return _connection(query, field, name, arguments, below)
    return _selected(query, field.selection_set, below)


def _inside(query: _Query, name: str, arguments: dict[str, Any], at: _Place) -> _Place:
    number = arguments.get("number")
    number = number if isinstance(number, int) else PULL if name in _PULLS and at.number == ISSUE else at.number
    if name in _PULLS:
        return _Place("PullRequest", number, 0, query.things.pull(number))
    if name in _ISSUES:
        return _Place("Issue", number, 0, query.things.issue(number))
    return _known(query, name, at) or _Place(name, number, at.place, at.item if name == "repository" else {})


def _known(query: _Query, name: str, at: _Place) -> _Place | None:
    """Return what the thing itself has under a name, such as the label of an event, or ``None``."""
    found = at.item.get(_REST_NAMES.get(name) or _snake(name))
    if not isinstance(found, dict):
        return None
    linked = found.get("issue")
    if not isinstance(linked, dict):
        return _Place(name, at.number, at.place, found)
    number = linked["number"]
    if "pull_request" in linked:
        return _Place("PullRequest", number, 0, query.things.pull(number))
    return _Place("Issue", number, 0, query.things.issue(number))


def _connection(query: _Query, field: "FieldNode", name: str, arguments: dict[str, Any], at: _Place) -> Thing:
    places = [] if query.empty else list(_items(query, field, name, arguments, at))
    limit = arguments.get("first") or arguments.get("last")
    shown = places[: limit if isinstance(limit, int) else len(places)]
    result: Thing = {}
    for one in _fields(query, field.selection_set, name) if field.selection_set else []:
        key = one.alias.value if one.alias else one.name.value
        what = one.name.value
        if what in {"totalCount", "issueCount"}:
            result[key] = len(places)
        elif what == "pageInfo":
            result[key] = {"hasNextPage": False, "endCursor": None, "hasPreviousPage": False, "startCursor": None}
        elif one.selection_set is None:
            result[key] = _leaf(query, what, at)
        elif what == "edges":
            result[key] = [{"cursor": "c", **_selected(query, one.selection_set, place)} for place in shown]
        else:
            result[key] = [_selected(query, one.selection_set, _typed(query, one, place)) for place in shown]
    return result


def _items(query: _Query, field: "FieldNode", name: str, arguments: dict[str, Any], at: _Place) -> "list[_Place]":
    things = query.things
    if name == "search":
        search = search_of(str(arguments.get("query", "")))
        kind = "PullRequest" if "pr" in search.kinds or "merged" in search.kinds else "Issue"
        numbers = [PULL, 104, 107, 110] if kind == "PullRequest" else [ISSUE, 101, 102, 105]
        items = [things.pull(one) if kind == "PullRequest" else things.issue(one) for one in numbers]
        return [_Place(kind, one["number"], place, one) for place, one in enumerate(items) if within(one, search)]
    if name in _PULLS:
        return [_Place("PullRequest", one, place, things.pull(one)) for place, one in enumerate((PULL, 104, 107, 110))]
    if name in _ISSUES:
        return [_Place("Issue", one, place, things.issue(one)) for place, one in enumerate((ISSUE, 101, 102, 105))]
    if name == "timelineItems":
        wanted = [one for one in _kinds_below(query, field) if one in _EVENTS]
        events = [
            one
            for one in things.timeline(at.number)
            if not wanted or one["event"] in {_EVENTS[name] for name in wanted}
        ]
        names = {event: kind for kind, event in _EVENTS.items()}
        return [
            _Place(names.get(one["event"], "IssueComment"), at.number, place, one) for place, one in enumerate(events)
        ]
    if name == "comments":
        return [_Place(name, at.number, place, things.comment(place, at.number)) for place in range(_COUNT)]
    if name == "reviews":
        return [_Place(name, at.number, place, things.review(place, at.number)) for place in range(_COUNT)]
    if name == "reactions":
        return [_Place(name, at.number, place, things.reaction(place)) for place in range(_COUNT)]
    if name == "labels":
        return [_Place(name, at.number, place, things.label(one)) for place, one in enumerate(things.label_names(0))]
    return [_Place(name, at.number, place, {}) for place in range(_COUNT)]


def _kinds_below(query: _Query, field: "FieldNode") -> list[str]:
    found: list[str] = []
    for one in _fields(query, field.selection_set, "") if field.selection_set else []:
        if one.selection_set is not None:
            found += _types(query, one.selection_set)
    return found


def _typed(query: _Query, field: "FieldNode", place: _Place) -> _Place:
    """Return the place with a type that the fragments below know, where they know none of its own."""
    types = _types(query, field.selection_set) if field.selection_set else []
    return place if not types or place.kind in types else place._replace(kind=types[place.place % len(types)])


def _leaf(query: _Query, name: str, at: _Place) -> Any:
    snake = _snake(name)
    if name == "__typename":
        return at.kind
    if name in {"state", "stateReason"} and at.kind in {"Issue", "PullRequest"}:
        return _state(name, at)
    if name == "closed":
        return at.item.get("closed_at") is not None
    if snake in at.item:
        found = at.item[snake]
        return found.upper() if name in {"content", "conclusion", "status"} and isinstance(found, str) else found
    return _made_up(query, name, at)


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)


def _state(name: str, at: _Place) -> Any:
    if name == "stateReason":
        reason = at.item.get("state_reason")
        return reason.upper() if isinstance(reason, str) else None
    return "MERGED" if at.item.get("merged_at") else str(at.item.get("state", "open")).upper()


def _made_up(query: _Query, name: str, at: _Place) -> Any:
    things, place = query.things, at.place
    if name.endswith(("At", "Date")) or name == "date":
        return things.when(things.phase(place), "graphql", at.kind, at.number, place)
    if name.startswith(("is", "has", "viewer")) or name in {"merged", "locked"}:
        return place % 2 == 0
    if name.endswith(("Count", "additions", "deletions")) or name in {
        "databaseId",
        "fullDatabaseId",
        "number",
        "position",
    }:
        return at.number + place
    known: Thing = {
        "login": things.login(place),
        "body": things.text(place),
        "bodyText": things.text(place),
        "title": things.title(place),
        "message": things.text(place),
        "nameWithOwner": things.name,
        "oid": things.sha("commit", place),
        "path": things.files()[place % len(things.files())],
        "conclusion": "SUCCESS",
        "state": "SUCCESS",
        "status": "COMPLETED",
        "url": things.setting.run_url,
        "content": "THUMBS_UP",
        "answer": None,
        "name": (*things.hints.of("name", "label", "check"), "build")[0],
    }
    return known.get(name, f"{name}-{place}")
