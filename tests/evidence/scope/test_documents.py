"""GraphQL bodies: only queries, wherever an operation hides, and only what every reader reads alike."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opvalue.evidence.errors import GraphQLUnreadable, NotAQuery, RequestRefused, SecretAsked
from opvalue.evidence.exchange import Request
from opvalue.evidence.scope import attribute, check_read
from opvalue.evidence.scope.documents import read_document
from opvalue.limits import Limits

LIMITS = Limits()


def posted(document: object, **others: object) -> Request:
    return Request("POST", "/graphql", "", "*/*", "", json.dumps({"query": document, **others}).encode())


@pytest.mark.parametrize(
    "document",
    [
        "{viewer{login}}",
        "query{viewer{login}}",
        "query A{viewer{login}} query B{viewer{id}}",
        "query($a:String!,$b:Int=1){x(a:$a,b:$b){...F}} fragment F on X{y ...G} fragment G on X{z}",
        "{mutation subscription}",
        "{mutation: viewer{login}}",
        'query{x(a:"mutation { deleteRepository }")}',
        'query{x(a:"""mutation { } """)}',
        "# mutation { x }\nquery{x}",
        "query{x}\r\n# done",
        "query mutation{x}",
        "query{x @include(if:true)}",
    ],
)
def test_a_document_of_queries_is_a_read(document: str) -> None:
    check_read(posted(document))


@pytest.mark.parametrize(
    "document",
    [
        "mutation{x}",
        "mutation A{x}",
        "query A{x} mutation B{y}",
        "mutation B{y} query A{x}",
        "{x} mutation{y}",
        "query A{...F} fragment F on Q{x} mutation B{y}",
        "#comment\nmutation{x}",
        "query A{x} # mutation hidden\n mutation B{y}",
        "query A{x},,,mutation B{y}",
        'query A{x(a:"\\"")} mutation B{y} #"',
        'query A{x(a:"""\\""" """)} mutation B{y}',
        "subscription{x}",
        "query A{x} subscription B{y}",
        "mutation M($query:String){x(a:$query)}",
        "query query{x} mutation mutation{y}",
        "schema{query:Q}",
        "type Q{x:Int}",
        "extend type Q{x:Int}",
        "query A{x} directive @a on FIELD",
        "query A{x} scalar S",
    ],
)
def test_an_operation_that_is_not_a_query_is_found(document: str) -> None:
    with pytest.raises(NotAQuery) as refused:
        check_read(posted(document, operationName="A"))
    assert refused.value.code == "evidence.not-a-query"


def test_which_operation_is_chosen_does_not_matter() -> None:
    for name in ("A", "B", "", None):
        with pytest.raises(NotAQuery):
            check_read(posted("query A{x} mutation B{y}", operationName=name))


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"null",
        b'"query"',
        b"{}",
        b'[{"query":"{x}"},{"query":"mutation{y}"}]',
        b'[{"query":"{x}"}]',
        b'{"query":null}',
        b'{"query":1}',
        b'{"query":["{x}"]}',
        b'{"query":""}',
        b'{"query":"{"}',
        b'{"query":"}"}',
        b'{"query":"{x"}',
        b'{"query":"query"}',
        b'{"query":"fragment F on X"}',
        b'{"query":"{x}","query":"mutation{y}"}',
        b'{"query":"{x}","qu\\u0065ry":"mutation{y}"}',
        b'{"query":"{x}","extensions":{"persistedQuery":{}}}',
        b'{"query":"{x}","id":"1"}',
        b'{"query":"{x}","Query":"mutation{y}"}',
        b'{"query":"{x}","variables":[]}',
        b'{"query":"{x}","variables":"{}"}',
        b'{"query":"{x}","operationName":1}',
        b'\xef\xbb\xbf{"query":"{x}"}',
        b'{"query":"\\ufeff{x}"}',
        b'{"query":"{x \\ufeff}"}',
        b'{"query":"{x}\\u0000"}',
        b'{"query":"{x}\\u0001"}',
        b'{"query":"{x(a:\\"\\u007f\\")}"}',
        b'{"query":"{x} # a\\rmutation{y}"}',
        b'{"query":"{x(a:\\"\\ud800\\")}"}',
        b'{"query":"{x(a:\\"unclosed)}"}',
        '{"query":"{x}"}'.encode("utf-16"),
        b'{"query":"\xff"}',
        b'{"query":"{x}"} {"query":"mutation{y}"}',
        b"query=mutation{y}",
    ],
)
def test_a_body_that_readers_could_differ_on_is_refused(body: bytes) -> None:
    with pytest.raises(GraphQLUnreadable) as refused:
        read_document(body)
    assert refused.value.code == "evidence.graphql-unreadable"
    with pytest.raises(GraphQLUnreadable):
        attribute(Request("POST", "/graphql", "", "*/*", "", body))


