import inspect
import os
import sys
from pathlib import Path

import pytest

from opvalue.process import NoPrivateFolder, NotRemoved, private, private_folder
from opvalue.process.private import remove_tree, temporary_place


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    return folder


def test_the_folder_is_private_and_goes_away(place: Path) -> None:
    old = os.umask(0o777)
    try:
        with private_folder() as folder:
            assert folder.parent == Path(os.path.realpath(place))
            assert folder.stat().st_mode & 0o777 == 0o700
            (folder / "file").touch()
    finally:
        os.umask(old)
    assert list(place.iterdir()) == []


def test_it_goes_away_when_the_body_fails(place: Path) -> None:
    with pytest.raises(KeyError), private_folder():
        raise KeyError
    assert list(place.iterdir()) == []


def test_two_have_different_names() -> None:
    with private_folder() as one, private_folder() as two:
        assert one != two


def test_the_place_is_an_existing_absolute_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    for useless in ("", "relative", "/nonexistent"):
        monkeypatch.setenv("TMPDIR", useless)
        assert str(temporary_place()) in {os.path.realpath("/tmp"), os.path.realpath("/var/tmp")}
    monkeypatch.setattr(private, "_PLACES", ())
    with pytest.raises(NoPrivateFolder) as caught:
        temporary_place()
    assert caught.value.code == "process.no-private-folder"


def test_a_place_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object, **_options: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(NoPrivateFolder, match="No space left"), private_folder():
        pass


def test_a_place_that_cannot_be_entered_is_not_blamed_on_the_removal(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object, **_options: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", refuse)
    monkeypatch.setattr(os, "chmod", refuse)
    with pytest.raises(NoPrivateFolder, match="Permission denied") as caught, private_folder():
        pass
    assert caught.value.code == "process.no-private-folder"


def test_folders_without_permissions_are_removed(tmp_path: Path) -> None:
    root = tmp_path / "root"
    inner = root / "a" / "b"
    inner.mkdir(parents=True)
    (inner / "file").touch()
    for folder in (inner, inner.parent, root):
        folder.chmod(0)
    remove_tree(root)
    assert not root.exists()


def test_links_are_removed_and_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir(mode=0o755)
    (outside / "kept").touch()
    root = tmp_path / "root"
    (root / "below").mkdir(parents=True)
    for folder in (root, root / "below"):
        (folder / "link").symlink_to(outside)
        (folder / "dangling").symlink_to("nowhere")
    remove_tree(root)
    assert (outside / "kept").exists()
    assert outside.stat().st_mode & 0o777 == 0o755


def test_folders_deeper_than_a_path_or_the_stack_are_removed(tmp_path: Path) -> None:
    root, name = tmp_path / "root", "deep" * 15
    root.mkdir()
    descriptor = os.open(root, os.O_RDONLY)
    for _ in range(150):
        os.mkdir(name, dir_fd=descriptor)
        inner = os.open(name, os.O_RDONLY, dir_fd=descriptor)
        os.close(descriptor)
        descriptor = inner
    os.close(descriptor)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + 100)
    try:
        remove_tree(root)
    finally:
        sys.setrecursionlimit(limit)
    assert not root.exists()


def test_a_folder_that_is_not_there_needs_no_removal(tmp_path: Path) -> None:
    remove_tree(tmp_path / "gone")


@pytest.mark.parametrize("error", [PermissionError(1, "Operation not permitted"), FileNotFoundError(2, "No such file")])
def test_what_cannot_be_removed_is_named(error: OSError, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object) -> None:
        raise error

    (tmp_path / "file").touch()
    monkeypatch.setattr(os, "unlink", refuse)
    with pytest.raises(NotRemoved, match=str(tmp_path)) as caught:
        remove_tree(tmp_path)
    assert caught.value.code == "process.not-removed"


def test_a_folder_that_keeps_growing_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(private, "_ROUNDS", 3)
    monkeypatch.setattr(os, "unlink", lambda _path: None)
    (tmp_path / "file").touch()
    with pytest.raises(NotRemoved, match="keeps growing"):
        remove_tree(tmp_path)


def test_a_link_in_the_folder_s_own_place_is_removed_and_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    outside.chmod(0o755)
    (outside / "kept").touch()
    root = tmp_path / "root"
    for target in (outside, "nowhere"):
        root.symlink_to(target)
        remove_tree(root)
        assert not os.path.lexists(root)
    assert list(outside.iterdir()) == [outside / "kept"]
    assert outside.stat().st_mode & 0o777 == 0o755


def test_a_file_in_the_folder_s_own_place_is_removed(tmp_path: Path) -> None:
    (tmp_path / "root").touch()
    remove_tree(tmp_path / "root")
    assert not (tmp_path / "root").exists()
