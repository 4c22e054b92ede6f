"""Which repositories the fields of a GraphQL document read (DESIGN 5).

Every operation and every fragment it spreads counts, whichever would run, whatever ``@include`` and ``@skip`` say, and
by the field's own name, not its alias. At the root, ``repository(owner, name)`` and ``search`` name what they read;
anything else there is unattributed, and so is a way out of a repository to others that a field's name gives away.

Pure. Not known here: GitHub's schema. Below a repository, an object can belong to another one without its name
showing it, such as the source of a cross-reference.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from opvalue.evidence.address import NAME, OWNER
from opvalue.evidence.scope.documents import Document
from opvalue.evidence.scope.search import searched
from opvalue.evidence.scope.standing import Attribution
from opvalue.strictjson import JsonValue

if TYPE_CHECKING:
    from graphql.language import FieldNode, SelectionSetNode, ValueNode


# They say nothing of any repository.
_NEUTRAL: Final = frozenset({"__typename", "__schema", "__type", "rateLimit"})
_SEARCHES: Final = frozenset({"ISSUE", "ISSUE_ADVANCED", "ISSUE_HYBRID", "ISSUE_SEMANTIC", "REPOSITORY", "DISCUSSION"})

_ROOT: Final = "root"
_REPOSITORY: Final = "repository"
_OWNED: Final = "owner"
_BELOW: Final = "below"

# Fields that lead from where they stand to other repositories.
_WAYS_OUT: Final = {
    _REPOSITORY: frozenset({"parent", "forks", "templateRepository"}),
    _BELOW: frozenset(
        {
            "contributionsCollection",
            "gists",
            "itemShowcase",
            "organizations",
            "pinnableItems",
            "pinnedItems",
            "repositories",
            "repositoriesContributedTo",
            "starredRepositories",
            "topRepositories",
            "watching",
        }
    ),
}
_OF_AN_OWNER: Final = frozenset({"__typename", "avatarUrl", "id", "login", "resourcePath", "url"})


class _Place(NamedTuple):
    fields: "SelectionSetNode"
    context: str


def selected(document: Document) -> Attribution:
    """Return the repositories that a document reads."""
    return _Walk(document).attribution()


class _Walk:
    """One pass over a document. Each fragment is walked once in each context, so that cycles and fans end."""

    def __init__(self, document: Document) -> None:
        from graphql.language import FragmentDefinitionNode, OperationDefinitionNode  # noqa: PLC0415

        definitions = document.tree.definitions
        self._operations = [one for one in definitions if isinstance(one, OperationDefinitionNode)]
        self._fragments: dict[str, list[FragmentDefinitionNode]] = {}
        for one in definitions:
            if isinstance(one, FragmentDefinitionNode):
                self._fragments.setdefault(one.name.value, []).append(one)
        self._given = document.variables
        self._spread: set[tuple[str, str]] = set()
        self._places: list[_Place] = []
        self._names: set[str] = set()
        self._unclear = False

    def attribution(self) -> Attribution:
        self._places = [_Place(operation.selection_set, _ROOT) for operation in self._operations]
        while self._places:
            place = self._places.pop()
            for field in self._fields(place):
                self._read(field, place.context)
        return Attribution.of(self._names, unattributed=self._unclear)

    def _fields(self, place: _Place) -> Iterator["FieldNode"]:
        from graphql.language import FieldNode, FragmentSpreadNode, InlineFragmentNode  # noqa: PLC0415

        for selection in place.fields.selections:
            if isinstance(selection, FieldNode):
                yield selection
            elif isinstance(selection, InlineFragmentNode):
                self._places.append(_Place(selection.selection_set, place.context))
            elif isinstance(selection, FragmentSpreadNode):
                self._enter(selection.name.value, place.context)

    def _enter(self, fragment: str, context: str) -> None:
        if (fragment, context) in self._spread:
            return
        self._spread.add((fragment, context))
        self._places += [_Place(one.selection_set, context) for one in self._fragments.get(fragment, ())]

    def _read(self, field: "FieldNode", context: str) -> None:
        name = field.name.value
        if context == _ROOT:
            self._read_root(field, name)
        elif self._leads_out(field, name, context):
            self._unclear = True
        if field.selection_set is not None:
            self._places.append(_Place(field.selection_set, _context_below(name, context)))

    def _read_root(self, field: "FieldNode", name: str) -> None:
        if name in _NEUTRAL:
            return
        if name == "repository":
            self._add(self._repository(field))
        elif name == "search":
            self._add(self._search(field))
        else:
            self._unclear = True

    def _leads_out(self, field: "FieldNode", name: str, context: str) -> bool:
        if context == _OWNED and name not in _OF_AN_OWNER:
            return True
        # With arguments it is a choice among an owner's repositories; without, the one an object belongs to.
        chosen = name == "repository" and bool(field.arguments)
        return chosen or name in _WAYS_OUT[_BELOW] or name in _WAYS_OUT.get(context, ())

    def _add(self, attribution: Attribution) -> None:
        self._names.update(attribution.repositories)
        self._unclear = self._unclear or attribution.unattributed

    def _repository(self, field: "FieldNode") -> Attribution:
        owners, names = self._argument(field, "owner"), self._argument(field, "name")
        clear = _all_match(owners, OWNER) and _all_match(names, NAME)
        if not clear:
            return Attribution.of(unattributed=True)
        return Attribution.of(f"{owner}/{name}".lower() for owner in owners for name in names)

    def _search(self, field: "FieldNode") -> Attribution:
        texts, kinds = self._argument(field, "query"), self._argument(field, "type")
        if (
            not texts
            or not kinds
            or not all(isinstance(text, str) for text in texts)
            or not _SEARCHES.issuperset(kinds)
        ):
            return Attribution.of(unattributed=True)
        found = [searched(str(text)) for text in texts]
        return Attribution.of(
            (name for one in found for name in one.repositories), unattributed=any(one.unattributed for one in found)
        )

    def _argument(self, field: "FieldNode", name: str) -> list[JsonValue]:
        # Every value it can have; none when it is absent, repeated or not a plain one.
        given = [one.value for one in field.arguments or () if one.name.value == name]
        return self._values(given[0]) if len(given) == 1 else []

    def _values(self, value: "ValueNode") -> list[JsonValue]:
        from graphql.language import EnumValueNode, StringValueNode, VariableNode  # noqa: PLC0415

        if isinstance(value, StringValueNode | EnumValueNode):
            return [value.value]
        if not isinstance(value, VariableNode):
            return []
        name = value.name.value
        if name in self._given:
            return [self._given[name]] if isinstance(self._given[name], str) else []
        return self._defaults(name)

    def _defaults(self, name: str) -> list[JsonValue]:
        from graphql.language import EnumValueNode, StringValueNode  # noqa: PLC0415

        found = [
            one.default_value
            for operation in self._operations
            for one in operation.variable_definitions or ()
            if one.variable.name.value == name
        ]
        plain: list[JsonValue] = [one.value for one in found if isinstance(one, StringValueNode | EnumValueNode)]
        return plain if len(plain) == len(found) else []


def _context_below(name: str, context: str) -> str:
    if context == _ROOT and name == "repository":
        return _REPOSITORY
    if name == "owner" and context == _REPOSITORY:
        return _OWNED
    return _BELOW


def _all_match(values: list[JsonValue], pattern: re.Pattern[str]) -> bool:
    return bool(values) and all(isinstance(value, str) and pattern.fullmatch(value) for value in values)
