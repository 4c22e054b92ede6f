"""Ctrl-C and orders to end become exceptions while children run, so that clean-up happens (SP-06).

Python turns SIGINT into ``KeyboardInterrupt`` by itself. SIGTERM, SIGHUP and SIGQUIT would end the process on the
spot, and leave children and private folders behind; inside ``interruptible`` they raise ``Terminated``. A handler that
the program around has set is left alone, and so is a signal it ignores. Signals reach the main thread only: elsewhere
both context managers do nothing.

Not done: stopping children that other threads wait for; see ``stopping``.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
_OURS_TO_TAKE = (signal.SIG_DFL, signal.default_int_handler)


class Terminated(KeyboardInterrupt):
    """The process was told to end (SIGTERM, SIGHUP, SIGQUIT). Handled wherever ``KeyboardInterrupt`` is."""


class _State:
    active = False
    held = 0
    pending: int | None = None


_state = _State()


@contextmanager
def interruptible() -> Iterator[None]:
    """Raise ``KeyboardInterrupt`` or ``Terminated`` in the body when a signal asks to end. May be nested."""
    if _state.active or threading.current_thread() is not threading.main_thread():
        yield
        return
    taken = [(number, was) for number in _SIGNALS if (was := signal.getsignal(number)) in _OURS_TO_TAKE]
    _state.active = True
    try:
        for number, _ in taken:
            signal.signal(number, _on_signal)
        yield
    finally:
        for number, was in taken:
            signal.signal(number, was)
        _state.active = False


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Hold the signals of ``interruptible`` back during the body, then raise the first that came.

    For short work that must not be torn: starting a child, killing it, removing a folder.
    """
    if not _state.active or threading.current_thread() is not threading.main_thread():
        yield
        return
    _state.held += 1
    try:
        yield
    finally:
        _state.held -= 1
        if not _state.held and _state.pending is not None:
            number, _state.pending = _state.pending, None
            raise _asked_to_end(number)


def _on_signal(number: int, _frame: FrameType | None) -> None:
    if not _state.held:
        raise _asked_to_end(number)
    if _state.pending is None:
        _state.pending = number


def _asked_to_end(number: int) -> KeyboardInterrupt:
    if number == signal.SIGINT:
        return KeyboardInterrupt()
    return Terminated(signal.Signals(number).name)
