"""Every call of the system fails once, one after another: no half-written session, no stale one, a coded error."""

import os
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from opvalue.collect import collect, default_output, write
from opvalue.errors import OpvalueError
from opvalue.session import read_events
from opvalue.session.validation import problems
from tests.collect.conftest import CALL, START, Run

_CALLS = ("open", "read", "stat", "fstat", "listdir", "fsync", "mkdir", "replace")


@pytest.fixture
def run(tmp_path: Path) -> Run:
    (tmp_path / "run").mkdir()
    run = Run(tmp_path / "run")
    run.lines("agent-session.jsonl", START, CALL)
    run.lines("mcp-logs/a.jsonl", {"event": "x"})
    run.put("agent-stdio.log", "::add-mask::hunter2\n")
    return run


def _collect(run: Run) -> None:
    write(default_output(run.folder), lambda: (None, collect(run.folder).lines))


def test_each_call_in_turn(run: Run) -> None:
    _collect(run)
    session = run.folder / "usage" / "aw_session.jsonl"
    whole = session.read_bytes()
    for turn in count(1):
        session.write_bytes(whole)
        reached = _fails(run, turn)
        # Removed, or, where it was not even looked at yet, the one that was there.
        assert not session.exists() or session.read_bytes() == whole
        assert not list(run.folder.rglob("*.tmp"))
        if not reached:
            break
    assert turn > 30
    assert session.read_bytes() == whole


def _fails(run: Run, turn: int) -> bool:
    """Make the ``turn``-th call fail; return whether it came to that. What it ends in, if anything, must be ours."""
    seen = 0
    with pytest.MonkeyPatch.context() as patch:

        def failing(real: Any) -> Any:
            def call(*args: Any, **more: Any) -> Any:
                nonlocal seen
                seen += 1
                if seen == turn:
                    raise OSError(5, "Input/output error")
                return real(*args, **more)

            return call

        for name in _CALLS:
            patch.setattr(os, name, failing(getattr(os, name)))
        with suppress(OpvalueError):
            _collect(run)
    return seen >= turn


_NAMES = st.sampled_from(
    [
        "agent-session.jsonl",
        "mcp-logs/a.jsonl",
        "aw_info.json",
        "agent_output.json",
        "agent-errors.jsonl",
        "pi-streaming.jsonl",
    ]
)
_WORDS = st.sampled_from(
    [
        b'{"type":"a.b","data":{}}',
        b'{"timestamp":',
        b"::add-mask::",
        b"\n",
        b"\xff",
        b"[",
        b"}",
        b'"x"',
        b"1e999",
        b"{}",
        b"null",
    ]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(st.dictionaries(_NAMES, st.lists(_WORDS, max_size=8).map(b"".join), max_size=4))
def test_any_bytes_give_a_sound_session(tmp_path_factory: pytest.TempPathFactory, files: dict[str, bytes]) -> None:
    run = Run(tmp_path_factory.mktemp("run"))
    for name, content in files.items():
        run.put(name, content)
    lines = collect(run.folder).lines
    assert list(problems(lines)) == []
    assert len(list(read_events(lines))) == len(lines)
