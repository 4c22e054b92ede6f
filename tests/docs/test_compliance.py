"""docs/compliance.md has a row for every MUST that concerns built-in graders, and each row names tests that exist."""

import re
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from scripts.compliance_breaks import BREAKS
from tests.docs.test_situations import fault

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = ROOT / "docs" / "compliance.md"
CLAUSES: Final = {"2": 12, "3": 9, "4": 5, "5": 18, "6": 4, "7": 4, "8": 12}
"""How many rows each section of the specification has."""

LATER: Final = frozenset(
    {"3.8", *(f"5.{row}" for row in (10, 11, 12, 13, 14, 15, 17, 18)), "6.4", "7.3", "7.4", "8.2", "8.3", "8.4", "8.6"}
)
"""Rows of which all or part concerns custom graders or the commands around them, which are no part yet."""

_ROW: Final = re.compile(r"^\| (\d\.\d+) \| ([^|]+) \| ([^|]+) \|$")
_LATER: Final = re.compile(r"Later: \S.{20,}")


class Row(NamedTuple):
    """One demand: its number, what it says, and what holds it."""

    id: str
    says: str
    held: tuple[str, ...]


def rows(text: str) -> list[Row]:
    """Return the page's rows. A line that looks like one and cannot be read is a failure."""
    lines = [line for line in text.splitlines() if re.match(r"\|\s*\d", line)]
    found = [_ROW.match(line) for line in lines]
    assert all(found), f"not a row: {lines[found.index(None)]}"
    return [Row(match[1], match[2], tuple(match[3].split("<br>"))) for match in found if match]


def faults(row: Row) -> list[str]:
    """Return what is wrong with a row: a test that is not there, no test at all, or a delay where none may be."""
    tests = [held for held in row.held if not _LATER.fullmatch(held)]
    wrong = [said for held in tests if (said := fault(held)) is not None]
    if any(re.match(r"Not yet|Does not apply", held) for held in row.held):
        wrong.append("a row is held by a test, or waits for later")
    if not tests and row.id not in LATER:
        wrong.append("no test")
    if len(tests) < len(row.held) and row.id not in LATER:
        wrong.append("concerns built-ins, so it cannot wait")
    return wrong


def test_every_demand_has_one_row() -> None:
    wanted = [f"{section}.{number + 1}" for section, count in CLAUSES.items() for number in range(count)]
    assert [row.id for row in rows(PAGE.read_text("utf-8"))] == wanted


@pytest.mark.parametrize("row", [pytest.param(row, id=row.id) for row in rows(PAGE.read_text("utf-8"))])
def test_what_holds_it_is_there(row: Row) -> None:
    assert faults(row) == []


def overridden() -> list[list[str]]:
    """Return the cells of the second table, without its heading."""
    _, _, text = PAGE.read_text("utf-8").partition("## Reference values that the design overrides")
    return [line.split("|")[1:-1] for line in text.splitlines() if line.startswith("| ")][1:]


def test_there_is_a_way_to_break_each_row_that_tests_hold() -> None:
    """That they notice it is for ``python -m scripts.compliance`` to see."""
    listed = rows(PAGE.read_text("utf-8"))
    held = [row.id for row in listed if any(held.startswith("`tests/") for held in row.held)]
    cases = [line[0].strip() for line in overridden()]
    broken = [change.row for change in BREAKS]
    assert list(dict.fromkeys(broken)) == [*held, *cases]
    assert [change for change in BREAKS if not (ROOT / change.file).is_file()] == []
    assert [change for change in BREAKS if change.sound == change.broken] == []


def test_every_overridden_reference_value_names_its_test() -> None:
    lines = overridden()
    assert len(lines) >= 5
    assert [fault(held) for line in lines for held in line[-1].strip().split("<br>")] == [None] * sum(
        len(line[-1].split("<br>")) for line in lines
    )


HOLDS: Final = "`tests/docs/test_compliance.py::test_every_demand_has_one_row`"


@pytest.mark.parametrize(
    ("row", "wrong"),
    [
        (Row("2.1", "x", (HOLDS,)), []),
        (Row("2.1", "x", ("`tests/docs/test_compliance.py::test_gone`",)), ["has no test"]),
        (Row("2.1", "x", ("",)), ["neither a test nor a reason"]),
        (Row("2.1", "x", ("Later: when somebody has time for this one",)), ["no test", "cannot wait"]),
        (Row("2.1", "x", (HOLDS, "Later: when somebody has time for this one")), ["cannot wait"]),
        (Row("2.1", "x", ("Not yet: it belongs to a part that is not there",)), ["held by a test"]),
        (Row("5.12", "x", ("Later: when somebody has time for this one",)), []),
        (Row("5.12", "x", ("Later: soon",)), ["neither a test nor a reason"]),
    ],
)
def test_what_is_wrong_is_seen(row: Row, wrong: list[str]) -> None:
    said = faults(row)
    assert len(said) == len(wrong)
    assert all(part in text for part, text in zip(wrong, said, strict=True))


def test_a_row_that_cannot_be_read_is_seen() -> None:
    with pytest.raises(AssertionError, match="not a row"):
        rows("| 2.1 | only a demand |")
