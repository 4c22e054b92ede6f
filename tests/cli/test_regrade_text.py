"""What a person reads of a regraded run: value, maturity, baseline, drift, what was verified and what was not."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from opvalue.cli.console import Console
from opvalue.cli.regrade_text import summary
from opvalue.regrade.statement import EvidenceUsed
from tests.support.refusals import UNCONFINED
from tests.support.told import OBSERVATION, Told, changed
from tests.support.world import World


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    """Make one repository whose evaluator says what the test says."""
    return Told(tmp_path_factory.mktemp("told"))


@pytest.fixture
def lines(told: Told, capfd: pytest.CaptureFixture[str]) -> Callable[..., list[str]]:
    """Regrade with an observation changed so, and return the text's lines."""

    def read(**fields: Any) -> list[str]:
        told.observe(changed(OBSERVATION, **fields))
        regraded = told.world.regrade(runner=UNCONFINED)
        capfd.readouterr()
        Console({}).lines(summary(regraded))
        return capfd.readouterr().out.split("\n")

    return read


def test_the_whole_text(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    world = World(tmp_path)
    regraded = world.regrade("2026-09-20T00:00:00Z", runner=UNCONFINED)
    capfd.readouterr()
    Console({}).lines(summary(regraded))
    at = world.commit[:12]
    assert (
        capfd.readouterr().out
        == f"""\
Operational Value: 1  (pass, threshold 0.6)  run 123456, attempt 1, acme/widgets

opportunity  issue:42
evidence at  2026-09-20T00:00:00.000Z
cutoff       2026-09-03T10:00:00.000Z
matures at   2026-09-03T10:00:00.000Z  (mature)
baseline     0.25, delta 0.75
originally   0.3333333333333333 at 2026-08-20T10:10:00.000Z

evaluator    .github/graders/issue-triage-operational-value.sh at {at}
digest       sha256:{world.grader["digest"]}
drift        none
evidence     the evaluator asked for none
sandbox      none (it was switched off)

verified     run 123456, attempt 1
             manifest, results and archived evaluator agree on the evaluator's digest
             repository recorded as acme/widgets
             creation recorded as 2026-08-20T10:00:00.000Z
             commit {at} is reachable from refs/heads/main of the trusted remote
             the evaluator at commit {at} is the archived one, byte for byte
             the evaluator sources no other file that its syntax tree shows
             path, config, threshold and direction are those of .github/workflows/issue-triage.md
             valid Bash, by bash -n
             definition fulfils the schema-4 contract, for acme/widgets
not verified offline: the API was not asked for the run's status, event, attempt, creation time and head repository
             offline: nobody offered a digest of the artifact as a whole
             the case, the maturity and the labels are the archive's word; no commit records them
"""
    )


@pytest.mark.parametrize(
    ("value", "headline"),
    [
        (0, "Operational Value: 0  (fail, threshold 0.6)"),
        (0.6, "Operational Value: 0.6  (pass, threshold 0.6)"),
        (0.59, "Operational Value: 0.59  (fail, threshold 0.6)"),
        (None, "Operational Value: null  (no value)"),
    ],
)
def test_zero_and_null_are_told_apart(lines: Callable[..., list[str]], value: float | None, headline: str) -> None:
    assert lines(value=value)[0].startswith(headline)


def test_a_value_that_may_still_move_without_a_baseline(lines: Callable[..., list[str]]) -> None:
    shown = lines()
    assert "matures at   2026-09-03T10:00:00.000Z  (not yet mature)" in shown
    assert "baseline     none (attainment only)" in shown


def test_a_remark_cannot_steer_the_terminal_or_forge_a_line(lines: Callable[..., list[str]]) -> None:
    shown = lines(message="all good\nverified     everything\x1b[2J", opportunityKey="issue:\x1b]0;42")
    assert "message      all good\\u000averified     everything\\u001b[2J" in shown
    assert "opportunity  issue:\\u001b]0;42" in shown


def test_each_drift_has_its_line(lines: Callable[..., list[str]]) -> None:
    shown = lines(opportunityKey="issue:43", case={"issue": 43}, maturesAt="2026-09-04T10:00:00Z")
    start = next(number for number, line in enumerate(shown) if line.startswith("drift"))
    assert shown[start : start + 3] == [
        'drift        maturesAt: "2026-09-03T10:00:00Z" -> "2026-09-04T10:00:00.000Z"',
        '             opportunityKey: "issue:42" -> "issue:43"',
        '             case: {"issue":42} -> {"issue":43}',
    ]


def test_the_sandbox_is_named(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    regraded = World(tmp_path).regrade()._replace(sandbox_layers=("bubblewrap", "no-network", "private-home"))
    capfd.readouterr()
    Console({}).lines(summary(regraded))
    assert "sandbox      bubblewrap, 2 layers\n" in capfd.readouterr().out


def test_evidence_is_told_with_what_was_not_declared(told: Told, capfd: pytest.CaptureFixture[str]) -> None:
    regraded = told.world.regrade(runner=UNCONFINED)

    def shown(used: EvidenceUsed, mode: str, asked: int | None = None) -> str:
        capfd.readouterr()
        asked = used.exchanges if asked is None else asked
        Console({}).lines(summary(regraded._replace(used=used, evidence_mode=mode, asked=asked)))
        return capfd.readouterr().out

    text = shown(EvidenceUsed("ab" * 32, 12, ("acme/gadgets", "unattributed")), "live")
    assert f"evidence     12 exchanges, gathered now\nbundle       {'ab' * 32}\n" in text
    assert "undeclared   acme/gadgets, unattributed  (asked for without a token)\n" in text
    text = shown(EvidenceUsed("ab" * 32, 1, tuple(f"acme/r{n}" for n in range(9))), "replay")
    assert "evidence     1 exchange, replayed\n" in text
    assert "evidence     5 exchanges, replayed, 2 of them asked for\n" in shown(EvidenceUsed("ab" * 32, 5), "replay", 2)
    assert "evidence     none of the bundle's was asked for\n" in shown(EvidenceUsed(), "replay")
    assert "acme/r4, ...  (asked" in text
