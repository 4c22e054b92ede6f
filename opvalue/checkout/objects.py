"""Re-hash git objects and read their formats. Pure: bytes in, values out.

An object is what its bytes hash to; what git says about it counts for nothing until then. SHA-1 is git's own naming
of objects and is checked as such: two inputs made to collide are not told apart here (the evaluator's SHA-256 does).
"""

import hashlib
import re
from typing import Final

from opvalue.checkout.batch import RawObject
from opvalue.checkout.errors import ObjectAltered, ObjectMalformed
from opvalue.identity import CommitId
from opvalue.trust.git import Commit, Entry

HEX_LENGTHS: Final = {"sha1": 40, "sha256": 64}

_MODE = re.compile(rb"[1-7][0-7]{4,6}")
_COMMIT = re.compile(rb"tree ([0-9a-f]+)\n((?:parent [0-9a-f]+\n)*)author ")
_TAG = re.compile(rb"object ([0-9a-f]+)\ntype (commit|tag|tree|blob)\n")
_LFS_SPECIFICATIONS = (b"version https://git-lfs.github.com/spec/", b"version https://hawser.github.com/spec/")
_MAX_LFS_POINTER = 1024


def verified(oid: str, raw: RawObject, object_format: str) -> bytes:
    """Return the content if it hashes to ``oid`` as an object of its type. Raises ``ObjectAltered``."""
    algorithm = hashlib.sha256() if object_format == "sha256" else hashlib.sha1(usedforsecurity=False)
    algorithm.update(b"%s %d\0" % (raw.kind.encode("ascii"), len(raw.data)))
    algorithm.update(raw.data)
    if algorithm.hexdigest() == oid:
        return raw.data
    raise ObjectAltered(
        f"the store returns other content for {raw.kind} {oid}", expected=oid, found=algorithm.hexdigest()
    )


def read_commit(commit_id: CommitId, data: bytes) -> Commit:
    """Return tree and parents of a commit's content. Raises ``ObjectMalformed``."""
    found = _COMMIT.match(data)
    length = len(commit_id.hex)
    if found is None:
        raise ObjectMalformed(f"commit {commit_id} does not begin with a tree, its parents and an author")
    tree = found[1].decode("ascii")
    parents = [line.split(" ")[1] for line in found[2].decode("ascii").splitlines()]
    if any(len(oid) != length for oid in (tree, *parents)):
        raise ObjectMalformed(f"commit {commit_id} names an object by an id of the wrong length")
    return Commit(commit_id, tree, tuple(map(CommitId, parents)))


def read_tag(oid: str, data: bytes) -> tuple[str, str]:
    """Return the id and the type of what an annotated tag names. Raises ``ObjectMalformed``."""
    found = _TAG.match(data)
    if found is None or len(found[1]) != len(oid):
        raise ObjectMalformed(f"tag {oid} does not begin with the object it names")
    return found[1].decode("ascii"), found[2].decode("ascii")


def read_tree(oid: str, data: bytes) -> dict[str, Entry]:
    """Return a tree's entries by name, in stored order. Raises ``ObjectMalformed``, for a name held twice too."""
    entries: dict[str, Entry] = {}
    width = len(oid) // 2
    position = 0
    while position < len(data):
        end = data.find(b"\0", position)
        mode, _, raw_name = data[position:end].partition(b" ")
        position = end + 1 + width
        if end < 0 or position > len(data) or not _MODE.fullmatch(mode) or not _is_name(raw_name):
            raise ObjectMalformed(f"tree {oid} has an entry that is not mode, name and id")
        name = raw_name.decode("utf-8", "surrogateescape")
        if name in entries:
            raise ObjectMalformed(f"tree {oid} holds {name[:80]!r} twice")
        entries[name] = Entry(name, mode.decode("ascii"), data[end + 1 : position].hex())
    return entries


def is_lfs_pointer(data: bytes) -> bool:
    """Tell whether a blob is the pointer that Git LFS leaves in place of a file."""
    return len(data) < _MAX_LFS_POINTER and data.startswith(_LFS_SPECIFICATIONS) and b"\noid " in data


def _is_name(name: bytes) -> bool:
    return name not in {b"", b".", b".."} and b"/" not in name
