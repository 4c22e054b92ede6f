"""The programs for Node that the benchmark compares with compute the same ten numbers."""

import os
import shutil
from pathlib import Path

import pytest

from benchmarks.session import of_node, write
from opvalue.session import lookups_of, read_events
from tests.graders.sessions import values
from tests.support import sessions

node = pytest.mark.skipif(
    shutil.which("node") is None and not os.environ.get("CI"), reason="Node is what the benchmark needs"
)


@node
@pytest.mark.parametrize("script", ["b1", "b2"])
@pytest.mark.parametrize("count", [20, 4000])
def test_the_same_numbers(script: str, count: int, tmp_path: Path) -> None:
    session = tmp_path / "aw_session.jsonl"
    written = write(session, count)
    assert written == session.stat().st_size
    assert of_node(script, session) == values(sessions.events(count))


def test_the_session_is_deterministic() -> None:
    data = b"".join(sessions.lines(300))
    assert data == b"".join(sessions.lines(300))
    assert list(read_events([data])) == list(sessions.events(300))
    assert lookups_of(sessions.events(300, seed=1)) != lookups_of(sessions.events(300))
