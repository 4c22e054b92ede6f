"""Another place to run a script in: a checkout in the working folder, another zone, another locale. Pure.

In a regrade the working folder is empty, the zone UTC and the locale C. In a workflow's run they were not.
"""

import hashlib
import zlib
from typing import Final

ENVIRONMENT: Final = {"TZ": "NPT-5:45", "LC_ALL": "C.UTF-8", "LANG": "C.UTF-8"}


def working_files() -> tuple[tuple[str, bytes], ...]:
    """Return a small Git checkout, as files."""
    readme = b"# Somewhere else\n"
    blob = _object("blob", readme)
    tree = _object("tree", b"100644 README.md\0" + bytes.fromhex(blob[0]))
    person = b"Mona <mona@example.com> 1756000000 +0545"
    commit = _object("commit", b"tree %b\nauthor %b\ncommitter %b\n\nElsewhere\n" % (tree[0].encode(), person, person))
    objects = tuple((f".git/objects/{name[:2]}/{name[2:]}", data) for name, data in (blob, tree, commit))
    return (
        (".git/HEAD", b"ref: refs/heads/main\n"),
        (".git/config", b"[core]\n\trepositoryformatversion = 0\n\tbare = false\n"),
        (".git/refs/heads/main", commit[0].encode() + b"\n"),
        *objects,
        ("README.md", readme),
        ("go.mod", b"module example.com/elsewhere\n"),
        ("src/app.go", b"package app\n"),
        (".github/workflows/ci.yml", b"name: ci\non: push\n"),
    )


def _object(kind: str, data: bytes) -> tuple[str, bytes]:
    whole = kind.encode() + b" %d\0" % len(data) + data
    return hashlib.sha1(whole, usedforsecurity=False).hexdigest(), zlib.compress(whole)
