"""Which repositories the fields of a GraphQL document read."""

import json
import time

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
        ('{repository(owner:"acme",name:"widgets"){issue(number:1){subIssues{totalCount} repository{name}}}}', {}),
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


def test_defaults_that_name_too_many_are_not_combined() -> None:
    def of(owners: int, names: int) -> Attribution:
        operations = (f'query A{n}($o:String="o{n % owners}",$n:String="n{n % names}"){{...F}}' for n in range(40))
        return read(f"{' '.join(operations)} fragment F on Query{{repository(owner:$o,name:$n){{id}}}}")

    assert of(1, 1) == Attribution(("o0/n0",), False)
    assert (len(of(40, 25).repositories), of(40, 25).unattributed) == (1000, False)
    assert of(40, 26) == Attribution((), True)
    many = " ".join(f'query A{n}($n:String="n{n}"){{...F}}' for n in range(1000))
    found = read(f'{many} fragment F on Query{{repository(owner:"acme",name:$n){{id}}}}')
    assert (len(found.repositories), found.unattributed) == (1000, False)


def test_a_hostile_document_takes_no_more_than_its_length() -> None:
    operations = " ".join(f'query Q{n}($o:S="o{n}",$n:S="n{n}"){{...F}}' for n in range(400))
    fields = " ".join(f"a{n}:repository(owner:$o,name:$n){{id}}" for n in range(600))
    searches = " ".join(f"a{n}:search(query:$q,type:ISSUE){{issueCount}}" for n in range(900))
    text = " ".join(f"repo:acme/{n}" for n in range(50_000))
    begun = time.perf_counter()
    assert read(f"{operations} fragment F on Query{{{fields}}}").unattributed
    assert read(f"query($q:String!){{{searches}}}", q=text).unattributed
    assert time.perf_counter() - begun < 10


def test_a_field_at_the_root_that_is_nobodys_counts_beside_a_repository() -> None:
    repository = 'repository(owner:"acme",name:"widgets"){id}'
    for field in ("viewer{login}", 'node(id:"x"){id}', 'organization(login:"acme"){login}', "topic"):
        for document in (f"{{{repository} {field}}}", f"{{{field} {repository}}}"):
            assert read(document) == Attribution(("acme/widgets",), True)
    assert read(f"{{{repository} rateLimit{{cost}} __typename}}") == WIDGETS


def test_a_fragment_is_read_again_where_it_stands_elsewhere() -> None:
    repository = 'repository(owner:"acme",name:"widgets")'
    fragment = "fragment F on X{description}"
    assert read(f"{{{repository}{{...F}}}} {fragment}") == WIDGETS
    for fields in ("...F owner{...F}", "owner{...F} ...F"):
        assert read(f"{{{repository}{{{fields}}}}} {fragment}") == Attribution(("acme/widgets",), True)


def test_of_a_writer_only_what_names_it_is_read() -> None:
    for value, further in (("login", False), ("date", False), ("email", False), ("bio", True), ("company", True)):
        read_ = read(f'{{repository(owner:"acme",name:"widgets"){{issues{{nodes{{author{{{value}}}}}}}}}}}')
        assert read_ == Attribution(("acme/widgets",), further)


def test_every_fragment_of_a_name_counts() -> None:
    one, other = "fragment F on X{id}", "fragment F on X{forks{nodes{id}}}"
    for fragments in (f"{one} {other}", f"{other} {one}"):
        read_ = read(f'{{repository(owner:"acme",name:"widgets"){{...F}}}} {fragments}')
        assert read_ == Attribution(("acme/widgets",), True)


def test_a_search_says_where_it_is_not_confined() -> None:
    assert read('{search(query:"repo:acme/widgets OR x",type:ISSUE){issueCount}}') == Attribution(
        ("acme/widgets",), True
    )


