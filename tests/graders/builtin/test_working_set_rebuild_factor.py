from opvalue.graders.builtin.working_set_rebuild_factor import measure
from tests.graders.samples import lookups, requests


def test_the_sum_over_the_peak() -> None:
    assert measure(requests(count=5, input_sum=874_000, peak_input=224_000)).value == 874 / 224


def test_one_request() -> None:
    assert measure(requests(count=1, input_sum=10, peak_input=10)).value == 1


def test_sums_beyond_what_a_double_holds_exactly() -> None:
    peak = 2**53 - 1
    assert measure(requests(count=3, input_sum=3 * peak, peak_input=peak)).value == 3


def test_no_peak_no_factor() -> None:
    for nothing in (lookups(), requests(count=3)):
        assert measure(nothing) == (None, "no request shows input tokens")
