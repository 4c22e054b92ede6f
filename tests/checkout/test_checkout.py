"""Commits, entries and files of a clone, and what is refused about them."""

from pathlib import Path

import pytest

from opvalue.checkout import (
    CommitAbsent,
    FolderRefused,
    NotACommit,
    ObjectMalformed,
    ObjectMissing,
    ObjectTooLarge,
    PathAbsent,
    UnsafeObjectId,
    UnusualMode,
)
from opvalue.identity import CommitId, PathRefused, RepoPath
from opvalue.trust.git import Entry, EntryKind, Objects
from tests.checkout.repos import LIMIT, PATH, REPOSITORY, SCRIPT, Repo, published


def test_implements_what_trust_asks_for(tmp_path: Path) -> None:
    repo, commit_id = published(tmp_path / "r")
    with repo.open() as checkout:
        objects: Objects = checkout
        assert objects.commit(commit_id).id == commit_id
        assert objects.repository == REPOSITORY
        assert checkout.remote == "origin"


def test_commit(tmp_path: Path) -> None:
    repo, first = published(tmp_path / "r")
    second = repo.commit({"x": b"x"})
    merge = repo.commit_tree(repo.git("rev-parse", "HEAD^{tree}"), second, first)
    with repo.open() as checkout:
        assert checkout.commit(first) == (first, repo.git("rev-parse", f"{first}^{{tree}}"), ())
        assert checkout.commit(merge).parents == (second, first)


def test_signed_commit_with_encoding(tmp_path: Path) -> None:
    repo, first = published(tmp_path / "r")
    _, data = repo.content(first.hex)
    signed = data.replace(
        b"\n\n", b"\nencoding latin-1\ngpgsig -----BEGIN\n parent x\n\n parent y\n -----END\n\nparent \xe9\n", 1
    )
    with repo.open() as checkout:
        assert checkout.commit(CommitId(repo.raw("commit", signed))).parents == ()


@pytest.mark.parametrize(
    "text", ["", "HEAD", "main", "abc1234", "a" * 39, "A" * 40, "a" * 41, "a" * 40 + "\n", "--all"]
)
def test_abbreviations_and_names_never_reach_git(tmp_path: Path, text: str) -> None:
    repo, commit_id = published(tmp_path / "r")
    for unsafe in (text, commit_id.hex[:12]):
        with repo.open() as checkout:
            with pytest.raises(UnsafeObjectId):
                checkout.commit(CommitId(unsafe))
            with pytest.raises(UnsafeObjectId):
                checkout.holding_ref(CommitId(unsafe))


def test_a_branch_named_like_an_id_is_not_taken_for_it(tmp_path: Path) -> None:
    repo, commit_id = published(tmp_path / "r")
    name = "1" * 40
    repo.git("update-ref", f"refs/heads/{name}", commit_id.hex)
    with repo.open() as checkout, pytest.raises(CommitAbsent):
        checkout.commit(CommitId(name))


@pytest.mark.parametrize(("suffix", "kind"), [("^{tree}", "tree"), (f":{PATH}", "blob"), ("@tag", "tag")])
def test_not_a_commit(tmp_path: Path, suffix: str, kind: str) -> None:
    repo, commit_id = published(tmp_path / "r")
    repo.git("tag", "-a", "v1", "-m", "v1")
    oid = repo.git("rev-parse", "refs/tags/v1" if kind == "tag" else f"{commit_id}{suffix}")
    with repo.open() as checkout, pytest.raises(NotACommit) as refused:
        checkout.commit(CommitId(oid))
    assert refused.value.found == kind


def test_absent_commit_in_a_whole_clone(tmp_path: Path) -> None:
    repo, _ = published(tmp_path / "r")
    absent = CommitId("1" * 40)
    with repo.open() as checkout:
        with pytest.raises(CommitAbsent) as refused:
            checkout.commit(absent)
        merge_hint = checkout.absent_hint(absent, "refs/pull/7/merge")
    assert refused.value.message == f"commit {absent} is not in this checkout"
    assert f"git -C {repo.path} fetch --tags origin" in refused.value.hint
    assert merge_hint.endswith(f": git -C {repo.path} fetch origin {absent}")
    assert "throw-away merge commit of pull request 7" in merge_hint


