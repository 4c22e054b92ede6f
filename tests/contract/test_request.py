import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opvalue.contract import Subject, build_request, encode
from opvalue.identity import Instant
from opvalue.strictjson import JsonObject, loads

SUBJECT = Subject(
    run_id="17523948812345678901",
    attempt=2,
    repository="acme/widgets",
    workflow="Daily triage — 🏷",
    ref="refs/heads/main",
    sha="3f2a9c61d0b84e7755c1a2e9f60d4b8837ce1a05",
    event_name="schedule",
    created_at="2026-08-23T11:58:00Z",
)
AT = Instant.parse("2026-08-30T14:00:00+02:00")


def test_request_is_byte_for_byte_the_documented_one() -> None:
    request = build_request(SUBJECT, AT, case={"issue": 42}, config={"days": 7, "ratio": 0.1})
    assert encode(request).decode() == (
        '{"schemaVersion":1,"run":{"id":"17523948812345678901","attempt":2,"repository":"acme/widgets",'
        '"workflow":"Daily triage — 🏷","ref":"refs/heads/main","sha":"3f2a9c61d0b84e7755c1a2e9f60d4b8837ce1a05",'
        '"eventName":"schedule","createdAt":"2026-08-23T11:58:00Z"},"evidenceAt":"2026-08-30T12:00:00.000Z",'
        '"case":{"issue":42},"event":null,"config":{"days":7,"ratio":0.1}}'
    )


@pytest.mark.parametrize("spelling", ["2026-08-30T12:00:00Z", "2026-08-30T12:00:00.000z", "2026-08-30T14:00:00+02:00"])
def test_three_spellings_of_one_instant_give_one_request(spelling: str) -> None:
    request = build_request(SUBJECT, Instant.parse(spelling), case={}, config={})
    assert encode(request) == encode(build_request(SUBJECT, AT, case={}, config={}))


def test_unknown_creation_time_stays_null() -> None:
    request = build_request(SUBJECT._replace(created_at=None), AT, case={}, config={})
    assert isinstance(request["run"], dict)
    assert request["run"]["createdAt"] is None


def test_nothing_is_added_to_case_or_configuration() -> None:
    request = build_request(SUBJECT, AT, case={}, config={})
    assert request["case"] == {}
    assert request["config"] == {}
    assert request["event"] is None


def test_verification_marker_of_the_archive_is_passed_on() -> None:
    assert build_request(SUBJECT, AT, case={}, config={"verification": True})["config"] == {"verification": True}


def test_half_a_surrogate_pair_is_written_escaped() -> None:
    case = loads(rb'{"title":"\ud83d"}')
    assert isinstance(case, dict)
    assert rb'"case":{"title":"\ud83d"}' in encode(build_request(SUBJECT, AT, case=case, config={}))


_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@given(case=st.dictionaries(st.text(), _JSON, max_size=4))
def test_case_reaches_the_evaluator_unchanged(case: JsonObject) -> None:
    line = encode(build_request(SUBJECT, AT, case=case, config={}))
    assert b"\n" not in line
    assert json.loads(line)["case"] == case
