"""Whether a jq program compiles: with the jq at hand, and with the newer one of PyPI's ``jq`` package if installed.

Nothing is run: ``jq -f FILE /dev/null`` compiles the program and finds no input. Only the program's text goes in, by
standard input, so that no module or file of the caller's is read.
"""

import importlib
import re
import sys
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from opvalue.process import Command, LeftRunning, OutputTooLarge, TimedOut, find_program, run, usual_path

_SECONDS: Final = 10.0
_STREAM_BYTES: Final = 1024 * 1024
_COMPILE_ERROR: Final = 3
_SIGNALS: Final = 128
_LIBRARY: Final = """
import sys, jq
try:
    jq.compile(sys.stdin.buffer.read().decode(), args=dict.fromkeys(sys.argv[1:]))
except ValueError as refused:
    sys.stderr.write(str(refused))
    sys.exit(3)
"""
_UNDEFINED: Final = re.compile(r"\$(\w+) is not defined")
_LINE: Final = re.compile(r"line (\d+)")
_MODULES: Final = re.compile(r"^\s*(?:import|include|module)\b", re.MULTILINE)
_MOST_NAMES: Final = 64

Compiler: TypeAlias = Callable[[str, Mapping[str, None]], str | None]
"""From a program and its names to the text of an error, or ``None``."""


class Compiled(NamedTuple):
    """What became of a program."""

    message: str | None
    """Why it does not compile, in one line; ``None`` when it does."""
    line: int | None
    """The program's line that is to blame."""
    missing: tuple[str, ...]
    """The named arguments it uses and is not given."""


_RIGHT: Final = Compiled(None, None, ())


def uses_modules(text: str) -> bool:
    """Tell whether a program includes modules, which are not at hand here."""
    return bool(_MODULES.search(text))


@lru_cache(maxsize=4096)
def compile_here(text: str, names: frozenset[str]) -> Compiled:
    """Compile with the jq at hand. Raises what ``opvalue.process`` raises, such as ``ProgramMissing``."""
    return _compile(text, names, _with_jq)


@lru_cache(maxsize=64)
def compile_each(programs: tuple[tuple[str, frozenset[str]], ...]) -> tuple[Compiled, ...]:
    """Compile many with the jq at hand, together in one process as long as they are right.

    Each is put into a function whose parameters are its names. Where that does not compile, halves are tried, down to
    the programs that are wrong, which are compiled as they are. Raises what ``compile_here`` raises.
    """
    if len(programs) > 1 and _with_jq(_together(programs), {}) is None:
        return (_RIGHT,) * len(programs)
    if len(programs) <= 1:
        return tuple(compile_here(text, names) for text, names in programs)
    half = len(programs) // 2
    return (*compile_each(programs[:half]), *compile_each(programs[half:]))


def _together(programs: tuple[tuple[str, frozenset[str]], ...]) -> str:
    definitions, calls = [], []
    for number, (text, names) in enumerate(programs):
        parameters = f"({'; '.join(f'${name}' for name in sorted(names))})" if names else ""
        definitions.append(f"def _{number}{parameters}: (\n{text}\n);")
        calls.append(f"_{number}" + (f"({'; '.join('null' for _ in names)})" if names else ""))
    return "\n".join([*definitions, ", ".join(calls)])


@lru_cache(maxsize=4096)
def compile_newer(text: str, names: frozenset[str]) -> Compiled | None:
    """Compile with PyPI's jq; ``None`` where it is not installed."""
    return None if newer_version() is None else _compile(text, names, _with_library)


@lru_cache(maxsize=1)
def version_here() -> str:
    """Return what ``jq --version`` says."""
    return _ended((str(find_program("jq", usual_path())), "--version"), b"")[1].strip()


@lru_cache(maxsize=1)
def newer_version() -> str | None:
    """Return the version of PyPI's jq, or ``None`` where it is not installed."""
    try:
        importlib.import_module("jq")
        return importlib.import_module("importlib.metadata").version("jq")  # type: ignore[no-any-return]
    except ImportError:
        return None


def _compile(text: str, names: frozenset[str], compiler: Compiler) -> Compiled:
    """Compile, declaring what turns out to be missing, so that one fault does not hide another."""
    missing: list[str] = []
    while True:
        message = compiler(text, dict.fromkeys((*sorted(names), *missing)))
        if message is None:
            return Compiled(None, None, tuple(missing))
        new = [name for name in _UNDEFINED.findall(message) if name not in names and name not in missing]
        if not new or len(missing) > _MOST_NAMES:
            found = _LINE.search(message)
            return Compiled(_first(message), int(found[1]) if found else None, tuple(missing))
        missing += dict.fromkeys(new)


def _first(message: str) -> str:
    line = next((row for row in message.splitlines() if row.strip()), "it is refused")
    return re.sub(r"^jq: error: | \((?:Unix|Windows) [^)]*\)| at <[^>]*>.*$", "", line).rstrip(":")[:200]


def _with_jq(text: str, names: Mapping[str, None]) -> str | None:
    given = [piece for name in names for piece in ("--argjson", name, "null")]
    argv = (str(find_program("jq", usual_path())), *given, "-f", "/dev/stdin", "/dev/null")
    return _refusal(argv, text)


def _with_library(text: str, names: Mapping[str, None]) -> str | None:
    """Compile in a child: a program that upsets the library must not take this process along."""
    return _refusal((sys.executable, "-I", "-c", _LIBRARY, *names), text)


def _refusal(argv: tuple[str, ...], text: str) -> str | None:
    """Return what a compiler says that refuses the text, takes too long over it or breaks down, else ``None``."""
    try:
        status, said = _ended(argv, text.encode("utf-8", "replace") + b"\n")
    except (TimedOut, OutputTooLarge, LeftRunning) as problem:
        return f"jq: error: {problem.message}"
    if status == _COMPILE_ERROR:
        return said
    return f"jq: error: jq breaks down over it with status {status}" if not 0 <= status < _SIGNALS else None


def _ended(argv: tuple[str, ...], stdin: bytes) -> tuple[int, str]:
    finished = run(
        Command(
            argv=argv,
            cwd=Path("/"),
            env={"LC_ALL": "C", "HOME": "/nonexistent"},
            seconds=_SECONDS,
            stream_bytes=_STREAM_BYTES,
            stdin=stdin,
            name="jq",
        )
    )
    said = finished.stdout if finished.status == 0 else finished.stderr
    return finished.status, said.decode("utf-8", "replace")