def test_entries(tmp_path: Path) -> None:
    repo = Repo.init(tmp_path / "r")
    repo.commit({str(PATH): SCRIPT, "z.sh": SCRIPT})
    repo.git("update-index", "--chmod=+x", "z.sh")
    repo.git("commit", "-q", "-m", "executable")
    blob = repo.git("rev-parse", "HEAD:z.sh")
    with repo.open() as checkout:
        commit = checkout.commit(repo.head())
        assert checkout.entry(commit, RepoPath("z.sh")) == Entry("z.sh", "100755", blob)
        assert checkout.entry(commit, PATH) == Entry("value.sh", "100644", blob)
        assert checkout.read(commit, RepoPath("z.sh"), LIMIT) == SCRIPT
        folder = checkout.entry(commit, RepoPath(".github"))
        assert folder is not None
        assert folder.kind is EntryKind.FOLDER
        assert checkout.entry(commit, RepoPath("none")) is None
        assert checkout.entry(commit, RepoPath("z.sh/none")) is None
        assert checkout.entry(commit, RepoPath("none/none")) is None
        assert [entry.name for entry in checkout.list_folder(commit, "")] == [".github", "z.sh"]
        assert [entry.name for entry in checkout.list_folder(commit, ".github/graders")] == ["value.sh"]
        assert checkout.list_folder(commit, "none") == ()
        assert checkout.list_folder(commit, "z.sh") == ()
        with pytest.raises(PathRefused):
            checkout.list_folder(commit, "../x")


@pytest.mark.parametrize("name", ["schön.sh", "two words.sh", 'quo"te.sh', "tab\there.sh"])
def test_unusual_file_names(tmp_path: Path, name: str) -> None:
    repo = Repo.init(tmp_path / "r")
    commit_id = repo.commit({name: SCRIPT})
    with repo.open() as checkout:
        commit = checkout.commit(commit_id)
        assert [entry.name for entry in checkout.list_folder(commit, "")] == [name]
        assert checkout.read(commit, RepoPath(name), LIMIT) == SCRIPT


def test_name_that_is_not_utf8(tmp_path: Path) -> None:
    repo = Repo.init(tmp_path / "r")
    blob = bytes.fromhex(repo.git("hash-object", "-w", "--stdin", stdin=SCRIPT))
    tree = repo.raw("tree", b"100644 \xe9.sh\0" + blob)
    with repo.open() as checkout:
        commit = checkout.commit(repo.commit_tree(tree))
        assert [entry.name for entry in checkout.list_folder(commit, "")] == ["\udce9.sh"]
        assert checkout.find(commit, RepoPath("é.sh"), LIMIT) is None
        assert checkout.find(commit, RepoPath("\ud800.sh"), LIMIT) is None


def test_absent_folder_and_other_kinds(tmp_path: Path) -> None:
    repo, commit_id = published(tmp_path / "r")
    with repo.open() as checkout:
        commit = checkout.commit(commit_id)
        with pytest.raises(PathAbsent):
            checkout.read(commit, RepoPath("none.sh"), LIMIT)
        with pytest.raises(FolderRefused):
            checkout.read(commit, RepoPath(".github/graders"), LIMIT)


@pytest.mark.parametrize(
    ("mode", "accepted"), [("100664", False), ("100600", False), ("40755", False), ("100644", True)]
)
def test_unusual_modes(tmp_path: Path, mode: str, accepted: bool) -> None:
    repo = Repo.init(tmp_path / "r")
    blob = bytes.fromhex(repo.git("hash-object", "-w", "--stdin", stdin=SCRIPT))
    tree = repo.raw("tree", mode.encode() + b" x.sh\0" + blob)
    with repo.open() as checkout:
        commit = checkout.commit(repo.commit_tree(tree))
        if accepted:
            assert checkout.read(commit, RepoPath("x.sh"), LIMIT) == SCRIPT
            return
        with pytest.raises(UnusualMode) as refused:
            checkout.read(commit, RepoPath("x.sh"), LIMIT)
        assert refused.value.found == f"mode {mode}"


