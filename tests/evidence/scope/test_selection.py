"""Which repositories the fields of a GraphQL document read."""

import json

import pytest

from opvalue.evidence.exchange import Request
from opvalue.evidence.scope import Attribution, attribute


def read(document: str, **variables: object) -> Attribution:
    body = json.dumps({"query": document, "variables": variables}).encode()
    return attribute(Request("POST", "/graphql", "", "*/*", "", body))


WIDGETS = Attribution(("acme/widgets",), False)


@pytest.mark.parametrize(
    ("document", "variables"),
    [
        ('{repository(owner:"acme",name:"widgets"){id}}', {}),
        ('{repository(name:"Widgets",owner:"ACME",followRenames:false){id}}', {}),
        ('{repository(owner:"""acme""",name:"widgets"){id}}', {}),
        ('{r: repository(owner:"acme",name:"widgets"){id}}', {}),
        ('{rateLimit{remaining} repository(owner:"acme",name:"widgets"){id} __typename}', {}),
        ("query($o:String!,$n:String!){repository(owner:$o,name:$n){id}}", {"o": "acme", "n": "widgets"}),
        ('query($o:String="acme",$n:String="x"){repository(owner:$o,name:$n){id}}', {"n": "widgets"}),
        ('{...F} fragment F on Query{repository(owner:"acme",name:"widgets"){id}}', {}),
        ('{... on Query{repository(owner:"acme",name:"widgets"){id}}}', {}),
        ('query A{repository(owner:"acme",name:"widgets"){id}} query B{rateLimit{cost}}', {}),
        ('{repository(owner:"acme",name:"widgets"){owner{login id} issues(first:9){nodes{number}}}}', {}),
        ('{repository(owner:"acme",name:"widgets"){issue(number:1){parent{number} repository{name}}}}', {}),
        ('{search(query:"repo:acme/widgets is:open",type:ISSUE,first:9){nodes{... on Issue{number}}}}', {}),
        ("query($q:String!){search(query:$q,type:ISSUE_ADVANCED){issueCount}}", {"q": "repo:acme/widgets"}),
        (
            "query($t:SearchType=DISCUSSION,$q:String!){search(query:$q,type:$t){discussionCount}}",
            {"q": "repo:acme/widgets"},
        ),
        ('{repository(owner:"acme",name:"widgets"){...F}} fragment F on R{id ...G} fragment G on R{id ...F}', {}),
    ],
)
def test_a_document_reads_one_repository(document: str, variables: dict[str, object]) -> None:
    assert read(document, **variables) == WIDGETS


def test_all_operations_and_aliases_count() -> None:
    document = """
    query A{a:repository(owner:"acme",name:"widgets"){id} b:repository(owner:"acme",name:"gadgets"){id}}
    query B{repository(owner:"evil",name:"place") @include(if:false){id}}
    fragment Unused on Query{repository(owner:"not",name:"spread"){id}}
    """
    assert read(document) == Attribution(("acme/gadgets", "acme/widgets", "evil/place"), False)


def test_every_default_of_a_variable_counts() -> None:
    document = """
    query A($n:String="widgets"){...F}
    query B($n:String="gadgets"){...F}
    fragment F on Query{repository(owner:"acme",name:$n){id}}
    """
    assert read(document) == Attribution(("acme/gadgets", "acme/widgets"), False)


@pytest.mark.parametrize(
    ("document", "variables"),
    [
        ("{viewer{login}}", {}),
        ("{rateLimit{remaining}}", {}),
        ('{node(id:"x"){id}}', {}),
        ('{organization(login:"acme"){repository(name:"widgets"){id}}}', {}),
        ('{repository(owner:"acme"){id}}', {}),
        ('{repository(owner:"acme",name:"a/b"){id}}', {}),
        ('{repository(owner:"acme",name:""){id}}', {}),
        ('{repository(owner:"acme",name:1){id}}', {}),
        ('{repository(owner:"acme",name:"a",name:"b"){id}}', {}),
        ("{repository{id}}", {}),
        ("query($n:String!){repository(owner:$n,name:$n){id}}", {}),
        ("query($n:String!){repository(owner:$n,name:$n){id}}", {"n": None}),
        ("query($n:String!){repository(owner:$n,name:$n){id}}", {"n": ["acme"]}),
        ('query($n:[String]=["a"]){repository(owner:$n,name:$n){id}}', {}),
        ("query($n:String){repository(owner:$n,name:$n){id}}", {}),
        ('{search(query:"is:open",type:ISSUE){issueCount}}', {}),
        ('{search(query:"repo:acme/widgets",type:USER){userCount}}', {}),
        ('{search(query:"repo:acme/widgets"){issueCount}}', {}),
        ("query($q:String){search(query:$q,type:ISSUE){issueCount}}", {"q": 1}),
        ("{search(type:ISSUE){issueCount}}", {}),
    ],
)
def test_a_document_that_names_no_repository_for_certain(document: str, variables: dict[str, object]) -> None:
    assert read(document, **variables) == Attribution((), True)


@pytest.mark.parametrize(
    "fields",
    [
        "parent{issues{totalCount}}",
        "forks(first:9){nodes{id}}",
        "templateRepository{id}",
        "... on Repository{parent{id}}",
        "...F} x:rateLimit{cost",
        "owner{repositories(first:9){nodes{id}}}",
        'owner{... on User{repository(name:"other"){id}}}',
        "owner{... on Organization{anything}}",
        'issues(first:1){nodes{author{... on User{repository(name:"other"){id}}}}}',
        "issues(first:1){nodes{author{... on User{repositories{totalCount}}}}}",
        "stargazers(first:1){nodes{starredRepositories{totalCount}}}",
    ],
)
def test_a_way_out_of_a_repository_is_seen(fields: str) -> None:
    document = (
        '{repository(owner:"acme",name:"widgets"){id ' + fields + "}} fragment F on Repository{templateRepository{id}}"
    )
    assert read(document) == Attribution(("acme/widgets",), True)


def test_fragments_that_fan_out_end() -> None:
    fragments = "".join(f"fragment F{n} on R{{...F{n + 1} ...F{n + 1}}}" for n in range(200))
    document = f'{{repository(owner:"acme",name:"widgets"){{...F0}}}} {fragments} fragment F200 on R{{id}}'
    assert read(document) == WIDGETS


def test_a_fragment_that_is_not_there_reads_nothing() -> None:
    assert read('{repository(owner:"acme",name:"widgets"){...Missing}}') == WIDGETS
