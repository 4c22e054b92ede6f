"""A bundle stands for one run, one evaluator, whole, and not older than the cutoff."""

from typing import Any

import pytest

from opvalue.errors import Kind
from opvalue.evidence.bundle import Bundle, Header, check_complete, check_declared, check_for, check_fresh, check_past
from opvalue.evidence.bundle.errors import BundleIncomplete, BundleRefused, EvidenceTooOld, ObservedLater, OtherDeclared
from opvalue.identity import Digest, Host, Instant
from tests.evidence.bundle.made import CLOSURE, EVALUATOR, OBSERVED_AT, bundle, exchange, header

ASKED: dict[str, Any] = {
    "host": Host("github.com"),
    "run_id": "123456789",
    "attempt": 1,
    "evaluator_digest": EVALUATOR,
    "closure_digest": CLOSURE,
    "repository_id": 12,
}


def test_the_bundle_of_this_grading_is_taken() -> None:
    check_for(bundle(), **ASKED)
    check_for(bundle(), **{**ASKED, "repository_id": None})


@pytest.mark.parametrize(
    ("field", "other", "code"),
    [
        ("host", Host("ghe.example.com"), "bundle.other-host"),
        ("repository_id", 13, "bundle.other-repository"),
        ("run_id", "1", "bundle.other-run"),
        ("attempt", 2, "bundle.other-attempt"),
        ("evaluator_digest", Digest.of(b""), "bundle.other-evaluator"),
        ("closure_digest", Digest.of(b""), "bundle.other-closure"),
    ],
)
def test_the_bundle_of_another_is_refused_with_its_own_code(field: str, other: object, code: str) -> None:
    with pytest.raises(BundleRefused) as refused:
        check_for(bundle(), **{**ASKED, field: other})
    assert refused.value.code == code
    assert refused.value.kind is Kind.REFUSED
    assert refused.value.expected == str(other)


@pytest.mark.parametrize(
    ("made", "found"),
    [
        (header(complete=False), "cut short"),
        (header(complete=False, failures=(("a.b", "GET /x"),)), "a.b: GET /x"),
        (header(complete=True, failures=(("a.b", "GET /x"),)), "a.b: GET /x"),
        (header(complete=False, failures=(("a.b", "GET /x"),) * 9), "a.b: GET /x; a.b: GET /x; a.b: GET /x"),
    ],
)
def test_a_recording_that_failed_stands_for_nothing(made: Header, found: str) -> None:
    with pytest.raises(BundleIncomplete) as refused:
        check_complete(Bundle.of(made, []))
    assert (refused.value.code, refused.value.kind) == ("bundle.incomplete", Kind.NOT_OBSERVED)
    assert refused.value.found == found
    with pytest.raises(BundleIncomplete):
        check_for(Bundle.of(made, []), **ASKED)


def test_evidence_may_be_as_old_as_the_cutoff_and_no_older() -> None:
    check_fresh(bundle().exchanges, OBSERVED_AT)
    check_fresh([], Instant(2**50))
    with pytest.raises(EvidenceTooOld) as refused:
        check_fresh(bundle().exchanges, Instant(OBSERVED_AT.milliseconds + 1))
    assert (refused.value.code, refused.value.kind) == ("evidence.too-old", Kind.NOT_OBSERVED)
    assert refused.value.found == f"{OBSERVED_AT} GET /repos/acme/widgets, and 9 more"


def test_evidence_may_be_as_new_as_clocks_differ_and_no_newer() -> None:
    made = [exchange("/user"), exchange("/x", observed_at=Instant(OBSERVED_AT.milliseconds + 1))]
    check_past(made, Instant(OBSERVED_AT.milliseconds + 1 - 300_000))
    with pytest.raises(ObservedLater) as refused:
        check_past(made, Instant(OBSERVED_AT.milliseconds - 300_000))
    assert (refused.value.code, refused.value.kind) == ("evidence.observed-later", Kind.REFUSED)
    assert refused.value.expected == f"at or before {OBSERVED_AT}"
    assert refused.value.found == "2026-08-30T12:00:01.251Z GET /x"


def test_what_was_declared_is_compared_by_name() -> None:
    check_declared(bundle(), ["Acme/Widgets", "acme/widgets"])
    check_declared(Bundle.of(header(declared=()), []), [])
    for declared, expected in (([], "none"), (["acme/widgets", "acme/other"], "acme/other, acme/widgets")):
        with pytest.raises(OtherDeclared) as refused:
            check_declared(bundle(), declared)
        assert (refused.value.code, refused.value.kind) == ("bundle.other-declared", Kind.REFUSED)
        assert (refused.value.expected, refused.value.found) == (expected, "acme/widgets")


def test_one_exchange_that_is_too_old_is_enough() -> None:
    early = exchange("/user", observed_at=Instant(5))
    with pytest.raises(EvidenceTooOld) as refused:
        check_fresh([*bundle().exchanges, early], OBSERVED_AT)
    assert refused.value.found == "1970-01-01T00:00:00.005Z GET /user"
