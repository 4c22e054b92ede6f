import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opvalue.contract import errors, parse_observation
from opvalue.contract.errors import ContractBroken
from opvalue.errors import Kind, OpvalueError
from opvalue.identity import Instant
from tests.contract.cases import OBSERVATION, REMOVED, bent, encoded

AT = Instant.parse("2026-08-23T12:00:00.000Z")
CREATED = Instant.parse("2026-08-23T11:58:00Z")


def parse(document: object, *, at: Instant = AT, created: Instant | None = CREATED) -> Any:
    return parse_observation(encoded(document), evidence_at=at, created_at=created)


def test_whole_observation() -> None:
    observation = parse(OBSERVATION | {"message": "six days to go", "diagnostics": {"latency": 0.5}, "more": 1})
    assert observation.value == 0.75
    assert observation.case == {"issue": 42}
    assert observation.opportunity_key == "issue:42"
    assert observation.evidence_cutoff == AT
    assert observation.matures_at == Instant.parse("2026-08-30T11:58:00Z")
    assert observation.provenance == ({"repository": "acme/widgets", "kind": "issue", "ref": "42", "node": "I_1"},)
    assert observation.message == "six days to go"
    assert observation.diagnostics == {"latency": 0.5}


def test_optional_parts_may_be_absent() -> None:
    observation = parse(OBSERVATION)
    assert observation.message is None
    assert observation.diagnostics is None


@pytest.mark.parametrize("message", [None, 1, [], {}])
@pytest.mark.parametrize("diagnostics", [None, 1, [], "x"])
def test_optional_parts_of_another_type_are_ignored(message: object, diagnostics: object) -> None:
    observation = parse(OBSERVATION | {"message": message, "diagnostics": diagnostics})
    assert observation.message is None
    assert observation.diagnostics is None


def test_empty_optional_parts_stay() -> None:
    observation = parse(OBSERVATION | {"message": "", "diagnostics": {}})
    assert observation.message == ""
    assert observation.diagnostics == {}


@pytest.mark.parametrize("value", [0, 1, 0.0, 1.0, 1e-07, 1e-308, 0.33333333333333331])
def test_values_survive(value: float) -> None:
    assert parse(OBSERVATION | {"value": value}).value == value


def test_minus_zero_is_zero() -> None:
    stdout = encoded(OBSERVATION).replace(b"0.75", b"-0.0")
    value = parse_observation(stdout, evidence_at=AT, created_at=CREATED).value
    assert value is not None
    assert math.copysign(1, value) == 1


def test_null_needs_no_provenance() -> None:
    observation = parse(OBSERVATION | {"value": None, "provenance": []})
    assert observation.value is None
    assert observation.provenance == ()


@pytest.mark.parametrize("stdout", [b"[]", b"null", b"1", b'"x"', b"true", b"[{}]"])
def test_one_object(stdout: bytes) -> None:
    with pytest.raises(errors.ObservationNotObject) as caught:
        parse_observation(stdout, evidence_at=AT, created_at=CREATED)
    assert caught.value.code == "contract.observation-not-object"
    assert caught.value.kind is Kind.EVALUATOR


@pytest.mark.parametrize(
    ("stdout", "code"),
    [
        (b"", "contract.output-empty"),
        (b"\x1b[32m{}", "contract.output-escape"),
        (encoded(OBSERVATION) + b"true\n", "contract.output-more-than-one-value"),
        (encoded(OBSERVATION)[:-3], "contract.output-not-json"),
        (encoded(OBSERVATION).replace(b'"value"', b'"value": 1, "value"'), "contract.output-not-json"),
    ],
)
def test_one_document(stdout: bytes, code: str) -> None:
    with pytest.raises(ContractBroken) as caught:
        parse_observation(stdout, evidence_at=AT, created_at=CREATED)
    assert caught.value.code == code


REFUSED: list[tuple[str, type[ContractBroken], str, list[Any]]] = [
    (
        "value",
        errors.ObservationValue,
        "observation-value",
        [REMOVED, 2, -0.1, 1.0000000001, True, "1", [], {}, "null"],
    ),
    ("case", errors.ObservationCase, "observation-case", [REMOVED, None, [], "x", 0, False]),
    (
        "opportunityKey",
        errors.ObservationOpportunityKey,
        "observation-opportunity-key",
        [REMOVED, None, "", "  ", "\u00a0\ufeff", 42, ["x"]],
    ),
    (
        "evidenceCutoff",
        errors.ObservationCutoff,
        "observation-cutoff",
        [
            REMOVED,
            None,
            1,
            "",
            "2026-08-23",
            "2026-08-23T12:00:00",
            "2026-08-23T12:00:00+00:00",
            "2026-08-23T12:00:00.0Z",
            "2026-08-23T12:00:00.000000Z",
            "2026-08-23t12:00:00z",
            "2026-08-23T12:00:00Z\n",
            "2026-02-30T12:00:00Z",
            "2026-08-23T24:00:00Z",
            "2026-06-30T23:59:60Z",
            "٢٠٢٦-08-23T12:00:00Z",
        ],
    ),
    ("maturesAt", errors.ObservationMaturity, "observation-maturity", [REMOVED, None, 1, "never", "2026-08-30T12:00Z"]),
    ("provenance", errors.ProvenanceNotObjects, "provenance-not-objects", [REMOVED, None, {}, "x", [1], [{}, None], 0]),
    ("provenance", errors.ProvenanceEmpty, "provenance-empty", [[]]),
]


