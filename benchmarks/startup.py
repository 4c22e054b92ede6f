"""How fast the quick answers come, against importing click alone, in an environment with nothing else in it."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import Ratio, clean_environment, medians

_ROOT = Path(__file__).parent.parent


def ratios() -> Iterator[Ratio]:
    """Measure ``--version`` and ``--help``."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        _install(home / "venv")
        python, opvalue = str(home / "venv" / "bin" / "python"), str(home / "venv" / "bin" / "opvalue")
        taken = medians(
            {
                "click": [python, "-c", "import click"],
                "version": [opvalue, "--version"],
                "help": [opvalue, "--help"],
            },
            rounds=40,
            cwd=home,
        )
    yield Ratio("opvalue --version / import click", taken["version"] / taken["click"], 0.6)
    yield Ratio("opvalue --help / import click", taken["help"] / taken["click"], 1.5)


def _install(venv: Path) -> None:
    env = clean_environment()
    subprocess.run([sys.executable, "-m", "venv", venv], env=env, check=True)
    subprocess.run([venv / "bin" / "python", "-m", "pip", "install", "--quiet", _ROOT], env=env, check=True)
