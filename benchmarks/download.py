"""How fast an artifact is downloaded with its digest, against ``curl`` to a file and ``sha256sum`` of that.

Both read 200 MiB from one loopback server in a process of its own, to the same folder, in turn. Ours is measured in
process, as ``regrade`` and ``batch`` use it; its peak of memory in a process that does nothing else.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.measure import Promise, clean_environment, command, medians, milliseconds
from opvalue.http import Credentials, HttpxClient
from opvalue.identity import Host

_MIB = 1024 * 1024
_SIZE = 200 * _MIB
_ROUNDS = 7
_HOST = Host("github.com")
_MOST = 80

_SERVE = """
import socket, sys
from pathlib import Path
path = Path(sys.argv[1])
head = "HTTP/1.1 200 OK\\r\\nConnection: close\\r\\nContent-Type: application/zip\\r\\nContent-Length: {}\\r\\n\\r\\n"
with socket.create_server(("127.0.0.1", 0)) as listener:
    print(listener.getsockname()[1], flush=True)
    while True:
        connection, _ = listener.accept()
        with connection, path.open("rb") as file:
            connection.recv(65536)
            connection.sendall(head.format(path.stat().st_size).encode())
            connection.sendfile(file)
"""

_PEAK = """
import json, resource, sys, tempfile
from opvalue.http import Credentials, HttpxClient
from opvalue.identity import Host
root, size = sys.argv[1], int(sys.argv[2])
with HttpxClient(Credentials({}), api_origins={Host("github.com"): root}) as client:
    with tempfile.TemporaryFile() as file:
        client.download(root + "/zip", file, cap=size)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps(peak * (1 if sys.platform == "darwin" else 1024)))
"""


def promises(folder: Path) -> list[Promise]:
    """Measure in ``folder``, which needs room for 600 MiB."""
    body, ours, theirs = folder / "body", folder / "ours", folder / "theirs"
    _write(body)
    with _serving(body) as root, HttpxClient(Credentials({}), api_origins={_HOST: root}) as client:

        def download() -> None:
            with ours.open("w+b") as file:
                client.download(f"{root}/zip", file, cap=_SIZE)

        shell = f"curl --silent --show-error --fail --output '{theirs}' {root}/zip && {_summer()} '{theirs}'"
        mine, unit = medians([download, command("/bin/sh", "-c", shell)], _ROUNDS)
        peak = _peak(root) / _MIB
    if ours.read_bytes() != theirs.read_bytes():
        raise AssertionError("the two downloads differ")
    return [
        Promise(
            "download of 200 MiB / curl and sha256sum",
            mine / unit,
            1.1,
            f"{milliseconds(mine)} against {milliseconds(unit)}",
        ),
        Promise(
            f"peak memory of a 200 MiB download / {_MOST} MiB",
            peak / _MOST,
            1.0,
            f"{peak:.0f} MiB, Python and its libraries included",
        ),
    ]


def _write(path: Path) -> None:
    block = bytes(place * place % 251 for place in range(_MIB))
    with path.open("wb") as file:
        for _ in range(_SIZE // _MIB):
            file.write(block)


def _summer() -> str:
    return "shasum -a 256" if sys.platform == "darwin" else "sha256sum"


@contextmanager
def _serving(body: Path) -> Iterator[str]:
    argv = [sys.executable, "-c", _SERVE, str(body)]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as server:
        try:
            port = server.stdout.readline().strip() if server.stdout else ""
            yield f"http://127.0.0.1:{port}"
        finally:
            server.kill()


def _peak(root: str) -> int:
    argv = [sys.executable, "-c", _PEAK, root, str(_SIZE)]
    done = subprocess.run(argv, env=clean_environment(), capture_output=True, check=True, timeout=600)
    return int(json.loads(done.stdout))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="opvalue-bench-") as place:
        for promise in promises(Path(place)):
            print(promise, flush=True)
