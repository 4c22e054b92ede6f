"""The console scripts, and ``python -m opvalue``. Answers ``--version`` before anything heavy is imported."""

import sys

from opvalue import __version__


def main() -> None:
    """Run the ``opvalue`` command."""
    if sys.argv[1:] == ["--version"]:
        print(f"opvalue {__version__}")  # noqa: T201 - the one answer that must not wait for the command line's imports
        return
    from opvalue.cli import run  # noqa: PLC0415 - after the quick answer

    sys.exit(run("opvalue", sys.argv[1:]))


def gh_aw() -> None:
    """Run the ``gh-aw`` command."""
    from opvalue.cli import run  # noqa: PLC0415

    sys.exit(run("gh-aw", sys.argv[1:]))


if __name__ == "__main__":
    main()
