"""What changes in the folder while it is read, and what the system refuses."""

import errno
import os
from collections.abc import Iterator

import pytest

from opvalue.collect.errors import SourceUnreadable
from opvalue.collect.folder import Entry, Found, RunFolder
from opvalue.limits import Limits
from tests.collect.conftest import Run


@pytest.fixture
def folder(run: Run) -> Iterator[RunFolder]:
    run.put("logs/inner/a.jsonl", "{}\n")
    with RunFolder(run.folder, Limits()) as opened:
        yield opened


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("logs", Found.FOLDER),
        ("logs/inner/a.jsonl", Found.FILE),
        ("logs/nothing/a.jsonl", Found.NOTHING),
        ("logs/inner/a.jsonl/b", Found.NOTHING),
        ("logs/inner/b.jsonl", Found.NOTHING),
    ],
)
def test_what_lies_where(folder: RunFolder, path: str, found: Found) -> None:
    assert folder.look(path) == Entry(path, found)


def test_a_link_on_the_way_is_what_is_found(folder: RunFolder, run: Run) -> None:
    (run.folder / "link").symlink_to("logs")
    assert folder.look("link/inner/a.jsonl") == Entry("link", Found.LINK)


def test_what_vanished_is_nothing(folder: RunFolder, run: Run) -> None:
    os.mkfifo(run.folder / "pipe")
    assert list(folder.blocks("gone/a.jsonl")) == []
    assert list(folder.blocks("pipe/a.jsonl")) == []
    assert list(folder.blocks("pipe")) == []
    assert folder._listed("gone") == []
    assert folder._kind(["gone", "a.jsonl"]) is Found.NOTHING


def test_a_file_that_vanished_ends_it(folder: RunFolder) -> None:
    with pytest.raises(SourceUnreadable):
        list(folder.blocks("logs/gone.jsonl"))


@pytest.mark.parametrize("denied", ["logs", "inner", "a.jsonl"])
def test_what_may_not_be_opened_ends_it(folder: RunFolder, monkeypatch: pytest.MonkeyPatch, denied: str) -> None:
    real = os.open

    def denying(path: str, flags: int, *args: int, **more: int) -> int:
        if path == denied:
            raise PermissionError(errno.EACCES, "Permission denied")
        return real(path, flags, *args, **more)

    monkeypatch.setattr(os, "open", denying)
    with pytest.raises(SourceUnreadable, match=f"{denied}: Permission denied"):
        list(folder.blocks("logs/inner/a.jsonl"))


def test_a_folder_that_may_not_be_opened(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def denying(*_: object) -> int:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(os, "open", denying)
    with pytest.raises(SourceUnreadable):
        RunFolder(run.folder, Limits())
