"""A large archive costs no memory: only the directory and the grader files are ever read."""

import subprocess
import sys
from pathlib import Path

from tests.archive import samples
from tests.archive.zips import REGULAR, STORED, close, entry, local

MIB = 1 << 20

# On Linux ru_maxrss survives the start of a program, so it would tell the size of the tests' own process.
CHILD = """
import re, resource, sys
from pathlib import Path
from opvalue.archive import read_artifact
archived = read_artifact(Path(sys.argv[1]))
assert archived.layout == "agent/graders"
status = Path("/proc/self/status")
if status.exists():
    print(re.search(r"VmHWM:\\s*(\\d+) kB", status.read_text())[1])
else:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def write_large_archive(path: Path, size: int) -> None:
    """Write an archive of exactly ``size`` bytes, almost all of them one unwanted member with no data on disk."""
    wanted = samples.items()
    head = b"".join(local(item) for item in wanted)
    large = wanted[-1].with_(name=b"agent/log", flags=0, method=STORED, content=b"", attributes=REGULAR)
    overhead = len(head) + len(local(large)) + sum(len(entry(item, 0)) for item in [*wanted, large]) + 22
    filler = size - overhead
    large = large.with_(packed=filler, unpacked=filler, checksum=0)
    directory, place = b"", 0
    for item in wanted:
        directory += entry(item, place)
        place += len(local(item))
    directory += entry(large, place)
    with path.open("wb") as target:
        target.write(head + local(large))
        start = target.seek(filler, 1)
        target.write(directory + close(len(wanted) + 1, len(directory), start))


def test_archive_of_512_mib(tmp_path: Path) -> None:
    path = tmp_path / "agent.zip"
    write_large_archive(path, 512 * MIB)
    assert path.stat().st_size == 512 * MIB
    done = subprocess.run([sys.executable, "-c", CHILD, str(path)], check=True, capture_output=True, text=True)
    unit = 1 if sys.platform == "darwin" else 1024
    assert int(done.stdout) * unit < 150 * MIB
