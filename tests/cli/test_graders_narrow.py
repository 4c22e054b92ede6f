"""Sessions and graders on terminals of 80, of 60 and of 40 columns."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from opvalue.graders.metadata import BUILTIN
from tests.cli.conftest import Answer
from tests.support.sessions import lines

Opvalue = Callable[..., Answer]

OURS = re.compile(r"DESIGN|Graders Specification|\breference [0-9]|\b[A-Z]{2}-[0-9]{2}\b|``")


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("narrow") / "s.jsonl"
    path.write_bytes(b"".join(lines(300)))
    return path


@pytest.fixture(params=[80, 60, 40])
def columns(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr("opvalue.cli.console._columns", lambda _stream: request.param)
    return int(request.param)


def too_wide(answer: Answer, columns: int, session: Path = Path("s.jsonl")) -> list[str]:
    # A file's name is not broken, however long.
    lines = answer.out.replace(str(session), "s.jsonl").splitlines()
    return [line for line in lines if len(line) > columns]


def test_the_defaults_fit(opvalue: Opvalue, session: Path, columns: int) -> None:
    answer = opvalue("graders", "run", str(session))
    assert too_wide(answer, columns) == []
    rows = 11 if columns > 40 else 22
    assert len(answer.out.splitlines()) == rows + 2, "a line each, or two, the heading, a blank line and the summary"
    assert ("unit" in answer.out) is (columns == 80)


def test_the_list_fits(opvalue: Opvalue, columns: int) -> None:
    answer = opvalue("graders", "list")
    assert too_wide(answer, columns) == []
    assert len(answer.out.splitlines()) == (len(BUILTIN) + 1) * (1 if columns > 40 else 2)


@pytest.mark.parametrize("grader", BUILTIN)
def test_explanations_fit_and_speak_of_no_papers_of_ours(
    opvalue: Opvalue, session: Path, columns: int, grader: str
) -> None:
    answer = opvalue("graders", "explain", str(session), grader)
    assert too_wide(answer, columns) == []
    assert OURS.findall(answer.out) == []
    assert "Formula: " in answer.out


def test_what_an_event_says_has_room(opvalue: Opvalue, session: Path, columns: int) -> None:
    answer = opvalue("session", "show", str(session))
    heading, *rows = answer.out.splitlines()
    assert too_wide(answer, columns) == []
    assert len([row for row in rows if not row.startswith(4 * " ")]) == session.read_bytes().count(b"\n")
    if columns == 40:
        assert (heading.split(), rows[0]) == (["#", "at", "s", "type"], "    what")
        return
    where = ["where"] if columns == 80 else []
    assert heading.split() == ["#", "at", "s", "type", *where, "what"]
    assert columns - heading.index("what") >= 20


@pytest.mark.parametrize("command", [("session", "stats"), ("session", "validate")])
def test_other_looks_fit(opvalue: Opvalue, session: Path, columns: int, command: tuple[str, str]) -> None:
    assert too_wide(opvalue(*command, str(session)), columns, session) == []


def test_short_texts_stay_beside_where_long_ones_stand_below(
    opvalue: Opvalue, session: Path, tmp_path: Path, columns: int
) -> None:
    (tmp_path / "s.jsonl").write_bytes(b"".join(session.read_bytes().splitlines(keepends=True)[:3]))
    shown = opvalue("graders", "run", str(tmp_path / "s.jsonl")).out.splitlines()
    rows = shown[shown.index("") + 2 :]
    below = [row for row in rows if row.startswith(" ")]
    assert len(rows) - len(below) == 10
    assert columns == 40 or not [row for row in below if "at most" in row or "threshold" in row]
    assert too_wide(opvalue("graders", "run", str(tmp_path / "s.jsonl")), columns) == []
