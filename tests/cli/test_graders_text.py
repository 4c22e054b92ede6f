"""The results of graders as a person reads them."""

import pytest

from opvalue.cli.console import Style, Styled
from opvalue.cli.graders_text import number, summary, table
from opvalue.graders.evaluate import failed, judged
from opvalue.graders.measured import Measured
from opvalue.graders.results import Context
from tests.graders.test_evaluate import custom, entry

GRADED = (
    judged(entry("tool-success-rate"), Measured(2 / 3)),
    judged(entry("loops"), Measured(3)),
    judged(entry("retries"), Measured(None, "the MCP gateway's events were not collected")),
    judged(entry("execution-duration"), Measured(0)),
    judged(custom(), Measured(1.5)),
    judged(custom("undirected", threshold=3), Measured(1)),
    failed(entry("context-growth"), "context-growth: ZeroDivisionError: nothing"),
)


def plain(line: object) -> str:
    pieces = line if isinstance(line, tuple) and not isinstance(line, Styled) else (line,)
    return "".join(piece.text if isinstance(piece, Styled) else str(piece) for piece in pieces)


def test_the_table() -> None:
    assert "\n".join(map(plain, table(GRADED))) == (
        "grader               value  unit   status\n"
        "tool-success-rate   0.6667  ratio  fail         at least 0.8\n"
        "loops                    3  count  pass         at most 3\n"
        "retries                n/a         unavailable  the MCP gateway's events were not collected\n"
        "execution-duration       0  ms     pass         no threshold\n"
        "mine                   1.5         pass         no threshold\n"
        "undirected               1         pass         no threshold\n"
        "context-growth         n/a         error        context-growth: ZeroDivisionError: nothing"
    )


def test_only_the_outcome_is_coloured() -> None:
    lines = list(table(GRADED))
    styled = [piece for line in lines[1:] if isinstance(line, tuple) for piece in line if isinstance(piece, Styled)]
    assert [(piece.text.strip(), piece.style) for piece in styled] == [
        ("fail", Style.BAD),
        ("pass", Style.GOOD),
        ("pass", Style.GOOD),
        ("pass", Style.GOOD),
        ("pass", Style.GOOD),
        ("error", Style.BAD),
    ]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0, "0"),
        (0.0, "0"),
        (5, "5"),
        (5.0, "5"),
        (100.0, "100"),
        (2 / 3, "0.6667"),
        (0.5, "0.5"),
        (0.99999, "1"),
        (0.00001, "1e-05"),
        (-0.00001, "-1e-05"),
        (0.0001, "0.0001"),
        (1e300, "1e+300"),
        (123456789012345678, "123456789012345678"),
        (-2.5, "-2.5"),
    ],
)
def test_numbers(value: float, shown: str) -> None:
    assert number(value) == shown


def test_the_summary() -> None:
    assert summary(GRADED, Context("7", 2)) == "run 7, attempt 2: 4 pass, 1 fail, 1 unavailable, 1 error"
    assert summary((), Context()) == "a session that names no run: no grader is enabled"
