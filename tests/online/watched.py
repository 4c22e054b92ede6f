"""Run the program as itself, and note what its children are given and what the files hold that it removes.

Usage: watched.py NOTES ARGUMENTS... Notes are JSON strings, one a line. Not run by pytest.
"""

import json
import os
import sys
from typing import Any

_MOST = 16 << 20


def main() -> None:
    """Watch, then become the program."""
    notes = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    sys.argv[:2] = ["opvalue"]

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "subprocess.Popen":
            _, argv, _, environ = arguments
            note(repr((argv, dict(os.environ) if environ is None else dict(environ))))
        elif event == "os.remove":
            note(removed(*arguments))

    def note(text: str) -> None:
        os.write(notes, json.dumps(text).encode() + b"\n")

    sys.addaudithook(watch)
    from opvalue.__main__ import main as program  # noqa: PLC0415 - watched from its first line

    program()


def removed(path: Any, folder: int) -> str:
    """Return what a file holds that is about to go."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=None if folder == -1 else folder)
    except OSError:
        return ""
    try:
        return os.read(descriptor, _MOST).decode("latin-1")
    except OSError:
        return ""
    finally:
        os.close(descriptor)


if __name__ == "__main__":
    main()
