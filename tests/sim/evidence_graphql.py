"""A small GraphQL responder: enough to ask for a repository's issues, pull requests and discussions, page by page.

Documents are parsed by graphql-core; fields are looked up in plain values. A query for what is not there gets ``null``
and an error of type ``NOT_FOUND``; a field nobody has gets GitHub's usual complaint, without data.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from graphql import (
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    InlineFragmentNode,
    OperationDefinitionNode,
    SelectionSetNode,
    parse,
)
from graphql.utilities import value_from_ast_untyped

from tests.sim.answers import node_id
from tests.sim.evidence import SimComment, SimDiscussion, SimIssue, SimReview
from tests.sim.wire import Reply, Request
from tests.sim.world import SimRepository

Arguments = Mapping[str, Any]
_USUAL: Final = 30


class _Unknown(Exception):
    """A field that no such type has."""


class _Missing(Exception):
    """Something asked for by name or number that is not there."""


def serve(request: Request, root: str, repositories: Sequence[SimRepository]) -> Reply:
    """Return the answer to a GraphQL request."""
    if request.method != "POST":
        return Reply.problem(404, "Not Found")
    try:
        asked = json.loads(request.body)
        document = parse(asked["query"])
    except (ValueError, KeyError, TypeError):
        return Reply.problem(400, "Problems parsing JSON")
    except GraphQLError as error:
        return Reply.of({"errors": [{"message": error.message}]})
    operation = next(one for one in document.definitions if isinstance(one, OperationDefinitionNode))
    if operation.operation.value != "query":
        return Reply.of({"errors": [{"message": "Resource not accessible by integration", "type": "FORBIDDEN"}]})
    fragments = {one.name.value: one for one in document.definitions if isinstance(one, FragmentDefinitionNode)}
    asking = _Asking(fragments, asked.get("variables") or {})
    try:
        data = asking.select(operation.selection_set, _query(root, repositories))
    except _Unknown as error:
        return Reply.of({"errors": [{"message": str(error)}]})
    return Reply.of({"data": data, **({"errors": asking.errors} if asking.errors else {})})


class _Asking:
    """One request under way."""

    def __init__(self, fragments: Mapping[str, FragmentDefinitionNode], variables: Arguments) -> None:
        self.fragments = fragments
        self.variables = dict(variables)
        self.errors: list[dict[str, Any]] = []

    def select(self, selections: SelectionSetNode, value: Mapping[str, Any]) -> dict[str, Any]:
        """Return the selected fields of ``value``."""
        found: dict[str, Any] = {}
        for one in selections.selections:
            if isinstance(one, FieldNode):
                found[(one.alias or one.name).value] = self._field(one, value)
            elif isinstance(one, FragmentSpreadNode):
                found |= self.select(self.fragments[one.name.value].selection_set, value)
            elif isinstance(one, InlineFragmentNode):
                kind = one.type_condition.name.value if one.type_condition else value["__typename"]
                found |= self.select(one.selection_set, value) if kind == value["__typename"] else {}
        return found

    def _field(self, field: FieldNode, value: Mapping[str, Any]) -> Any:
        name = field.name.value
        if name not in value:
            raise _Unknown(f"Field '{name}' doesn't exist on type '{value['__typename']}'")
        found = value[name]
        if callable(found):
            arguments = {
                one.name.value: value_from_ast_untyped(one.value, self.variables) for one in field.arguments or ()
            }
            try:
                found = found(arguments)
            except _Missing as error:
                self.errors.append({"type": "NOT_FOUND", "path": [name], "message": str(error)})
                return None
        return self._complete(field, found)

    def _complete(self, field: FieldNode, found: Any) -> Any:
        if isinstance(found, list):
            return [self._complete(field, one) for one in found]
        if isinstance(found, Mapping) and field.selection_set is not None:
            return self.select(field.selection_set, found)
        return found


def _query(root: str, repositories: Sequence[SimRepository]) -> dict[str, Any]:
    def repository(arguments: Arguments) -> Any:
        wanted = f"{arguments['owner']}/{arguments['name']}"
        for one in repositories:
            if one.full_name.lower() == wanted.lower():
                return _repository(root, one)
        raise _Missing(f"Could not resolve to a Repository with the name '{wanted}'.")

    def search(arguments: Arguments) -> Any:
        text = str(arguments["query"])
        found = [_issue(issue) for one in repositories for issue in one.evidence.issues.values() if _in(one, text)]
        return {**_connection("SearchResultItemConnection", found, arguments), "issueCount": len(found)}

    return {
        "__typename": "Query",
        "repository": repository,
        "search": search,
        "viewer": {"__typename": "User", "login": "mona"},
        "rateLimit": {"__typename": "RateLimit", "cost": 1, "remaining": 4999},
    }


def _in(repository: SimRepository, query: str) -> bool:
    return f"repo:{repository.full_name}".lower() in query.lower()


def _repository(root: str, repository: SimRepository) -> dict[str, Any]:
    evidence = repository.evidence

    def numbered(kind: str, *, pull: bool) -> Callable[[Arguments], Any]:
        def find(arguments: Arguments) -> Any:
            found = evidence.issues.get(int(arguments["number"]))
            if found is None or (found.pull is not None) is not pull:
                raise _Missing(f"Could not resolve to {kind} with the number of {arguments['number']}.")
            return _issue(found)

        return find

    def discussion(arguments: Arguments) -> Any:
        for one in evidence.discussions:
            if one.number == int(arguments["number"]):
                return _discussion(one)
        raise _Missing(f"Could not resolve to a Discussion with the number of {arguments['number']}.")

    def all_of(kind: str, items: list[Any]) -> Callable[[Arguments], Any]:
        return lambda arguments: _connection(kind, items, arguments)

    issues = [_issue(one) for one in evidence.issues.values() if one.pull is None]
    pulls = [_issue(one) for one in evidence.issues.values() if one.pull is not None]
    return {
        "__typename": "Repository",
        "id": node_id("Repository", repository.id),
        "databaseId": repository.id,
        "name": repository.name,
        "nameWithOwner": repository.full_name,
        "url": f"{root}/{repository.full_name}",
        "isPrivate": repository.private,
        "issue": numbered("an Issue", pull=False),
        "pullRequest": numbered("a PullRequest", pull=True),
        "discussion": discussion,
        "issues": all_of("IssueConnection", issues),
        "pullRequests": all_of("PullRequestConnection", pulls),
        "discussions": all_of("DiscussionConnection", [_discussion(one) for one in evidence.discussions]),
    }


def _issue(found: SimIssue) -> dict[str, Any]:
    document = {
        "__typename": "Issue" if found.pull is None else "PullRequest",
        "number": found.number,
        "title": found.title,
        "body": found.body or "",
        "state": "MERGED" if found.pull and found.pull.merged_at else found.state.upper(),
        "stateReason": found.state_reason and found.state_reason.upper(),
        "createdAt": found.created_at,
        "closedAt": found.closed_at,
        "author": _actor(found.user),
        "labels": lambda arguments: _connection("LabelConnection", [_label(name) for name in found.labels], arguments),
        "comments": lambda arguments: _connection("Comments", [_comment(one) for one in found.comments], arguments),
    }
    if found.pull is not None:
        document |= {
            "mergedAt": found.pull.merged_at,
            "isDraft": found.pull.draft,
            "headRefOid": found.pull.head_sha,
            "reviews": lambda arguments: _connection("Reviews", [_review(one) for one in _reviews(found)], arguments),
        }
    return document


def _reviews(found: SimIssue) -> list[SimReview]:
    return [] if found.pull is None else list(found.pull.reviews)


def _review(found: SimReview) -> dict[str, Any]:
    return {
        "__typename": "PullRequestReview",
        "state": found.state,
        "submittedAt": found.submitted_at,
        "author": _actor(found.user),
    }


def _discussion(found: SimDiscussion) -> dict[str, Any]:
    return {
        "__typename": "Discussion",
        "number": found.number,
        "title": found.title,
        "isAnswered": found.answered,
        "comments": lambda arguments: _connection("Comments", [_comment(one) for one in found.comments], arguments),
    }


def _comment(found: SimComment) -> dict[str, Any]:
    document = {"__typename": "Comment", "databaseId": found.id, "body": found.body, "createdAt": found.created_at}
    return {**document, "author": _actor(found.user)}


def _label(name: str) -> dict[str, Any]:
    return {"__typename": "Label", "name": name}


def _actor(login: str) -> dict[str, Any]:
    return {"__typename": "Bot" if login.endswith("[bot]") else "User", "login": login.removesuffix("[bot]")}


def _connection(kind: str, items: Sequence[Any], arguments: Arguments) -> dict[str, Any]:
    start = int(str(arguments.get("after") or "cursor:0").partition(":")[2])
    end = start + int(arguments.get("first") or _USUAL)
    page = list(items[start:end])
    info = {
        "__typename": "PageInfo",
        "hasNextPage": end < len(items),
        "hasPreviousPage": start > 0,
        "endCursor": f"cursor:{start + len(page)}" if page else None,
    }
    edges = [
        {"__typename": "Edge", "cursor": f"cursor:{start + index + 1}", "node": one} for index, one in enumerate(page)
    ]
    return {"__typename": kind, "totalCount": len(items), "nodes": page, "edges": edges, "pageInfo": info}
