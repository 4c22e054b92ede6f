"""The console: the only module that prints.

Data goes to standard output, talk to standard error. Every text passes through ``printable`` and stays on its line,
so nothing read from an archive can steer a terminal or forge a line. JSON is written as UTF-8 whatever the locale is.
Every method that writes to standard output raises ``OutputClosed`` when it cannot, ``ReaderGone`` when nobody reads.
Not done here: deciding what to say, or when to end the process.
"""

import enum
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final, NamedTuple, TextIO, TypeAlias

from opvalue.cli.errors import OutputClosed, ReaderGone
from opvalue.errors import OpvalueError, printable

if TYPE_CHECKING:
    from opvalue.cli.progress import Progress

COLOR_CHOICES: Final = ("auto", "always", "never")
_SET_IN: Final = 12
"""Where the texts of a failure's diagnostics begin."""
_WARNED: Final = 9
"""Where the text of a warning begins."""
_NO: Final = frozenset({"", "0", "false", "no", "off"})


class Style(enum.Enum):
    """How a piece of text looks where colour is on. The meaning never rests on colour alone."""

    GOOD = "32"
    BAD = "31"
    WARN = "33"
    BOLD = "1"
    DIM = "2"


class Styled(NamedTuple):
    """A text with its style."""

    text: str
    style: Style


Piece: TypeAlias = "str | Styled"
Line: TypeAlias = "Piece | tuple[Piece, ...]"


class Console:
    """Prints for one run of a program. ``json`` tells commands and ``fail`` to write JSON."""

    def __init__(self, environ: Mapping[str, str], *, json: bool = False) -> None:
        self.json = json
        self._environ = environ
        self._choice = "auto"
        self._shown: Progress | None = None

    def choose_color(self, choice: str) -> None:
        """Set what ``--color`` asked for: one of ``COLOR_CHOICES``."""
        self._choice = choice

    def data(self, value: object) -> None:
        """Write ``value`` as the one JSON document of standard output."""
        from opvalue.strictjson import dumps  # noqa: PLC0415 - commands that print no JSON start without it

        self.raw(dumps(value).encode())

    def raw(self, data: bytes) -> None:
        """Write UTF-8 to standard output as it is; to a terminal, what could steer it in JSON's own escapes."""
        with _output_errors():
            if sys.stdout.isatty():
                data = printable(data.decode()).encode()
            sys.stdout.flush()
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()

    def line(self, *pieces: Piece, hang: int | None = None) -> None:
        """Write one line of text to standard output; with ``hang``, folded to a terminal's width and set in by that."""
        with _output_errors():
            for row in self._rows(pieces, sys.stdout, hang):
                _write(sys.stdout, self._render(row, sys.stdout))

    def lines(self, lines: Iterable[Line], *, hang: int | None = None) -> None:
        """Write each entry as one line to standard output, folded as ``line`` does it."""
        if hang is not None:
            for entry in lines:
                self.line(*_pieces(entry), hang=hang)
            return
        with _output_errors():
            colour = self.coloured(sys.stdout)
            for entry in lines:
                _write(sys.stdout, "".join(_paint(piece, colour=colour) for piece in _pieces(entry)) + "\n")

    def fields(self, rows: Iterable[tuple[str, Line]], *, indent: int = 0) -> None:
        """Write names and values in two aligned columns to standard output, values folded to a terminal's width."""
        table = list(rows)
        width = max((len(name) for name, _ in table), default=0)
        for name, value in table:
            pieces = (" " * indent, Styled(name.ljust(width), Style.DIM), "  ", *_pieces(value))
            self.line(*pieces, hang=indent + width + 2)

    @property
    def columns(self) -> int | None:
        """How many columns the terminal has; ``None`` where standard output is none."""
        return _columns(sys.stdout)

    def note(self, *pieces: Piece, hang: int | None = None) -> None:
        """Write one line of talk to standard error, folded as ``line`` does it; nothing if that is closed."""
        stream = _stderr()
        if stream is None:
            return
        text = "".join(self._render(row, stream) for row in self._rows(pieces, stream, hang))
        if self._shown is None:
            _talk(stream, text)
        else:
            self._shown.aside(lambda: _talk(stream, text))

    def warn(self, text: str) -> None:
        """Write a warning to standard error, folded."""
        self.note(Styled("warning:", Style.WARN), f" {text}", hang=_WARNED)

    def fail(self, error: OpvalueError, *, program: str) -> None:
        """Report a failure: its envelope on standard output with ``--json``, else its diagnostics on standard error.

        Where standard output is what failed, standard error is used even with ``--json``.
        """
        if self.json and not isinstance(error, OutputClosed):
            self.data(error.envelope())
            return
        first, *rest = error.diagnostics().split("\n")
        self.note(Styled(f"{program}:", Style.BAD), " ", first, hang=_SET_IN)
        for text in rest:
            self.note(*labelled(text), hang=_SET_IN)

    def debug(self, text: str) -> None:
        """Write a traceback to standard error, lines kept."""
        stream = _stderr()
        if stream is not None:
            _talk(stream, printable(text))

    @contextmanager
    def progress(self, text: str) -> Iterator["Progress"]:
        """Show on standard error what is going on, if that is a terminal and it takes more than a second.

        The value is called with a new text as the work moves on. Nothing stays on the screen.
        """
        from opvalue.cli.progress import Progress  # noqa: PLC0415 - threading is for those who wait

        stream = _stderr()
        visible = stream is not None and stream.isatty() and self._environ.get("TERM") != "dumb"
        shown = Progress(stream, columns=_columns(stream) or 0) if stream and visible else Progress(None)
        outer, self._shown = self._shown, shown
        try:
            with shown:
                shown(text)
                yield shown
        finally:
            self._shown = outer

    def coloured(self, stream: TextIO) -> bool:
        """Tell whether ``stream`` gets colour.

        In this order: ``--color``, NO_COLOR, CLICOLOR_FORCE, CLICOLOR and TERM, whether it is a terminal.
        A variable set to a word for "no" does not force colour (HB-07).
        """
        if self._choice != "auto":
            return self._choice == "always"
        if self._environ.get("NO_COLOR"):
            return False
        if self._environ.get("CLICOLOR_FORCE", "").lower() not in _NO:
            return True
        if self._environ.get("CLICOLOR") == "0" or self._environ.get("TERM") == "dumb":
            return False
        return stream.isatty()

    def _rows(self, pieces: tuple[Piece, ...], stream: TextIO, hang: int | None) -> Iterable[tuple[Piece, ...]]:
        return (pieces,) if hang is None else folded(pieces, _columns(stream), hang)

    def _render(self, pieces: tuple[Piece, ...], stream: TextIO) -> str:
        colour = self.coloured(stream)
        return "".join(_paint(piece, colour=colour) for piece in pieces) + "\n"


