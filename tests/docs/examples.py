"""The files that the examples of help texts and pages name, and a shell in which to type them.

A clone with its workflow and evaluator, the run's artifact, bundles, keys, a signed observation, a session, and logs.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final, NamedTuple

from opvalue.demo import Demo, prepare
from opvalue.demo.signing import sign
from opvalue.evaluator import Runner
from tests.docs import logs
from tests.support.sessions import lines

_PROGRAMS: Final = {
    "opvalue": "-m opvalue",
    "gh-aw": "-c 'from opvalue.__main__ import gh_aw; gh_aw()'",
}
_KEYS: Final = ("alice", "bob", "second", "observer")
_BUNDLES: Final = ("monday", "tuesday", "a", "b")
_FAULT: Final = '  comments=$(gh api "repos/$repository/issues/$issue" --jq .comments || echo 0)'
_GRADERS: Final = "---\non: push\ngraders:\n  loops: {threshold: 5}\n---\nTriage.\n"


class Typed(NamedTuple):
    """How a line ended that somebody typed."""

    status: int
    out: str
    err: str


class Desk:
    """A folder to stand in. ``HOME`` lies beside it, with the same clone as ``~/src/widgets``."""

    def __init__(self, root: Path) -> None:
        self.home = root / "home"
        self.clone = self.home / "src" / "widgets"
        self._bin = root / "bin"
        self._demo = prepare(root / "made", Runner())
        shutil.copytree(self._demo.checkout, self.clone, symlinks=True)
        self._programs()
        self._lay()

    def type(self, line: str) -> Typed:
        """Run a line with ``bash``, standing in the clone: no token, no network, a pipe fails where a part does."""
        env = {
            "PATH": f"{self._bin}:{os.environ['PATH']}",
            "HOME": str(self.home),
            "LC_ALL": "C.UTF-8",
            # Nobody listens there, so that nothing leaves this machine.
            "HTTPS_PROXY": "http://127.0.0.1:9",
        }
        prelude = f"set -o pipefail; fpath=(. '{self.home}')\n"
        done = subprocess.run(
            ["bash", "-c", prelude + line], cwd=self.clone, env=env, capture_output=True, text=True, check=False
        )
        return Typed(done.returncode, done.stdout, done.stderr)

    def _programs(self) -> None:
        self._bin.mkdir()
        for name, words in _PROGRAMS.items():
            self._program(name, f'exec {sys.executable} -P {words} "$@"')
        self._program("pass", "echo secret")
        # That of the system may be logged in.
        self._program("gh", "exit 1")

    def _program(self, name: str, line: str) -> None:
        (self._bin / name).write_text(f"#!/bin/sh\n{line}\n")
        (self._bin / name).chmod(0o755)

    def _lay(self) -> None:
        (self.home / ".local/share/bash-completion/completions").mkdir(parents=True)
        (self.home / ".config/fish/completions").mkdir(parents=True)
        here = self.clone
        shutil.copy(self._demo.artifact, here / "agent.zip")
        script = (here / ".github/graders/issue-triage-operational-value.sh").read_text("utf-8")
        for name in ("evidence", *_BUNDLES):
            shutil.copy(self._demo.bundle, here / f"{name}.bundle")
        for name in ("triage-operational-value", "evaluator"):
            folder = here / ".github/graders" if "-" in name else here
            (folder / f"{name}.sh").write_text(script)
        faulty = script.replace("  seen=$(events", f"{_FAULT}\n  seen=$(events", 1)
        (here / "score.sh").write_text(faulty)
        (here / ".github/workflows/triage.md").write_text(_GRADERS)
        (here / "names.txt").write_text("a-secret-of-some-length\n")
        (here / "tests/cases").mkdir(parents=True)
        for session in ("usage/aw_session.jsonl", "session.jsonl", "run-123/usage/aw_session.jsonl"):
            (here / session).parent.mkdir(parents=True, exist_ok=True)
            (here / session).write_bytes(b"".join(lines(400)))
        logs.put(here / "run-123")
        self._signed()

    def _signed(self) -> None:
        observation, envelope, two = "observation.json", "observation.dsse.json", "two.dsse.json"
        demo = Demo(*self._demo)
        written = sign(demo.regrade("maturity", runner=Runner()), self.clone)
        written.envelope.unlink()
        written.public_key.unlink()
        for name in _KEYS:
            assert self.type(f"opvalue attestation keygen -o {name}.key").status == 0
        assert self.type(f"opvalue attestation sign {observation} --key alice.key -o {two}").status == 0
        assert self.type(f"opvalue attestation sign {two} --key bob.key -o {envelope}").status == 0
        signed = f"opvalue attestation sign {observation} --key observer.key -o {written.envelope.name}"
        assert self.type(signed).status == 0
        assert self.type("opvalue graders compile .github/workflows/triage.md -o build/graders").status == 0
