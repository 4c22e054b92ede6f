"""Measure two or more pieces of work in turn, so that what else the machine does strikes all alike."""

import os
import statistics
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

_NOT_OURS = ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "NODE_EXTRA_CA_CERTS", "OPVALUE_DEBUG")


class Promise(NamedTuple):
    """What was measured against its limit."""

    name: str
    value: float
    limit: float
    detail: str = ""

    @property
    def kept(self) -> bool:
        """Tell whether it holds."""
        return self.value <= self.limit

    def __str__(self) -> str:
        verdict = "ok" if self.kept else "BROKEN"
        return f"{verdict:<6}  {self.value:5.2f} of at most {self.limit:4.2f}  {self.name}  ({self.detail})"


def clean_environment() -> dict[str, str]:
    """Return the environment without what makes Python or Node start slower here than elsewhere."""
    return {name: value for name, value in os.environ.items() if name not in _NOT_OURS}


def command(*argv: str) -> Callable[[], object]:
    """Return the work of running a whole process in the clean environment; its failure is one of the benchmark."""
    env = clean_environment()
    return lambda: subprocess.run(argv, env=env, cwd=Path("/"), capture_output=True, check=True)


def medians(works: Sequence[Callable[[], object]], rounds: int) -> list[float]:
    """Return the median seconds of each work over interleaved rounds, after one round that does not count."""
    seconds: list[list[float]] = [[] for _ in works]
    for turn in range(rounds + 1):
        for work, taken in zip(works, seconds, strict=True):
            start = time.perf_counter()
            work()
            if turn:
                taken.append(time.perf_counter() - start)
    return [statistics.median(taken) for taken in seconds]


def milliseconds(seconds: float) -> str:
    """Return a duration for the detail of a promise."""
    return f"{seconds * 1000:.0f} ms"
