"""Tables within a width."""

import pytest

from opvalue.cli.console import Style, Styled
from opvalue.cli.folding import columns_of
from opvalue.cli.table import aligned, fitted, titled, wrapped

ROWS = [
    ("name", "n", ""),
    ("a-longer-name", "10", "short"),
    ("b", "2", "a reason that takes many more words than that"),
]


def lines(width: int | None) -> list[str]:
    return [line for row in fitted(ROWS, width, right=frozenset({1})) for line in row]


def test_without_a_width() -> None:
    assert lines(None) == aligned(ROWS, right=frozenset({1}))
    assert lines(None)[1] == "a-longer-name  10  short"
    assert fitted([], 10) == []


def test_columns_come_closer_first() -> None:
    assert lines(62)[1] == "a-longer-name 10 short"
    assert lines(200) == lines(None)


def test_the_last_text_is_wrapped_beside_the_others() -> None:
    assert lines(42) == [
        "name           n",
        "a-longer-name 10 short",
        "b              2 a reason that takes many",
        "                 more words than that",
    ]


def test_where_only_short_texts_have_room_beside_the_long_ones_stand_below() -> None:
    assert lines(30) == [
        "name           n",
        "a-longer-name 10 short",
        "b              2",
        "    a reason that takes many",
        "    more words than that",
    ]


def test_where_columns_have_no_room_each_row_takes_several_lines() -> None:
    assert lines(15) == [
        "name",
        "    n",
        "a-longer-name",
        "    10",
        "    short",
        "b",
        "    2",
        "    a reason",
        "    that takes",
        "    many more",
        "    words than",
        "    that",
    ]


def test_columns_that_have_room_stay_side_by_side() -> None:
    rows = [("name", "unit", "n", "on"), ("a-longer-name", "ratio", "7", "yes"), ("b" * 20, "", "10", "no")]
    assert [line for row in fitted(rows, 17, right=frozenset({2})) for line in row] == [
        "name",
        "    unit   n on",
        "a-longer-name",
        "    ratio  7 yes",
        "b" * 17,
        "bbb",
        "          10 no",
    ]


def test_headings_are_dim_on_all_their_lines() -> None:
    dim = [Styled(text, Style.DIM) for text in ("name", "    numbe", "    r")]
    assert [*titled([("name", "number", ""), ("a", "1", "text")], 9)] == [*dim, "a", "    1", "    text"]


@pytest.mark.parametrize("width", range(6, 70))
def test_nothing_is_wider(width: int) -> None:
    assert max(map(len, lines(width))) <= width


WIDE = [
    ("name", "n", ""),
    ("日本語", "10", "short"),
    ("e\u0301", "2", "漢字漢字漢字漢字漢字漢字 café and more words than that"),
]


def test_wide_characters_take_two_columns_and_combining_ones_none() -> None:
    assert [*map(columns_of, ("abc", "日本語", "e\u0301", "é"))] == [3, 6, 1, 1]
    assert aligned(WIDE, right=frozenset({1}))[1:] == [
        "日本語  10  short",
        "e\u0301        2  漢字漢字漢字漢字漢字漢字 café and more words than that",
    ]
    assert wrapped("漢字漢字漢字", 6, indent=2) == ["  漢字", "  漢", "  字漢", "  字"]


@pytest.mark.parametrize("width", range(6, 70))
def test_nothing_is_wider_of_wide_characters_either(width: int) -> None:
    shown = [line for row in fitted(WIDE, width, right=frozenset({1})) for line in row]
    assert max(map(columns_of, shown)) <= width
    assert "".join(shown).count("漢") == 6


@pytest.mark.parametrize(
    ("row", "width", "lines"),
    [
        (("a" * 7, "b" * 7, "c" * 7, "d" * 25), 23, ["aaaaaaa bbbbbbb ccccccc", "    " + "d" * 19, "    " + "d" * 6]),
        (
            ("a" * 8, "b" * 8, "c" * 8, "d" * 25),
            25,
            ["aaaaaaaa bbbbbbbb", "    cccccccc", "    " + "d" * 21, "    dddd"],
        ),
    ],
)
def test_as_many_columns_as_fit_stand_on_one_line(row: tuple[str, ...], width: int, lines: list[str]) -> None:
    assert fitted([row], width) == [lines]


def test_two_columns_on_one_line_keep_their_edges() -> None:
    rows = [("a" * 18, "n", "1"), ("b", "mm", "22")]
    assert fitted(rows, 15, right=frozenset({2})) == [["a" * 15, "aaa", "    n   1"], ["b", "    mm 22"]]


def test_a_last_text_of_wide_characters_needs_two_columns_for_each() -> None:
    assert fitted([("a" * 18, "漢")], 20) == [["a" * 18, "    漢"]]
    assert fitted([("a" * 17, "漢")], 20) == [["a" * 17 + " 漢"]]
