"""A report as bytes, and where they go. The one module here that writes files."""

import os
from pathlib import Path

from opvalue.cli.console import Styled
from opvalue.errors import printable
from opvalue.strictjson import dumps
from verifier.errors import ReportUnwritable
from verifier.output.annotations import annotations
from verifier.output.document import document
from verifier.output.sarif import sarif
from verifier.output.text import lines
from verifier.report import Report


def as_bytes(report: Report, form: str) -> bytes:
    """Return the report in one of the forms ``text``, ``json``, ``sarif``, ``annotations``."""
    if form == "json":
        return dumps(document(report)).encode()
    if form == "sarif":
        return dumps(sarif(report)).encode()
    rows = annotations(report) if form == "annotations" else map(_plain, lines(report))
    return "".join(f"{row}\n" for row in rows).encode("utf-8", "backslashreplace")


def replace(path: Path, data: bytes) -> None:
    """Write a file whole, in place of an earlier report. Raises ``ReportUnwritable``."""
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        try:
            partial.write_bytes(data)
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)
    except OSError as error:
        raise ReportUnwritable(f"cannot write {path}: {error.strerror}") from None


def append(path: Path, text: str) -> None:
    """Add text at the end of a file. Raises ``ReportUnwritable``."""
    try:
        with path.open("ab") as file:
            file.write(text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise ReportUnwritable(f"cannot write {path}: {error.strerror}") from None


def _plain(line: object) -> str:
    pieces = line if isinstance(line, tuple) and not isinstance(line, Styled) else (line,)
    return printable("".join(piece.text if isinstance(piece, Styled) else str(piece) for piece in pieces))
