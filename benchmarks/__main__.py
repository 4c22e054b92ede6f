"""``python -m benchmarks [NAME...]``: measure and print each promise; fail if one is broken.

Whole processes are measured in a virtual environment with this project and what it needs, and nothing else: what a
developer's environment loads at every start would hide a difference.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

from benchmarks.measure import Promise, clean_environment

NAMES = ("startup", "regrade", "memory", "download", "trajectory", "stand_in", "session", "verifier")
_ROOT = Path(__file__).parent.parent


def main(names: list[str]) -> int:
    """Run the named benchmarks, or all; return the exit status."""
    unknown = set(names) - set(NAMES)
    if unknown:
        print(f"no such benchmark: {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}", file=sys.stderr)
        return 2
    kept = True
    with tempfile.TemporaryDirectory(prefix="opvalue-bench-") as folder:
        for promise in _promises(names or list(NAMES), Path(folder)):
            print(promise, flush=True)
            kept = kept and promise.kept
    return 0 if kept else 1


def _promises(names: list[str], folder: Path) -> Iterator[Promise]:
    python = _install(folder / "venv")
    if "startup" in names:
        yield from _module("startup").promises(python)
    if "regrade" in names or "memory" in names:
        (folder / "material").mkdir()
        material = _module("material").make(folder / "material")
        if "regrade" in names:
            yield from _module("regrade").promises(material, python)
        if "memory" in names:
            yield from _module("memory").promises(folder, material.artifact)
    if "download" in names:
        yield from _module("download").promises(folder)
    if "trajectory" in names:
        yield from _module("trajectory").promises()
    if "stand_in" in names:
        yield from _module("stand_in").promises(folder / "stand-in")
    if "session" in names:
        yield from _module("session").promises(folder, python)
    if "verifier" in names:
        yield from _module("verifier").promises(folder / "verifier", python)


def _module(name: str) -> ModuleType:
    # Loaded when run: the start-up promises need nothing of the chain.
    return import_module(f"benchmarks.{name}")


def _install(venv: Path) -> Path:
    env = clean_environment()
    python = venv / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", venv], env=env, check=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", _ROOT], env=env, check=True)
    return python


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