def flush_output() -> None:
    """Write out what standard output still holds."""
    if sys.stdout is None:
        return
    with _output_errors():
        sys.stdout.flush()


def abandon_output() -> None:
    """Point standard output at nothing, so that the interpreter's own last flush cannot complain."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.close(null)


def open_standard_streams() -> None:
    """Open what the caller left closed of the descriptors 0 to 2, and refuse if that is standard output.

    Left closed, the next file opened would take the number, and what is meant for a reader would land in it.
    Raises ``OutputClosed``.
    """
    closed = [number for number in range(3) if _is_closed(number)]
    for _ in closed:
        os.open(os.devnull, os.O_RDWR)
    if 1 in closed or sys.stdout is None:
        raise OutputClosed("standard output is closed")


def labelled(text: str) -> tuple[Piece, ...]:
    """Return a line of a failure's diagnostics with its label, such as ``expected``, set back."""
    label, value = text[:_SET_IN], text[_SET_IN:]
    return (Styled(label, Style.DIM), value) if label.strip() else (text,)


def single_line(text: str) -> str:
    """Return untrusted ``text`` as a piece of one line, safe for a terminal."""
    return printable(text).replace("\n", "\\u000a").replace("\t", "\\u0009")


def folded(pieces: tuple[Piece, ...], columns: int | None, hang: int) -> Iterator[tuple[Piece, ...]]:
    """Yield a line as lines of at most ``columns``, all but the first set in by ``hang``; as it is if that is ``None``.

    What is longer than a line and has no space in it stays whole.
    """
    if columns is None:
        yield pieces
        return
    from opvalue.cli.folding import folds, hanging  # noqa: PLC0415 - for terminals

    # Escaped before it is measured.
    shown = [_with(piece, single_line(_text(piece))) for piece in pieces]
    indent = " " * hanging(columns, hang)
    for start, end in folds("".join(map(_text, shown)), columns, hang):
        yield (*((indent,) if start else ()), *_between(shown, start, end))


def _between(pieces: Iterable[Piece], start: int, end: int) -> Iterator[Piece]:
    at = 0
    for piece in pieces:
        text = _text(piece)
        part = text[max(start - at, 0) : max(end - at, 0)]
        if part:
            yield _with(piece, part)
        at += len(text)


def _with(piece: Piece, text: str) -> Piece:
    return piece._replace(text=text) if isinstance(piece, Styled) else text


def _text(piece: Piece) -> str:
    return piece.text if isinstance(piece, Styled) else piece


def _pieces(entry: Line) -> tuple[Piece, ...]:
    return entry if isinstance(entry, tuple) and not isinstance(entry, Styled) else (entry,)


def _paint(piece: Piece, *, colour: bool) -> str:
    if isinstance(piece, str):
        return single_line(piece)
    text = single_line(piece.text)
    return f"\x1b[{piece.style.value}m{text}\x1b[0m" if colour else text


def _write(stream: TextIO, text: str) -> None:
    try:
        stream.write(text)
    except UnicodeEncodeError:
        encoding = stream.encoding
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))


def _talk(stream: TextIO, text: str) -> None:
    # Talk that cannot be delivered must not turn a result into a failure.
    try:
        _write(stream, text)
        stream.flush()
    except OSError:
        return


def _columns(stream: TextIO) -> int | None:
    """Return how wide a terminal is, ``COLUMNS`` first; ``None`` where the stream is none."""
    if not stream.isatty():
        return None
    from shutil import get_terminal_size  # noqa: PLC0415 - for terminals

    # That function looks at standard output alone.
    measured = 0
    if not os.environ.get("COLUMNS"):
        with suppress(OSError):
            measured = os.get_terminal_size(stream.fileno()).columns
    return measured or get_terminal_size().columns


def _stderr() -> TextIO | None:
    # None where the caller closed it; the type stubs do not say so.
    return sys.stderr


def _is_closed(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return True
    return False


@contextmanager
def _output_errors() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise ReaderGone from None
    except OSError as error:
        raise OutputClosed(f"cannot write to standard output: {error.strerror}") from None
