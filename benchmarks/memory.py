"""Peak memory of reading an artifact of 512 MiB with one wanted member, in a process of its own."""

import json
import subprocess
import sys
import zipfile
from pathlib import Path

from benchmarks.measure import Promise, clean_environment

_MIB = 1024 * 1024
_MOST = 150
_READ = """
import json, resource, sys
from pathlib import Path
from opvalue.archive import read_artifact
read_artifact(Path(sys.argv[1]))
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps(peak * (1 if sys.platform == "darwin" else 1024)))
"""


def promises(folder: Path, artifact: Path) -> list[Promise]:
    """Measure once; memory does not scatter."""
    large = _enlarge(artifact, folder / "large.zip")
    finished = subprocess.run(
        [sys.executable, "-c", _READ, str(large)], env=clean_environment(), capture_output=True, check=True, timeout=600
    )
    size = large.stat().st_size
    large.unlink()
    peak = json.loads(finished.stdout) / _MIB
    detail = f"{peak:.0f} MiB for an artifact of {size / _MIB:.0f} MiB, at most {_MOST}"
    return [Promise("peak memory of a 512 MiB artifact / 150 MiB", peak / _MOST, 1.0, detail)]


def _enlarge(artifact: Path, target: Path) -> Path:
    block = bytes(range(256)) * (4 * _MIB // 256)
    with zipfile.ZipFile(artifact) as source, zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        with archive.open("agent/noise.bin", "w", force_zip64=True) as member:
            for _ in range(127):
                member.write(block)
        for name in source.namelist():
            archive.writestr(name, source.read(name))
    return target
