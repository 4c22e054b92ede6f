"""docs/situations.md lists every situation, and each row names tests that exist or says why it names none."""

import ast
import re
from pathlib import Path
from typing import Final, NamedTuple

import pytest

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = ROOT / "docs" / "situations.md"
NUMBERS: Final = {
    "AW": (1, 2, 3, 4, 5, 6, 8, 10, 11, 12),
    "HB": (1, 2, 3, 5, 6, 7, 9, 10),
    "AR": (1, 3, 4, 5, 8, 10, 11, 12),
    "ZP": (1, 4, 6),
    "GT": (1, 2, 3, 4, 5, 7, 9, 11, 12),
    "DG": (1, 2, 5, 6, 8),
    "EV": (1, 2, 4, 6, 7, 9),
    "BS": (1, 3, 4, 5, 6, 7),
    "SP": (1, 3, 6),
    "WC": (1, 3),
    "JS": (1, 2, 4, 5, 7),
    "SE": (2, 3, 5, 7, 8, 9),
    "NM": (1, 2, 5, 6),
    "RS": (1, 2, 4, 5, 6, 7),
    "RG": (1, 2, 3, 4, 7),
    "EX": (1, 3, 5),
}
_IDS: Final = [f"{group}-{number:02}" for group, numbers in NUMBERS.items() for number in numbers]
_ROW: Final = re.compile(r"^\| ([A-Z]{2}-\d\d) \| ([^|]+) \| ([^|]+) \|$")
_TEST: Final = re.compile(r"`(tests/[\w/]+\.py)::([\w:]+)`")
_REASON: Final = re.compile(r"(?:Not yet|Does not apply): (\S.{20,})")


class Row(NamedTuple):
    """One situation: its id, what it is called here, and what holds it."""

    id: str
    title: str
    held: tuple[str, ...]


def rows(text: str) -> list[Row]:
    """Return the page's rows. A line that looks like one and cannot be read is a failure."""
    lines = [line for line in text.splitlines() if re.match(r"\|\s*[A-Z]{2}-", line)]
    found = [_ROW.match(line) for line in lines]
    assert all(found), f"not a row: {lines[found.index(None)]}"
    return [Row(match[1], match[2], tuple(match[3].split("<br>"))) for match in found if match]


def fault(held: str, root: Path = ROOT) -> str | None:
    """Return what is wrong with one thing that is said to hold a situation, or ``None``."""
    named = _TEST.fullmatch(held)
    if named is None:
        return None if _REASON.fullmatch(held) else f"neither a test nor a reason: {held!r}"
    path = root / named[1]
    if not path.is_file():
        return f"no such file: {named[1]}"
    return None if named[2] in names(path.read_text("utf-8")) else f"{named[1]} has no test {named[2]}"


def names(source: str) -> set[str]:
    """Return the tests of a file, those of a class as ``Class::test``."""
    found: set[str] = set()
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}::{inner.name}" for inner in node.body if isinstance(inner, ast.FunctionDef)}
    return {name for name in found if name.rpartition("::")[2].startswith("test_")}


def test_every_situation_is_listed_once() -> None:
    assert sorted(row.id for row in rows(PAGE.read_text("utf-8"))) == sorted(_IDS)


@pytest.mark.parametrize("row", [pytest.param(row, id=row.id) for row in rows(PAGE.read_text("utf-8"))])
def test_what_holds_it_is_there(row: Row) -> None:
    assert [fault(held) for held in row.held] == [None] * len(row.held)


@pytest.mark.parametrize(
    ("held", "wrong"),
    [
        ("`tests/docs/test_situations.py::test_what_holds_it_is_there`", None),
        ("`tests/docs/test_situations.py::test_gone`", "has no test test_gone"),
        ("`tests/docs/test_situations.py::rows`", "has no test rows"),
        ("`tests/docs/test_gone.py::test_x`", "no such file"),
        ("`tests/github/test_choice.py::TestChoose::test_gone`", "has no test"),
        ("Not yet: it belongs to a part that is not there", None),
        ("Not yet:", "neither a test nor a reason"),
        ("Not yet: later", "neither a test nor a reason"),
        ("", "neither a test nor a reason"),
    ],
)
def test_what_is_wrong_is_seen(held: str, wrong: str | None) -> None:
    said = fault(held)
    assert (said is None) if wrong is None else (said is not None and wrong in said)


def test_a_row_that_cannot_be_read_is_seen() -> None:
    with pytest.raises(AssertionError, match="not a row"):
        rows("| ZP-01 | only a title |")
