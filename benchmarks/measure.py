"""Measure two or more whole commands in turn, so that what else the machine does strikes all alike."""

import os
import statistics
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

_NOT_OURS = ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "NODE_EXTRA_CA_CERTS", "OPVALUE_DEBUG", "COVERAGE_FILE")


class Ratio(NamedTuple):
    """One promise: what was measured against its limit."""

    name: str
    value: float
    limit: float

    @property
    def kept(self) -> bool:
        """Tell whether it holds."""
        return self.value <= self.limit


def clean_environment() -> dict[str, str]:
    """Return the environment without what makes Python or Node start slower here than elsewhere."""
    return {name: value for name, value in os.environ.items() if name not in _NOT_OURS}


def medians(commands: Mapping[str, Sequence[str]], *, rounds: int, cwd: Path) -> dict[str, float]:
    """Return the median seconds of each command over interleaved rounds, after two rounds that do not count."""
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    env = clean_environment()
    for turn in range(rounds + 2):
        for name, argv in commands.items():
            taken = _seconds(argv, env, cwd)
            if turn >= 2:
                seconds[name].append(taken)
    return {name: statistics.median(taken) for name, taken in seconds.items()}


def _seconds(argv: Sequence[str], env: Mapping[str, str], cwd: Path) -> float:
    start = time.perf_counter()
    subprocess.run(argv, env=env, cwd=cwd, check=True, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    return time.perf_counter() - start
