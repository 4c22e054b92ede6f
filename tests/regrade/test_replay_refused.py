"""A bundle that is not this grading's, not whole or not fresh is refused with a code of its own."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from opvalue.errors import OpvalueError
from opvalue.evidence.bundle import Bundle, Declared, read_bundle, write
from opvalue.identity import Digest, Host, Instant
from opvalue.regrade import Evidence, Regraded, regrade
from opvalue.regrade.errors import NotObserved
from opvalue.regrade.statement import EvidenceUsed
from opvalue.trust import VerifiedRun
from tests.support.gathering import REPOSITORY_ID, Table, answer, world
from tests.support.refusals import UNCONFINED, no_evaluator_started
from tests.support.world import NOW

AT = Instant.parse("2026-08-25T00:00:00Z")
LINES = "  attained=$(gh api repos/acme/widgets/issues/1 --jq .n)"


@pytest.fixture(scope="module")
def verified(tmp_path_factory: pytest.TempPathFactory) -> VerifiedRun:
    return world(tmp_path_factory.mktemp("asking"), LINES).verified()


def graded(run: VerifiedRun, evidence: Evidence, at: Instant = AT) -> Regraded:
    return regrade(run, at, now=NOW, runner=UNCONFINED, evidence=evidence)


@pytest.fixture(scope="module")
def bundle(verified: VerifiedRun) -> Bundle:
    table = Table({"/repos/acme/widgets/issues/1": answer({"n": 1})}, observed_at=AT)
    made = graded(verified, Evidence.live(table).known_as(REPOSITORY_ID)).bundle
    assert made is not None
    return made


def refused(run: VerifiedRun, bundle: Bundle, at: Instant = AT) -> OpvalueError:
    with pytest.raises(OpvalueError) as caught:
        graded(run, Evidence.replay(bundle), at)
    return caught.value


def test_it_is_replayed(verified: VerifiedRun, bundle: Bundle) -> None:
    assert graded(verified, Evidence.replay(read_bundle(write(bundle)))).observation.value == 1


def test_a_statement_names_no_evidence_that_nothing_asked_for(tmp_path: Path) -> None:
    run = world(tmp_path, f"  if [[ $request != *08-21* ]]; then\n  {LINES}\n  fi").verified()
    table = Table({"/repos/acme/widgets/issues/1": answer({"n": 1})}, observed_at=AT)
    live = Evidence.live(table).known_as(REPOSITORY_ID)
    asked = graded(run, live)
    assert (asked.bundle, asked.used.exchanges) != (None, 0)
    early = Instant.parse("2026-08-21T00:00:00Z")
    replayed = graded(run, Evidence.replay(asked.bundle), early)  # type: ignore[arg-type]  # there is one
    assert (replayed.used, replayed.asked) == (EvidenceUsed(), 0)
    assert replayed.statement == graded(run, live, early).statement


@pytest.mark.parametrize(
    ("field", "value", "code", "status"),
    [
        ("host", Host("ghe.example.com"), "bundle.other-host", 5),
        ("run_id", "123457", "bundle.other-run", 5),
        ("attempt", 2, "bundle.other-attempt", 5),
        ("evaluator_digest", Digest.of(b"another"), "bundle.other-evaluator", 5),
        ("closure_digest", Digest.of(b"another"), "bundle.other-closure", 5),
        ("complete", False, "bundle.incomplete", 9),
    ],
)
def test_another_gradings(
    verified: VerifiedRun, bundle: Bundle, field: str, value: Any, code: str, status: int
) -> None:
    other = bundle._replace(header=bundle.header._replace(**{field: value}))
    with no_evaluator_started():
        error = refused(verified, other)
    assert (error.code, error.kind.exit_status) == (code, status)


@pytest.mark.parametrize(
    ("declared", "shown"),
    [
        ((), "none"),
        ((Declared("acme/other"),), "acme/other"),
        ((Declared("acme/widgets", 42), Declared("acme/other")), "acme/other, acme/widgets"),
    ],
)
def test_one_of_other_declared_repositories(
    verified: VerifiedRun, bundle: Bundle, declared: tuple[Declared, ...], shown: str
) -> None:
    assert bundle.header.declared == (Declared("acme/widgets", REPOSITORY_ID),)
    error = refused(verified, Bundle.of(bundle.header._replace(declared=declared), bundle.exchanges))
    assert (error.code, error.kind.exit_status) == ("bundle.other-declared", 5)
    assert (error.expected, error.found) == ("acme/widgets", shown)


def test_one_that_says_it_was_observed_later_than_now(verified: VerifiedRun, bundle: Bundle) -> None:
    def observed(seconds: int) -> Bundle:
        late = Instant(NOW.milliseconds + seconds * 1000)
        return bundle._replace(exchanges=tuple(one._replace(observed_at=late) for one in bundle.exchanges))

    with no_evaluator_started():
        error = refused(verified, observed(301))
    assert (error.code, error.kind.exit_status) == ("evidence.observed-later", 5)
    assert graded(verified, Evidence.replay(observed(300))).observation.value == 1


def test_live_evidence_may_come_long_after_the_regrade_began(verified: VerifiedRun) -> None:
    late = Instant(NOW.milliseconds + 3_600_000)
    table = Table({"/repos/acme/widgets/issues/1": answer({"n": 1})}, observed_at=late)
    assert graded(verified, Evidence.live(table).known_as(REPOSITORY_ID)).observation.value == 1


def test_live_evidence_is_always_recorded_for_a_repository(verified: VerifiedRun) -> None:
    with pytest.raises(ValueError, match="known_as"):
        graded(verified, Evidence.live(Table({})))


def test_another_repositorys_when_its_number_is_known(verified: VerifiedRun, bundle: Bundle) -> None:
    with pytest.raises(OpvalueError) as caught:
        graded(verified, Evidence.replay(bundle).known_as(43))
    assert (caught.value.code, caught.value.kind.exit_status) == ("bundle.other-repository", 5)


def test_evidence_from_before_the_cutoff(verified: VerifiedRun, bundle: Bundle) -> None:
    later = Instant.parse("2026-08-25T00:00:01Z")
    error = refused(verified, bundle, later)
    assert (error.code, error.kind.exit_status) == ("evidence.too-old", 9)
    assert graded(verified, Evidence.replay(bundle), Instant.parse("2026-08-24T00:00:00Z")).observation.value == 1


def test_what_the_bundle_has_no_answer_to(verified: VerifiedRun, bundle: Bundle) -> None:
    error = refused(verified, bundle._replace(exchanges=()))
    assert isinstance(error, NotObserved)
    assert error.failures[0].code == "evidence.replay-miss"
    (cause,) = error.envelope()["error"]["causes"]  # type: ignore[index]  # a dict of dicts
    assert cause["request"] == "GET /repos/acme/widgets/issues/1"
    assert (
        cause["hint"] == error.hint == "Record the evidence anew; the bundle is of another evaluator, jq or gh profile."
    )
    assert error.message.startswith("not observed, evidence.replay-miss: ")


@pytest.mark.parametrize(
    "change",
    [lambda data: data[:-1], lambda data: data + b"\0", lambda data: data[:700] + b"?" + data[701:], lambda _data: b""],
    ids=["cut", "longer", "one byte", "empty"],
)
def test_a_file_that_was_changed(bundle: Bundle, change: Callable[[bytes], bytes], tmp_path: Path) -> None:
    path = tmp_path / "evidence.bundle"
    path.write_bytes(change(write(bundle)))
    with pytest.raises(OpvalueError) as caught:
        read_bundle(path)
    assert caught.value.code.startswith("bundle.")
    assert caught.value.kind.exit_status in {5, 6}
