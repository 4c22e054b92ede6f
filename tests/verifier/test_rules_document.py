"""Modules, tests and documentation of rules agree."""

import re
from pathlib import Path
from typing import Final

from scripts.rules import TARGET, document
from verifier.registry import MODULES, ids, rules

_ROOT: Final = Path(__file__).parents[2]


def test_the_page_is_what_the_rules_say() -> None:
    assert TARGET.read_text(encoding="utf-8") == document()


def test_every_rule_has_a_module_a_test_and_a_heading() -> None:
    modules = {path.stem for path in (_ROOT / "verifier" / "rules").glob("*.py")} - {"__init__"}
    tests = {path.stem.removeprefix("test_") for path in (_ROOT / "tests" / "verifier" / "rules").glob("test_*.py")}
    headings = re.findall(r"^## (\S+)$", TARGET.read_text(encoding="utf-8"), re.MULTILINE)
    assert modules == tests == set(MODULES)
    assert headings == list(ids())


def test_every_rule_explains_itself() -> None:
    for rule in rules():
        assert rule.id in ids()
        assert len(rule.explanation) > 200, rule.id