@pytest.mark.parametrize(
    ("name", "value", "refused", "code"),
    [(name, value, refused, code) for name, refused, code, values in REFUSED for value in values],
)
def test_each_check_has_its_own_error(name: str, value: object, refused: type[ContractBroken], code: str) -> None:
    with pytest.raises(refused) as caught:
        parse(bent(OBSERVATION, {name: value}))
    assert type(caught.value) is refused
    assert caught.value.code == f"contract.{code}"
    assert caught.value.kind is Kind.EVALUATOR
    assert caught.value.expected
    if value is REMOVED:
        assert caught.value.found == "nothing"


@pytest.mark.parametrize("provenance", [None, REMOVED, {}, [None]])
def test_null_value_still_needs_an_array_of_provenance(provenance: object) -> None:
    with pytest.raises(errors.ProvenanceNotObjects):
        parse(bent(OBSERVATION, {"value": None, "provenance": provenance}))


@pytest.mark.parametrize("name", ["repository", "kind", "ref"])
@pytest.mark.parametrize("text", [REMOVED, None, "", 42, ["42"]])
@pytest.mark.parametrize("value", [None, 0.5])
def test_each_entry_of_provenance(name: str, text: object, value: object) -> None:
    good = OBSERVATION["provenance"][0]
    with pytest.raises(errors.ProvenanceEntry) as caught:
        parse(OBSERVATION | {"value": value, "provenance": [good, bent(good, {name: text})]})
    assert caught.value.message.startswith(f"provenance[1].{name} ")


def test_cutoff_after_the_evidence_time() -> None:
    with pytest.raises(errors.CutoffAfterEvidence) as caught:
        parse(OBSERVATION | {"evidenceCutoff": "2026-08-23T12:00:00.001Z"})
    assert caught.value.expected == "at most 2026-08-23T12:00:00.000Z"
    assert caught.value.found == "2026-08-23T12:00:00.001Z"


def test_cutoff_after_maturity() -> None:
    late = Instant.parse("2026-09-30T12:00:00Z")
    with pytest.raises(errors.CutoffAfterMaturity) as caught:
        parse(OBSERVATION | {"evidenceCutoff": "2026-08-30T11:58:01Z"}, at=late)
    assert caught.value.code == "contract.cutoff-after-maturity"
    assert caught.value.expected == "at most 2026-08-30T11:58:00.000Z"


@pytest.mark.parametrize(
    ("at", "cutoff"),
    [
        ("2026-08-23T12:00:00.000Z", "2026-08-23T12:00:00Z"),
        ("2026-08-23T12:00:00.999Z", "2026-08-23T12:00:00Z"),
        ("2026-08-23T12:00:00.999Z", "2026-08-23T12:00:00.500Z"),
        ("2026-08-23T12:00:00.999Z", "2026-08-23T12:00:00.999Z"),
        ("2026-08-30T11:58:00.000Z", "2026-08-30T11:58:00Z"),
        ("2026-08-30T11:58:00.500Z", "2026-08-30T11:58:00Z"),
        ("2099-01-01T00:00:00.000Z", "2026-08-30T11:58:00Z"),
    ],
)
def test_cutoff_is_the_earlier_time_to_the_second(at: str, cutoff: str) -> None:
    observation = parse(OBSERVATION | {"evidenceCutoff": cutoff}, at=Instant.parse(at))
    assert observation.evidence_cutoff == Instant.parse(cutoff)


@pytest.mark.parametrize(
    ("at", "cutoff"),
    [
        ("2026-08-23T12:00:00.000Z", "2026-08-23T11:59:59.999Z"),
        ("2026-08-23T12:00:00.999Z", "2026-08-23T11:59:59Z"),
        ("2026-08-23T12:00:00.000Z", "2026-08-23T11:58:00Z"),
        ("2026-08-23T12:00:00.000Z", "1970-01-01T00:00:00Z"),
        ("2099-01-01T00:00:00.000Z", "2026-08-30T11:57:59Z"),
        ("2099-01-01T00:00:00.000Z", "2026-08-23T12:00:00Z"),
    ],
)
def test_cutoff_earlier_than_that_is_refused(at: str, cutoff: str) -> None:
    with pytest.raises(errors.CutoffTooEarly) as caught:
        parse(OBSERVATION | {"evidenceCutoff": cutoff}, at=Instant.parse(at))
    assert caught.value.code == "contract.cutoff-too-early"
    assert caught.value.found == str(Instant.parse(cutoff))


