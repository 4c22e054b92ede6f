"""Long lines are folded at spaces, and nothing of them is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opvalue.cli.folding import NARROWEST, columns_of, folds, hanging, within


def folded(text: str, columns: int, hang: int) -> list[str]:
    return [text[start:end] for start, end in folds(text, columns, hang)]


@pytest.mark.parametrize(
    ("text", "columns", "hang", "rows"),
    [
        ("", 20, 0, [""]),
        ("short", 20, 0, ["short"]),
        ("a" * 20, 20, 0, ["a" * 20]),
        ("aaaa bbbb cccc dddd eeee", 24, 0, ["aaaa bbbb cccc dddd eeee"]),
        ("aaaa bbbb cccc dddd eeee", 23, 0, ["aaaa bbbb cccc dddd", "eeee"]),
        ("do  aaaa bbbb cccc dddd eeee", 24, 4, ["do  aaaa bbbb cccc dddd", "eeee"]),
        ("label     " + "x" * 40, 30, 10, ["label     " + "x" * 40]),
        ("label     " + "x" * 40 + " y", 30, 10, ["label     " + "x" * 40, "y"]),
        ("  set in   and on and on and on", 20, 0, ["  set in   and on", "and on and on"]),
        ("do  a " + "b" * 30, 24, 4, ["do  a", "b" * 30]),
        ("word          ", 8, 0, ["word          "]),
        ("日本 日本 日本 日本 日本", 24, 0, ["日本 日本 日本 日本 日本"]),
        ("日本 日本 日本 日本 日本", 23, 0, ["日本 日本 日本 日本", "日本"]),
        ("do  日本語日本 日本語日本 日本", 24, 4, ["do  日本語日本", "日本語日本 日本"]),
    ],
)
def test_where_a_line_parts(text: str, columns: int, hang: int, rows: list[str]) -> None:
    assert folded(text, columns, hang) == rows


def test_a_hanging_indent_gives_way_to_the_text() -> None:
    assert [hanging(columns, 30) for columns in (80, 50, 49, 20)] == [30, 30, 4, 4]
    assert hanging(21, 2) == 2


@given(st.text(alphabet="ab 日", max_size=200), st.integers(20, 60), st.integers(0, 40))
def test_no_word_is_lost_or_parted_and_lines_fit(text: str, columns: int, hang: int) -> None:
    rows = folded(text, columns, hang)
    assert " ".join(rows).split() == text.split()
    indent = hanging(columns, hang)
    for place, row in enumerate(rows):
        room = columns if place == 0 else max(columns - indent, NARROWEST)
        fits = columns_of(row) <= room
        assert fits or " " not in row[indent if place == 0 else 0 :].strip()


@pytest.mark.parametrize(
    ("text", "columns", "kept"),
    [
        ("abc", 2, "ab"),
        ("abc", 3, "abc"),
        ("日本", 4, "日本"),
        ("日本", 3, "日"),
        ("a日本", 3, "a日"),
        ("日本", 1, ""),
        ("日本", 0, ""),
    ],
)
def test_as_much_of_a_text_as_there_is_room_for(text: str, columns: int, kept: str) -> None:
    assert within(text, columns) == kept
