"""Rows of a replay: built-ins graded, custom graders said to have no runtime here."""

from opvalue.conclusion.replay import replay
from opvalue.graders.configuration import Configuration, defaults
from opvalue.graders.evaluate import grade
from opvalue.graders.results import Context, results_document
from opvalue.records import Status
from tests.graders.samples import calls
from tests.graders.test_evaluate import custom, entry


def test_built_ins_are_graded_by_the_same_code() -> None:
    replayed = replay(calls(3), None, defaults(), Context("7", 2))
    assert replayed.graded == grade(calls(3), None, defaults())
    assert replayed.document == results_document(replayed.graded, Context("7", 2))
    assert replayed.without_runtime == ()


def test_an_enabled_custom_grader_without_a_runtime_is_an_error_not_a_pass() -> None:
    replayed = replay(
        calls(1), None, Configuration((entry("loops"), custom(), custom("off", enabled=False))), Context()
    )
    assert [(one.entry.id, one.status) for one in replayed.graded] == [("loops", Status.PASS), ("mine", Status.ERROR)]
    assert replayed.without_runtime == ("mine",)
    row = replayed.graded[1]
    assert (row.value, row.passed) == (None, None)
    assert row.error is not None
    assert "no runtime" in row.error
