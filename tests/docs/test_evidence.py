"""The page on evidence names every cause that makes a result not observed."""

from pathlib import Path

import pytest

from opvalue.errors import Kind, OpvalueError, every_error_class
from opvalue.evidence import errors as shared
from opvalue.evidence.broker import errors as broker

PAGE = (Path(__file__).parents[2] / "docs" / "evidence.md").read_text("utf-8")


def causes() -> list[type[OpvalueError]]:
    modules = {shared.__name__, broker.__name__}
    return [one for one in every_error_class() if one.__module__ in modules and one.kind is Kind.NOT_OBSERVED]


@pytest.mark.parametrize("cause", causes(), ids=lambda cause: cause.code)
def test_every_cause_is_in_the_table(cause: type[OpvalueError]) -> None:
    assert f"`{cause.code}`" in PAGE
