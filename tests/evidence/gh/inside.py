"""Run the stand-in's own modules in this process: quick, and seen by what measures the tests' reach."""

import os
import posix
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from opvalue.evaluator import PLACEHOLDER_TOKEN
from opvalue.evidence.gh.inside import main
from opvalue.evidence.gh.inside.settings import Settings
from opvalue.evidence.gh.inside.wire import Broker
from tests.evidence.gh.laid import JQ, Ran

SETTINGS = Settings("github.localhost", "acme", "widgets", "", str(JQ), PLACEHOLDER_TOKEN, "2.48.0")


@contextmanager
def typed(data: bytes) -> Iterator[None]:
    """Let standard input hold ``data``."""
    kept = os.dup(0)
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.seek(0)
        os.dup2(file.fileno(), 0)
    try:
        yield
    finally:
        os.dup2(kept, 0)
        os.close(kept)


def run(
    folder: Path,
    argv: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[bytes],
    *,
    stdin: bytes = b"",
    env: Mapping[str, str] | None = None,
) -> Ran:
    """Run a command in the folder of a stand-in that is laid out, against its broker."""
    monkeypatch.chdir(folder / "scratch")
    for name, value in {"GH_HOST": "github.localhost", "GH_REPO": "", "LC_ALL": "C", **(env or {})}.items():
        monkeypatch.setitem(posix.environ, name.encode(), value.encode())
    capfd.readouterr()
    with typed(stdin):
        status = main.run(argv, SETTINGS, Broker(str(folder / "broker")))
    out, err = capfd.readouterr()
    return Ran(status, out, err)
