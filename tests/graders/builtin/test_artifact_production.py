from opvalue.graders.builtin.artifact_production import measure
from tests.graders.samples import lookups


def test_counted() -> None:
    assert measure(lookups(safe_output_results=2, collected=frozenset({"safe_output"}))).value == 2


def test_zero_where_one_would_have_shown() -> None:
    assert measure(lookups(collected=frozenset({"safe_output"}))) == (0, None)


def test_unavailable_where_none_could_show() -> None:
    assert measure(lookups(collected=frozenset({"agent"}))) == (None, "the results of safe outputs were not collected")