def test_maturity_before_creation() -> None:
    epoch = {"value": None, "evidenceCutoff": "1970-01-01T00:00:00Z", "maturesAt": "1970-01-01T00:00:00Z"}
    with pytest.raises(errors.MaturityBeforeCreation) as caught:
        parse(OBSERVATION | epoch)
    assert caught.value.code == "contract.maturity-before-creation"
    assert caught.value.expected == "at least 2026-08-23T11:58:00.000Z"


def test_maturity_cannot_be_compared_with_an_unknown_creation() -> None:
    epoch = {"value": None, "evidenceCutoff": "1970-01-01T00:00:00Z", "maturesAt": "1970-01-01T00:00:00Z"}
    assert parse(OBSERVATION | epoch, created=None).matures_at == Instant(0)


@pytest.mark.parametrize("created", ["2026-08-30T11:58:00Z", "2026-08-30T11:58:00.999Z"])
def test_maturity_may_be_the_second_of_creation(created: str) -> None:
    assert parse(OBSERVATION, created=Instant.parse(created)).value == 0.75


def test_checks_run_in_the_documented_order() -> None:
    """Everything is wrong at once; mending what is named brings up the next check."""
    document: dict[str, Any] = {
        "evidenceCutoff": "x",
        "maturesAt": "x",
        "provenance": [1],
        "value": 2,
        "case": None,
        "opportunityKey": "",
    }
    mends: list[tuple[str, dict[str, Any]]] = [
        ("contract.observation-value", {"value": 1}),
        ("contract.observation-case", {"case": {}}),
        ("contract.observation-opportunity-key", {"opportunityKey": "k"}),
        ("contract.observation-cutoff", {"evidenceCutoff": "2030-01-01T00:00:00Z"}),
        ("contract.observation-maturity", {"maturesAt": "2026-08-01T00:00:00Z"}),
        ("contract.cutoff-after-evidence", {"evidenceCutoff": "2026-08-02T00:00:00Z"}),
        ("contract.cutoff-after-maturity", {"evidenceCutoff": "2026-07-31T00:00:00Z"}),
        ("contract.provenance-not-objects", {"provenance": []}),
        ("contract.provenance-empty", {"provenance": [{}]}),
        ("contract.provenance-entry", {"provenance": OBSERVATION["provenance"]}),
        ("contract.cutoff-too-early", {"evidenceCutoff": "2026-08-01T00:00:00Z"}),
        ("contract.maturity-before-creation", {"maturesAt": "2026-08-30T00:00:00Z", "evidenceCutoff": str(AT)}),
    ]
    for code, mend in mends:
        with pytest.raises(ContractBroken) as caught:
            parse(document)
        assert caught.value.code == code
        document |= mend
    assert parse(document).value == 1


_TIMES = st.integers(0, 4_000_000_000_000).map(Instant)


@given(at=_TIMES, matures=_TIMES)
def test_a_cutoff_cut_to_whole_seconds_is_always_accepted(at: Instant, matures: Instant) -> None:
    earlier = min(at, matures)
    cutoff = Instant(earlier.seconds * 1000)
    document = OBSERVATION | {"evidenceCutoff": str(cutoff), "maturesAt": str(matures)}
    assert parse(document, at=at, created=None).evidence_cutoff == cutoff


@given(at=_TIMES, matures=_TIMES, cutoff=_TIMES)
def test_an_accepted_cutoff_is_within_a_second_and_never_later(at: Instant, matures: Instant, cutoff: Instant) -> None:
    document = OBSERVATION | {"evidenceCutoff": str(cutoff), "maturesAt": str(matures)}
    try:
        parse(document, at=at, created=None)
    except ContractBroken:
        return
    assert 0 <= min(at, matures).milliseconds - cutoff.milliseconds < 1000


@given(
    st.dictionaries(
        st.sampled_from(sorted(OBSERVATION)),
        st.none()
        | st.booleans()
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text()
        | st.just([])
        | st.just({}),
    )
)
def test_any_change_is_accepted_or_refused_by_name(changes: dict[str, Any]) -> None:
    try:
        observation = parse(OBSERVATION | changes)
    except OpvalueError as error:
        assert error.code.startswith("contract.")  # noqa: PT017 - other exceptions must fail the test
        return
    assert observation.value is None or 0 <= observation.value <= 1
