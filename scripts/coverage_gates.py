"""Fail when the tests leave too much unvisited: what decides must be covered whole, line and branch.

Usage: coverage_gates.py COVERAGE.json, as written by ``coverage json`` with branches measured.
"""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

WHOLE = ("contract", "records", "archive", "trust", "attestation", "regrade")
"""Rooms where every line and branch is visited."""
OVERALL_PERCENT = 95.0


class Tally(NamedTuple):
    """Lines and branches, together: how many there are and how many were visited."""

    visited: int
    total: int

    @property
    def percent(self) -> float:
        """Share visited, of 100. Nothing to visit counts as all of it."""
        return 100.0 * self.visited / self.total if self.total else 100.0


def main(arguments: list[str]) -> int:
    """Print one line per gate and one per gap; return 1 if a gate is missed."""
    files: Mapping[str, Any] = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))["files"]
    failed = 0
    for room in WHOLE:
        inside = {path: file for path, file in files.items() if path.startswith(f"opvalue/{room}/")}
        failed += _gate(f"opvalue/{room}", inside, 100.0)
        for path, file in inside.items():
            for gap in _gaps(file):
                print(f"  {path}{gap}")
    failed += _gate("overall", files, OVERALL_PERCENT)
    return 1 if failed else 0


def _gate(name: str, files: Mapping[str, Any], wanted: float) -> bool:
    tally = _tally(files)
    missed = not files or tally.percent < wanted
    verdict = "MISSED" if missed else "ok"
    print(f"coverage {name}: {tally.percent:.2f} % of lines and branches, at least {wanted:g} % wanted: {verdict}")
    return missed


def _tally(files: Mapping[str, Any]) -> Tally:
    summaries = [file["summary"] for file in files.values()]
    return Tally(
        sum(one["covered_lines"] + one["covered_branches"] for one in summaries),
        sum(one["num_statements"] + one["num_branches"] for one in summaries),
    )


def _gaps(file: Mapping[str, Any]) -> list[str]:
    lines = [f":{line} is never run" for line in file["missing_lines"]]
    branches = [f":{start} never goes to {_place(end)}" for start, end in file["missing_branches"]]
    return lines + branches


def _place(line: int) -> str:
    return f"line {line}" if line > 0 else "the end"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
