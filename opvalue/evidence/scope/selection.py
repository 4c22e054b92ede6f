"""Which repositories the fields of a GraphQL document read (DESIGN 5).

Every operation and every fragment it spreads counts, whichever would run, whatever ``@include`` and ``@skip`` say, and
by the field's own name, not its alias. At the root, ``repository(owner, name)`` and ``search`` name what they read;
anything else there is unattributed. So is, below them, whatever is not known to stay inside (``fields``).

Pure. Not known here: GitHub's schema. A name is taken for what GitHub means by it.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from opvalue.evidence.address import NAME, OWNER
from opvalue.evidence.scope.documents import Document
from opvalue.evidence.scope.fields import NEUTRAL, Context, below, is_open, narrowed
from opvalue.evidence.scope.search import searched
from opvalue.evidence.scope.standing import MOST_NAMES, Attribution
from opvalue.strictjson import JsonValue

if TYPE_CHECKING:
    from graphql.language import (
        FieldNode,
        FragmentDefinitionNode,
        InlineFragmentNode,
        SelectionSetNode,
        ValueNode,
    )


_SEARCHES: Final = frozenset({"ISSUE", "ISSUE_ADVANCED", "ISSUE_HYBRID", "ISSUE_SEMANTIC", "REPOSITORY", "DISCUSSION"})


class _Place(NamedTuple):
    fields: "SelectionSetNode"
    context: Context


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
        self._defaulted: dict[str, list[JsonValue]] = {}
        self._searched: dict[str, Attribution] = {}
        self._spread: set[tuple[str, Context]] = set()
        self._places: list[_Place] = []
        self._names: set[str] = set()
        self._unclear = False

    def attribution(self) -> Attribution:
        self._places = [_Place(operation.selection_set, Context.ROOT) for operation in self._operations]
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
                self._places.append(_Place(selection.selection_set, _for_type(selection, place.context)))
            elif isinstance(selection, FragmentSpreadNode):
                self._enter(selection.name.value, place.context)

    def _enter(self, fragment: str, context: Context) -> None:
        if (fragment, context) in self._spread:
            return
        self._spread.add((fragment, context))
        found = self._fragments.get(fragment, ())
        self._places += [_Place(one.selection_set, _for_type(one, context)) for one in found]

    def _read(self, field: "FieldNode", context: Context) -> None:
        name = field.name.value
        if context is Context.ROOT:
            self._read_root(field, name)
        elif field.selection_set is None:
            self._unclear = self._unclear or not is_open(name, context)
        else:
            # With arguments it is a choice among an owner's repositories; without, the one an object belongs to.
            chosen = name == "repository" and bool(field.arguments)
            self._go(field, Context.OUTSIDE if chosen else below(name, context))

    def _read_root(self, field: "FieldNode", name: str) -> None:
        if name == "repository":
            self._add(self._repository(field))
            self._go(field, Context.INSIDE)
        elif name == "search":
            self._add(self._search(field))
            self._go(field, Context.INSIDE)
        elif name not in NEUTRAL:
            self._unclear = True

    def _go(self, field: "FieldNode", context: Context) -> None:
        if context is Context.OUTSIDE:
            self._unclear = True
        elif field.selection_set is not None:
            self._places.append(_Place(field.selection_set, context))

    def _add(self, attribution: Attribution) -> None:
        self._names.update(attribution.repositories)
        self._unclear = self._unclear or attribution.unattributed

    def _repository(self, field: "FieldNode") -> Attribution:
        owners, names = self._argument(field, "owner"), self._argument(field, "name")
        # Each operation may have defaults of its own: together they could name a million.
        few = len(owners) * len(names) <= MOST_NAMES
        clear = few and _all_match(owners, OWNER) and _all_match(names, NAME)
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
        found = [self._search_of(str(text)) for text in texts]
        return Attribution.of(
            (name for one in found for name in one.repositories), unattributed=any(one.unattributed for one in found)
        )

    def _search_of(self, text: str) -> Attribution:
        # Many fields may share one long text.
        if text not in self._searched:
            self._searched[text] = searched(text)
        return self._searched[text]

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
        if name not in self._defaulted:
            self._defaulted[name] = self._defaults(name)
        return self._defaulted[name]

    def _defaults(self, name: str) -> list[JsonValue]:
        from graphql.language import EnumValueNode, StringValueNode  # noqa: PLC0415

        found = [
            one.default_value
            for operation in self._operations
            for one in operation.variable_definitions or ()
            if one.variable.name.value == name
        ]
        plain: list[JsonValue] = [one.value for one in found if isinstance(one, StringValueNode | EnumValueNode)]
        return list(dict.fromkeys(plain)) if len(plain) == len(found) else []


def _for_type(fragment: "FragmentDefinitionNode | InlineFragmentNode", context: Context) -> Context:
    return narrowed(fragment.type_condition.name.value if fragment.type_condition else None, context)


def _all_match(values: list[JsonValue], pattern: re.Pattern[str]) -> bool:
    return bool(values) and all(isinstance(value, str) and pattern.fullmatch(value) for value in values)
