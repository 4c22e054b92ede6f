"""Invocations of ``gh`` as evaluators write them. What each prints is in ``table.json`` (``record.py``).

A row without ``differs`` is also run with the real gh of the machine (2.23), and must end alike: output, exit status,
first line of the errors. A row with it says why not: gh has changed since, with the page of its manual, or a difference
that ``docs/gh.md`` lists.
"""

import json
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from tests.evidence.gh.world import CANNED, ISSUES
from tests.sim import HEAD_SHA
from tests.sim.evidence_answers import blob_id

GOLDEN: Final = Path(__file__).parent / "table.json"
MANUAL: Final = "https://cli.github.com/manual/gh_api"
CHAIN: Final = "repos/acme/widgets/chain"
LISTS: Final = f"{MANUAL}: arrays of pages are joined"
NESTED: Final = f"{MANUAL}: nested parameters, which 2.23 neither puts into a query nor guards"
SLURPS: Final = f"{MANUAL}: --slurp"
DOCUMENTED: Final = "docs/gh.md"

FILES: Final[Mapping[str, bytes]] = {
    "query.graphql": (
        b'query($n: Int!) { repository(owner: "acme", name: "widgets") { issue(number: $n) { title } } }\n'
    ),
    "body.json": b'{"query": "{ viewer { login } }"}',
    "value.txt": b"is:closed\nlabel:bug",
    "latin.bin": b"caf\xe9",
    "empty.txt": b"",
}
"""What lies in the working folder."""

DISCUSSIONS: Final = """query($owner: String!, $name: String!, $endCursor: String) {
  repository(owner: $owner, name: $name) { discussions(first: 2, after: $endCursor) {
    nodes { number isAnswered } pageInfo { hasNextPage endCursor } } } }"""


class Row(NamedTuple):
    """One invocation. ``words``: as typed after ``gh``."""

    words: str
    stdin: bytes = b""
    env: Mapping[str, str] = {}
    differs: str = ""

    @property
    def argv(self) -> list[str]:
        """The arguments."""
        return shlex.split(self.words)

    @property
    def name(self) -> str:
        """The row's name in the table: words, what is typed in, and the environment."""
        more = [f"< {self.stdin.decode('latin-1')!r}"] if self.stdin else []
        return " ".join([*(f"{key}={value}" for key, value in self.env.items()), "gh", self.words, *more])


def _graphql(rest: str, **facts: object) -> Row:
    return Row(f"api graphql {rest} -f query={shlex.quote(DISCUSSIONS)}", **facts)  # type: ignore[arg-type]


def _plain() -> tuple[Row, ...]:
    repository = "repos/acme/widgets"
    paths = (
        *(repository, f"/{repository}", f"{ISSUES}/1", f"{ISSUES}/2", f"{ISSUES}/1/comments", f"{ISSUES}/1/timeline"),
        *(f"{ISSUES}/1/events", f"{ISSUES}/1/reactions", f"{ISSUES}/comments/101", f"{ISSUES}/comments/101/reactions"),
        *(f"{repository}/pulls/3", f"{repository}/pulls/3/reviews", f"{repository}/pulls/3/files"),
        *(f"{repository}/commits/{HEAD_SHA}", f"{repository}/commits/{HEAD_SHA}/check-runs"),
        *(f"{repository}/branches/main/protection", f"{repository}/contents/README.md", f"{repository}/contents"),
        *(f"{repository}/git/blobs/{blob_id(bytes(range(256)))}", f"{repository}/git/ref/heads/main"),
        *(f"'{repository}/git/trees/main?recursive=1'", f"{repository}/tarball/main", "repositories/42"),
        *(f"{repository}/contents/.github/workflows/issue-triage.md", f"'{ISSUES}?state=closed&per_page=2'"),
        *(f"http://api.github.localhost/{ISSUES}/1", f"'http://api.github.localhost/{ISSUES}?state=all&per_page=1'"),
        *(f"'{ISSUES}?labels=bug,triaged&state=all'", f"{ISSUES}/1/labels", f"{repository}/pulls/3/commits"),
    )
    return tuple(Row(f"api {path}") for path in paths)