@pytest.mark.parametrize("opening", ["{", "[", "("])
def test_a_deep_document_is_refused_before_it_is_parsed(opening: str) -> None:
    with pytest.raises(GraphQLUnreadable, match="nested too deeply"):
        check_read(posted("query{x" + opening * 100_000))


def test_the_deepest_document_is_read() -> None:
    depth = LIMITS.graphql_depth
    check_read(posted("{x" * depth + "}" * depth))
    check_read(posted("{x(a:" + "[" * (depth - 2) + "]" * (depth - 2) + ")}"))
    for deeper in ("{x" * (depth + 1) + "}" * (depth + 1), "{x(a:" + "[" * (depth - 1) + "]" * (depth - 1) + ")}"):
        with pytest.raises(GraphQLUnreadable, match="nested too deeply"):
            check_read(posted(deeper))


def test_a_document_that_only_the_parser_finds_deep_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_deep(_text: str, **_options: object) -> None:
        raise RecursionError

    monkeypatch.setattr("graphql.language.parse", too_deep)
    with pytest.raises(GraphQLUnreadable, match="nested too deeply"):
        check_read(posted("{only_here}"))


def test_a_large_body_is_refused() -> None:
    room = LIMITS.evidence_body_bytes - len(posted("{x}").body)
    check_read(posted("{x}" + " " * room))
    with pytest.raises(GraphQLUnreadable, match="too large"):
        check_read(posted("{x}" + " " * (room + 1)))


def test_a_document_of_many_tokens_is_refused() -> None:
    check_read(posted("{" + "x " * (LIMITS.graphql_tokens - 2) + "}"))
    with pytest.raises(GraphQLUnreadable, match="too long"):
        check_read(posted("{" + "x " * (LIMITS.graphql_tokens - 1) + "}"))


@pytest.mark.parametrize(
    "document",
    [
        '{repository(owner:"a",name:"b"){tempCloneToken}}',
        '{repository(owner:"a",name:"b"){x: tempCloneToken}}',
        '{repository(owner:"a",name:"b"){...F}} fragment F on Repository{y:tempCloneToken}',
    ],
)
def test_a_credential_is_not_asked_for(document: str) -> None:
    with pytest.raises(SecretAsked) as refused:
        check_read(posted(document))
    assert refused.value.code == "evidence.secret-asked"


def test_variables_are_no_document() -> None:
    check_read(posted("query($query:String){x(a:$query)}", variables={"query": "mutation{y}"}))
    check_read(posted("{x}", variables=None, operationName=None))


_ATOMS = r"""
query mutation subscription fragment F on X { } ( ) [ ] " \ # , ... $a : ! = @b x 1 1.5 | & é type
"""
_ATOM = st.sampled_from([*_ATOMS.split(), '"""', "\n", "\r", " ", "\ufeff", "\x00"])


@given(st.one_of(st.lists(_ATOM, max_size=20).map("".join), st.text(max_size=50)))
def test_any_document_is_read_or_refused(document: str) -> None:
    request = posted(document)
    try:
        check_read(request)
    except RequestRefused:
        return
    attribute(request)
    operations = [getattr(one, "operation", None) for one in read_document(request.body).tree.definitions]
    assert {one.value for one in operations if one is not None} <= {"query"}


@given(st.binary(max_size=80))
def test_any_body_is_read_or_refused(body: bytes) -> None:
    try:
        read_document(body)
    except RequestRefused:
        return
