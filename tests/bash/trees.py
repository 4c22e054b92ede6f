"""A repository in memory, its closure, and what Bash itself loads from the same files."""

import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from opvalue.bash import Closure, read_closure
from opvalue.evaluator import parse_with_shfmt
from opvalue.identity import RepoPath
from opvalue.limits import Limits

_VERSION: Final = subprocess.run(
    ["bash", "-c", "echo ${BASH_VERSINFO[0]}"], capture_output=True, text=True, check=True
).stdout

needs_bash_5 = pytest.mark.skipif(int(_VERSION) < 5, reason="the table holds constructs of Bash 5")

MAIN: Final = ".github/graders/score.sh"

FILES: Final[Mapping[str, str]] = {
    ".github/graders/runtime.sh": "",
    ".github/graders/other.sh": "",
    ".github/graders/with space.sh": "",
    ".github/graders/lib/deep.bash": "",
    ".github/shared/runtime.sh": "",
    ".github/shared/dir.sh": 'SCRIPT_DIR="$(cd "${BASH_SOURCE[0]%/*}" && pwd)"\nsource "$SCRIPT_DIR/util.sh"\n',
    ".github/shared/util.sh": "",
    ".github/shared/by_variable.sh": 'source "$WANTED"\n',
    ".github/shared/outer.sh": 'source "$(dirname "${BASH_SOURCE[1]}")/runtime.sh"\n',
    ".github/shared/main.sh": 'source "$(dirname "$0")/other.sh"\n',
    ".github/shared/circle.sh": 'source "${BASH_SOURCE[0]%/*}/circle.sh"\n',
    ".github/shared/functions.sh": 'load() { source "$(dirname "${BASH_SOURCE[0]}")/$1"; }\n',
    ".github/shared/use.sh": 'use() { source "$GITHUB_WORKSPACE/.github/shared/$1.sh"; }\n',
    ".github/shared/first.sh": "use util\n",
    "tools/runtime.sh": "",
    "tools/helper.sh": '#!/usr/bin/env bash\nsource "$(dirname "$0")/runtime.sh"\n',
    "tools/helper": '#!/bin/bash\nsource "${0%/*}/runtime.sh"\n',
    "tools/exported.sh": 'source "${WANTED:-${0%/*}/runtime.sh}"\n',
    "tools/arguments.sh": 'source "$1"\n',
}
"""What lies beside the evaluator. Each prints its path when it is loaded, to be told by Bash."""


def closure_of(script: str, files: Mapping[str, str] = FILES, **limits: int) -> Closure:
    """Return the closure of an evaluator among ``files``."""

    def read(path: RepoPath) -> bytes | None:
        text = files.get(path.text)
        return None if text is None else text.encode()

    return read_closure(
        RepoPath.parse(MAIN), script.encode(), read, parser=parse_with_shfmt, limits=Limits()._replace(**limits)
    )


def siblings_of(script: str, files: Mapping[str, str] = FILES) -> list[str]:
    """Return the paths of the closure besides the evaluator, as discovered."""
    return [str(path) for path, _ in closure_of(script, files).files[1:]]


def loaded_by_bash(script: str, folder: Path, files: Mapping[str, str] = FILES) -> set[str]:
    """Run the evaluator as an evaluator is run, and return the files it loaded."""
    tree, scratch, log = folder / "tree", folder / "scratch", folder / "log"
    for path, text in {MAIN: script, **files}.items():
        file = tree / path
        file.parent.mkdir(parents=True, exist_ok=True)
        shebang, newline, rest = text.partition("\n") if text.startswith("#!") else ("", "", text)
        file.write_text(f"{shebang}{newline}echo '{path}' >> '{log}'\n{rest}")
        file.chmod(0o700)
    scratch.mkdir()
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(scratch), "GITHUB_WORKSPACE": str(tree)}
    finished = subprocess.run(
        ["bash", str(tree / MAIN), "--definition"],
        cwd=scratch,
        env=environment,
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )
    assert "No such file" not in finished.stderr, finished.stderr
    return set(log.read_text().split("\n")) - {"", MAIN}