def _refused() -> tuple[Row, ...]:
    names = ("gone", "gone-text", "gone-empty", "gone-torn", "gone-array", "gone-number", "gone-mute", "invalid")
    more = ("invalid-text", "invalid-list", "invalid-only", "capital", "created", "nothing", "empty", "torn")
    return (
        *(Row(f"api {CANNED}/{name}") for name in (*names, *more)),
        Row(f"api {CANNED}/gone-null"),
        *(Row(f"api {CANNED}/{name} --jq .message") for name in ("gone", "gone-text", "invalid", "nothing", "created")),
        *(Row(f"api {CANNED}/{name} --jq .a") for name in ("empty", "torn", "twice", "huge", "double", "text")),
        Row("api repos/acme/absent"),
        Row(f"api {ISSUES}/999"),
        Row(f"api {ISSUES}/999 --silent"),
        Row(f"api {ISSUES}/999 -q .title"),
        Row("api repos/acme/widgets/branches/other/protection --jq .required_status_checks"),
        Row("api search/issues"),
    )


def _written() -> tuple[Row, ...]:
    names = ("control", "spaced", "vendor", "suffix", "text", "scalar", "false", "surrogate", "numbers", "odd")
    return (
        *(Row(f"api {CANNED}/{name}") for name in names),
        *(Row(f"api {CANNED}/{name} --jq .") for name in ("spaced", "scalar", "false", "surrogate", "numbers", "odd")),
        Row(f"api {CANNED}/odd --jq '.[]'"),
        Row(f"api {CANNED}/numbers --jq '.[]'"),
        Row(f"api {CANNED}/spaced --jq ''"),
        Row(f"api {ISSUES}/2 --jq '.title, .body'"),
        Row(f"api {ISSUES}/2 --jq '[.title, .body]'"),
        Row(f"api {ISSUES}/1 --silent"),
        Row("api repos/acme/widgets/contents/docs/binary.bin -H 'Accept: application/vnd.github.raw'"),
        Row("api repos/acme/widgets/contents/docs/guide.md -H 'Accept: application/vnd.github.v3.raw'"),
        Row("api -H Accept:application/vnd.github.raw+json repos/acme/widgets/contents/README.md"),
        Row("api repos/acme/widgets/contents/docs/guide.md --jq '.content | @base64d'"),
        Row(f"api {CANNED}/file --jq '.content | @base64d'"),
        Row("api repos/acme/widgets/contents/data.json --jq .size"),
        Row(f"api -i {CANNED}/created"),
        Row(f"api --include {ISSUES}/999"),
        Row(f"api -i --silent '{ISSUES}?per_page=1'"),
        Row(f"api -i {CANNED}/nothing"),
        Row(f"api -i --jq .id {CANNED}/created"),
    )


def _paged() -> tuple[Row, ...]:
    chains = ("arrays", "empty-first", "empty-last", "newlines")
    return (
        *(Row(f"api --paginate {CHAIN}/{name}", differs=LISTS) for name in chains),
        *(Row(f"api --paginate {CHAIN}/{name}") for name in ("objects", "scalars", "one")),
        *(Row(f"api --paginate {CHAIN}/{name} --jq '.[]'") for name in ("arrays", "empty-first", "failing")),
        *(Row(f"api --paginate --slurp {CHAIN}/{name}", differs=SLURPS) for name in (*chains, "objects", "failing")),
        Row(f"api {CHAIN}/arrays"),
        Row(f"api --paginate {CHAIN}/failing", differs=LISTS),
        Row(f"api --paginate {CHAIN}/objects --jq '.items[]'"),
        Row(f"api --paginate --silent {CHAIN}/arrays"),
        Row(f"api --paginate -i {CHAIN}/objects"),
        Row(f"api --paginate -i {CHAIN}/arrays"),
        Row(f"api --paginate '{ISSUES}?state=all' --jq '.[].number'"),
        Row(f"api --paginate '{ISSUES}?state=all&per_page=20' --jq 'length'"),
        Row(f"api --paginate -XGET {ISSUES} -f state=all -F per_page=30 --jq '[.[].number] | length'"),
        Row(f"api --paginate {ISSUES}?state=all --jq '.[] | select(.pull_request | not) | .number'"),
        Row(f"api --paginate {CHAIN}/arrays --jq '.[0].x'", differs=DOCUMENTED),
        Row(f"api --paginate=false {CHAIN}/arrays"),
        Row(f"api --paginate {ISSUES}/999"),
        Row(f"api --paginate {CHAIN}/broken", differs=DOCUMENTED),
        Row(f"api --paginate -XPOST {ISSUES}"),
        Row(f"api --paginate {ISSUES} --input body.json"),
        Row(f"api --slurp {ISSUES}", differs=SLURPS),
        Row(f"api --paginate --slurp {ISSUES} --jq .", differs=SLURPS),
    )


