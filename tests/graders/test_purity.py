"""Graders compute and do nothing else: poisoned surroundings, untouched input, one visit an event, equal bytes."""

import builtins
import copy
import io
import os
import random
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from opvalue.graders.configuration import Configuration, defaults
from opvalue.graders.configuration.entry import declared, in_manifest_order
from opvalue.graders.evaluate import grade
from opvalue.graders.metadata import BUILTIN
from opvalue.graders.registry import registered
from opvalue.graders.trajectory import project
from opvalue.session import lookups_of, scan
from opvalue.strictjson import dumps
from tests.graders.events import Event
from tests.graders.sessions import replayed
from tests.support.sessions import events, lines

EVERY = in_manifest_order(declared(row) for row in BUILTIN.values())
ROOT = Path(__file__).parents[2]
CHILD = """
import locale, sys
locale.setlocale(locale.LC_ALL, "")
from opvalue.cli import run
sys.exit(run("opvalue", ["graders", "run", sys.argv[1], "--config", sys.argv[2], "--json"]))
"""


class Poisoned(BaseException):
    """What a grader that reaches out gets; no handler of ordinary failures may swallow it."""


class PoisonedEnvironment(dict[str, str]):
    def __getitem__(self, key: str) -> str:
        raise Poisoned(key)

    def get(self, key: str, default: Any = None) -> Any:
        raise Poisoned(key, default)


POISONED: tuple[tuple[Any, str], ...] = (
    *((builtins, name) for name in ("open", "input", "print")),
    *((io, name) for name in ("open", "open_code")),
    *((os, name) for name in ("open", "read", "listdir", "stat", "getenv", "fork", "urandom", "system", "posix_spawn")),
    *((socket, name) for name in ("socket", "create_connection", "getaddrinfo")),
    *((subprocess, name) for name in ("Popen", "run")),
    *((time, name) for name in ("time", "time_ns", "monotonic", "perf_counter", "localtime", "gmtime", "sleep")),
    *((random, name) for name in ("random", "randint", "choice", "shuffle", "Random")),
)


def poison(monkeypatch: pytest.MonkeyPatch) -> None:
    def reached(*_arguments: object, **_more: object) -> Any:
        raise Poisoned

    for place, name in POISONED:
        monkeypatch.setattr(place, name, reached)
    monkeypatch.setattr(os, "environ", PoisonedEnvironment())


@pytest.mark.parametrize("count", [0, 40, 400])
def test_graders_touch_nothing(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    session = list(events(count)) if count else []
    expected = grade(lookups_of(session), project(session), EVERY)  # also loads whatever is loaded on first use
    with monkeypatch.context() as poisoned:
        poison(poisoned)
        found = grade(lookups_of(session), project(session), EVERY)
    assert found == expected
    assert len(found) == 32
    assert "error" not in {one.status.value for one in found}


def test_the_poison_works(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as poisoned:
        poison(poisoned)
        for place, name in POISONED:
            with pytest.raises(Poisoned):
                getattr(place, name)()
        with pytest.raises(Poisoned):
            os.environ["HOME"]


def test_the_session_is_never_mutated() -> None:
    session = list(events(300))
    before = copy.deepcopy(session)
    replayed(session, EVERY, project(session))
    assert session == before


class Counted:
    """An iterable that counts what it hands out, over all passes."""

    def __init__(self, session: list[Event]) -> None:
        self.visits = 0
        self._session = session

    def __iter__(self) -> Iterator[Event]:
        for one in self._session:
            self.visits += 1
            yield one


def visits(session: list[Event], configuration: Configuration) -> int:
    counted = Counted(session)
    found = lookups_of(counted)
    projection = project(counted) if any(registered(one.id).reads_projection for one in configuration.entries) else None
    grade(found, projection, configuration)
    return counted.visits


@pytest.mark.parametrize("count", [50, 500])
def test_each_event_is_visited_once_whatever_the_number_of_graders(count: int) -> None:
    session = list(events(count))
    one = in_manifest_order([declared(BUILTIN["loops"])])
    ten = in_manifest_order(declared(row) for row in BUILTIN.values() if row.default)
    assert visits(session, one) == visits(session, ten) == len(session)
    assert visits(session, EVERY) == 2 * len(session), "once for the lookups, once for the projection"


def graded(session: bytes) -> None:
    found = scan([session[place : place + 65536] for place in range(0, len(session), 65536)])
    grade(found, None, defaults())


def steps(session: bytes) -> int:
    """Return how many instructions of Python run to grade a session: its work, whatever the machine."""
    count = 0

    def stepping(frame: FrameType, what: str, _argument: object) -> Any:
        nonlocal count
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        count += what == "opcode"
        return stepping

    before = sys.gettrace()
    sys.settrace(stepping)
    try:
        graded(session)
    finally:
        sys.settrace(before)
    return count


def test_work_grows_with_the_session_alone() -> None:
    """What the first grading loads is no work of the session's: counted with the small one, it would hide a square."""
    small, large = (b"".join(lines(count)) for count in (4000, 8000))
    graded(small)
    assert steps(large) < 2.05 * steps(small)


def graded_in_a_process(session: Path, settings: Path, env: dict[str, str]) -> bytes:
    plain = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "HOME": str(session.parent)}
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(session), str(settings)],
        env=plain | env,
        capture_output=True,
        check=True,
        cwd=session.parent,
    )
    return done.stdout


def locales() -> Iterable[str]:
    found = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=False).stdout.split()
    return [name for name in found if name not in {"C", "POSIX"}][:3]


def test_equal_under_seeds_zones_and_locales(tmp_path: Path) -> None:
    session, settings = tmp_path / "aw_session.jsonl", tmp_path / "graders.json"
    session.write_bytes(b"".join(lines(600)))
    settings.write_text(dumps({"graders": {row.id: {} for row in BUILTIN.values()}}))
    surroundings = [
        {"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C"},
        {"PYTHONHASHSEED": "1", "TZ": "Asia/Kathmandu"},
        {"PYTHONHASHSEED": "4242", "TZ": "America/St_Johns", "GITHUB_RUN_ID": "9", "GITHUB_RUN_ATTEMPT": "9"},
        *({"PYTHONHASHSEED": "7", "LC_ALL": name} for name in locales()),
    ]
    found = {graded_in_a_process(session, settings, env) for env in surroundings}
    assert len(found) == 1
    assert b'"status": "pass"' in found.pop()
