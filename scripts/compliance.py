"""Break the product for each row of docs/compliance.md, and see that the tests the row names fail.

``python -m scripts.compliance [ROW ...]``. Each break is made in a copy of the tree, alone, and undone. Exit status 1
where a row's tests still pass, or where a break no longer fits the product; 2 for a row that is not there.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from scripts.compliance_breaks import BREAKS, Break

ROOT: Final = Path(__file__).parent.parent
_COPIED: Final = (
    "opvalue",
    "verifier",
    "tests",
    "fixtures",
    "skills",
    "docs",
    "scripts",
    "benchmarks",
    "pyproject.toml",
)
_TEST: Final = re.compile(r"`(tests/[^`]+)`")


def held_by(page: str) -> dict[str, tuple[str, ...]]:
    """Return the tests that each row names, by what stands in its first cell."""
    rows = [line.split("|")[1:-1] for line in page.splitlines() if line.startswith("| ")]
    return {row[0].strip(): tuple(_TEST.findall(row[-1])) for row in rows}


def survives(change: Break, tests: tuple[str, ...], tree: Path) -> str | None:
    """Return what is wrong with a break or with the tests that should notice it, if anything is."""
    path = tree / change.file
    text = path.read_text("utf-8")
    if change.sound not in text or change.sound == change.broken:
        return "the break does not fit the product any more"
    path.write_text(text.replace(change.sound, change.broken, 1), "utf-8")
    try:
        return _noticed(tests, tree)
    finally:
        path.write_text(text, "utf-8")


def _noticed(tests: tuple[str, ...], tree: Path) -> str | None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "--tb=no", *tests],
        cwd=tree,
        env=os.environ | {"PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 1:
        return None
    return "its tests still pass" if done.returncode == 0 else f"its tests did not run: {done.stdout[-500:]}"


def main(wanted: list[str]) -> int:
    """Try the breaks of the rows that are wanted, or all; return the exit status."""
    held = held_by((ROOT / "docs" / "compliance.md").read_text("utf-8"))
    unknown = sorted(set(wanted) - held.keys())
    if unknown:
        print(f"no such row in docs/compliance.md: {', '.join(unknown)}")
        return 2
    survived = 0
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        for name in _COPIED:
            source = ROOT / name
            copy = shutil.copytree if source.is_dir() else shutil.copy
            copy(source, tree / name)
        for change in BREAKS:
            if wanted and change.row not in wanted:
                continue
            wrong = survives(change, held[change.row], tree)
            survived += wrong is not None
            print(
                f"{change.row}: {change.file}: {' '.join(change.sound.split())[:60]}: {wrong or 'noticed'}", flush=True
            )
    print(f"{survived} not noticed")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