def _fields() -> tuple[Row, ...]:
    search = "api -X GET search/issues"
    return (
        Row(f"{search} -f q='repo:acme/widgets is:issue crash' --jq .total_count"),
        Row(f"{search} -f 'q=repo:acme/widgets is:pr is:merged' -F per_page=1 --jq '.items[].number'"),
        Row("api -XGET search/issues -fq=repo:acme/widgets -q.total_count"),
        Row("api --method GET search/issues --raw-field q=repo:acme/widgets+label:bug --jq .total_count"),
        Row("api --method=GET search/issues -f q=repo:acme/widgets --jq=.incomplete_results"),
        Row(f"{search} -F q=@value.txt -f x='a&b=c' --jq .total_count"),
        Row(f"{search} -F q=@- --jq .total_count", stdin=b"repo:acme/widgets is:closed"),
        Row(f"{search} -F q=@absent.txt"),
        Row(f"{search} -F q=@empty.txt"),
        Row(f"{ISSUES} -X GET -f state=closed".join(("api ", " --jq length"))),
        Row(f"api -X GET {ISSUES} -f 'labels[]=bug' -F 'c[][d]=true' --jq length", differs=NESTED),
        Row(f"api {ISSUES}/1 -f abc"),
        Row(f"api {ISSUES}/1 -f 'a[b'"),
        Row(f"api {ISSUES}/1 -f 'a[b]'"),
        Row(f"api {ISSUES}/1 -f a=1 -f a=2", differs=NESTED),
        Row(f"api {ISSUES}/1 -f a=1 -f 'a[]=2'"),
        Row(f"api {ISSUES}/1 -f 'a[]=1' -f 'a[b]=2'"),
        Row(f"api {ISSUES}/1 -f 'a[b]=1' -f 'a[]=2'"),
        Row(f"api {ISSUES}/1 -F a=1 -F 'a[b]=2'"),
        Row(f"api {ISSUES}/1 -H nocolon"),
        Row(f"api {ISSUES}/1 --input absent.json"),
        Row(f"api {ISSUES}/1 -H Accept:application/vnd.github+json -H X-GitHub-Api-Version:2022-11-28 --jq .id"),
        Row(f"api {ISSUES}/1 -p nebula,squirrel-girl --jq .number"),
        Row(f"api {ISSUES}/1 --cache 1h --jq .number"),
        Row(f"api {ISSUES}/1 --cache 1h30m5.5s --jq .number"),
    )


def _graphqls() -> tuple[Row, ...]:
    viewer = "-f query='{ viewer { login } }'"
    return (
        Row(f"api graphql {viewer}"),
        Row(f"api graphql {viewer} --jq .data.viewer.login"),
        Row(f"api graphql {viewer} --silent"),
        Row("api graphql -F n=1 -F query=@query.graphql --jq .data.repository.issue.title"),
        Row("api graphql -F query=@- -F n=1", stdin=FILES["query.graphql"]),
        Row("api graphql -F n=999 -F query=@query.graphql"),
        Row("api graphql -F n=999 -F query=@query.graphql --jq .data.repository.issue"),
        Row("api graphql -f query='{ viewer { nothing } }'"),
        Row("api graphql -f query='{ viewer'", differs="the answer's words are graphql-core's, of either gh alike"),
        Row("api graphql --input body.json --jq .data.viewer.login"),
        Row("api graphql --input -", stdin=FILES["body.json"]),
        Row("api /graphql --input body.json"),
        _graphql("-f owner=acme -f name=widgets"),
        _graphql("-f owner=acme -f name=widgets -F endCursor=null --jq .data.repository.discussions.pageInfo"),
        _graphql("-F owner='{owner}' -F name='{repo}' --jq '.data.repository.discussions.nodes | length'"),
        _graphql("-F owner=:owner -F name=:repo --jq '.data.repository.discussions.nodes | length'"),
        _graphql("--paginate -f owner=acme -f name=widgets"),
        _graphql("--paginate -f owner=acme -f name=widgets --jq '.data.repository.discussions.nodes[].number'"),
        _graphql("--paginate --slurp -f owner=acme -f name=widgets", differs=SLURPS),
        _graphql("--paginate -f owner=acme -f name=absent"),
    )


