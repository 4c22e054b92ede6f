"""Read bare numbers: what ``--metric`` prints, and the metrics array of the session contract (reference 3.3, 4.2).

Not checked here: whether a score agrees with the definition's examples, or metrics with the ones printed before.
"""

from typing import NamedTuple

from opvalue.contract.errors import (
    MetricId,
    MetricIdTwice,
    MetricKeys,
    MetricsEmpty,
    MetricsNotArray,
    MetricValue,
    ScoreRefused,
)
from opvalue.contract.output import read_output
from opvalue.contract.values import is_share, is_text, positive_zero, shown
from opvalue.strictjson import JsonValue, is_number, kind_of

_METRIC_KEYS = {"id", "value"}


class Metric(NamedTuple):
    """One named number of a session evaluator."""

    id: str
    value: int | float | None
    """Any finite number; ``None`` when it could not be measured."""


def parse_score(stdout: bytes) -> int | float | None:
    """Return the number in [0, 1], or ``None`` for null, that ``--metric`` printed. Raises ``ScoreRefused``."""
    value = read_output(stdout, mode="--metric")
    if value is None:
        return None
    if not is_share(value):
        raise ScoreRefused(
            "--metric printed a value that is not a share", expected="null or a number in [0, 1]", found=shown(value)
        )
    return positive_zero(value)


def parse_metrics(stdout: bytes) -> tuple[Metric, ...]:
    """Return the metrics a session evaluator printed, in their order; the first one is the grader's value.

    An array with at least one entry; each with exactly ``id`` and ``value``; ids not blank and unique; values null
    or finite. Each rule has its own error.
    """
    value = read_output(stdout, mode="the evaluator")
    if not isinstance(value, list):
        raise MetricsNotArray(
            "the evaluator printed a value that is not an array", expected="an array of metrics", found=kind_of(value)
        )
    if not value:
        raise MetricsEmpty("the evaluator printed no metric", expected="at least one metric", found="[]")
    metrics: dict[str, Metric] = {}
    for index, entry in enumerate(value):
        metric = _metric(index, entry)
        if metric.id in metrics:
            raise MetricIdTwice(
                f"metric {index} has the id of an earlier one", expected="unique ids", found=shown(metric.id)
            )
        metrics[metric.id] = metric
    return tuple(metrics.values())


def _metric(index: int, entry: JsonValue) -> Metric:
    if not isinstance(entry, dict) or entry.keys() != _METRIC_KEYS:
        raise MetricKeys(f"metric {index} has not exactly id and value", expected="id and value", found=shown(entry))
    name, number = entry["id"], entry["value"]
    if not is_text(name):
        raise MetricId(f"metric {index} has no id", expected="a string that is not blank", found=shown(name))
    if number is not None and not is_number(number):
        raise MetricValue(f"metric {index} has no number", expected="null or a finite number", found=shown(number))
    return Metric(name, None if number is None else positive_zero(number))
