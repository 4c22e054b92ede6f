"""Re-hashing, and the formats of commits, trees and tags."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opvalue.checkout.batch import RawObject
from opvalue.checkout.errors import ObjectAltered, ObjectMalformed
from opvalue.checkout.objects import is_lfs_pointer, read_commit, read_tag, read_tree, verified
from opvalue.errors import OpvalueError
from opvalue.identity import CommitId
from opvalue.trust.git import Entry, EntryKind

A, B, C = ("a" * 40, "b" * 40, "c" * 40)
EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
EMPTY_BLOB_256 = "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813"


def test_known_ids() -> None:
    assert verified(EMPTY_TREE, RawObject("tree", b""), "sha1") == b""
    assert verified(EMPTY_BLOB_256, RawObject("blob", b""), "sha256") == b""
    with pytest.raises(ObjectAltered) as refused:
        verified(EMPTY_TREE, RawObject("blob", b""), "sha1")
    assert refused.value.expected == EMPTY_TREE
    assert refused.value.found == "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"


@given(st.sampled_from(["blob", "tree", "commit", "tag"]), st.binary(max_size=50), st.binary(max_size=50))
def test_only_the_very_bytes_are_verified(kind: str, data: bytes, other: bytes) -> None:
    oid = hashlib.sha256(b"%s %d\0" % (kind.encode(), len(data)) + data).hexdigest()
    assert verified(oid, RawObject(kind, data), "sha256") == data
    if other != data:
        with pytest.raises(ObjectAltered):
            verified(oid, RawObject(kind, other), "sha256")


def test_commit() -> None:
    data = f"tree {A}\nparent {B}\nparent {C}\nauthor x\n\nparent {A}\n".encode()
    assert read_commit(CommitId(C), data) == (CommitId(C), A, (CommitId(B), CommitId(C)))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        f"tree {A}\n",
        f"tree {A}\n\nauthor x\n",
        f"parent {B}\ntree {A}\nauthor x\n",
        f"tree {A}\nparent {B}\nx\nauthor x\n",
        f"tree {A[:-1]}\nauthor x\n",
        f"tree {A}\nparent {B}0\nauthor x\n",
        f"tree {A.upper()}\nauthor x\n",
        f"tree {A} \nauthor x\n",
        f" tree {A}\nauthor x\n",
        f"tree {'a' * 64}\nauthor x\n",
    ],
)
def test_malformed_commits(text: str) -> None:
    with pytest.raises(ObjectMalformed):
        read_commit(CommitId(C), text.encode())


def test_tag() -> None:
    assert read_tag(A, f"object {B}\ntype commit\ntag v1\n".encode()) == (B, "commit")
    for text in (
        "",
        f"object {B}\n",
        f"object {B}\ntype dragon\n",
        f"type commit\nobject {B}\n",
        f"object {B}0\ntype tag\n",
    ):
        with pytest.raises(ObjectMalformed):
            read_tag(A, text.encode())


def tree(*entries: tuple[str, bytes, str]) -> bytes:
    return b"".join(mode.encode() + b" " + name + b"\0" + bytes.fromhex(oid) for mode, name, oid in entries)


def test_tree() -> None:
    data = tree(("100644", b"a", A), ("100755", b"b", B), ("120000", b"c", C), ("160000", b"d", A), ("40000", b"e", B))
    entries = read_tree(C, data)
    assert list(entries) == ["a", "b", "c", "d", "e"]
    assert entries["a"] == Entry("a", "100644", A)
    kinds = [entry.kind for entry in entries.values()]
    assert kinds == [EntryKind.FILE, EntryKind.FILE, EntryKind.SYMLINK, EntryKind.SUBMODULE, EntryKind.FOLDER]
    assert read_tree(C, tree(("100664", b"x", A)))["x"].kind is EntryKind.OTHER
    assert read_tree(C, b"") == {}


@pytest.mark.parametrize(
    "data",
    [
        b"100644 a",
        b"100644 a\0",
        b"100644 a\0" + b"x" * 19,
        b"100644 twenty bytes.",
        b"100644\0" + b"x" * 20,
        b" a\0" + b"x" * 20,
        b"999999 a\0" + b"x" * 20,
        b"0100644 a\0" + b"x" * 20,
        b"100644 \0" + b"x" * 20,
        b"100644 ..\0" + b"x" * 20,
        b"100644 .\0" + b"x" * 20,
        b"100644 a/b\0" + b"x" * 20,
        b"100644 a\0" + b"x" * 21,
        b"\0" * 30,
    ],
)
def test_malformed_trees(data: bytes) -> None:
    with pytest.raises(ObjectMalformed):
        read_tree(C, data)


def test_name_held_twice() -> None:
    with pytest.raises(ObjectMalformed) as refused:
        read_tree(C, tree(("100644", b"a", A), ("40000", b"a", B)))
    assert "twice" in refused.value.message


names = st.binary(min_size=1, max_size=9).filter(lambda name: not set(name) & {0, 47} and name not in {b".", b".."})


@given(st.dictionaries(names, st.sampled_from(["100644", "40000", "160000"]), max_size=6), st.sampled_from([20, 32]))
def test_any_tree_comes_back(modes: dict[bytes, str], width: int) -> None:
    oid = "ab" * width
    entries = read_tree("c" * 2 * width, tree(*((mode, name, oid) for name, mode in modes.items())))
    read = {entry.name.encode("utf-8", "surrogateescape"): entry.mode for entry in entries.values()}
    assert read == modes
    assert {entry.oid for entry in entries.values()} <= {oid}


@given(st.binary(max_size=200), st.sampled_from([b"", b"tree ", b"object ", b"100644 a\0"]))
def test_noise_is_refused_or_read_and_never_anything_else(noise: bytes, start: bytes) -> None:
    for read in (read_tree, read_tag, lambda oid, data: read_commit(CommitId(oid), data)):
        try:
            read(C, start + noise)
        except OpvalueError as refused:
            assert refused.code == "checkout.object-malformed"  # noqa: PT017 - other outcomes are fine too


def test_lfs_pointers() -> None:
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"
    assert is_lfs_pointer(pointer)
    assert is_lfs_pointer(pointer.replace(b"\noid", b"\next-0-foo sha256:00\noid"))
    assert not is_lfs_pointer(b" " + pointer)
    assert not is_lfs_pointer(pointer.ljust(1024, b"#"))
    assert not is_lfs_pointer(pointer.replace(b"\noid", b"\n# oid"))
    assert not is_lfs_pointer(b"")
