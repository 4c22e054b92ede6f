"""The console scripts, and ``python -m opvalue``. Answers ``--version`` before anything heavy is imported."""

import gc
import os
import sys
from contextlib import suppress

from opvalue import __version__


def main() -> None:
    """Run the ``opvalue`` command."""
    if sys.argv[1:] == ["--version"] and _answer_version():
        return
    _run("opvalue")


def gh_aw() -> None:
    """Run the ``gh-aw`` command."""
    _run("gh-aw")


def _run(program: str) -> None:
    # Loading modules makes many objects and no garbage; looking for some all the while costs a tenth of the start.
    gc.set_threshold(50_000)
    try:
        from opvalue.cli import run  # noqa: PLC0415 - after the quick answer

        status = run(program, sys.argv[1:])
    except KeyboardInterrupt:
        status = _interrupted(program)
    # Everything is written and removed by now. Taking the interpreter apart would cost as much as importing click.
    os._exit(status)  # the streams are flushed: see cli.main


def _interrupted(program: str) -> int:
    """Say so where Ctrl-C came before the command line proper was loaded; nothing has begun then."""
    with suppress(OSError):
        os.write(2, f"{program}: interrupted [interrupted]\n".encode())
    return 130


def _answer_version() -> bool:
    try:
        os.write(1, f"opvalue {__version__}\n".encode())
    except OSError:
        return False  # the command line proper knows how to report it
    return True


if __name__ == "__main__":
    main()
