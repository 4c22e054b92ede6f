"""Confined reading: nothing outside the repository, no links, no other kinds, no more than the limit."""

import os
import socket
from pathlib import Path
from typing import Any

import pytest

from opvalue.conclusion.errors import (
    EvaluatorUnreadable,
    FileAbsent,
    FileRefused,
    FileTooLarge,
    FileUnreadable,
)
from opvalue.conclusion.evaluator_file import frozen
from opvalue.conclusion.repository import WorkingTree, located
from opvalue.identity import RepoPath
from tests.conclusion.trees import close_to_us, tree


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
    with pytest.raises(FileTooLarge) as caught:
        read(root, "a/b/file.md", 6)
    assert (caught.value.expected, caught.value.found) == ("at most 6 bytes", "more")


@pytest.mark.parametrize("path", ["absent", "a/absent", "absent/file", "x" * 300])
def test_absent(root: Path, path: str) -> None:
    with pytest.raises(FileAbsent) as caught:
        read(root, path)
    assert (caught.value.message, caught.value.expected) == (f"there is no file {path}", "a file of the repository")


def test_links_are_refused_wherever_they_lead(root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("secret")
    (root / "out").symlink_to(outside)
    (root / "in").symlink_to(root / "a")
    (root / "link.md").symlink_to(root / "a/b/file.md")
    (root / "broken.md").symlink_to(root / "nothing")
    for path, link in {
        "out/secret.md": "out",
        "in/b/file.md": "in",
        "link.md": "link.md",
        "broken.md": "broken.md",
    }.items():
        with pytest.raises(FileRefused) as refused:
            read(root, path)
        assert (refused.value.found, refused.value.hint) == (f"{link} is a symbolic link", FileRefused.advice)


def test_other_kinds_are_refused(root: Path) -> None:
    os.mkfifo(root / "pipe")
    kinds = {"a/b": "a folder", "pipe": "a named pipe", "plain/file": "plain is a regular file"}
    for path, found in kinds.items():
        with pytest.raises(FileRefused) as refused:
            read(root, path)
        assert (refused.value.found, refused.value.hint) == (found, "Give the path of a regular file.")


def test_a_socket_is_refused(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("s")
        with pytest.raises(FileRefused) as refused:
            read(root, "s")
    assert refused.value.found == "s is a socket"


def test_a_device_is_refused() -> None:
    with pytest.raises(FileRefused) as refused:
        read(Path("/dev"), "null")
    assert refused.value.found == "a device"


def test_what_cannot_be_named_is_refused(root: Path) -> None:
    with pytest.raises(FileRefused):
        read(root, "a\0b")


def test_failing_reads_are_ours(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> bytes:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "read", broken)
    with pytest.raises(FileUnreadable, match="Input/output error"):
        read(root, "plain")


def test_a_file_nobody_may_read(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    close_to_us("plain", monkeypatch)
    with pytest.raises(FileUnreadable, match="Permission denied") as refused:
        read(root, "plain")
    assert refused.value.hint == "Make it readable, or give another file."


def test_an_evaluator_nobody_may_read(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    close_to_us("plain", monkeypatch)
    with pytest.raises(EvaluatorUnreadable) as refused:
        frozen(WorkingTree(root), RepoPath("plain"))
    assert (refused.value.code, refused.value.hint) == ("conclusion.evaluator-unreadable", "Make it readable.")


def test_a_folder_that_is_closed_holds_no_git_that_could_be_seen(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(path: Any, *arguments: Any, **more: Any) -> os.stat_result:
        if str(path).endswith(".git"):
            raise PermissionError(13, "Permission denied")
        return status(path, *arguments, **more)

    status = os.stat
    monkeypatch.setattr(os, "stat", forbidden)
    assert located(root / "a/b/file.md") == (WorkingTree(root / "a/b"), RepoPath("file.md"))


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


@pytest.mark.parametrize("name", ["", ".", "..", "/", "/.."])
def test_a_folder_is_no_file(name: str) -> None:
    with pytest.raises(FileRefused, match="is a folder") as refused:
        located(Path(name))
    assert refused.value.hint == "Give the path of a regular file."


def test_what_lies_behind_what_is_no_folder(root: Path) -> None:
    (root / "one").symlink_to("two")
    (root / "two").symlink_to("one")
    with pytest.raises(FileRefused):
        located(root / "one/x.md")
    tree, path = located(root / "plain/x.md")
    with pytest.raises(FileRefused) as refused:
        tree.read(path, 9)
    assert refused.value.found == "plain is a regular file"
