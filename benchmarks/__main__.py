"""``python -m benchmarks [NAME...]``: measure and print each promise; fail if one is broken.

A benchmark is a module here with a function ``ratios`` that yields ``Ratio``.
"""

import sys
from importlib import import_module
from pkgutil import iter_modules

import benchmarks


def main(names: list[str]) -> int:
    """Run the named benchmarks, or all; return the exit status."""
    modules = [
        import_module(f"benchmarks.{found.name}")
        for found in iter_modules(benchmarks.__path__)
        if found.name != "__main__"
    ]
    status = 0
    for module in modules:
        name = module.__name__.removeprefix("benchmarks.")
        if not hasattr(module, "ratios") or (names and name not in names):
            continue
        for ratio in module.ratios():
            verdict = "ok" if ratio.kept else "BROKEN"
            print(f"{ratio.name}: {ratio.value:.2f}, at most {ratio.limit:g}: {verdict}", flush=True)
            status |= not ratio.kept
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