def test_size_limit(tmp_path: Path) -> None:
    repo, commit_id = published(tmp_path / "r", b"x" * 1000)
    with repo.open() as checkout:
        commit = checkout.commit(commit_id)
        assert len(checkout.read(commit, PATH, 1000)) == 1000
        with pytest.raises(ObjectTooLarge) as refused:
            checkout.read(commit, PATH, 999)
        with pytest.raises(ObjectTooLarge):
            checkout.read(commit, PATH, 0)
        assert len(checkout.read(commit, PATH, 1000)) == 1000
    assert refused.value.message == f"{PATH} at commit {commit_id.short} is too large"
    assert (refused.value.expected, refused.value.found) == ("at most 999 bytes", "1000 bytes")


def test_huge_blob_is_refused_at_once(tmp_path: Path) -> None:
    repo, commit_id = published(tmp_path / "r", b"\0" * (8 << 20))
    with repo.open() as checkout, pytest.raises(ObjectTooLarge):
        checkout.read(checkout.commit(commit_id), PATH, LIMIT)


def test_empty_file_and_empty_tree(tmp_path: Path) -> None:
    repo = Repo.init(tmp_path / "r")
    empty = repo.commit()
    filled = repo.commit({str(PATH): b""})
    with repo.open() as checkout:
        assert checkout.list_folder(checkout.commit(empty), "") == ()
        assert checkout.find(checkout.commit(empty), PATH, LIMIT) is None
        assert checkout.read(checkout.commit(filled), PATH, LIMIT) == b""


@pytest.mark.parametrize("suffix", ["^{tree}", ":.github/graders", f":{PATH}"])
def test_object_missing_from_a_whole_clone(tmp_path: Path, suffix: str) -> None:
    repo, commit_id = published(tmp_path / "r")
    repo.remove(repo.git("rev-parse", f"{commit_id}{suffix}"))
    with repo.open() as checkout, pytest.raises(ObjectMissing):
        checkout.read(checkout.commit(commit_id), PATH, LIMIT)


def test_entry_whose_object_is_of_another_type(tmp_path: Path) -> None:
    repo, commit_id = published(tmp_path / "r")
    tree = repo.git("rev-parse", "HEAD^{tree}")
    forged = repo.raw("tree", b"100644 a\0" + bytes.fromhex(tree) + b"40000 b\0" + bytes.fromhex(commit_id.hex))
    with repo.open() as checkout:
        commit = checkout.commit(CommitId(repo.raw("commit", f"tree {forged}\nauthor x\n".encode())))
        with pytest.raises(ObjectMalformed):
            checkout.read(commit, RepoPath("a"), LIMIT)
        with pytest.raises(ObjectMalformed):
            checkout.read(commit, RepoPath("b/c"), LIMIT)


def test_closed_and_reopened(tmp_path: Path) -> None:
    repo, commit_id = published(tmp_path / "r")
    checkout = repo.open()
    checkout.commit(commit_id)
    checkout.close()
    checkout.close()
    assert checkout.commit(commit_id).id == commit_id
    checkout.close()


def test_nothing_is_written(tmp_path: Path) -> None:
    def snapshot() -> dict[Path, tuple[int, int]]:
        return {path: (path.lstat().st_mtime_ns, path.lstat().st_size) for path in repo.path.rglob("*")}

    repo, commit_id = published(tmp_path / "r")
    repo.git("tag", "-a", "v1", "-m", "v1")
    before = snapshot()
    with repo.open() as checkout:
        checkout.read(checkout.commit(commit_id), PATH, LIMIT)
        assert checkout.holding_ref(commit_id)
        assert checkout.holding_ref(CommitId("1" * 40)) is None
    assert snapshot() == before
