"""What is said when evidence could not be had: which cause it was, and what that cause asks for."""

import pytest

from opvalue.errors import OpvalueError
from opvalue.evidence.broker import Failure
from opvalue.evidence.broker.errors import AbsenceUnproven, CommandUnsupported, OutsideScope
from opvalue.http.errors import Forbidden, NetworkFailed
from opvalue.regrade.errors import NotObserved


@pytest.mark.parametrize("cause", [OutsideScope, CommandUnsupported, AbsenceUnproven, Forbidden, NetworkFailed])
def test_the_first_cause_gives_its_code_and_its_advice(cause: type[OpvalueError]) -> None:
    error = NotObserved([Failure(cause.code, "what happened", "GET /x")])
    assert error.message == f"not observed, {cause.code}: what happened"
    assert (error.hint, error.found) == (cause.advice, "GET /x")


def test_each_cause_has_its_own_hint() -> None:
    causes = (OutsideScope, AbsenceUnproven, NetworkFailed)
    error = NotObserved([Failure(cause.code, "x", "GET /x") for cause in causes])
    assert error.message == "not observed, evidence.outside-scope: x, and 2 more failed"
    envelope = error.envelope()["error"]
    assert isinstance(envelope, dict)
    assert [one["hint"] for one in envelope["causes"]] == [cause.advice for cause in causes]
    assert envelope["hint"] == OutsideScope.advice


def test_a_cause_nobody_knows() -> None:
    error = NotObserved([Failure("evidence.of-a-later-version", "x", "")])
    assert error.hint == NotObserved.advice
