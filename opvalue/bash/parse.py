"""A script's bytes to our tree: tree-sitter first, then the parser handed in (``shfmt --to-json``), then refusal.

Whether the script is legal Bash is decided by ``bash -n``, not here.
"""

from collections.abc import Callable
from typing import TypeAlias

from opvalue.bash import treesitter
from opvalue.bash.errors import NotAnalysable
from opvalue.bash.tree import Body, Stumbled
from opvalue.strictjson import JsonValue

ShellParser: TypeAlias = Callable[[bytes], JsonValue]
"""Returns what ``shfmt --to-json`` prints for a script, as parsed JSON, or ``None`` when it refuses the script."""


def parse(name: str, source: bytes, parser: ShellParser | None) -> Body:
    """Return the commands of ``source``, called ``name`` in messages. Raises ``NotAnalysable``."""
    _check_bytes(name, source)
    try:
        body = treesitter.read(source)
        if body is not None:
            return body
        return _read_by(parser, name, source)
    except RecursionError:
        raise NotAnalysable(f"{name} is nested too deeply to be analysed") from None


def _read_by(parser: ShellParser | None, name: str, source: bytes) -> Body:
    document = None if parser is None else parser(source)
    if document is not None:
        from opvalue.bash import shfmt  # noqa: PLC0415 - for what tree-sitter does not read

        try:
            return shfmt.convert(source, document)
        except Stumbled:
            pass
    line = treesitter.first_error_line(source)
    raise NotAnalysable(
        f"{name} holds Bash that cannot be analysed",
        expected="constructs that tree-sitter-bash or shfmt read",
        found=None if line is None else f"line {line}: {_line(source, line)}",
        hint=None if parser is not None else "Install shfmt (pip install shfmt-py); it reads what tree-sitter cannot.",
    )


def _check_bytes(name: str, source: bytes) -> None:
    for byte, what, advice in ((0, "a NUL byte", "plain text"), (13, "a carriage return", "lines that end in LF only")):
        at = source.find(byte)
        if at >= 0:
            line = source.count(b"\n", 0, at) + 1
            raise NotAnalysable(f"{name} holds {what}", expected=advice, found=f"line {line}")


def _line(source: bytes, line: int) -> str:
    return source.split(b"\n")[line - 1].decode("utf-8", "replace").strip()[:120]
