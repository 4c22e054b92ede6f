"""Assemble the stand-in ``gh``: its modules compiled by this interpreter, which is the one that will run them.

Nothing is executed here. The files are data for ``opvalue.evaluator``, which lays them first on the evaluator's PATH.
"""

import marshal
import os
from functools import cache
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Final

from opvalue.evaluator import PLACEHOLDER_TOKEN, StandIn, interpreter
from opvalue.evidence.gh.inside.launcher import CODE, MAKER, PACKAGE
from opvalue.identity import Host, Repository

PROFILE: Final = "gh-2.48"
"""Whose manners these are, as bundles name it: arrays of pages joined, ``--slurp`` (cli.github.com/manual/gh_api)."""

_VERSION: Final = PROFILE.removeprefix("gh-")
_LONGEST_LINE: Final = 127
_START: Final = "gh.start"
_MODULES: Final = "opvalue.evidence.gh.inside"
# Not importlib.resources: it costs more than all of this.
_FOLDER: Final = Path(__file__).parent / "inside"


def stand_in(
    *, host: Host, repository: Repository | str, jq: Path, python: Path | None = None, branch: str = ""
) -> StandIn:
    """Return the stand-in for evidence of ``repository`` on ``host``.

    ``jq`` and ``python`` are absolute paths that hold inside the sandbox as well. ``python`` must be of the version
    that runs this, and is by default the very one. ``branch``: what ``{branch}`` stands for; such a request is refused
    when it is empty. The broker's socket is ``broker/socket`` beside the folder the files are laid in.
    """
    slug = repository if isinstance(repository, str) else repository.slug
    owner, _, name = slug.partition("/")
    values = (host.name, owner, name, branch, str(jq), PLACEHOLDER_TOKEN, f"{_VERSION}.0")
    program, more = _program(os.fsencode(python or interpreter().program))
    return StandIn(files=(("gh", program), *more, (CODE, MAKER + b"\n" + marshal.dumps((_compiled(), values)))))


def _program(python: bytes) -> tuple[bytes, tuple[tuple[str, bytes], ...]]:
    """Return the program's text, and further files when the interpreter's path cannot stand behind ``#!``."""
    launcher = _source("launcher").encode()
    line = b"#!" + python + b" -IS\n"
    if len(line) <= _LONGEST_LINE and not any(one in b" \t\n" for one in python):
        return line + launcher, ()
    quoted = b"'" + python.replace(b"'", b"'\\''") + b"'"
    shell = b"#!/bin/sh\nexec " + quoted + b' -IS "${0%/*}/' + _START.encode() + b'" "$@"\n'
    return shell, ((_START, launcher),)


@cache
def _compiled() -> dict[str, bytes]:
    """Return the modules' code by their names inside."""
    names = sorted(path.stem for path in _FOLDER.glob("*.py") if path.stem != "launcher")
    return {PACKAGE if name == "__init__" else f"{PACKAGE}.{name}": _compile(name) for name in names}


def _compile(name: str) -> bytes:
    # By the loader, which keeps what it compiled where it may write, as for every module.
    loader = SourceFileLoader(f"{_MODULES}.{name}", str(_FOLDER / f"{name}.py"))
    return marshal.dumps(loader.get_code(loader.name))


def _source(name: str) -> str:
    return (_FOLDER / f"{name}.py").read_text("utf-8")
