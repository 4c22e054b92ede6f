"""GraphQL bodies: one JSON object with one document, whose every operation is a query (DESIGN 5).

The document is parsed, never matched. It is refused where another reader could see another document: keys that
servers may know, control characters, a byte order mark, a lone carriage return.

Pure. Not checked: whether the document is valid against GitHub's schema, nor which of its operations would run: all
of them must be queries.
"""

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from opvalue.errors import OpvalueError
from opvalue.evidence.errors import GraphQLUnreadable, NotAQuery, SecretAsked
from opvalue.limits import Limits
from opvalue.strictjson import JsonObject, JsonRefused, JsonValue, kind_of, loads

if TYPE_CHECKING:
    from graphql.language import DefinitionNode, DocumentNode

_LIMITS: Final = Limits()
_CREDENTIAL: Final = "tempCloneToken"
_KEYS: Final = frozenset({"query", "variables", "operationName"})
_ODD = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufeff\ud800-\udfff]|\r(?!\n)")
_TOKEN = re.compile(
    r'"""(?:[^"\\]|\\"""|\\|"(?!""))*+(?:""")?|"(?:[^"\\\n\r]|\\.)*+"?|#[^\n\r]*+|[{\[(]|[}\])]|[\w.$-]++|[^\s,]'
)


class Document(NamedTuple):
    """A GraphQL request that only reads."""

    tree: "DocumentNode"
    variables: JsonObject
    operation: str | None
    """The operation chosen by name."""


@lru_cache(maxsize=16)
def read_document(body: bytes) -> Document:
    """Return the one document of a GraphQL body. Raises ``GraphQLUnreadable``, ``NotAQuery``, ``SecretAsked``.

    Remembers the last few bodies, because a request is both checked and attributed. The value is not to be changed.
    """
    if len(body) > _LIMITS.evidence_body_bytes:
        raise GraphQLUnreadable(
            "the GraphQL body is too large",
            expected=f"at most {_LIMITS.evidence_body_bytes} bytes",
            found=f"{len(body)} bytes",
        )
    fields = _fields(body)
    text = fields.get("query")
    if not isinstance(text, str):
        raise GraphQLUnreadable("the GraphQL body has no document", expected="query: a string", found=kind_of(text))
    tree = _parsed(text)
    for definition in tree.definitions:
        _check(definition)
    return Document(tree, _variables(fields.get("variables")), _operation(fields.get("operationName")))


def _fields(body: bytes) -> JsonObject:
    try:
        value = loads(body, what="the GraphQL body")
    except JsonRefused as error:
        raise GraphQLUnreadable(error.message, expected=error.expected, found=error.found) from None
    if isinstance(value, list):
        raise GraphQLUnreadable("the GraphQL body holds several requests", expected="one JSON object", found="array")
    if not isinstance(value, dict):
        raise GraphQLUnreadable("the GraphQL body is not an object", expected="one JSON object", found=kind_of(value))
    # A persisted query, for one, would run a document that nobody here has seen.
    unknown = sorted(value.keys() - _KEYS)
    if unknown:
        raise GraphQLUnreadable(
            "the GraphQL body holds a field that is not known",
            expected=", ".join(sorted(_KEYS)),
            found=repr(unknown[0]),
        )
    return value


def _parsed(text: str) -> "DocumentNode":
    odd = _ODD.search(text)
    if odd is not None:
        raise GraphQLUnreadable("the GraphQL document holds a character readers differ on", found=repr(odd[0]))
    # Wherever it stands: nobody needs to name it.
    if _CREDENTIAL in text:
        raise SecretAsked("the GraphQL document asks for a credential", found=_CREDENTIAL)
    _check_size(text)
    from graphql.error import GraphQLError  # noqa: PLC0415 - few evaluators send GraphQL, and it is slow to load
    from graphql.language import parse  # noqa: PLC0415

    try:
        return parse(text, no_location=True)
    except GraphQLError as error:
        raise GraphQLUnreadable(f"the GraphQL document does not parse: {error.message}") from None
    except RecursionError:
        raise _too_deep() from None


def _check_size(text: str) -> None:
    depth = 0
    for count, token in enumerate(_TOKEN.finditer(text), 1):
        first = token[0]
        if first in "{[(":
            depth += 1
        elif first in "}])":
            depth -= 1
        if depth > _LIMITS.graphql_depth:
            raise _too_deep()
        if count > _LIMITS.graphql_tokens:
            raise GraphQLUnreadable(
                "the GraphQL document is too long", expected=f"at most {_LIMITS.graphql_tokens} tokens"
            )


def _too_deep() -> OpvalueError:
    return GraphQLUnreadable(
        "the GraphQL document is nested too deeply", expected=f"at most {_LIMITS.graphql_depth} levels"
    )


def _check(definition: "DefinitionNode") -> None:
    from graphql.language import FragmentDefinitionNode, OperationDefinitionNode, OperationType  # noqa: PLC0415

    if isinstance(definition, FragmentDefinitionNode):
        return
    if not isinstance(definition, OperationDefinitionNode):
        raise NotAQuery(
            "the GraphQL document defines something", expected="queries and fragments", found=definition.kind
        )
    if definition.operation is not OperationType.QUERY:
        name = definition.name.value if definition.name else "without a name"
        raise NotAQuery(
            "the GraphQL document holds an operation that is not a query",
            expected="queries and fragments",
            found=f"{definition.operation.value} {name}",
        )


def _variables(value: JsonValue) -> JsonObject:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise GraphQLUnreadable("the GraphQL variables are not an object", expected="an object", found=kind_of(value))
    return value


def _operation(value: JsonValue) -> str | None:
    if value is None or isinstance(value, str):
        return value
    raise GraphQLUnreadable("the operation's name is not a string", expected="a string", found=kind_of(value))
