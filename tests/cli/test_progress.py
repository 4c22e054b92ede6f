"""The line that says what is going on comes late, changes in place, and goes."""

import io
import time

from opvalue.cli.progress import Progress


class Gone(io.StringIO):
    """A terminal that was closed."""

    writes = 0

    def write(self, _text: str) -> int:
        self.writes += 1
        raise OSError(5, "gone")


def wait_for(stream: io.StringIO, text: str) -> None:
    end = time.monotonic() + 10
    while text not in stream.getvalue() and time.monotonic() < end:
        time.sleep(0.005)


def test_nothing_is_shown_before_the_delay() -> None:
    stream = io.StringIO()
    with Progress(stream, delay=60) as progress:
        progress("reading")
        progress("grading")
    assert stream.getvalue() == ""


def test_it_is_shown_after_the_delay_and_erased() -> None:
    stream = io.StringIO()
    with Progress(stream, delay=0.02) as progress:
        progress("reading")
        wait_for(stream, "reading")
        progress("grading\x1b\n" + "x" * 100)
    assert stream.getvalue() == "\r\x1b[Kreading\r\x1b[Kgrading\\u001b " + "x" * 65 + "\r\x1b[K"


def test_it_is_narrower_than_the_terminal_for_a_broken_line_could_not_be_erased() -> None:
    stream = io.StringIO()
    with Progress(stream, columns=20, delay=0.02) as progress:
        progress("reading what is long")
        wait_for(stream, "lon")
    assert stream.getvalue() == "\r\x1b[Kreading what is lon\r\x1b[K"


def test_without_a_stream_it_is_silent() -> None:
    with Progress(None, delay=0) as progress:
        progress("reading")


def test_a_terminal_that_went_away_is_left_alone() -> None:
    stream = Gone()
    with Progress(stream, delay=0) as progress:
        end = time.monotonic() + 10
        while not stream.writes and time.monotonic() < end:
            time.sleep(0.005)
        progress("on")
    assert stream.writes == 1


def test_a_timer_that_fires_too_late_shows_nothing() -> None:
    stream = io.StringIO()
    progress = Progress(stream, delay=60)
    with progress:
        progress("reading")
    progress._show()
    assert stream.getvalue() == ""


def test_other_lines_are_written_aside() -> None:
    stream = io.StringIO()
    with Progress(stream, delay=0.02) as progress:
        progress("reading")
        wait_for(stream, "reading")
        progress.aside(lambda: stream.write("warning: x\n"))
    assert stream.getvalue() == "\r\x1b[Kreading\r\x1b[Kwarning: x\nreading\r\x1b[K"


def test_aside_of_nothing_that_is_shown() -> None:
    stream = io.StringIO()
    with Progress(stream, delay=60) as progress:
        progress("reading")
        progress.aside(lambda: stream.write("warning: x\n"))
    progress.aside(lambda: stream.write("warning: y\n"))
    assert stream.getvalue() == "warning: x\nwarning: y\n"
