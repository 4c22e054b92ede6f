"""An evaluator that attacks whoever verifies it is contained, reported, and leaves nothing."""

import re
import time
from pathlib import Path

import pytest

from opvalue.cli import run
from tests.verifier.running import GOOD, SANDBOXED, edited, subject
from verifier.output.files import as_bytes
from verifier.report import Report, Script
from verifier.rule import Contract, Profile
from verifier.settings import Settings
from verifier.verify import verify

_SECONDS = "7654.321"
_VALUE = 'value="$(jq -c \'{events: .}\' <<<"$kept" | metric)"'
_GRADE = "grade_run() {\n"


def _verified(text: str) -> tuple[Script, float]:
    if not SANDBOXED.layers:
        pytest.skip("no sandbox works here")
    started = time.monotonic()
    script = verify(subject(text), Profile.DEFAULT, settings=Settings(), runner=SANDBOXED)
    return script, time.monotonic() - started


def _rules(script: Script) -> set[str]:
    return {one.rule for one in script.findings if one.severity.value == "error"}


def _running() -> list[str]:
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = entry.read_bytes()
        except OSError:
            continue
        if _SECONDS.encode() in line:
            found.append(line.decode())
    return found


@pytest.mark.parametrize("mode", ["definition() {\n", "metric() {\n", _GRADE])
def test_endless_output_is_cut(mode: str) -> None:
    script, seconds = _verified(edited((mode, f"{mode}  yes endless\n")))
    assert _rules(script)
    assert any(
        "more than" in one.message or "too large" in one.message or "output" in one.message for one in script.findings
    )
    assert seconds < 120


def test_fifty_processes_are_ended_and_told() -> None:
    forks = f"  for _ in {{1..50}}; do (sleep {_SECONDS} >/dev/null 2>&1 &) ; done\n"
    script, _ = _verified(edited((_GRADE, _GRADE + forks)))
    assert "grade-run-leaves-nothing" in _rules(script)
    assert _running() == []


def test_killing_its_parent_ends_only_itself() -> None:
    script, _ = _verified(edited((_GRADE, _GRADE + '  kill -9 "$PPID"\n')))
    assert "grade-run-shape" in _rules(script)
    assert _running() == []


def test_it_writes_nowhere(tmp_path: Path) -> None:
    places = f'/ /etc /usr/bin /tmp /var/tmp "$HOME" . "${{0%/*}}" {tmp_path} {Path.cwd()}'
    writes = f'  for place in {places}; do : 2>/dev/null >"$place/opvalue-was-here" || true; done\n'
    before = set(Path("/tmp").iterdir()) if Path("/tmp").is_dir() else set()
    script, _ = _verified(edited((_GRADE, _GRADE + writes)))
    assert "grade-run-leaves-nothing" in {one.rule for one in script.findings}
    for place in ("/", "/etc", "/usr/bin", "/tmp", "/var/tmp", Path.home(), tmp_path, Path.cwd()):
        assert not Path(place, "opvalue-was-here").exists()
    left = {path.name for path in set(Path("/tmp").iterdir()) - before if path.name.startswith("opvalue-")}
    assert "opvalue-was-here" not in left


def test_rewriting_itself_is_told() -> None:
    script, _ = _verified(edited((_GRADE, _GRADE + '  echo "echo 1" >>"$0" || exit 7\n')))
    assert "grade-run-shape" in _rules(script)


def test_terminal_escapes_and_commands_reach_no_output() -> None:
    escape = "$'\\e[31m\\n::error file=x::owned\\n\\r::set-output name=a::b%0A'"
    text = edited(
        (_VALUE, f"printf '%s' {escape} >&2\n  fail {escape}"),
        ('workflowName: "Issue triage"', 'workflowName: "\\u001b[31m\\n::error::owned"'),
        ('direction: "higher_is_better"', 'direction: "\\u001b]0;owned\\u0007\\n::error file=y::owned"'),
    )
    script, _ = _verified(text)
    report = Report(Profile.DEFAULT, Contract.SCHEMA_4, (script,))
    assert "with-evidence" in _rules(script)
    for form in ("text", "annotations"):
        shown = as_bytes(report, form).decode()
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f]", shown)
    for line in as_bytes(report, "annotations").decode().splitlines():
        assert line.startswith(("::error file=.github", "::warning file=.github", "::notice file=.github", "and "))
    for line in as_bytes(report, "text").decode().splitlines():
        assert not line.lstrip().startswith("::")


_STRICT = "set -euo pipefail\n"
_EVERYTHING = f"""
printf '\\e[31m\\n::error file=x::owned\\n\\e]0;owned\\a' >&2
for _ in {{1..50}}; do (sleep {_SECONDS} >/dev/null 2>&1 &) ; done
for place in / /etc /usr/bin /tmp /var/tmp "$HOME" . "${{0%/*}}" PLACE; do
  : 2>/dev/null >"$place/opvalue-was-here" || true
done
(yes '::error file=y::owned' &)
kill -9 "$PPID" || true
yes $'\\e[31m::error file=z::owned'
"""


@pytest.mark.parametrize(
    ("profile", "where", "rule"),
    [("--quick", _STRICT, "contract-definition"), ("--thorough", _GRADE, "grade-run-shape")],
)
@pytest.mark.parametrize("form", ["text", "annotations"])
def test_all_of_it_at_once_through_the_command(
    profile: str,
    where: str,
    rule: str,
    form: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    if not SANDBOXED.layers:
        pytest.skip("no sandbox works here")
    script = tmp_path / "score.sh"
    script.write_text(edited((where, where + _EVERYTHING.replace("PLACE", str(tmp_path)))), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    status = run("opvalue", ["verify", profile, "--format", form, str(script)])
    captured = capfd.readouterr()
    assert status == 10
    assert rule in captured.out
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f]", captured.out + captured.err)
    for line in (captured.out + captured.err).splitlines():
        assert not line.lstrip().startswith("::") or (form == "annotations" and f"file={script.name}" in line)
    assert _running() == []
    assert sorted(path.name for path in tmp_path.iterdir()) == [script.name]
    for place in ("/", "/etc", "/usr/bin", "/tmp", "/var/tmp", Path.home()):
        assert not Path(place, "opvalue-was-here").exists()


def test_a_script_that_hangs_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verifier.making.GRADE_SECONDS", 1.0)
    script, seconds = _verified(edited((_GRADE, f"{_GRADE}  while :; do :; done\n")))
    assert "grade-run-shape" in _rules(script)
    assert script.work.grade_runs <= 3
    assert seconds < 60


def test_the_good_one_is_no_attack() -> None:
    script, _ = _verified(GOOD)
    assert {one.severity.value for one in script.findings} <= {"note"}
