"""Scripts for tests, staged with and without the sandbox."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from opvalue.evaluator import Runner, Staged, StandIn
from opvalue.identity import Host, RepoPath

PATH = RepoPath.parse(".github/graders/value.sh")
SIBLING = RepoPath.parse(".github/lib/runtime.sh")
HOST = Host.parse("github.com")
NO_GH = StandIn((("gh", b"#!/bin/sh\nexit 1\n"),))
"""A gh that fails. Scripts of tests find the folders of the stage by it, and never the machine's own."""


@contextmanager
def staged(
    script: str | bytes,
    *siblings: tuple[RepoPath, bytes],
    runner: Runner | None = None,
    host: Host = HOST,
    stand_in: StandIn | None = None,
    **options: Any,
) -> Iterator[Staged]:
    data = script if isinstance(script, bytes) else f"#!/usr/bin/env bash\n{script}\n".encode()
    runner = runner or Runner(**options)
    with runner.stage(PATH, [(PATH, data), *siblings], host, NO_GH if stand_in is None else stand_in) as ready:
        yield ready


def call(script: str | bytes, *siblings: tuple[RepoPath, bytes], **options: Any) -> str:
    """Return what a script prints on ``--grade-run``."""
    with staged(script, *siblings, **options) as ready:
        return ready.grade_run(b"{}").decode()
