"""A grader file's name occurs twice, so that a checker and a user may see different content (ZP-06)."""

from pathlib import Path

import pytest

from tests.archive import samples
from tests.archive.refusals import refused
from tests.archive.zips import Item, build, unicode_path

FILES = list(samples.files())


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("content", [b"{}", None])
def test_same_name(tmp_path: Path, name: str, first: bool, content: bytes | None) -> None:
    twin = Item(name.encode(), samples.files()[name] if content is None else content)
    members = [twin, *samples.items()] if first else [*samples.items(), twin]
    assert refused(build(members), tmp_path).code == "archive.duplicate-member"


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("spelling", ["./{}", "agent//graders/{}", "agent/./graders/{}"])
def test_another_spelling_of_the_same_path(tmp_path: Path, name: str, spelling: str) -> None:
    file = name.rpartition("/")[2]
    twin = Item(spelling.format(name if spelling == "./{}" else file).encode(), b"{}")
    assert refused(build([*samples.items(), twin]), tmp_path).code == "archive.duplicate-member"


@pytest.mark.parametrize("name", FILES)
def test_another_name_in_a_unicode_path_field(tmp_path: Path, name: str) -> None:
    to_wanted = Item(b"agent/x", b"{}", extra=unicode_path(b"agent/x", name.encode()))
    assert refused(build([*samples.items(), to_wanted]), tmp_path).code == "archive.headers-disagree"
    away = [
        item.with_(extra=unicode_path(item.name, b"agent/x")) if item.name == name.encode() else item
        for item in samples.items()
    ]
    assert refused(build(away), tmp_path).code == "archive.headers-disagree"


def test_one_member_listed_twice(tmp_path: Path) -> None:
    members = samples.items()
    again = members[1].with_(offset=len(build(members[:1])) - 22 - 46 - len(members[0].name))
    assert refused(build([*members, again]), tmp_path).code == "archive.duplicate-member"


@pytest.mark.parametrize("name", FILES)
def test_names_that_differ_by_case_are_other_names(name: str) -> None:
    folder, _, file = name.rpartition("/")
    others = [Item(f"{folder}/{file.title()}".encode(), b"no"), Item(name.upper().encode(), b"no")]
    assert samples.read(build([*others, *samples.items()])).evaluator == samples.SCRIPT


def test_unwanted_names_may_occur_twice() -> None:
    twins = [Item(b"agent/log", b"one"), Item(b"agent/log", b"two")]
    assert samples.read(build([*twins, *samples.items()])).evaluator == samples.SCRIPT


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("spelling", ["./agent/graders/{}", "agent//graders/{}", "agent/./graders/{}"])
def test_another_spelling_alone(tmp_path: Path, name: str, spelling: str) -> None:
    spelled = spelling.format(name.rpartition("/")[2]).encode()
    members = [item.with_(name=spelled) if item.name == name.encode() else item for item in samples.items()]
    error = refused(build(members), tmp_path)
    assert error.code == "archive.duplicate-member"
    assert (error.expected, error.found) == (repr(name), repr(spelled.decode()))
