"""Run a row of the table, or a program, with the stand-in or with the real gh, and say how it ended."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from opvalue.evidence.gh.inside import jq
from opvalue.evidence.gh.inside.failure import Ended, Failed, Unsupported
from opvalue.evidence.gh.inside.sanitize import sanitized
from tests.evidence.gh.laid import JQ, Ran, RealGh, StandInHere
from tests.evidence.gh.table import FILES, Golden, Row
from tests.evidence.gh.world import DOCUMENTS
from tests.sim import Request, Sim

_SEEN: Final = frozenset({"content-type", "etag", "link"})
"""The headers a broker hands on, as far as the made-up GitHub has them."""


def by_stand_in(gh: StandInHere, row: Row) -> Golden:
    """Run a row with the stand-in."""
    return golden(row, gh(*row.argv, stdin=row.stdin, env=row.env))


def by_gh(gh: RealGh, row: Row) -> Golden:
    """Run a row with the real gh."""
    return golden(row, gh(*row.argv, stdin=row.stdin, env=row.env))


@contextmanager
def files(folder: Path) -> Iterator[None]:
    """Let the files that rows name lie in a folder."""
    for name, data in FILES.items():
        (folder / name).write_bytes(data)
    yield
    for name in FILES:
        (folder / name).unlink()


def golden(row: Row, ran: Ran) -> Golden:
    """Return how a row ended, with the heads of answers brought to one form."""
    out = _heads(ran.out) if {"-i", "--include", "-iq"} & set(row.argv) else ran.out
    return Golden(ran.status, out.decode("latin-1"), ran.first_line.decode("latin-1"))


def _heads(out: bytes) -> bytes:
    """Return the output with the heads of answers as a broker would have them: HTTP/2, and its headers alone."""
    lines = [line for line in out.split(b"\n") if not line.endswith(b"\r") or line == b"\r" or _is_seen(line)]
    return b"\n".join(lines).replace(b"HTTP/1.1 ", b"HTTP/2.0 ")


def _is_seen(line: bytes) -> bool:
    return line.partition(b":")[0].decode("latin-1").lower() in _SEEN


def document(sim: Sim, name: str) -> bytes:
    """Return the document that a program of that name is tried on, as gh would hand it to its jq."""
    body = sim.handle(Request.to(f"http://api.github.localhost/{DOCUMENTS[name]}")).body
    return sanitized(bytes(body))


def program_by_stand_in(body: bytes, program: str) -> tuple[int, str]:
    """Return the exit status and the output of a program of ``--jq``, by the stand-in's own module."""
    output: list[bytes] = []
    try:
        jq.run_filter(program, body, str(JQ), output)
        status = 0
    except (Ended, Failed, Unsupported):
        status = 1
    return status, b"".join(output).decode("latin-1")


def program_by_gh(gh: RealGh, name: str, program: str) -> tuple[int, str]:
    """Return the exit status and the output of a program of ``--jq``, by the real gh."""
    ran = gh("api", DOCUMENTS[name], "--jq", program)
    return ran.status, ran.out.decode("latin-1")
