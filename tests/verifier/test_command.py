"""``opvalue verify`` and ``opvalue rule`` from the command line."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Answer, opvalue
from tests.verifier.checkouts import SCRIPT, adopted
from tests.verifier.running import GOOD
from verifier.registry import ids

__all__ = ["opvalue"]
_ERROR = ('direction: "higher_is_better"', 'direction: "up"')
_WARNING = ("gh api --paginate", "gh api")
Opvalue = Callable[..., Answer]


@pytest.fixture
def script(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    target = tmp_path / "graders" / "score.sh"
    target.parent.mkdir()
    target.write_text(GOOD, encoding="utf-8")
    return target


def _edit(script: Path, *edits: tuple[str, str]) -> None:
    text = GOOD
    for old, new in edits:
        text = text.replace(old, new)
    script.write_text(text, encoding="utf-8")


def test_a_good_evaluator_exits_0(opvalue: Opvalue, script: Path) -> None:
    answer = opvalue("verify", "--quick", "--strict", str(script))
    assert (answer.status, answer.err) == (0, "")
    assert answer.out.startswith(f"{script}: verified  (")


def test_an_error_exits_10(opvalue: Opvalue, script: Path) -> None:
    _edit(script, _ERROR)
    answer = opvalue("verify", "--quick", str(script))
    assert answer.status == 10
    assert "[contract-definition]" in answer.out


def test_a_warning_exits_10_only_when_strict(opvalue: Opvalue, script: Path) -> None:
    _edit(script, _WARNING)
    assert opvalue("verify", "--quick", str(script)).status == 0
    assert opvalue("verify", "--quick", "--strict", str(script)).status == 10


def test_one_bad_of_many_exits_10(opvalue: Opvalue, script: Path) -> None:
    good = script.with_name("good.sh")
    good.write_text(GOOD, encoding="utf-8")
    _edit(script, _ERROR)
    answer = opvalue("verify", "--quick", str(good), str(script))
    assert answer.status == 10
    assert answer.out.rstrip().endswith("2 evaluators: 1 error")


def test_an_ignored_error_exits_0_and_is_shown_with_its_reason(opvalue: Opvalue, script: Path, tmp_path: Path) -> None:
    _edit(script, _ERROR)
    settings = '[[verify.ignore]]\nrule = "contract-definition"\nreason = "for now"\npath = "graders/*"\n'
    (tmp_path / ".opvalue.toml").write_text(settings, encoding="utf-8")
    answer = opvalue("verify", "--quick", "--strict", str(script))
    assert answer.status == 0
    assert f"ignored  {script}  contract-definition: for now\n" in answer.out
    (tmp_path / ".opvalue.toml").write_text(settings.replace("graders/*", "other/*"), encoding="utf-8")
    assert opvalue("verify", "--quick", str(script)).status == 10


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ('[[verify.ignore]]\nrule = "no-such-rule"\nreason = "x"\n', "names no rule"),
        ('[[verify.ignore]]\nrule = "static-writes"\n', "gives no reason"),
    ],
)
def test_settings_that_are_not_understood_exit_2(
    opvalue: Opvalue, script: Path, tmp_path: Path, settings: str, said: str
) -> None:
    (tmp_path / ".opvalue.toml").write_text(settings, encoding="utf-8")
    answer = opvalue("verify", "--quick", str(script))
    assert (answer.status, answer.out) == (2, "")
    assert said in answer.err


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--quick", "absent.sh"),
        ("--format", "xml", "SCRIPT"),
        ("--contract", "schema-9", "SCRIPT"),
        ("--no-sandbox", "--require-sandbox", "SCRIPT"),
        ("--cases", "absent", "SCRIPT"),
        ("--checkout", "absent", "SCRIPT"),
        ("--quick", "-o", "absent/report.json", "SCRIPT"),
        ("--quick", "-o", "report.txt", "--step-summary", "absent/summary.md", "SCRIPT"),
    ],
)
def test_misuse_exits_2(
    opvalue: Opvalue, script: Path, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    answer = opvalue("verify", *(str(script) if word == "SCRIPT" else word for word in words))
    assert (answer.status, answer.out) == (2, "")


def test_json_on_standard_output_and_alone(opvalue: Opvalue, script: Path) -> None:
    _edit(script, _WARNING)
    answer = opvalue("verify", "--quick", "--json", str(script))
    document = json.loads(answer.out)
    assert (answer.status, answer.err) == (0, "")
    assert document["counts"] == {"errors": 0, "warnings": 1, "notes": 0}
    assert document["scripts"][0]["repositoryPath"] == "graders/score.sh"
    assert opvalue("verify", "--quick", "--format", "json", str(script)).out == answer.out
    assert json.loads(opvalue("verify", "--json", "absent.sh").out)["error"]["code"] == "verify.script-unreadable"


def test_sarif_and_annotations_name_files_from_the_root(opvalue: Opvalue, script: Path) -> None:
    _edit(script, _WARNING)
    log = json.loads(opvalue("verify", "--quick", "--format", "sarif", str(script)).out)
    location = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert location["uri"] == "graders/score.sh"
    shown = opvalue("verify", "--quick", "--format", "annotations", str(script)).out
    assert shown.startswith("::warning file=graders/score.sh,line=84,col=10,title=static-unpaginated::")


def test_a_report_in_a_file_replaces_an_earlier_one(opvalue: Opvalue, script: Path, tmp_path: Path) -> None:
    target = tmp_path / "report.sarif"
    target.write_text("earlier", encoding="utf-8")
    answer = opvalue("verify", "--quick", "--format", "sarif", "-o", str(target), str(script))
    assert (answer.status, answer.out) == (0, "")
    assert answer.err == f"wrote {target}: no findings\n"
    assert json.loads(target.read_text(encoding="utf-8"))["version"] == "2.1.0"
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".report")] == []
    opvalue("verify", "--quick", "-o", str(target), str(script))
    assert target.read_text(encoding="utf-8").startswith(f"{script}: verified")


def test_the_step_summary_is_appended(opvalue: Opvalue, script: Path, tmp_path: Path) -> None:
    target = tmp_path / "summary.md"
    target.write_text("earlier\n", encoding="utf-8")
    _edit(script, _ERROR)
    answer = opvalue("verify", "--quick", "--step-summary", str(target), str(script))
    assert answer.status == 10
    assert target.read_text(encoding="utf-8").startswith("earlier\n## Evaluators verified\n")
    assert "contract-definition" in target.read_text(encoding="utf-8")


def test_sarif_is_written_beside_another_form(opvalue: Opvalue, script: Path, tmp_path: Path) -> None:
    target = tmp_path / "findings.sarif"
    answer = opvalue("verify", "--quick", "--sarif", str(target), str(script))
    assert answer.out.startswith(f"{script}: verified")
    assert json.loads(target.read_text(encoding="utf-8"))["version"] == "2.1.0"


def test_a_checkout_brings_the_rules_about_the_repository(opvalue: Opvalue, tmp_path: Path) -> None:
    repository, first = adopted(tmp_path / "clone")
    good = GOOD.replace("0123456789abcdef0123456789abcdef01234567", first)
    repository.write({SCRIPT: good})
    words = ("verify", "--strict", "--checkout", str(repository.path), str(repository.path / SCRIPT))
    answer = opvalue(*words)
    assert answer.status == 0, answer.out
    repository.write({SCRIPT: GOOD})
    assert "[repository-adoption]" in opvalue(*words).out


def test_the_session_contract_has_its_own_rules(opvalue: Opvalue, script: Path) -> None:
    script.write_text("#!/usr/bin/env bash\nset -euo pipefail\ncurl https://example.com\n", encoding="utf-8")
    answer = opvalue("verify", "--quick", "--contract", "session", str(script))
    assert answer.status == 10
    assert "[session-contract]" in answer.out


def test_nothing_is_imported_from_the_checkout(
    opvalue: Opvalue, script: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("verifier", "opvalue", "yaml", "jq"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('taken')\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert opvalue("verify", "--quick", str(script)).status == 0


def test_rules_are_listed_and_explained(opvalue: Opvalue) -> None:
    listed = json.loads(opvalue("rule", "list", "--json").out)["rules"]
    assert [one["id"] for one in listed] == list(ids())
    assert opvalue("rule", "list").out.count("\n") == len(ids())
    shown = opvalue("rule", "show", "contract-placeholders").out
    assert shown.startswith(
        "contract-placeholders  nothing is left to be filled in\nerror, profile quick and above\n\n"
    )
    assert opvalue("rule", "contract-placeholders").out == shown
    assert (
        opvalue("rule", "contract-placeholders", "--json").out
        == opvalue("rule", "show", "--json", "contract-placeholders").out
    )
    assert opvalue("rule", "no-such-rule").status == 2
    assert "do        Did you mean: opvalue rule contract-placeholders?" in opvalue("rule", "contract-placeholder").err
    assert "do        Did you mean: opvalue rule list?" in opvalue("rule", "lists").err
    refused = opvalue("rule", "show", "no-such-rule")
    assert (refused.status, refused.out) == (2, "")
    assert "verify.unknown-rule" in refused.err
