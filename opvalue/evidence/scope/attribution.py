"""Which repositories a request names, and whether it only reads (DESIGN 5). Pure."""

from typing import Final

from opvalue.evidence.address import GRAPHQL_PATH, NUMBER, decoded, named_in
from opvalue.evidence.exchange import Request
from opvalue.evidence.scope.documents import read_document
from opvalue.evidence.scope.search import searched
from opvalue.evidence.scope.selection import selected
from opvalue.evidence.scope.standing import Attribution

# Searches that their qualifiers confine; users and topics belong to no repository.
_CONFINED: Final = frozenset({"/search/code", "/search/commits", "/search/issues", "/search/repositories"})
_LABELS: Final = "/search/labels"
_COMPARE: Final = "compare"
_FORKS: Final = "forks"
_ISSUES: Final = "issues"
# Issues of any repository, whole.
_LINKED: Final = frozenset({"dependencies", "parent", "sub_issues"})


def attribute(request: Request) -> Attribution:
    """Return the repositories that ``request`` names, in the spelling ``Scope`` knows.

    Raises what ``check_read`` raises for a GraphQL body that cannot be read. Not known here: renames, and whether a
    repository exists.
    """
    if request.path == GRAPHQL_PATH:
        return selected(read_document(request.body))
    named = named_in(request.path)
    if named is not None:
        return _of_path(named, request.path)
    path = request.path.removesuffix("/")
    if path in _CONFINED:
        return _of_search(request.query)
    if path == _LABELS:
        return _of_labels(request.query)
    return Attribution.of(unattributed=True)


def check_read(request: Request) -> None:
    """Raise ``NotAQuery`` or ``GraphQLUnreadable`` for a GraphQL request that is not certain to only read.

    Any other request of ``normalise`` is a GET.
    """
    if request.path == GRAPHQL_PATH:
        read_document(request.body)


def _of_path(named: tuple[str, ...], path: str) -> Attribution:
    rest = path.split("/")[2 + len(named) :]
    name = "/".join(named).lower() if len(named) == 2 else f"#{named[0]}"
    # OWNER:BRANCH compares with another repository of the same network.
    across = rest[:1] == [_COMPARE] and ":" in decoded("/".join(rest[1:]))
    linked = rest[:1] == [_ISSUES] and not _LINKED.isdisjoint(rest[2:3])
    return Attribution.of([name], unattributed=across or linked or rest[:1] == [_FORKS])


def _of_search(query: str) -> Attribution:
    texts = _values(query, "q")
    if len(texts) != 1:
        return Attribution.of((name for text in texts for name in searched(text).repositories), unattributed=True)
    return searched(texts[0])


def _of_labels(query: str) -> Attribution:
    ids = _values(query, "repository_id")
    if len(ids) != 1 or not NUMBER.fullmatch(ids[0]):
        return Attribution.of(unattributed=True)
    return Attribution.of([f"#{ids[0]}"])


def _values(query: str, name: str) -> list[str]:
    # Servers differ on which of several they take, and whether ``q[]`` is one of them: all count.
    pairs = (part.partition("=") for part in query.split("&"))
    plain = ((decoded(key.replace("+", " ")), decoded(value.replace("+", " "))) for key, _, value in pairs)
    return [value for key, value in plain if key.partition("[")[0].strip().lower() == name]
