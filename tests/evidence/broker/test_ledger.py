"""What is kept of one grading."""

from opvalue.evidence.broker.errors import StatusUnusable
from opvalue.evidence.broker.ledger import Failure, Ledger
from opvalue.evidence.errors import SecretInRequest
from opvalue.evidence.exchange import Exchange, Request
from opvalue.limits import Limits
from tests.evidence.broker.scene import NOW, answer

REQUEST = Request("GET", "/x", "", "*/*", "", b"")
TOKEN = "ghp_" + "a" * 36


def test_the_first_answer_to_a_request_counts() -> None:
    ledger = Ledger(Limits(evidence_bytes=10))
    first, second = (Exchange(REQUEST, answer(body), None, NOW) for body in (b"1234567", b"7654321"))
    assert ledger.found(REQUEST) is None
    assert ledger.keep(first) is first
    assert ledger.keep(second) is first
    assert ledger.found(REQUEST) is first
    assert ledger.exchanges == (first,)


def test_exchanges_are_sorted() -> None:
    ledger = Ledger(Limits())
    made = [Exchange(REQUEST._replace(path=path), answer(1), None, NOW) for path in ("/b", "/a", "/c")]
    for exchange in made:
        ledger.keep(exchange)
    assert [exchange.request.path for exchange in ledger.exchanges] == ["/a", "/b", "/c"]


def test_a_failure_is_one_line_without_secrets() -> None:
    ledger = Ledger(Limits())
    error = StatusUnusable(f"no\nanswer to {TOKEN}", found="\x1b[1m")
    failure = ledger.fail(error, f"GET /x?q={TOKEN}")
    assert failure == Failure("evidence.status-unusable", "no answer to REDACTED: \\u001b[1m", "GET /x?q=REDACTED")
    assert ledger.failures == (failure,)


def test_a_token_that_was_cut_off_is_not_shown_in_part() -> None:
    request = Request("GET", f"/{'x' * 128}/{TOKEN}", "", "*/*", "", b"")
    failure = Ledger(Limits()).fail(StatusUnusable("no answer", found=f"'/{TOKEN[:20]}...'"), request.described())
    assert failure.message == "no answer: '/REDACTED...'"
    assert failure.request == f"GET /{'x' * 128}/REDACTED..."


def test_a_request_with_a_secret_is_not_shown() -> None:
    ledger = Ledger(Limits())
    assert ledger.fail(SecretInRequest("it holds a secret", found="GET /x?q=REDACTED"), "GET /x?q=odd").request == ""


def test_the_time_of_several_who_wait_counts_once() -> None:
    now = [0.0]
    ledger = Ledger(Limits(), lambda: now[0])
    with ledger.waiting():
        now[0] = 3
        with ledger.waiting():
            now[0] = 5
            assert ledger.waited() == 5
        now[0] = 6
    now[0] = 20
    assert ledger.waited() == 6
    with ledger.waiting():
        now[0] = 21
    assert ledger.waited() == 7
