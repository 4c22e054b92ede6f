"""The script is swapped between the check of its bytes and its start, from outside and by itself (DG-06)."""

from pathlib import Path

import pytest

from opvalue.evaluator import Changed, ExitStatus, Runner, StandIn
from opvalue.identity import Digest
from tests.evaluator.helpers import HOST, PATH, SIBLING, staged
from tests.process.helpers import the_sandbox

# Ends there rather than touch a folder of the machine's.
STAND_IN = "gh=$(command -v gh); case $gh in */stand-in/gh) ;; *) exit 3 ;; esac"
HONEST = b"#!/usr/bin/env bash\necho honest\n"


def test_what_runs_are_the_bytes_that_were_hashed_not_the_file_they_came_from(tmp_path: Path) -> None:
    file = tmp_path / "value.sh"
    file.write_bytes(HONEST)
    data = file.read_bytes()
    verified = Digest.of(data)
    file.write_bytes(b"#!/usr/bin/env bash\necho forged\n")
    with Runner(sandboxed=False).stage(PATH, [(PATH, data)], HOST, StandIn()) as ready:
        assert ready.grade_run(b"{}") == b"honest\n"
    assert Digest.of(data) == verified


@pytest.mark.parametrize("victim", [PATH, SIBLING])
def test_a_private_copy_swapped_by_another_process_is_not_run(
    victim: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    ran = tmp_path / "ran"
    with staged(HONEST, (SIBLING, b"x=1\n"), sandboxed=False) as ready:
        (copy,) = tmp_path.glob(f"*/tree/{victim}")
        swapped = copy.with_name("swapped")
        swapped.write_text(f"touch {ran}\n")
        swapped.replace(copy)
        with pytest.raises(Changed):
            ready.grade_run(b"{}")
    assert not ran.exists()


REWRITE = """#!/usr/bin/env bash
if [[ $1 == --definition ]]; then
  chmod u+w "$0" && printf 'echo forged\\n' >"$0"
  echo definition
else
  echo honest
fi
"""


def test_an_evaluator_that_rewrites_itself_is_refused() -> None:
    with staged(REWRITE.encode(), sandboxed=False) as ready:
        with pytest.raises(Changed):
            ready.definition()
        with pytest.raises(Changed):
            ready.grade_run(b"{}")


def test_in_the_sandbox_it_cannot() -> None:
    the_sandbox()
    with staged(REWRITE.encode(), sandboxed=True) as ready:
        ready.definition()
        assert ready.grade_run(b"{}") == b"honest\n"


def test_a_stand_in_or_tool_laid_beside_is_refused() -> None:
    script = f'{STAND_IN}; printf "#!/bin/sh\\necho 1\\n" >"${{gh%/*}}/jq"; chmod +x "${{gh%/*}}/jq"; echo 1'
    with staged(script, sandboxed=False) as ready, pytest.raises(Changed):
        ready.grade_run(b"{}")


def test_nor_in_the_sandbox() -> None:
    the_sandbox()
    script = f'set -e; {STAND_IN}; touch "${{gh%/*}}/jq"'
    with staged(script, sandboxed=True) as ready, pytest.raises(ExitStatus, match="Read-only file system"):
        ready.grade_run(b"{}")
