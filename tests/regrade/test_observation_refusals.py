"""Reference 2.5 and DESIGN 4.9: each refusal of what ``--grade-run`` prints, without an observation or any output.

Through the command, so that what is asserted is what a caller sees: an error's envelope and the status 7, no document
on standard output and none in the file.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from opvalue.cli import run
from opvalue.contract.errors import CutoffTooEarly
from opvalue.errors import OpvalueError
from opvalue.evaluator import Runner
from opvalue.limits import Limits
from tests.support.told import OBSERVATION, Told, changed
from tests.support.world import NOW, World, digest_of

AT = "2026-08-25T00:00:00Z"
ENTRY = {"repository": "acme/widgets", "kind": "issue", "ref": "42"}


def with_(**fields: object) -> dict[str, Any]:
    return changed(OBSERVATION, **fields)


def entry(**fields: object) -> dict[str, Any]:
    return with_(provenance=[ENTRY, changed(ENTRY, **fields)])


ROWS: list[tuple[str, object, str]] = [
    ("1 empty", b"", "contract.output-empty"),
    ("1 blank", b"\n\n", "contract.output-empty"),
    ("1 coloured", b"\x1b[0m{}", "contract.output-escape"),
    ("1 two documents", json.dumps(OBSERVATION).encode() + b"\ntrue\n", "contract.output-more-than-one-value"),
    ("1 pages", b"[]\n[]\n", "contract.output-more-than-one-value"),
    ("1 cut", json.dumps(OBSERVATION).encode()[:-1], "contract.output-not-json"),
    ("1 not UTF-8", b'{"value": "\xe9"}', "contract.output-not-json"),
    ("1 noise", bytes(range(1, 256)), "contract.output-not-json"),
    ("1 NUL", b"\0", "contract.output-not-json"),
    ("1 deep", b"[" * 100_000 + b"]" * 100_000, "contract.output-not-json"),
    ("1 value twice", b'{"value":1,"value":0}', "contract.output-not-json"),
    ("1 array", [OBSERVATION], "contract.observation-not-object"),
    ("1 number", 1, "contract.observation-not-object"),
    ("1 null", None, "contract.observation-not-object"),
    ("2 no value", with_(value=...), "contract.observation-value"),
    ("2 above 1", with_(value=1.0000000000000002), "contract.observation-value"),
    ("2 below 0", with_(value=-1e-308), "contract.observation-value"),
    ("2 boolean", with_(value=True), "contract.observation-value"),
    ("2 text", with_(value="0.5"), "contract.observation-value"),
    ("2 list", with_(value=[0.5]), "contract.observation-value"),
    ("2 NaN", b'{"value": NaN}', "contract.output-not-json"),
    ("2 infinite", b'{"value": 1e400}', "contract.output-not-json"),
    ("3 no case", with_(case=...), "contract.observation-case"),
    ("3 null case", with_(case=None), "contract.observation-case"),
    ("3 list", with_(case=[]), "contract.observation-case"),
    ("4 no key", with_(opportunityKey=...), "contract.observation-opportunity-key"),
    ("4 null", with_(opportunityKey=None), "contract.observation-opportunity-key"),
    ("4 blank", with_(opportunityKey=" \t\u00a0"), "contract.observation-opportunity-key"),
    ("4 number", with_(opportunityKey=42), "contract.observation-opportunity-key"),
    ("5 no cutoff", with_(evidenceCutoff=...), "contract.observation-cutoff"),
    ("5 cutoff without zone", with_(evidenceCutoff="2026-08-25T00:00:00"), "contract.observation-cutoff"),
    ("5 cutoff with offset", with_(evidenceCutoff="2026-08-25T00:00:00+00:00"), "contract.observation-cutoff"),
    ("5 cutoff in microseconds", with_(evidenceCutoff="2026-08-25T00:00:00.000000Z"), "contract.observation-cutoff"),
    ("5 no maturity", with_(maturesAt=...), "contract.observation-maturity"),
    ("5 maturity as number", with_(maturesAt=1756800000), "contract.observation-maturity"),
    ("5 no such day", with_(maturesAt="2026-02-30T00:00:00Z"), "contract.observation-maturity"),
    ("6 cutoff after evidence", with_(evidenceCutoff="2026-08-25T00:00:00.001Z"), "contract.cutoff-after-evidence"),
    ("7 cutoff after maturity", with_(maturesAt="2026-08-24T23:59:59Z"), "contract.cutoff-after-maturity"),
    ("8 no provenance", with_(provenance=...), "contract.provenance-not-objects"),
    ("8 null with null", with_(value=None, provenance=None), "contract.provenance-not-objects"),
    ("8 object", with_(provenance={}), "contract.provenance-not-objects"),
    ("8 texts", with_(provenance=["x"]), "contract.provenance-not-objects"),
    ("8 value and none", with_(provenance=[]), "contract.provenance-empty"),
    ("8 zero and none", with_(value=0, provenance=[]), "contract.provenance-empty"),
    ("9 no repository", entry(repository=...), "contract.provenance-entry"),
    ("9 empty kind", entry(kind=""), "contract.provenance-entry"),
    ("9 ref is a number", entry(ref=42), "contract.provenance-entry"),
    ("9 with null value", with_(value=None, provenance=[{}]), "contract.provenance-entry"),
    ("10 cutoff a second early", with_(evidenceCutoff="2026-08-24T23:59:59Z"), "contract.cutoff-too-early"),
    ("10 cutoff at creation", with_(evidenceCutoff="2026-08-20T10:00:00Z"), "contract.cutoff-too-early"),
    ("10 epoch", with_(evidenceCutoff="1970-01-01T00:00:00Z"), "contract.cutoff-too-early"),
    (
        "11 maturity before creation",
        with_(evidenceCutoff="2026-08-20T09:59:59Z", maturesAt="2026-08-20T09:59:59Z"),
        "contract.maturity-before-creation",
    ),
]


def asked(world: World, artifact: Path, output: Path) -> list[str]:
    words = ["regrade", "123456", "-R", "acme/widgets", "--evidence-at", AT, "--no-sandbox", "--json"]
    return [*words, "--artifact", str(artifact), "--checkout", str(world.repository.path), "--output", str(output)]


@pytest.fixture
def ended(
    told: Told, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[[], tuple[int, dict[str, Any]]]:
    """Run the command; the artifact stays as it was and no file is written."""
    monkeypatch.setattr("opvalue.identity.Instant.from_datetime", classmethod(lambda _cls, _moment: NOW))

    def end() -> tuple[int, dict[str, Any]]:
        artifact, output = told.world.sharing(tmp_path).artifact(), tmp_path / "observation.json"
        before = digest_of(artifact)
        status = run("opvalue", asked(told.world, artifact, output))
        assert digest_of(artifact) == before
        assert sorted(tmp_path.iterdir()) == [artifact], "something was written"
        printed: dict[str, Any] = json.loads(capfd.readouterr().out)
        return status, printed

    return end


@pytest.mark.parametrize(("printed", "code"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_what_it_prints(
    told: Told, ended: Callable[[], tuple[int, dict[str, Any]]], printed: object, code: str
) -> None:
    told.observe(printed)
    status, document = ended()
    assert (status, list(document), document["error"]["code"]) == (7, ["error"], code)
    assert told.world.modes == ["--definition", "--grade-run"]


def test_a_score_printed_before_a_failing_exit_is_none(
    told: Told, ended: Callable[[], tuple[int, dict[str, Any]]]
) -> None:
    told.observe(OBSERVATION, status=1)
    status, document = ended()
    assert (status, document["error"]["code"]) == (7, "evaluator.exit-status")


QUICK = Runner(Limits(grade_run_seconds=0.5, stream_bytes=4000), sandboxed=False)
PATIENT = Runner(Limits(grade_run_seconds=20.0, stream_bytes=4000), sandboxed=False)
BEHAVIOURS: list[tuple[str, bytes, str]] = [
    ("hangs", b"sleep 30", "process.timed-out"),
    ("talks", b"while :; do echo x; done", "process.output-too-large"),
    ("shouts", b"while :; do echo x >&2; done", "process.output-too-large"),
    ("is killed", b"grade_run; kill -9 $$", "evaluator.killed"),
    ("leaves a process", b"sleep 30 & grade_run", "process.left-running"),
    ("asks for evidence", b"gh api repos/acme/widgets/issues/42 || grade_run", "regrade.evidence-not-offered"),
    ("does nothing", b": ", "contract.output-empty"),
]


@pytest.mark.parametrize(("command", "code"), [row[1:] for row in BEHAVIOURS], ids=[row[0] for row in BEHAVIOURS])
def test_how_it_ends(own: World, command: bytes, code: str) -> None:
    own.adopt(own.evaluator.replace(b"--grade-run) grade_run ;;", b"--grade-run) " + command + b" ;;"))
    with pytest.raises(OpvalueError) as caught:
        own.regrade(runner=QUICK if code == "process.timed-out" else PATIENT)
    assert caught.value.code == code
    assert own.modes[-1] == "--grade-run"


ACCEPTED: list[tuple[str, dict[str, Any], object]] = [
    ("zero", with_(value=0), 0),
    ("minus zero", with_(value=-0.0), 0),
    ("one", with_(value=1), 1),
    ("tiny", with_(value=1e-308), 1e-308),
    ("null", with_(value=None), None),
    ("null without provenance", with_(value=None, provenance=[]), None),
    ("message of another type", with_(message=5, diagnostics=[1]), 0.5),
    ("unknown keys", with_(baselineValue=1, mature=True, subject={}), 0.5),
    ("milliseconds", with_(evidenceCutoff="2026-08-25T00:00:00.000Z"), 0.5),
]


@pytest.mark.parametrize(("printed", "value"), [row[1:] for row in ACCEPTED], ids=[row[0] for row in ACCEPTED])
def test_what_is_accepted(told: Told, printed: dict[str, Any], value: object) -> None:
    told.observe(printed)
    regraded = told.world.regrade(runner=QUICK)
    assert regraded.observation.value == value
    assert (regraded.observation.value is None) is (value is None)


def test_a_cutoff_cut_to_the_second_is_tolerated(told: Told) -> None:
    told.observe(with_(evidenceCutoff="2026-08-25T00:00:00Z"))
    assert told.world.regrade("2026-08-25T00:00:00.999Z", runner=QUICK).observation.value == 0.5
    with pytest.raises(CutoffTooEarly):
        told.world.regrade("2026-08-25T00:00:01.000Z", runner=QUICK)
