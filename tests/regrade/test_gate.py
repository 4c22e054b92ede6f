"""The gate (DESIGN 4): who may have a script run, and what a regrade takes. Nothing of an archive gets past it."""

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path

import opvalue
from opvalue.regrade import chain
from opvalue.trust import VerifiedRun

ROOT = Path(opvalue.__file__).parent


def calls(name: str) -> Iterator[str]:
    """Yield the modules that call a method or function of that name, or of a name that ends so."""
    for file in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and f".{ast.unparse(node.func)}".endswith(f".{name}"):
                yield file.relative_to(ROOT).as_posix()


def test_two_places_have_scripts_run() -> None:
    """A verified run's evaluator in the chain, and the demo's own."""
    assert list(calls("runner.stage")) == ["demo/story.py", "regrade/chain.py"]


def test_grading_is_called_where_evidence_is_offered_and_that_by_the_chain_and_the_demo() -> None:
    assert list(calls("grade_run")) == ["regrade/evidence.py"]
    assert set(calls("observe")) == {"demo/story.py", "regrade/chain.py"}
    assert list(calls("check_syntax")) == ["regrade/chain.py"]


def test_what_runs_is_the_closure_never_the_archive() -> None:
    (staged,) = [
        node
        for node in ast.walk(ast.parse(inspect.getsource(chain)))
        if isinstance(node, ast.Call) and getattr(node.func, "attr", None) == "stage"
    ]
    assert ast.unparse(staged).startswith("runner.stage(closure.path, closure.files, ")


def test_a_regrade_takes_a_verified_run() -> None:
    assert inspect.signature(chain.regrade).parameters["verified"].annotation is VerifiedRun
