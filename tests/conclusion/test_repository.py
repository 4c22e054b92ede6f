"""Confined reading: nothing outside the repository, no links, no other kinds, no more than the limit."""

import os
import socket
from pathlib import Path

import pytest

from opvalue.conclusion.errors import FileAbsent, FileRefused, FileTooLarge
from opvalue.conclusion.repository import WorkingTree, located
from opvalue.identity import RepoPath
from tests.conclusion.trees import tree


@pytest.fixture
def root(tmp_path: Path) -> Path:
    tree(tmp_path / "repo", {"a/b/file.md": "content", "plain": "x"})
    return (tmp_path / "repo").resolve()


def read(root: Path, path: str, limit: int = 100) -> bytes:
    return WorkingTree(root).read(RepoPath(path), limit)


def test_a_file(root: Path) -> None:
    assert read(root, "a/b/file.md") == b"content"
    assert read(root, "a/b/file.md", 7) == b"content"


def test_too_large(root: Path) -> None:
    with pytest.raises(FileTooLarge):
        read(root, "a/b/file.md", 6)


@pytest.mark.parametrize("path", ["absent", "a/absent", "absent/file", "x" * 300])
def test_absent(root: Path, path: str) -> None:
    with pytest.raises(FileAbsent):
        read(root, path)


def test_links_are_refused_wherever_they_lead(root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("secret")
    (root / "out").symlink_to(outside)
    (root / "in").symlink_to(root / "a")
    (root / "link.md").symlink_to(root / "a/b/file.md")
    (root / "broken.md").symlink_to(root / "nothing")
    for path in ("out/secret.md", "in/b/file.md", "link.md", "broken.md"):
        with pytest.raises(FileRefused):
            read(root, path)


def test_other_kinds_are_refused(root: Path) -> None:
    os.mkfifo(root / "pipe")
    for path in ("a/b", "pipe", "plain/file"):
        with pytest.raises(FileRefused):
            read(root, path)


def test_a_socket_is_refused(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("s")
        with pytest.raises(FileRefused):
            read(root, "s")


def test_what_cannot_be_named_is_refused(root: Path) -> None:
    with pytest.raises(FileRefused):
        read(root, "a\0b")


def test_failing_reads_are_ours(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> bytes:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "read", broken)
    with pytest.raises(FileAbsent, match="Input/output error"):
        read(root, "plain")


def test_a_file_nobody_may_read(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object, **__: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", forbidden)
    with pytest.raises(FileAbsent, match="Permission denied"):
        read(root, "plain")


def test_where_a_file_lies(root: Path, tmp_path: Path) -> None:
    assert located(root / "a/b/file.md") == (WorkingTree(root), RepoPath("a/b/file.md"))
    (tmp_path / "shortcut").symlink_to(root / "a")
    assert located(tmp_path / "shortcut/b/file.md") == (WorkingTree(root), RepoPath("a/b/file.md"))
    assert located(root / "a/not there") == (WorkingTree(root), RepoPath("a/not there"))


def test_without_git_the_workflows_folder_shows_the_root(tmp_path: Path) -> None:
    folder = tmp_path.resolve() / "x/.github/workflows"
    folder.mkdir(parents=True)
    assert located(folder / "t.md") == (WorkingTree(tmp_path.resolve() / "x"), RepoPath(".github/workflows/t.md"))
    assert located(folder.parent / "t.md") == (WorkingTree(folder.parent), RepoPath("t.md"))


def test_where_nothing_can_lie(tmp_path: Path) -> None:
    with pytest.raises(FileAbsent):
        located(tmp_path / "absent/file.md")
    for name in ("a\0/b", "a:b", "-x.md"):
        with pytest.raises(FileRefused):
            located(tmp_path / name)
