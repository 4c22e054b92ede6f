"""How fast the quick answers come, against importing click alone, in an environment with nothing else in it."""

from pathlib import Path

from benchmarks.measure import Promise, command, medians, milliseconds

_ROUNDS = 40


def promises(python: Path) -> list[Promise]:
    """Measure ``--version`` and ``--help`` of the program beside ``python``."""
    opvalue = str(python.parent / "opvalue")
    works = [command(opvalue, "--version"), command(opvalue, "--help"), command(str(python), "-c", "import click")]
    version, usage, unit = medians(works, _ROUNDS)
    detail = f"{{}} against {milliseconds(unit)}"
    return [
        Promise("opvalue --version / import click", version / unit, 0.6, detail.format(milliseconds(version))),
        Promise("opvalue --help / import click", usage / unit, 1.5, detail.format(milliseconds(usage))),
    ]
