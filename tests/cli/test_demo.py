"""The demo as a user sees it: values that rise and stay, a refusal, and nothing left behind."""

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from opvalue.demo import Demo
from tests.cli.conftest import Answer

KEPT = [
    "agent-tampered.zip",
    "agent.zip",
    "evidence.bundle",
    "observation.json",
    "observation.json.dsse.json",
    "observer.key.pub",
    "widgets",
]


def test_values_rise_then_stay_and_the_tampered_archive_is_refused(opvalue: Callable[..., Answer]) -> None:
    answer = opvalue("demo")
    assert (answer.status, answer.err) == (0, "")
    shown = re.findall(r"^  (\S+Z)  .*?([#.]{12})  (\S+)  (.*)$", answer.out, re.MULTILINE)
    assert shown == [
        ("2025-08-21T00:00:00.000Z", "####........", "0.33", "may still rise"),
        ("2025-08-25T00:00:00.000Z", "########....", "0.67", "may still rise"),
        ("2025-09-03T10:00:00.000Z", "############", "1.00", "mature"),
        ("2025-09-20T00:00:00.000Z", "############", "1.00", "mature"),
    ]
    assert "  refused  .github/graders/issue-triage-operational-value.sh" in answer.out
    assert "[trust.evaluator-differs]" in answer.out


def test_nothing_is_left_behind(
    opvalue: Callable[..., Answer], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    assert opvalue("demo").out.endswith("Nothing was left behind. To look at the files: opvalue demo --keep DIR\n")
    assert list(tmp_path.iterdir()) == []


def test_what_is_kept_can_be_regraded_as_it_says(opvalue: Callable[..., Answer], tmp_path: Path) -> None:
    folder = tmp_path / "kept here"
    *_, kept, told, command = opvalue("demo", "--keep", str(folder)).out.rstrip("\n").split("\n")
    assert kept.startswith(f"Kept in {folder}. What grades is the evaluator of commit ")
    assert told == "Regrade it yourself:"
    assert sorted(path.name for path in folder.iterdir()) == KEPT
    program, *words = shlex.split(command)
    assert (program, words[:2]) == ("opvalue", ["regrade", "123456"])
    # What lies in the future cannot be regraded, and clocks differ.
    assert words[words.index("--evidence-at") + 1] < "2026"
    answer = opvalue(*words)
    assert answer.out.startswith("Operational Value: 0.6666666666666666  (pass, threshold 0.6)")


def test_a_changed_evaluator_in_what_is_kept_changes_nothing(opvalue: Callable[..., Answer], tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    shown = opvalue("demo", "--keep", str(folder)).out
    (script,) = (folder / "widgets").rglob("*.sh")
    script.write_bytes(script.read_bytes().replace(b"length / 3", b"length / 1"))
    assert "whatever is changed there since.\n" in shown
    answer = opvalue(*shlex.split(shown.splitlines()[-1])[1:])
    assert answer.out.startswith("Operational Value: 0.6666666666666666  (pass, threshold 0.6)")


def test_what_is_kept_can_be_verified(opvalue: Callable[..., Answer], tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    shown = opvalue("demo", "--keep", str(folder)).out
    assert "  verified  the signature, the statement, and the bundle it names\n" in shown
    envelope, key, bundle = (
        folder / name for name in ("observation.json.dsse.json", "observer.key.pub", "evidence.bundle")
    )
    answer = opvalue("attestation", "verify", str(envelope), "--key", str(key), "--bundle", str(bundle))
    assert (answer.status, answer.err) == (0, "")
    assert answer.out.startswith("Operational Value: 1  (pass)  run 123456, attempt 1, acme/widgets\n")


def test_a_folder_that_exists_is_not_touched(opvalue: Callable[..., Answer], tmp_path: Path) -> None:
    answer = opvalue("demo", "--keep", str(tmp_path))
    assert answer.status == 2
    assert answer.err.startswith(f"opvalue: {tmp_path} exists [usage]")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made(opvalue: Callable[..., Answer], tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    answer = opvalue("demo", "--keep", str(tmp_path / "file" / "below"))
    assert answer.status == 2
    assert "cannot make" in answer.err


def test_a_tampered_archive_that_passes_is_a_fault_of_ours(
    opvalue: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Demo, "regrade_tampered", lambda _demo, **_how: None)
    answer = opvalue("demo")
    assert answer.status == 1
    assert "the tampered archive was not refused" in answer.err


def test_a_null_value_is_shown_as_null(opvalue: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch) -> None:
    real = Demo.regrade

    def without_value(demo: Demo, evidence_at: str, **how: object) -> object:
        regraded = real(demo, evidence_at, **how)  # type: ignore[arg-type]  # passed on as it came
        return regraded._replace(observation=regraded.observation._replace(value=None))

    monkeypatch.setattr(Demo, "regrade", without_value)
    assert re.findall(r"[#.]{12}  (\S+)", opvalue("demo").out) == ["null"] * 4
