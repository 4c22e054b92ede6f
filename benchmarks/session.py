"""Grading a recorded session against two programs for Node that compute the same ten numbers (``node/``).

B1 reads the file at once, B2 in chunks of 1 MiB. All are whole processes, and what they print is compared first.
Memory is the peak of one process above that of a Python that does nothing, less what is stated for each request id.
"""

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from benchmarks.measure import Promise, clean_environment, command, medians, milliseconds
from tests.support import sessions

SIZES: Final = (100_000, 1_000_000)
BYTES_A_REQUEST: Final = 175
"""Stated for each request id, where ids have 24 characters."""

_NODE: Final = Path(__file__).parent / "node"
_MIB: Final = 1024 * 1024
_ROUNDS: Final = {100_000: 9, 1_000_000: 3}
_OF_B1: Final = {100_000: 0.55, 1_000_000: 0.40}
_OF_B2: Final = 0.70
_SHARED_OF_B2: Final = 0.50
_MOST_MEMORY: Final = 48
_UNFAMILIAR: Final = {30: (b'"data":{', b'"data":{"unheardOf":[1,2],'), 80: (b'{"type":"', b'{"type":"unheard.')}
"""Of a hundred lines, by their places, what becomes something that no catalogue knows."""
_PEAK: Final = """
import os, resource, sys
if sys.argv[1:]:
    sys.argv[0] = "opvalue"
    from opvalue.cli import run
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    run("opvalue", sys.argv[1:])
if sys.platform == "linux":
    # Not getrusage: its peak begins with that of the process this one was forked from.
    status = open("/proc/self/status").read()
    peak = int(status.partition("VmHWM:")[2].split()[0]) * 1024
else:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
os.write(2, str(peak).encode())
"""


def promises(folder: Path, python: Path) -> Iterator[Promise]:
    """Yield each promise as it was measured."""
    seconds = {}
    for size in SIZES:
        session = folder / f"session-{size}.jsonl"
        written = write(session, size)
        _compare(session, python)
        works = [
            _node("b1", session),
            _node("b2", session),
            _ours(session, python),
            _ours(session, python, "--jobs", "2"),
        ]
        b1, b2, ours, shared = medians(works, _ROUNDS[size])
        seconds[size] = ours
        told = f"{size:,} events, {written / 1e6:.0f} MB"
        yield Promise(f"session / B1, {told}", ours / b1, _OF_B1[size], _both(ours, b1))
        yield Promise(f"session / B2, {told}", ours / b2, _OF_B2, _both(ours, b2))
        if size == SIZES[-1]:
            yield Promise(f"session with --jobs 2 / B2, {told}", shared / b2, _SHARED_OF_B2, _both(shared, b2))
            yield _memory(session, python)
        else:
            twice = folder / "twice.jsonl"
            write(twice, 2 * size)
            one, two = medians([_ours(path, python, "--jobs", "1") for path in (session, twice)], 5)
            yield Promise("session of twice the events / once", two / one, 2.1, _both(two, one))
            twice.unlink()
            odd = folder / "odd.jsonl"
            _write_unfamiliar(odd, size)
            plain, unfamiliar = medians([_ours(path, python) for path in (session, odd)], 5)
            told = "one event in fifty of an unknown type or with an unknown field"
            yield Promise(f"session with {told} / without", unfamiliar / plain, 1.4, _both(unfamiliar, plain))
            odd.unlink()
        session.unlink()


def write(path: Path, count: int) -> int:
    """Write a made-up session; return its size in bytes."""
    with path.open("wb") as file:
        return sum(map(file.write, sessions.lines(count)))


def _write_unfamiliar(path: Path, count: int) -> None:
    with path.open("wb") as file:
        for number, line in enumerate(sessions.lines(count)):
            old, new = _UNFAMILIAR.get(number % 100, (b"", b""))
            file.write(line.replace(old, new, 1))


def of_node(script: str, session: Path) -> dict[str, float | None]:
    """Return the ten values that a program for Node gives."""
    done = subprocess.run(
        ["node", _NODE / f"{script}.mjs", session], env=clean_environment(), capture_output=True, check=True
    )
    found: dict[str, float | None] = json.loads(done.stdout)
    return found


def _compare(session: Path, python: Path) -> None:
    outputs = {
        subprocess.run(
            [*_argv(python), str(session), "--json", *jobs], env=clean_environment(), capture_output=True, check=True
        ).stdout
        for jobs in ((), ("--jobs", "1"), ("--jobs", "2"))
    }
    (document,) = map(json.loads, outputs)
    ours = {row["id"]: row["value"] for row in document["results"]}
    for script in ("b1", "b2"):
        if of_node(script, session) != ours:
            raise AssertionError(f"{script} gives other numbers than ours: {of_node(script, session)} and {ours}")


def _argv(python: Path) -> list[str]:
    return [str(python.with_name("opvalue")), "graders", "run"]


def _ours(session: Path, python: Path, *options: str) -> Callable[[], object]:
    return command(*_argv(python), str(session), "--json", *options)


def _node(script: str, session: Path) -> Callable[[], object]:
    return command("node", str(_NODE / f"{script}.mjs"), str(session))


def _memory(session: Path, python: Path) -> Promise:
    requests = 1 + sum(b'"type":"firewall.token_usage"' in line for line in session.open("rb"))
    stated = requests * BYTES_A_REQUEST / _MIB
    peak = (_peak(python, "graders", "run", str(session), "--json", "--jobs", "1") - _peak(python)) / _MIB
    detail = (
        f"{peak:.0f} MiB, of which {stated:.0f} are stated for {requests:,} request ids; at most {_MOST_MEMORY} more"
    )
    return Promise("memory of a million events / 48 MiB", (peak - stated) / _MOST_MEMORY, 1.0, detail)


def _peak(python: Path, *arguments: str) -> int:
    done = subprocess.run(
        [python, "-c", _PEAK, *arguments], env=clean_environment(), cwd="/", capture_output=True, check=True
    )
    return int(done.stderr.split()[-1])


def _both(one: float, other: float) -> str:
    return f"{milliseconds(one)} to {milliseconds(other)}"
