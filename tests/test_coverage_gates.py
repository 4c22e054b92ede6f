"""The gates close on a gap, on nothing measured, and say where the gap is."""

import json
from pathlib import Path
from typing import Any

import pytest

from scripts.coverage_gates import WHOLE, main


def measured(statements: int = 10, missing: tuple[int, ...] = (), branches: tuple[tuple[int, int], ...] = ()) -> Any:
    return {
        "summary": {
            "num_statements": statements,
            "covered_lines": statements - len(missing),
            "num_branches": 4,
            "covered_branches": 4 - len(branches),
        },
        "missing_lines": list(missing),
        "missing_branches": [list(branch) for branch in branches],
    }


def gates(folder: Path, files: dict[str, Any]) -> int:
    report = folder / "coverage.json"
    report.write_text(json.dumps({"files": files}))
    return main([str(report)])


def whole() -> dict[str, Any]:
    return {f"opvalue/{room}/x.py": measured() for room in WHOLE}


def test_all_covered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert gates(tmp_path, whole()) == 0
    assert "coverage overall: 100.00 %" in capsys.readouterr().out


def test_one_branch_of_a_whole_room(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = whole() | {"opvalue/trust/x.py": measured(1000, (), ((7, -1), (8, 9)))}
    assert gates(tmp_path, files) == 1
    out = capsys.readouterr().out
    assert "coverage opvalue/trust: 99.80 % of lines and branches, at least 100 % wanted: MISSED" in out
    assert "opvalue/trust/x.py:7 never goes to the end" in out
    assert "opvalue/trust/x.py:8 never goes to line 9" in out


def test_a_line_elsewhere_counts_overall_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert gates(tmp_path, whole() | {"opvalue/cli/x.py": measured(10, (3,))}) == 0
    assert gates(tmp_path, whole() | {"opvalue/cli/x.py": measured(10, tuple(range(9)))}) == 1
    assert "coverage overall: 90.82 % of lines and branches, at least 95 % wanted: MISSED" in capsys.readouterr().out


def test_a_room_that_was_not_measured(tmp_path: Path) -> None:
    files = whole()
    del files["opvalue/regrade/x.py"]
    assert gates(tmp_path, files) == 1
    assert gates(tmp_path, {}) == 1
