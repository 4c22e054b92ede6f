"""What a replayed request through the stand-in ``gh`` costs, against ``gh --version``: bare, and inside the sandbox.

A trivial server in this process answers on the broker's socket, so that nothing but the stand-in is measured.
"""

import shutil
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.measure import Promise, clean_environment, medians, milliseconds
from opvalue.evaluator import Tools, interpreter
from opvalue.evidence.gh import stand_in
from opvalue.identity import Repository
from opvalue.identity.repository import GITHUB
from opvalue.process import Mount, Sandbox, detect
from opvalue.process.sandbox import INSIDE

_ROUNDS = 40
_BODY = b'{"number": 1, "title": "Crash on start", "state": "closed"}' + b" " * 4000
_ANSWER = (
    b"HTTP/1.1 200 OK\r\nContent-Type: application/json; charset=utf-8\r\n"
    b"Content-Length: %d\r\nConnection: close\r\n\r\n%b" % (len(_BODY), _BODY)
)
_REQUEST = ("api", "repos/acme/widgets/issues/1")


def promises(folder: Path) -> list[Promise]:
    """Measure both. ``gh`` must be installed; the sandbox must work."""
    gh = shutil.which("gh")
    if gh is None:
        raise SystemExit("the benchmark of the stand-in needs gh")
    tools, python = Tools.find(), interpreter()
    _lay(folder, tools)
    sandbox = detect((tools.bash, tools.jq, python.program), python.libraries).required()
    with _answering(folder / "broker" / "socket"):
        works = [
            _run(gh, "--version"),
            _run(str(folder / "stand-in" / "gh"), *_REQUEST),
            _run(*_inside(sandbox, folder, "stand-in/gh", *_REQUEST)),
        ]
        version, bare, inside = medians(works, _ROUNDS)
    against = milliseconds(version)
    return [
        Promise("a replayed request / gh --version", bare / version, 0.4, f"{milliseconds(bare)} against {against}"),
        Promise(
            "a replayed request, sandbox / gh --version",
            inside / version,
            0.5,
            f"{milliseconds(inside)} against {against}",
        ),
    ]


def _lay(folder: Path, tools: Tools) -> None:
    for name in ("stand-in", "broker"):
        (folder / name).mkdir(parents=True)
    made = stand_in(host=GITHUB, repository=Repository.parse("acme/widgets"), jq=tools.jq)
    for name, data in made.files:
        path = folder / "stand-in" / name
        path.write_bytes(data)
        path.chmod(0o500)


def _run(*argv: str) -> Callable[[], object]:
    env = clean_environment()
    return lambda: subprocess.run(argv, env=env, capture_output=True, check=True)


def _inside(sandbox: Sandbox, folder: Path, program: str, *argv: str) -> tuple[str, ...]:
    # The shell that reports on leftovers is not what is measured.
    held = sandbox.holding(Mount(folder, INSIDE)).wrap((f"{INSIDE}/{program}", *argv), Path(INSIDE), 2)
    return (*held[: held.index("--")], "--", f"{INSIDE}/{program}", *argv)


@contextmanager
def _answering(place: Path) -> Iterator[None]:
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(place))
        listening.listen(16)
        threading.Thread(target=_serve, args=(listening,), daemon=True).start()
        yield


def _serve(listening: socket.socket) -> None:
    while True:
        try:
            connection, _ = listening.accept()
        except OSError:
            return
        with connection:
            connection.recv(65536)
            connection.sendall(_ANSWER)
