import os
from pathlib import Path

import pytest

from opvalue.process import ProgramMissing, find_program, usual_path


@pytest.fixture
def folders(tmp_path: Path) -> list[str]:
    made = []
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "tool").write_text("#!/bin/sh\n")
        (folder / "tool").chmod(0o755)
        made.append(str(folder))
    return made


def test_the_first_folder_wins(folders: list[str]) -> None:
    assert find_program("tool", ":".join(folders)) == Path(folders[0], "tool")


def test_folders_and_plain_files_are_not_programs(folders: list[str]) -> None:
    Path(folders[0], "tool").unlink()
    Path(folders[0], "tool").mkdir()
    assert find_program("tool", ":".join(folders)) == Path(folders[1], "tool")
    Path(folders[1], "tool").chmod(0o644)
    with pytest.raises(ProgramMissing) as caught:
        find_program("tool", ":".join(folders))
    assert caught.value.code == "process.program-missing"
    assert caught.value.expected == f"tool in one of {':'.join(folders)}"


def test_the_current_folder_is_never_searched(folders: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folders[0])
    for path in ("", ".", ":", "../one", ".::"):
        with pytest.raises(ProgramMissing):
            find_program("tool", path)


def test_the_system_comes_before_what_is_nearby(folders: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", os.pathsep.join(folders))
    assert usual_path().startswith("/usr/local/bin:/usr/bin:/bin")
    assert find_program("tool", usual_path()) == Path(folders[0], "tool")
    Path(folders[0], "env").symlink_to("tool")
    assert find_program("env", usual_path()) != Path(folders[0], "env")
