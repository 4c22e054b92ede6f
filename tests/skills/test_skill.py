"""The skill's own page: its front matter, its links, and that what it names is there."""

import json
import re
import shlex
from pathlib import Path
from typing import Final

import click
import yaml

from opvalue.cli.programs import program
from opvalue.contract.fields import VALIDATION_EXAMPLES
from opvalue.evaluator import Runner
from opvalue.identity import Host, RepoPath

SKILL: Final = Path(__file__).parents[2] / "skills" / "aw-value"
_PAGE: Final = (SKILL / "SKILL.md").read_text(encoding="utf-8")
_SHORT: Final = 12_000


def test_the_front_matter_is_that_of_a_skill() -> None:
    head = yaml.safe_load(_PAGE.split("---\n")[1])
    assert head["name"] == SKILL.name
    assert set(head) == {"name", "description", "argument-hint", "allowed-tools", "metadata"}
    assert len(head["description"]) < 1024
    assert head["metadata"] == {"version": "1.0.0"}


def test_it_is_short_and_its_links_lead_somewhere() -> None:
    assert len(_PAGE) < _SHORT
    for target in re.findall(r"\]\(([^)]+)\)", _PAGE):
        assert target.startswith("https://") or (SKILL / target).is_file(), target
    assert set(re.findall(r"references/(\S+\.md)", _PAGE)) == {path.name for path in SKILL.glob("references/*.md")}


def test_the_commands_it_gives_exist() -> None:
    lines = [" ".join(line.split()) for line in re.findall(r"^ *(opvalue [^#\n]+)", _PAGE, re.MULTILINE)]
    lines += re.findall(r"`(opvalue [^`]+)`", _PAGE)
    assert len(lines) > 6
    for line in lines:
        words = shlex.split(re.sub(r"[\[\]]", "", line))[1:]
        found: click.Command = program("opvalue")
        context = click.Context(found)
        while isinstance(found, click.Group) and words and not words[0].startswith("-"):
            inner = found.get_command(context, words.pop(0))
            if inner is None:
                # `verify` and `rule` come in by entry points, of an installed package alone.
                raise AssertionError(line)
            found = inner
        options = {name for one in found.params for name in one.opts}
        assert {word for word in words if word.startswith("-")} <= options, line


def test_its_documents_are_json_of_the_contract() -> None:
    request, observation = (json.loads(text) for text in re.findall(r"```json\n(.*?)```", _PAGE, re.DOTALL))
    assert set(request) == {"schemaVersion", "run", "evidenceAt", "case", "event", "config"}
    assert set(request["run"]) == {*("id", "attempt", "repository", "workflow", "ref", "sha", "eventName", "createdAt")}
    wanted = {"value", "opportunityKey", "case", "evidenceCutoff", "maturesAt", "provenance"}
    assert set(observation) == wanted
    assert all(name in _PAGE for name in VALIDATION_EXAMPLES)


def test_the_patterns_are_those_that_have_an_evaluator() -> None:
    rows = (SKILL / "references" / "outcomes.md").read_text(encoding="utf-8").partition("## Patterns")[2]
    patterns = re.findall(r"^\| ([a-z][^|]+) \|", rows, re.MULTILINE)[1:]
    folders = [
        path for path in (SKILL.parents[1] / "fixtures" / "evaluators").iterdir() if (path / "evaluator.sh").exists()
    ]
    assert len(patterns) == len(folders) >= 12


def test_the_script_is_bash_of_3_2_and_clean() -> None:
    runner = Runner(sandboxed=False)
    from opvalue.evidence.gh import stand_in  # noqa: PLC0415
    from tests.verifier.scripts import findings_of, subject_of  # noqa: PLC0415

    data = (SKILL / "scripts" / "verify-operational-value-evaluator.sh").read_bytes()
    path = RepoPath.parse("scripts/verify.sh")
    gh = stand_in(host=Host("github.com"), repository="a/b", jq=runner.tools.jq)
    with runner.stage(path, [(path, data)], Host("github.com"), gh) as staged:
        staged.check_syntax()
    for rule in ("static-bash32", "static-gnu-only", "static-strict-mode"):
        assert findings_of(rule, subject_of(data)) == []
