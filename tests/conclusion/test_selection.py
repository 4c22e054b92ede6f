"""Which graders are replayed, and under which run's name."""

from typing import Any

import pytest

from opvalue.conclusion.errors import GraderDisabled, GraderUnknown, SessionOfAnotherRun
from opvalue.conclusion.selection import context_of, select
from opvalue.graders.configuration import Configuration, defaults
from opvalue.graders.results import Context
from opvalue.session.lookups import Evals
from tests.graders.samples import lookups
from tests.graders.test_evaluate import custom, entry


def ids(configuration: Configuration) -> list[str]:
    return [entry.id for entry in configuration.entries]


def test_all_where_none_is_named() -> None:
    assert select(defaults(), ()) == defaults()


def test_the_named_ones_in_manifest_order_each_once() -> None:
    assert ids(select(defaults(), ("loops", "retries", "loops"))) == ["retries", "loops"]


def test_naming_a_built_in_opts_into_it() -> None:
    chosen = select(defaults(), ("recurrence-rate", "loops"))
    assert ids(chosen) == ["loops", "recurrence-rate"]
    assert all(one.enabled for one in chosen.entries)


def test_the_configurations_own_settings_count() -> None:
    chosen = select(Configuration((entry("loops", threshold=7), custom())), ("mine", "loops"))
    assert ids(chosen) == ["loops", "mine"]
    assert chosen.entries[0].threshold == 7


def test_no_such_grader() -> None:
    with pytest.raises(GraderUnknown) as caught:
        select(Configuration((custom(),)), ("lops",))
    assert (caught.value.found, caught.value.expected) == ("lops", "loops")
    assert "--config WORKFLOW.md" in caught.value.hint
    with pytest.raises(GraderUnknown) as caught:
        select(Configuration((custom(),)), ("qqqqq",))
    assert caught.value.expected == "one of 33 ids"


def test_a_disabled_one() -> None:
    with pytest.raises(GraderDisabled):
        select(Configuration((entry("loops", enabled=False),)), ("loops",))


@pytest.mark.parametrize(
    ("session", "caller", "run"),
    [
        ((None, None), (None, None), ("", 1)),
        (("7", 2), (None, None), ("7", 2)),
        ((None, None), ("7", 2), ("7", 2)),
        (("7", None), ("7", 3), ("7", 3)),
        (("7", 2), ("7", 2), ("7", 2)),
    ],
)
def test_the_run(session: tuple[Any, Any], caller: tuple[Any, Any], run: tuple[str, int]) -> None:
    found = lookups(run_id=session[0], attempt=session[1])
    assert context_of(found, run_id=caller[0], attempt=caller[1])[:2] == run


@pytest.mark.parametrize(("named", "expected"), [({"run_id": "8"}, "run 8"), ({"attempt": 1}, "attempt 1")])
def test_a_run_that_contradicts_the_session(named: dict[str, Any], expected: str) -> None:
    with pytest.raises(SessionOfAnotherRun) as caught:
        context_of(lookups(run_id="7", attempt=2), **named)
    assert caught.value.expected == expected


def test_the_environment_decides_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_RUN_ID", "99")
    monkeypatch.setenv("GITHUB_RUN_ATTEMPT", "9")
    assert context_of(lookups()) == Context()


def test_experiments_and_evals() -> None:
    evals = Evals(total=2, yes=1, no=0, unknown=1, by_question={"q": "YES", "r": "UNKNOWN"})
    found = context_of(lookups(experiments={"style": "terse"}, evals=evals))
    assert found.experiments == {"style": "terse"}
    assert found.evals == {"total": 2, "yes": 1, "no": 0, "unknown": 1, "byQuestion": {"q": "YES", "r": "UNKNOWN"}}