@pytest.mark.parametrize(
    ("document", "variables"),
    [
        ('query A($n:S="a"){...F} query B($n:S!){...F} fragment F on Query{repository(owner:"a",name:$n){id}}', {}),
        ('query($t:SearchType!){search(query:"repo:acme/widgets",type:$t){issueCount}}', {"t": ["ISSUE"]}),
        ('query($t:SearchType!){search(query:"repo:acme/widgets",type:$t){issueCount}}', {"t": 1}),
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
        "issues(first:1){nodes{author{... on User{issues(first:9){nodes{body}}}}}}",
        "issues(first:1){nodes{author{... on User{pullRequests{totalCount}}}}}",
        "issues(first:1){nodes{author{... on User{issueComments{totalCount}}}}}",
        "issues(first:1){nodes{author{... on User{packages{totalCount}}}}}",
        "issues(first:1){nodes{author{... on User{projectsV2{totalCount}}}}}",
        "issues(first:1){nodes{author{... on User{repositoryDiscussions{totalCount}}}}}",
        "issues(first:1){nodes{author{...W}}}} x:rateLimit{cost",
        "issues(first:1){nodes{author{... on User{email}}}}",
        "issues(first:1){nodes{assignees{edges{node{bio}}}}}",
        "assignableUsers(first:1){nodes{issues(first:9){nodes{body}}}}",
        "stargazers(first:1){nodes{status{message}}}",
        "issues(first:1){nodes{repository{forks(first:9){nodes{id}}}}}",
        "issues(first:1){nodes{repository{parent{id}}}}",
        'issues(first:1){nodes{repository(name:"x"){id}}}',
        "defaultBranchRef{repository{templateRepository{id}}}",
        "defaultBranchRef{associatedPullRequests(first:1){nodes{id}}}",
        "refs(first:1){nodes{associatedPullRequests(first:1){nodes{id}}}}",
        'node:object(expression:"HEAD"){... on Node{... on Ref{associatedPullRequests(first:1){nodes{id}}}}}',
        'pullRequests(first:1){nodes{headRepository{object(expression:"HEAD:.env"){id}}}}',
        "pullRequests(first:1){nodes{headRepository{isPrivate}}}",
        "pullRequests(first:1){nodes{headRef{target{oid}}}}",
        "pullRequests(first:1){nodes{closingIssuesReferences(first:1){nodes{title}}}}",
        "issue(number:1){parent{number}}",
        "issue(number:1){closedByPullRequestsReferences(first:1){nodes{number}}}",
        "issue(number:1){timelineItems(first:1){nodes{... on CrossReferencedEvent{source{... on Issue{title}}}}}}",
        "issue(number:1){timelineItems(first:1){nodes{... on ReferencedEvent{commit{message}}}}}",
        "issue(number:1){timelineItems(first:1){nodes{...E}}}} x:rateLimit{cost",
        "issue(number:1){timelineItems(first:1){nodes{... on ClosedEvent{closer{... on PullRequest{number}}}}}}",
        "issue(number:1){issueType{issues(first:1){nodes{id}}}}",
        "repositoryTopics(first:1){nodes{topic{repositories(first:1){nodes{id}}}}}",
        "projectsV2(first:1){nodes{title}}",
        "dependencyGraphManifests(first:1){nodes{id}}",
        "aFieldOfTomorrow{id}",
    ],
)
def test_a_way_out_of_a_repository_is_seen(fields: str) -> None:
    document = (
        '{repository(owner:"acme",name:"widgets"){id '
        + fields
        + "}} fragment F on Repository{templateRepository{id}} fragment W on User{issues{totalCount}}"
        + " fragment E on ReferencedEvent{commit{oid}}"
    )
    assert read(document) == Attribution(("acme/widgets",), True)


@pytest.mark.parametrize(
    "fields",
    [
        'issues(first:9,labels:["x"]){totalCount pageInfo{hasNextPage endCursor} edges{cursor node{title}}}',
        "issue(number:1){author{login __typename ... on User{name databaseId}} assignees(first:9){nodes{login}}}",
        "issue(number:1){comments(last:9){nodes{body createdAt author{login} reactions{nodes{user{login}}}}}}",
        "issue(number:1){labels(first:9){nodes{name issues{totalCount}}} reactionGroups{users{totalCount}}}",
        "issue(number:1){timelineItems(last:9){nodes{__typename ... on LabeledEvent{label{name} actor{login}}}}}",
        "issue(number:1){timelineItems(last:9){nodes{... on MergedEvent{commit{oid}} ... on IssueComment{body}}}}",
        "issue(number:1){repository{nameWithOwner owner{login}}}",
        "pullRequest(number:1){merged mergedBy{login} mergeCommit{oid} baseRef{name target{oid}} headRef{name}}",
        "pullRequest(number:1){headRepository{nameWithOwner isFork owner{login}} headRepositoryOwner{login}}",
        "pullRequest(number:1){closingIssuesReferences{totalCount} files(first:9){nodes{path additions}}}",
        "pullRequest(number:1){commits(last:1){nodes{commit{oid author{email user{login}} statusCheckRollup{state}}}}}",
        "pullRequest(number:1){reviews(first:9){nodes{state author{login} comments{totalCount}}} reviewDecision}",
        "pullRequest(number:1){reviewThreads(first:9){nodes{isResolved comments(first:1){nodes{body}}}}}",
        "pullRequest(number:1){reviewRequests{nodes{requestedReviewer{... on User{login} ... on Team{slug}}}}}",
        'object(expression:"main:a"){... on Blob{text} ... on Commit{associatedPullRequests(first:1){nodes{number}}}}',
        "defaultBranchRef{name target{... on Commit{history(first:9){nodes{oid committedDate author{name}}}}}}",
        "discussions(first:2){nodes{number isAnswered answer{body author{login}} category{name}}}",
        "stargazers(first:9){edges{starredAt node{login}} totalCount} forks{totalCount} languages{nodes{name}}",
        "releases(last:1){nodes{tagName author{login} releaseAssets(first:9){nodes{name downloadCount}}}}",
    ],
)
def test_what_stays_inside_a_repository_is_its_own(fields: str) -> None:
    assert read('{repository(owner:"acme",name:"widgets"){' + fields + "}}") == WIDGETS


def test_what_a_search_finds_is_held_to_the_same() -> None:
    found = '{{search(query:"repo:acme/widgets",type:ISSUE,first:9){{nodes{{... on Issue{{{}}}}}}}}}'
    assert read(found.format("number author{login}")) == WIDGETS
    assert read(found.format("author{... on User{issues{totalCount}}}")) == Attribution(("acme/widgets",), True)
    assert read('{search(query:"repo:acme/widgets",type:ISSUE){nodes{... on User{email}}}}').unattributed


def test_fragments_that_fan_out_end() -> None:
    fragments = "".join(f"fragment F{n} on R{{...F{n + 1} ...F{n + 1}}}" for n in range(200))
    document = f'{{repository(owner:"acme",name:"widgets"){{...F0}}}} {fragments} fragment F200 on R{{id}}'
    assert read(document) == WIDGETS


def test_a_fragment_that_is_not_there_reads_nothing() -> None:
    assert read('{repository(owner:"acme",name:"widgets"){...Missing}}') == WIDGETS
