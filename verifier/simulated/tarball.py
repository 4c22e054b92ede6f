"""An archive of a made-up repository. Pure."""

import io
import tarfile

from verifier.simulated.builds import file_bytes
from verifier.simulated.things import Things

_MORE = ("go.mod", "src/app.go", "src/app_test.go", "docs/guide.md")


def tarball(things: Things, ref: str) -> bytes:
    """Return a gzipped tar archive of a few files, below one folder as GitHub lays them."""
    top = f"{things.name.replace('/', '-')}-{things.setting.sha[:7]}"
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as archive:
        for name in dict.fromkeys([*things.files(), *_MORE]):
            data = file_bytes(things, name, ref)
            entry = tarfile.TarInfo(f"{top}/{name}")
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return made.getvalue()
