"""What a regrade costs over the evaluator's own calls run bare by bash: as a process, in process, a hundred of them."""

import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.material import EVIDENCE_AT, Material
from benchmarks.measure import Promise, clean_environment, command, medians, milliseconds
from opvalue.evaluator import Runner
from opvalue.identity import Instant, Repository, RunRef
from opvalue.regrade import RegradeRequest, regrade_offline

_ROUNDS = 9
_HUNDRED = 100
_NOW = Instant.parse("2025-10-01T00:00:00Z")


def promises(material: Material, python: Path) -> list[Promise]:
    """Measure all of them."""
    return [_whole_process(material, python), *_in_process(material), *_hundred(material)]


def bare(material: Material) -> Callable[[], object]:
    """Return the work of the evaluator's own calls: syntax, definition, grading."""

    def work() -> None:
        for arguments, stdin in (
            (["-n", str(material.script)], b""),
            ([str(material.script), "--definition"], b""),
            ([str(material.script), "--grade-run"], material.request),
        ):
            subprocess.run(
                ["/bin/bash", *arguments], input=stdin, capture_output=True, env=clean_environment(), check=True
            )

    return work


def _whole_process(material: Material, python: Path) -> Promise:
    regrade = command(
        str(python.parent / "opvalue"),
        *("regrade", "123456", "--evidence-at", EVIDENCE_AT, "--artifact", str(material.artifact)),
        *("--checkout", str(material.checkout), "--no-sandbox", "--json"),
    )
    imports = command(str(python), "-c", "import click, pydantic")
    whole, alone, unit = medians([regrade, bare(material), imports], _ROUNDS * 2)
    detail = f"{milliseconds(whole)} - {milliseconds(alone)} bare, against {milliseconds(unit)}"
    return Promise("regrade as a process: overhead / import click, pydantic", (whole - alone) / unit, 2.0, detail)


def _in_process(material: Material) -> list[Promise]:
    without, within, alone = medians(
        [_regrade(material, Runner(sandboxed=False)), _regrade(material, Runner(require_sandbox=True)), bare(material)],
        _ROUNDS,
    )
    detail = f"{{}} against {milliseconds(alone)} bare"
    return [
        Promise("regrade in process / bare", without / alone, 1.10, detail.format(milliseconds(without))),
        Promise("regrade in process, sandbox / bare", within / alone, 1.20, detail.format(milliseconds(within))),
    ]


def _hundred(material: Material) -> list[Promise]:
    without, within, alone = medians(
        [
            _repeated(_regrade(material, Runner(sandboxed=False))),
            _repeated(_regrade(material, Runner(require_sandbox=True))),
            _repeated(bare(material)),
        ],
        1,
    )
    detail = f"{{}} against {milliseconds(alone)} bare"
    return [
        Promise("a hundred on two workers / bare", without / alone, 1.15, detail.format(milliseconds(without))),
        Promise("a hundred on two workers, sandbox / bare", within / alone, 1.25, detail.format(milliseconds(within))),
    ]


def _regrade(material: Material, runner: Runner) -> Callable[[], object]:
    request = RegradeRequest(RunRef("123456"), EVIDENCE_AT, material.checkout, Repository.parse("acme/widgets"))
    return lambda: regrade_offline(request, material.artifact, now=_NOW, runner=runner)


def _repeated(work: Callable[[], object]) -> Callable[[], object]:
    def together() -> None:
        with ThreadPoolExecutor(2) as pool:
            for future in [pool.submit(work) for _ in range(_HUNDRED)]:
                future.result()

    return together
