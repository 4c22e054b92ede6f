"""The line that says what is going on comes late, changes in place, and goes."""

import io
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from opvalue.cli.progress import Progress


class Gone(io.StringIO):
    """A terminal that was closed."""

    writes = 0

    def write(self, _text: str) -> int:
        self.writes += 1
        raise OSError(5, "gone")


@pytest.fixture
def _alarm() -> Iterator[None]:
    """Free the process's timer, which the runner of tests may have taken, for as long."""
    handler, (seconds, again) = signal.getsignal(signal.SIGALRM), signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, seconds, again)


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


def test_wide_characters_take_two_columns() -> None:
    stream = io.StringIO()
    with Progress(stream, columns=20, delay=0.02) as progress:
        progress("grading 日本語日本語日本語")
        wait_for(stream, "日")
    assert stream.getvalue() == "\r\x1b[Kgrading 日本語日本\r\x1b[K"


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


@pytest.mark.usefixtures("_alarm")
def test_it_needs_no_thread_for_a_process_with_one_is_not_forked() -> None:
    stream = io.StringIO()
    before = {*threading.enumerate()}
    with Progress(stream, delay=0.02) as progress:
        progress("reading")
        wait_for(stream, "reading")
        assert {*threading.enumerate()} <= before
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


@pytest.mark.usefixtures("_alarm")
def test_an_alarm_within_a_writing_waits_for_its_end() -> None:
    assert _written_within_a_writing() == "\r\x1b[Kreading\r\x1b[K"


def _written_within_a_writing() -> str:
    stream = io.StringIO()
    with Progress(stream, delay=0.02) as progress:
        progress("reading")
        progress.aside(lambda: time.sleep(0.1))
        wait_for(stream, "reading")
    return stream.getvalue()


def test_a_thread_within_a_writing_waits_for_its_end() -> None:
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(_written_within_a_writing).result() == "\r\x1b[Kreading\r\x1b[K"


def _read(stream: io.StringIO) -> None:
    with Progress(stream, delay=0.02) as progress:
        progress("reading")
        wait_for(stream, "reading")


@pytest.mark.usefixtures("_alarm")
def test_where_the_alarm_is_taken_a_thread_measures() -> None:
    stream = io.StringIO()

    def theirs(*_: object) -> None:
        raise AssertionError

    signal.signal(signal.SIGALRM, theirs)
    _read(stream)
    assert signal.getsignal(signal.SIGALRM) is theirs
    assert stream.getvalue() == "\r\x1b[Kreading\r\x1b[K"


def test_beside_the_main_thread_another_measures() -> None:
    stream = io.StringIO()
    thread = threading.Thread(target=_read, args=(stream,))
    thread.start()
    thread.join()
    assert stream.getvalue() == "\r\x1b[Kreading\r\x1b[K"