def _placed() -> tuple[Row, ...]:
    other = {"GH_REPO": "acme/other"}
    return (
        Row("api 'repos/{owner}/{repo}/issues/1' --jq .title"),
        Row("api repos/:owner/:repo/issues/1 --jq .title"),
        Row("api 'repos/{owner}/{repo}' --jq .full_name", env=other),
        Row("api 'repos/{owner}/{repo}' --jq .full_name", env={"GH_REPO": "github.localhost/acme/other"}),
        Row("api 'repos/{owner}/{repo}'", env={"GH_REPO": "widgets"}),
        Row("api 'repos/{owner}/{repo}' --jq .full_name", env={"GH_REPO": "https://github.localhost/acme/other.git"}),
        Row("api 'repos/{owner}/{repo}' --jq .full_name", env={"GH_REPO": "git@github.localhost:acme/other.git"}),
        Row("api 'repos/{owner}/{repo}'", env={"GH_REPO": "https://github.localhost/acme/other/pulls"}),
        Row("api 'repos/{owner}/{repo}/issues/{number}'"),
        Row("api repos/:ownership/:repository"),
        Row("api -X GET 'repos/{owner}/{repo}/issues' -F state=closed -F creator='{owner}' --jq length"),
        Row("api 'repos/{owner}/{repo}/branches/{branch}'", differs=DOCUMENTED),
        Row(f"api {ISSUES}/1 --hostname github.localhost --jq .id"),
        Row(f"api {ISSUES}/1 --hostname a:b"),
        Row(f"api {ISSUES}/1 --hostname ''"),
        Row("api 'repos/acme/widgets/contents/docs/a b%20c'"),
        Row("api 'repos/acme/widgets/contents/docs/ü(1)'"),
        Row("api 'repos/acme/widgets/contents/docs/%zz'", differs=DOCUMENTED),
        Row(f"api '{ISSUES}/1#fragment' --jq .id"),
    )


def _flags() -> tuple[Row, ...]:
    return (
        Row("api"),
        Row("api a b"),
        Row("api --nonsense"),
        Row("api -Z"),
        Row(f"api {ISSUES}/1 --jq"),
        Row(f"api {ISSUES}/1 -q"),
        Row(f"api {ISSUES}/1 --paginate=maybe"),
        Row(f"api {ISSUES}/1 -i=maybe"),
        Row(f"api {ISSUES}/1 --cache soon"),
        Row(f"api {ISSUES}/1 --silent --jq .", differs=f"{MANUAL}: --verbose is named as well"),
        Row(f"api {ISSUES}/1 ---x"),
        Row(f"api -- {ISSUES}/1 --jq"),
        Row(f"api --jq .number -- {ISSUES}/1"),
        Row(f"api -q .number {ISSUES}/1"),
        Row(f"api -q.number {ISSUES}/1"),
        Row(f"api -q=.number {ISSUES}/1"),
        Row(f"api -iq .number {CANNED}/created"),
        Row(f"api {ISSUES}/1 -q .number -q .title"),
        Row(f"api {ISSUES}/1 --jq '.title | keys'", differs=DOCUMENTED),
        Row(f"api {ISSUES}/1 --jq '.number, (\"x\" | error)'", differs=DOCUMENTED),
        Row(f"api {ISSUES}/1 --jq '.[['", differs=DOCUMENTED),
        Row(f"api {ISSUES}/1 --template '{{{{.title}}}}'", differs=DOCUMENTED),
        Row(f"api {ISSUES}/1 --verbose", differs=DOCUMENTED),
        Row("pr list", differs=DOCUMENTED),
        Row("aw logs", differs=DOCUMENTED),
        Row("auth login", differs=DOCUMENTED),
        Row("auth token"),
        Row("auth status", differs=DOCUMENTED),
        Row("--version", differs=DOCUMENTED),
        Row("version", differs=DOCUMENTED),
    )


ROWS: Final = (
    *_plain(),
    *_refused(),
    *_written(),
    *_paged(),
    *_fields(),
    *_graphqls(),
    *_placed(),
    *_flags(),
)


class Golden(NamedTuple):
    """How a row ends: exit status, output (as latin-1: a character a byte), first line of the errors."""

    status: int
    out: str
    err: str


def goldens() -> dict[str, Golden]:
    """Return what is recorded, by the rows' names."""
    return {name: Golden(*values) for name, *values in json.loads(GOLDEN.read_text("utf-8"))}
