"""The console scripts, and ``python -m opvalue``. Answers ``--version`` before anything heavy is imported."""

import os
import sys

from opvalue import __version__


def main() -> None:
    """Run the ``opvalue`` command."""
    if sys.argv[1:] == ["--version"] and _answer_version():
        return
    from opvalue.cli import run  # noqa: PLC0415 - after the quick answer

    sys.exit(run("opvalue", sys.argv[1:]))


def gh_aw() -> None:
    """Run the ``gh-aw`` command."""
    from opvalue.cli import run  # noqa: PLC0415

    sys.exit(run("gh-aw", sys.argv[1:]))


def _answer_version() -> bool:
    try:
        os.write(1, f"opvalue {__version__}\n".encode())
    except OSError:
        return False  # the command line proper knows how to report it
    return True


if __name__ == "__main__":
    main()
