"""What sticks: failures of any kind at any exchange, what is refused, and what passes a bound."""

import pytest

from opvalue.http import (
    AnonymousRefused,
    Forbidden,
    NetworkFailed,
    RateLimited,
    SecondaryLimited,
    ServerFailed,
    TokenMissing,
    Unauthorized,
)
from opvalue.limits import Limits
from tests.evidence.broker.scene import REPOSITORY, Table, answer, codes, listening, next_page, only_failure

ISSUES = f"{REPOSITORY}/issues"
FOUND = answer([{"number": 1}])

FAILING = {
    "http.network-failed": NetworkFailed("no whole answer came"),
    "http.server-failed": ServerFailed("failed", found="status 502"),
    "http.unauthorized": Unauthorized("not accepted"),
    "http.token-missing": TokenMissing("none"),
    "http.forbidden": Forbidden("denied"),
    "http.anonymous-refused": AnonymousRefused("not shown"),
    "http.rate-limited": RateLimited("used up"),
    "http.secondary-limit": SecondaryLimited("slow down"),
    "evidence.status-unusable": answer({}, 202),
    "evidence.broken-pages": answer([], link=next_page("https://evil.example/repos/acme/widgets/issues?page=2")),
    "evidence.broker-failed": lambda _: 1 // 0,
}


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("code", FAILING)
def test_a_failure_at_any_exchange_sticks(code: str, number: int) -> None:
    targets = [f"{ISSUES}/{one}" for one in range(4)]
    table = Table(dict.fromkeys(targets, FOUND))
    table.replies[targets[number]] = FAILING[code]  # type: ignore[assignment]
    with listening(table) as (broker, child):
        statuses = [child.get(target).status for target in targets]
    assert statuses == [200] * number + [599] * (4 - number)
    only_failure(broker, code)
    assert table.targets == targets[: number + 1]
    assert len(broker.exchanges) == number + (1 if code.startswith("evidence.") and "broker" not in code else 0)


@pytest.mark.parametrize(
    ("method", "target", "body", "headers", "code"),
    [
        ("DELETE", ISSUES, b"", {}, "evidence.not-a-read"),
        ("PATCH", ISSUES, b"{}", {"Content-Type": "application/json"}, "evidence.not-a-read"),
        ("POST", ISSUES, b"{}", {}, "evidence.not-a-read"),
        ("POST", "/markdown", b"{}", {}, "evidence.not-a-read"),
        ("HEAD", ISSUES, b"", {}, "evidence.not-a-read"),
        ("CONNECT", "api.github.com:443", b"", {}, "evidence.not-a-read"),
        ("OPTIONS", "*", b"", {}, "evidence.not-a-read"),
        ("GET", "/graphql?query={viewer{login}}", b"", {}, "evidence.not-a-read"),
        ("GET", ISSUES, b"{}", {"Content-Type": "application/json"}, "evidence.body-unexpected"),
        ("GET", ISSUES, b"x", {}, "evidence.request-unclear"),
        ("POST", "/graphql", b"query=x", {"Content-Type": "text/plain"}, "evidence.request-unclear"),
        ("POST", "/graphql", b"", {}, "evidence.graphql-unreadable"),
        ("GET", "https://evil.example/x", b"", {}, "evidence.outside-host"),
        ("GET", "https://api.github.com.evil.example/x", b"", {}, "evidence.outside-host"),
        ("GET", "/a//b", b"", {}, "evidence.path-unclear"),
        ("GET", "/repos/acme/widgets/%2e%2e/%2e%2e/user", b"", {}, "evidence.path-unclear"),
        ("GET", "relative", b"", {}, "evidence.path-unclear"),
        ("GET", ISSUES, b"", {"Host": "ghe.example.com"}, "evidence.other-host"),
        ("GET", ISSUES, b"", {"Accept": "x" * 600}, "evidence.header-unclear"),
        ("GET", ISSUES, b"", {"X-GitHub-Api-Version": "2022 11"}, "evidence.header-unclear"),
        ("POST", "opvalue:unsupported", b"gh pr list", {}, "evidence.unsupported-command"),
        ("POST", "opvalue:broken-pages", b"GET /x", {}, "evidence.broken-pages"),
        ("GET", "opvalue:unsupported", b"", {}, "evidence.path-unclear"),
        ("POST", "opvalue:else", b"", {}, "evidence.path-unclear"),
    ],
)
def test_what_is_refused_sticks(method: str, target: str, body: bytes, headers: dict[str, str], code: str) -> None:
    table = Table({ISSUES: FOUND})
    with listening(table) as (broker, child):
        said = child.ask(method, target, body, **headers)
        assert said.status == (204 if "opvalue:" in target and "-" in code and method == "POST" and body else 599)
        assert child.get(ISSUES).status == 599
    only_failure(broker, code)
    assert table.asked == []


REFUSED_HEADERS = [
    "Authorization",
    "Proxy-Authorization",
    "Cookie",
    "X-HTTP-Method-Override",
    "X-Method-Override",
    "X-Forwarded-Host",
    "X-Forwarded-For",
    "Forwarded",
    "X-Original-URL",
    "X-Rewrite-URL",
    "X-GitHub-OTP",
    "If-None-Match",
    "If-Modified-Since",
    "Range",
    "Expect",
    "Upgrade",
    "TE",
    "Trailer",
    "GraphQL-Features",
    "X-GitHub-Next-Global-ID",
    "Anything",
]


