"""Bundles for tests, made up."""

import json

from opvalue.evidence.bundle import Bundle, Declared, Header, Profile
from opvalue.evidence.exchange import Answer, Exchange, normalise
from opvalue.identity import GITHUB, Digest, Host, Instant

JSON = "application/json; charset=utf-8"
EVIDENCE_AT = Instant.parse("2026-08-30T12:00:00.000Z")
OBSERVED_AT = Instant.parse("2026-08-30T12:00:01.250Z")
EVALUATOR = Digest.of(b"the evaluator")
PROFILE = Profile("gh-2.48", "jq-1.7.1")
CLOSURE = Digest.of(b"the evaluator and what it sources")
QUERY = {
    "query": 'query Q($n:String!){repository(owner:"acme",name:$n){issues{totalCount}}}',
    "variables": {"n": "widgets"},
}


def header(
    *,
    host: Host = GITHUB,
    repository_id: int = 12,
    run_id: str = "123456789",
    attempt: int = 1,
    evaluator_digest: Digest = EVALUATOR,
    closure_digest: Digest = CLOSURE,
    requests: tuple[Instant, ...] = (EVIDENCE_AT,),
    complete: bool = True,
    failures: tuple[tuple[str, str], ...] = (),
    profile: Profile = PROFILE,
    declared: tuple[Declared, ...] = (Declared("acme/widgets", 12),),
) -> Header:
    return Header(
        host,
        repository_id,
        run_id,
        attempt,
        evaluator_digest,
        closure_digest,
        requests,
        complete,
        failures,
        profile,
        declared,
    )


def exchange(
    target: str,
    answer: object = None,
    *,
    status: int = 200,
    body: bytes | None = None,
    kind: str = JSON,
    link: str | None = None,
    sent: object = None,
    host: Host = GITHUB,
    observed_at: Instant = OBSERVED_AT,
    server_date: str | None = "Sun, 30 Aug 2026 12:00:01 GMT",
) -> Exchange:
    data = b"" if sent is None else json.dumps(sent, separators=(",", ":")).encode()
    request = normalise(
        "GET" if sent is None else "POST",
        target,
        host=host,
        accept="application/vnd.github+json",
        api_version="2022-11-28",
        body=data,
    )
    headers = [("content-type", kind), *([("link", link)] if link else [])]
    content = json.dumps(answer).encode() if body is None else body
    return Exchange(request, Answer(status, tuple(headers), content), server_date, observed_at)


def exchanges() -> tuple[Exchange, ...]:
    issues = "/repos/acme/widgets/issues?state=all&per_page=100"
    following = "/repositories/12/issues?state=all&per_page=100&page=2"
    return (
        exchange(issues, [{"number": 7, "state": "closed"}], link=f'<https://api.github.com{following}>; rel="next"'),
        exchange(following, []),
        exchange("/repos/acme/widgets", {"id": 12, "full_name": "acme/widgets"}),
        exchange("/repos/acme/widgets/issues/8", {"message": "Not Found"}, status=404),
        exchange("/repos/acme/widgets/git/ref/heads%2Fmain", {"ref": "refs/heads/main"}),
        exchange("/repos/acme/widgets/tarball/main", body=b"\x1f\x8b\x08\x00\xff\xfe\x00", kind="application/gzip"),
        exchange("/repos/acme/widgets/branches/main/protection", status=204, body=b""),
        exchange("/graphql", {"data": {"repository": {"issues": {"totalCount": 1}}}}, sent=QUERY),
        exchange("/search/issues?q=is%3Aissue+repo%3Aother%2Fplace", {"total_count": 3, "items": []}),
        exchange("/users/octocat", {"login": "octocat"}),
    )


def bundle() -> Bundle:
    return Bundle.of(header(), exchanges())


def small() -> Bundle:
    """Return a bundle in which every kind of thing occurs once, as small as can be."""
    return Bundle.of(
        header(complete=False, failures=(("http.network", "GET /repos/acme/widgets/x"),)),
        [exchange("/repos/acme/widgets", {"id": 12}), exchange("/graphql", {"data": None}, sent={"query": "{x}"})],
    )
