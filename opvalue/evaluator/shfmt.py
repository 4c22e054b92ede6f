"""Read a script with ``shfmt --to-json``, for what tree-sitter stumbles over (DESIGN 9).

The program comes with this package (shfmt-py), beside the interpreter. It parses and executes nothing.
"""

import sys
from pathlib import Path
from typing import Final

from opvalue.errors import OpvalueError
from opvalue.process import Command, find_program, run, usual_path
from opvalue.strictjson import JsonValue, loads

_SECONDS: Final = 10.0
_STREAM_BYTES: Final = 32 * 1024 * 1024
_MAX_DEPTH: Final = 900


def parse_with_shfmt(script: bytes) -> JsonValue:
    """Return shfmt's syntax tree of ``script``, or ``None`` when shfmt is absent, refuses it or takes too long."""
    try:
        finished = run(
            Command(
                argv=(str(_program()), "--language-dialect", "bash", "--to-json"),
                cwd=Path("/"),
                env={"LC_ALL": "C"},
                seconds=_SECONDS,
                stream_bytes=_STREAM_BYTES,
                stdin=script,
                name="shfmt",
            )
        )
        return loads(finished.stdout, max_depth=_MAX_DEPTH, what="shfmt's output") if finished.status == 0 else None
    except OpvalueError:
        return None


def _program() -> Path:
    beside = Path(sys.prefix, "bin")
    return find_program("shfmt", f"{beside}:{usual_path()}")