@pytest.mark.parametrize("name", REFUSED_HEADERS)
def test_headers_that_could_change_the_answer_stick(name: str) -> None:
    table = Table({ISSUES: FOUND})
    with listening(table) as (broker, child):
        assert child.get(ISSUES, **{name: "1"}).status == 599
    assert name.lower() in only_failure(broker, "evidence.header-refused")
    assert table.asked == []


@pytest.mark.parametrize("name", ["User-Agent", "Cache-Control", "Pragma", "Connection", "Accept-Encoding"])
def test_headers_that_say_nothing_are_left_out(name: str) -> None:
    with listening(Table({ISSUES: FOUND})) as (broker, child):
        assert child.get(ISSUES, **{name: "x"}).status == 200
    assert broker.failures == ()


def test_a_refusal_says_why_in_one_line() -> None:
    with listening(Table()) as (broker, child):
        said = child.get("https://evil.example/x")
        again = child.get(ISSUES)
    assert said.body == again.body
    line = said.body.decode()
    assert line.endswith("[evidence.outside-host]\n")
    assert line.count("\n") == 1
    assert broker.failures[0].message in line


def test_an_unsupported_command_is_named_on_one_printable_line() -> None:
    with listening(Table()) as (broker, child):
        child.ask("POST", "opvalue:unsupported", "gh pr list\n\x1b[31m \u202e\xff".encode() + b"\xfe" + b"x" * 2000)
    message = only_failure(broker, "evidence.unsupported-command")
    assert "gh pr list \\u001b[31m \\u202e" in message
    assert len(message) <= 500


def test_causes_that_come_later_are_kept_to_a_number() -> None:
    with listening(Table(), limits=Limits(evidence_failures=3)) as (broker, child):
        for number in range(5):
            child.ask("POST", "opvalue:unsupported", b"gh %d" % number)
    assert [failure.message[-4:] for failure in broker.failures] == ["gh 0", "gh 1", "gh 2"]


def test_the_number_of_requests_is_bounded_repeated_ones_included() -> None:
    with listening(Table({ISSUES: FOUND}), limits=Limits(evidence_exchanges=3)) as (broker, child):
        assert [child.get(ISSUES).status for _ in range(5)] == [200, 200, 200, 599, 599]
    assert "at most" not in only_failure(broker, "evidence.too-many-exchanges")


@pytest.mark.parametrize("size", [100, 101])
def test_all_answers_together_are_bounded_repeated_ones_left_out(size: int) -> None:
    table = Table({f"{ISSUES}/1": answer(b"x" * 50), f"{ISSUES}/2": answer(b"x" * (size - 50))})
    with listening(table, limits=Limits(evidence_bytes=100)) as (broker, child):
        statuses = [child.get(f"{ISSUES}/{number}").status for number in (1, 1, 1, 2)]
    assert statuses == [200, 200, 200, 200 if size == 100 else 599]
    assert codes(broker) == ([] if size == 100 else ["evidence.too-much"])


def test_waiting_is_bounded_and_counted_once() -> None:
    now = iter(range(0, 1000, 10))
    limits = Limits(evidence_wait_seconds=25)
    with listening(Table({ISSUES: FOUND}), limits=limits, clock=lambda: next(now)) as (broker, child):
        statuses = [child.get(f"{ISSUES}{'' if not number else f'?page={number}'}").status for number in range(1)]
        assert broker.waited() == 10
        assert child.get(f"{ISSUES}/1").status == 404
        assert child.get(f"{ISSUES}/2").status == 599
        assert broker.waited() == 25
    assert statuses == [200]
    only_failure(broker, "evidence.waited-too-long")


ONE, TWO = "01" * 12, "ab" * 12


def test_a_command_that_does_not_say_that_it_has_printed() -> None:
    with listening(Table({ISSUES: FOUND})) as (broker, child):
        assert child.get(ISSUES, Opvalue_Command=ONE).status == 200
        assert child.get(ISSUES, Opvalue_Command=ONE).status == 200
        assert child.get(ISSUES, Opvalue_Command=TWO).status == 200
        assert child.ask("POST", "opvalue:printed", TWO.encode()).status == 204
    only_failure(broker, "evidence.answer-not-taken")


def test_commands_that_say_so() -> None:
    table = Table({ISSUES: FOUND})
    with listening(table) as (broker, child):
        for command in (ONE, TWO):
            assert child.get(ISSUES, Opvalue_Command=command).status == 200
            assert child.ask("POST", "opvalue:printed", command.encode()).status == 204
    assert broker.failures == ()
    assert [exchange.request.path for exchange in broker.exchanges] == [ISSUES]


@pytest.mark.parametrize("name", ["", "one", ONE + "0", ONE.replace("1", "A"), "x" * 10_000])
def test_a_command_of_an_odd_name_is_not_kept(name: str) -> None:
    table = Table({ISSUES: FOUND})
    with listening(table) as (broker, child):
        assert child.get(ISSUES, Opvalue_Command=name).status == 599
    only_failure(broker, "evidence.header-refused")
    assert table.asked == []
