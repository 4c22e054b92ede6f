import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from opvalue.evaluator import BadLayout, CannotLay, Changed
from opvalue.evaluator.layout import Layout

FILES = {"tree/a/run.sh": b"#!/bin/bash\n", "tree/a/b/data.sh": b"x=1\n"}


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    return Layout(tmp_path, FILES, {"tools/jq": Path("/usr/bin/jq")}, folders=("empty",))


def test_modes(layout: Layout, tmp_path: Path) -> None:
    layout.verify()
    assert (tmp_path / "tree/a/run.sh").stat().st_mode & 0o777 == 0o500
    assert (tmp_path / "tree/a/b/data.sh").stat().st_mode & 0o777 == 0o400
    for folder in ("tree", "tree/a", "tree/a/b", "tools", "empty"):
        assert (tmp_path / folder).stat().st_mode & 0o777 == 0o700


def test_modes_do_not_depend_on_the_creation_mask(tmp_path: Path) -> None:
    before = os.umask(0o777)
    try:
        layout = Layout(tmp_path, FILES, {}, folders=("empty",))
    finally:
        os.umask(before)
    layout.verify()
    modes = {name: (tmp_path / name).stat().st_mode & 0o777 for name in (*FILES, "tree/a/b", "empty")}
    assert modes == {
        "tree/a/run.sh": 0o500,
        "tree/a/b/data.sh": 0o400,
        "tree/a/b": 0o700,
        "empty": 0o700,
    }


def replace_bytes(root: Path) -> None:
    (root / "tree/a/run.sh").unlink()
    (root / "tree/a/run.sh").write_bytes(b"#!/bin/bash \n")


def cut(root: Path) -> None:
    (root / "tree/a/b/data.sh").unlink()
    (root / "tree/a/b/data.sh").write_bytes(b"x=")


def append(root: Path) -> None:
    (root / "tree/a/b/data.sh").unlink()
    (root / "tree/a/b/data.sh").write_bytes(b"x=1\nmore")


def link_to_same_bytes(root: Path) -> None:
    (root / "tree/a/b/data.sh").rename(root / "elsewhere")
    (root / "tree/a/b/data.sh").symlink_to(root / "elsewhere")


def fifo(root: Path) -> None:
    (root / "tree/a/b/data.sh").unlink()
    os.mkfifo(root / "tree/a/b/data.sh")


def add(root: Path) -> None:
    (root / "tree/a/new.sh").touch()


def add_stand_in(root: Path) -> None:
    (root / "empty/jq").touch()


def remove(root: Path) -> None:
    (root / "tree/a/run.sh").unlink()


def remove_folder(root: Path) -> None:
    (root / "empty").rmdir()


def turn_link(root: Path) -> None:
    (root / "tools/jq").unlink()
    (root / "tools/jq").symlink_to("/bin/true")


@pytest.mark.parametrize(
    "change",
    [replace_bytes, cut, append, link_to_same_bytes, fifo, add, add_stand_in, remove, remove_folder, turn_link],
)
def test_every_change_is_noticed(change: Callable[[Path], None], layout: Layout, tmp_path: Path) -> None:
    change(tmp_path)
    with pytest.raises(Changed) as caught:
        layout.verify()
    assert caught.value.code == "evaluator.changed"


def test_a_name_that_is_taken_is_refused(tmp_path: Path) -> None:
    (tmp_path / "tree/a").mkdir(parents=True)
    (tmp_path / "tree/a/run.sh").symlink_to("/dev/null")
    with pytest.raises(BadLayout):
        Layout(tmp_path, FILES, {})


def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(CannotLay, match="No space left") as caught:
        Layout(tmp_path, FILES, {})
    assert caught.value.code == "evaluator.cannot-lay"
