"""The jq programs that are compared with gh's own jq, and what it makes of them."""

import json
from pathlib import Path
from typing import Final, NamedTuple

TEXT: Final = Path(__file__).parent / "programs.txt"
DIFFERING: Final = Path(__file__).parent / "differing.txt"
GOLDEN: Final = Path(__file__).parent / "programs.json"


class Outcome(NamedTuple):
    """A program, the document's name, and what the real gh makes of them: exit status and output, as latin-1."""

    document: str
    program: str
    status: int
    out: str


def listed(file: Path) -> list[tuple[str, str]]:
    """Return the programs of a file: the document's name and the program."""
    lines = file.read_text("utf-8").splitlines()
    return [(name, program) for name, tab, program in (line.partition("\t") for line in lines) if tab]


def outcomes() -> list[Outcome]:
    """Return what is recorded of all programs, first those of ``TEXT``, then those of ``DIFFERING``."""
    return [Outcome(*one) for one in json.loads(GOLDEN.read_text("utf-8"))]
