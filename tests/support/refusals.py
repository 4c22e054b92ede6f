"""Asserting a refusal whole: its code, the artifact untouched, and how far the evaluator got."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from opvalue.errors import OpvalueError
from opvalue.evaluator import Runner
from tests.support.world import World, digest_of

UNCONFINED = Runner(sandboxed=False)
"""Lets evaluators leave the marks that ``World.modes`` reads."""
_MODES = {"-n", "--definition", "--metric", "--grade-run"}


@contextmanager
def no_evaluator_started() -> Iterator[None]:
    """Fail when a process is started with an evaluator's arguments. Every other process is a real one."""
    with pytest.MonkeyPatch.context() as patch:
        real = subprocess.Popen.__init__
        seen: list[tuple[str, ...]] = []

        def watching(self: Any, argv: Any, *more: Any, **options: Any) -> None:
            words = tuple(os.fsdecode(word) for word in argv)
            if _MODES.intersection(words) or any(word.endswith((".sh", ".bash")) for word in words):
                seen.append(words)
            real(self, argv, *more, **options)

        patch.setattr(subprocess.Popen, "__init__", watching)
        yield
    assert seen == [], "the evaluator was started"


def refused(
    world: World, evidence_at: str = "2026-08-25T00:00:00Z", *, artifact: Path | None = None, **changes: Any
) -> OpvalueError:
    """Regrade, expect a refusal, and return it; the artifact and the checkout are as before."""
    artifact = artifact or world.artifact()
    before, checkout = digest_of(artifact), digest_of(world.repository.path)
    with pytest.raises(OpvalueError) as caught:
        world.regrade(evidence_at, artifact=artifact, runner=UNCONFINED, **changes)
    assert digest_of(artifact) == before, "the artifact was changed"
    assert digest_of(world.repository.path) == checkout, "the checkout was changed"
    assert caught.value.code != "internal"
    return caught.value


def refused_before_running(world: World, evidence_at: str = "2026-08-25T00:00:00Z", **changes: Any) -> OpvalueError:
    """Like ``refused``, and no mode of the evaluator was started, not even ``bash -n``."""
    with no_evaluator_started():
        error = refused(world, evidence_at, **changes)
    assert world.modes == []
    return error
