"""Another place to run a script in: a checkout in the working folder, another zone, another locale. Pure.

In a regrade the working folder is empty, the zone UTC and the locale C. In a workflow's run they were not.
"""

import hashlib
import zlib
from typing import Final

from opvalue.identity import Instant
from verifier.simulated.builds import ENTRIES
from verifier.simulated.setting import DAY, HOUR

_LOCALE: Final = {"LC_ALL": "C.UTF-8", "LANG": "C.UTF-8"}
_BEHIND: Final = 23 * HOUR // 2


def environment(moment: Instant) -> dict[str, str]:
    """Return another locale, and a zone in which ``moment`` falls on another day than in UTC, and at another minute."""
    zone = "BEHIND11:30" if moment.milliseconds % DAY < _BEHIND else "AHEAD-13:45"
    return {"TZ": zone, **_LOCALE}


def working_files() -> tuple[tuple[str, bytes], ...]:
    """Return a small Git checkout, as files: those that trees of made-up answers list."""
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
        *((name, readme if name == "README.md" else b"elsewhere\n") for name in (*ENTRIES, "go.mod")),
    )


def _object(kind: str, data: bytes) -> tuple[str, bytes]:
    whole = kind.encode() + b" %d\0" % len(data) + data
    return hashlib.sha1(whole, usedforsecurity=False).hexdigest(), zlib.compress(whole)
