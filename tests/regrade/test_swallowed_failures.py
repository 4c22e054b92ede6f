"""A failure to observe is never a value, however the evaluator swallows it (DESIGN 5).

Every kind of failure, at every exchange of a grading, under every way of looking away that was seen in real scripts.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from opvalue.errors import Kind
from opvalue.evidence.broker.errors import ReplayMiss
from opvalue.evidence.errors import SecretNotRemovable
from opvalue.http import errors as http
from opvalue.identity import Instant
from opvalue.regrade import regrade
from opvalue.regrade.errors import NotObserved
from opvalue.regrade.evidence import Evidence
from opvalue.trust import VerifiedRun
from tests.support.gathering import REPOSITORY_ID, Reply, Table, answer, world
from tests.support.refusals import UNCONFINED
from tests.support.world import NOW

AT: Final = Instant.parse("2026-08-25T00:00:00Z")
COUNT: Final = 3

# Each sets $n to a number whatever happens.
STYLES: Final = {
    "or zero": "n=$(gh api {target} --jq .n 2>/dev/null || echo 0)",
    "or true": 'n=$({{ gh api {target} 2>/dev/null || true; }} | jq -s "map(.n // 0) | add // 0")',
    "pipeline": 'n=$(gh api --paginate {target} 2>/dev/null | jq -s "length")',
    "return": "ask() {{ gh api {target} --silent 2>/dev/null || return 1; }}; n=0; if ask; then n=1; fi",
    "local": "take() {{ local got=$(gh api {target} -q .n 2>/dev/null); n=${{got:-0}}; }}; take",
}
FAILURES: Final[Mapping[str, tuple[Reply, str]]] = {
    "network": (http.NetworkFailed("no whole answer came"), "http.network"),
    "server": (http.ServerFailed("the server failed"), "http.server"),
    "primary limit": (http.RateLimited("the hourly limit is used up"), "http.rate-limit"),
    "secondary limit": (http.SecondaryLimited("slow down"), "http.secondary-limit"),
    "no token": (http.TokenMissing("a token is wanted"), "http.token-missing"),
    "unauthorized": (http.Unauthorized("the token is not accepted"), "http.unauthorized"),
    "forbidden": (http.Forbidden("denied"), "http.forbidden"),
    "not for everybody": (http.AnonymousRefused("not shown"), "http.anonymous"),
    "redirect": (http.RedirectDowngraded("to http"), "http.redirect-downgraded"),
    "too large": (http.AnswerTooLarge("too large"), "http.answer-too-large"),
    "secret": (SecretNotRemovable("a secret in a binary answer"), "evidence.secret-not-removable"),
    "offline": (http.Offline("this needs the network"), "http.offline"),
    "replay miss": (ReplayMiss("the bundle has no answer"), "evidence.replay-miss"),
    "status 500": (answer({"message": "x"}, 500), "evidence.status"),
    "status 202": (answer({}, 202), "evidence.status"),
    "no repository": (answer({"message": "Not Found"}, 404), "evidence.absence-unproven"),
}


def target(number: int) -> str:
    return f"/repos/acme/widgets/issues/{number}"


@cache
def verified(root: Path, style: str) -> VerifiedRun:
    lines = "\n".join("  " + STYLES[style].format(target=target(n).removeprefix("/")) for n in range(1, COUNT + 1))
    return world(root / style.replace(" ", "-"), lines + "\n  attained=$((n > 0))").verified()


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("swallowed")


def graded(run: VerifiedRun, table: Table) -> float | None:
    evidence = Evidence.live(table).known_as(REPOSITORY_ID)
    return regrade(run, AT, now=NOW, runner=UNCONFINED, evidence=evidence).observation.value


@pytest.mark.parametrize("style", STYLES)
def test_it_is_a_value_when_nothing_fails(root: Path, style: str) -> None:
    table = Table({target(n): answer({"n": 1}) for n in range(1, COUNT + 1)})
    assert graded(verified(root, style), table) == 1
    assert len(table.asked) == COUNT


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("failure", FAILURES)
def test_a_swallowed_failure_is_no_value(root: Path, style: str, failure: str) -> None:
    reply, code = FAILURES[failure]
    for failing in range(1, COUNT + 1):
        table = Table({target(n): answer({"n": 1}) for n in range(1, COUNT + 1)})
        table.replies[target(failing)] = reply
        if failure == "no repository":
            table.replies["/repos/acme/widgets"] = reply
        with pytest.raises(NotObserved) as caught:
            graded(verified(root, style), table)
        assert caught.value.failures[0].code.startswith(code)
        assert caught.value.failures[0].request.startswith(f"GET {target(failing)}")
        assert (caught.value.kind, caught.value.kind.exit_status) == (Kind.NOT_OBSERVED, 9)
