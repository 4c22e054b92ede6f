import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opvalue.contract import Metric, errors, parse_metrics, parse_score
from opvalue.contract.errors import ContractBroken


@pytest.mark.parametrize(
    ("stdout", "score"),
    [
        (b"0\n", 0),
        (b"1", 1),
        (b"1.0", 1),
        (b"1e0", 1),
        (b"-0", 0),
        (b"-0.0", 0),
        (b"1e-07", 1e-07),
        (b"1e-308", 1e-308),
        (b"1E-06", 1e-06),
        (b"0.33333333333333331", 1 / 3),
        (b"1e-400", 0),
    ],
)
def test_score(stdout: bytes, score: float) -> None:
    found = parse_score(stdout)
    assert found is not None
    assert found == score
    assert math.copysign(1, found) == 1


def test_null_is_no_zero() -> None:
    assert parse_score(b"null\n") is None


@pytest.mark.parametrize(
    "stdout", [b"true", b"false", b'"1"', b"[1]", b"{}", b"-1e-9", b"1.0000000000000002", b"2", b"-1", b"1e308"]
)
def test_no_score(stdout: bytes) -> None:
    with pytest.raises(errors.ScoreRefused) as caught:
        parse_score(stdout)
    assert caught.value.code == "contract.score"
    assert caught.value.found == stdout.decode().replace("1e308", "1e+308").replace("-1e-9", "-1e-09")


def test_score_that_is_not_one_document() -> None:
    with pytest.raises(errors.OutputSeveralValues):
        parse_score(b"1\n1\n")
    with pytest.raises(errors.OutputEmpty):
        parse_score(b"")


@given(st.floats(0, 1))
def test_every_share_is_read_back(score: float) -> None:
    assert parse_score(repr(score).encode()) == score


def test_metrics_keep_their_order() -> None:
    stdout = (
        b'[{"id": "b", "value": 0}, {"value": null, "id": "a"}, {"id": "c", "value": -1e6}, {"id": "d", "value": -0.0}]'
    )
    assert parse_metrics(stdout) == (Metric("b", 0), Metric("a", None), Metric("c", -1e6), Metric("d", 0))
    assert str(parse_metrics(stdout)[3].value) == "0"


METRIC = b'{"id": "a", "value": 1}'


@pytest.mark.parametrize(
    ("stdout", "refused"),
    [
        (METRIC, errors.MetricsNotArray),
        (b"null", errors.MetricsNotArray),
        (b"1", errors.MetricsNotArray),
        (b"[]", errors.MetricsEmpty),
        (b"[1]", errors.MetricKeys),
        (b"[null]", errors.MetricKeys),
        (b"[[]]", errors.MetricKeys),
        (b'[{"id": "a"}]', errors.MetricKeys),
        (b'[{"value": 1}]', errors.MetricKeys),
        (b'[{"id": "a", "value": 1, "unit": "x"}]', errors.MetricKeys),
        (b'[{"id": "", "value": 1}]', errors.MetricId),
        (b'[{"id": " \\u00a0", "value": 1}]', errors.MetricId),
        (b'[{"id": 1, "value": 1}]', errors.MetricId),
        (b'[{"id": null, "value": 1}]', errors.MetricId),
        (b"[" + METRIC + b"," + METRIC + b"]", errors.MetricIdTwice),
        (b'[{"id": "a", "value": null}, {"id": "\\u0061", "value": 1}]', errors.MetricIdTwice),
        (b'[{"id": "a", "value": true}]', errors.MetricValue),
        (b'[{"id": "a", "value": "1"}]', errors.MetricValue),
        (b'[{"id": "a", "value": [1]}]', errors.MetricValue),
        (b'[{"id": "a", "value": 1e999}]', errors.OutputNotJson),
        (b'[{"id": "a", "value": NaN}]', errors.OutputNotJson),
        (b'[{"id": "a", "value": 1, "value": 0}]', errors.OutputNotJson),
        (b"[" + METRIC + b"]\n[" + METRIC + b"]", errors.OutputSeveralValues),
        (b'[{"id": "a", "value": 1}]\x00', errors.OutputSeveralValues),
        (b"", errors.OutputEmpty),
    ],
)
def test_each_rule_of_a_metrics_array(stdout: bytes, refused: type[ContractBroken]) -> None:
    with pytest.raises(refused) as caught:
        parse_metrics(stdout)
    assert type(caught.value) is refused


def test_ids_that_differ_by_case_are_two() -> None:
    assert [metric.id for metric in parse_metrics(b'[{"id":"a","value":1},{"id":"A","value":1}]')] == ["a", "A"]
