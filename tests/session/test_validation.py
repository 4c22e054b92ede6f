"""Everything that is wrong with a session, each with its line."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opvalue.limits import Limits
from opvalue.session.errors import SessionEncoding
from opvalue.session.validation import Problem, problems


def where(component: str = "agent", index: int = 0, **others: Any) -> dict[str, Any]:
    return {"component": component, "phase": "agent", "path": f"{component}.jsonl", "index": index, **others}


def event(**others: Any) -> dict[str, Any]:
    return {"type": "own.kind", "data": {}, "provenance": where(), **others}


def own(kind: str, **data: Any) -> dict[str, Any]:
    return {"type": kind, "data": data, "provenance": where("collector", phase="conclusion")}


HEADER = own("session.format", version=1)
GRADES = {"type": "grader.result", "data": {}, "provenance": where("grader", phase="conclusion")}


def closing(**events: int) -> dict[str, Any]:
    sources = [
        {"component": name, "phase": "agent", "path": f"{name}.jsonl", "events": n} for name, n in events.items()
    ]
    return own("session.collection", sources=sources)


def found(*events: Any, cut: int = 0) -> list[tuple[int, str]]:
    content = "".join(one if isinstance(one, str) else json.dumps(one) + "\n" for one in events)
    data = content.encode("utf-8", "surrogatepass")
    return [(one.line, one.code) for one in problems([data[: len(data) - cut]])]


def test_a_sound_session() -> None:
    timed = (event(provenance=where(timestampMs=ms)) for ms in (-1, 0, 0, 2.5))
    assert found(HEADER, *timed, event(), event(), closing(agent=6), GRADES, GRADES) == []
    assert found(HEADER, closing()) == []


def test_nothing_at_all() -> None:
    assert list(problems([])) == [Problem(1, "empty", "there is no event in it, not even a header")]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("\n", "blank-line"),
        (" \t\r\n", "blank-line"),
        ("\x0b\n", "not-json"),
        ("{\n", "not-json"),
        ('{"a":1,"a":2}\n', "not-json"),
        ('{"a":NaN}\n', "not-json"),
        ("{} {}\n", "not-json"),
        ("[" * 200 + "\n", "not-json"),
        ("[]\n", "not-an-object"),
        ("5\n", "not-an-object"),
        (event(type="dotless"), "type"),
        (event(type=5), "type"),
        (event(data=[]), "data"),
        (event(more=1), "unknown-field"),
        (event(provenance=where("nobody")), "component"),
        (event(provenance=where(phase=["x"])), "phase"),
        (event(provenance=where(path=5)), "path"),
        (event(provenance=where(index=-1)), "index"),
        (event(provenance=where(index=True)), "index"),
        (event(provenance=where(timestampMs="5")), "timestamp"),
    ],
)
def test_a_bad_line_in_the_middle(line: Any, code: str) -> None:
    assert (2, code) in found(HEADER, line, event(), closing(agent=1))


def test_numbers_are_taken_as_reading_takes_them() -> None:
    longest, overflowing = (json.dumps(event(data={"n": 0})).replace("0}", f"{'1' * size}}}", 1) for size in (300, 400))
    assert found(HEADER, f"{longest}\n", f"{overflowing}\n") == [(3, "not-json"), (4, "no-closing-event")]


def test_what_is_missing_of_an_event() -> None:
    assert found(HEADER, {}, closing())[:3] == [(2, "type"), (2, "data"), (2, "provenance")]


def test_a_bad_line_hides_nothing_behind_it() -> None:
    assert found(HEADER, "torn{\n", event(type="x"), closing(agent=1)) == [(2, "not-json"), (3, "type")]


def test_the_last_line_cut_at_each_byte() -> None:
    last = len(json.dumps(GRADES)) + 1
    session = (HEADER, closing(), GRADES)
    assert found(*session, cut=1) == [(3, "no-line-end")]
    for cut in range(2, last):
        assert found(*session, cut=cut) == [(3, "torn-line")]
    assert found(*session, cut=last) == []


class TestTheWhole:
    def test_the_header(self) -> None:
        assert found(event(), closing(agent=1)) == [(1, "no-header")]
        assert found({**HEADER, "provenance": where()}, closing(agent=1)) == [(1, "no-header")]
        assert found(own("session.format", version=2), closing()) == [(1, "version")]
        assert found(own("session.format", version=True), closing()) == [(1, "version")]
        assert found(own("session.format"), closing()) == [(1, "version")]

    def test_the_order(self) -> None:
        one, two, untimed = event(provenance=where(timestampMs=1)), event(provenance=where(timestampMs=2)), event()
        assert found(HEADER, two, one, closing(agent=2)) == [(3, "order")]
        assert found(HEADER, one, untimed, two, closing(agent=3)) == [(4, "order")]

    def test_long_times_are_cut(self) -> None:
        given = [HEADER, *(event(provenance=where(timestampMs=time)) for time in (10**60, 10**50))]
        [problem, *_] = problems([f"{json.dumps(one)}\n".encode() for one in given])
        assert problem.text == f"an event of 1{'0' * 39}... after one of 1{'0' * 39}..."

    def test_the_closing_event(self) -> None:
        assert found(HEADER, event()) == [(3, "no-closing-event")]
        assert found(HEADER, closing(agent=1), event()) == [(3, "after-the-end")]

    def test_lost_events_are_noticed(self) -> None:
        assert found(HEADER, event(), closing(agent=2)) == [(4, "count")]
        assert found(HEADER, event(), closing()) == [(4, "count")]
        [problem] = problems([json.dumps(HEADER).encode() + b"\n" + json.dumps(closing(mcp=3)).encode() + b"\n"])
        assert problem.text == "'mcp.jsonl' has 0 events, and session.collection counts 3"

    def test_graders_events_may_have_been_replaced(self) -> None:
        assert found(HEADER, closing(grader=2), GRADES) == []

    def test_a_closing_event_that_says_nothing(self) -> None:
        odd: tuple[Any, ...] = (None, {}, [5], [{}], [{"events": "1"}])
        for sources in odd:
            assert found(HEADER, own("session.collection", sources=sources)) == []
        assert found(HEADER, {**own("session.collection"), "data": 5}) == [(2, "data")]


def test_long_lines_and_long_words() -> None:
    data = json.dumps(HEADER).encode() + b"\n" + b"x" * 500 + b"\n" + json.dumps(closing()).encode() + b"\n"
    assert [(one.line, one.code) for one in problems([data], Limits(session_line_bytes=400))] == [(2, "line-too-long")]
    [problem] = problems(
        [(json.dumps(own("session.format", version="v" * 999)) + "\n" + json.dumps(closing()) + "\n").encode()]
    )
    assert len(problem.text) < 160


@given(st.lists(st.binary(max_size=9) | st.sampled_from([json.dumps(HEADER).encode(), json.dumps(closing()).encode()])))
def test_no_input_ends_in_anything_but_problems(lines: list[bytes]) -> None:
    with suppress(SessionEncoding):
        assert all(isinstance(one, Problem) for one in problems([b"\n".join(lines)]))


class TestArrays:
    def test_a_sound_one(self) -> None:
        data = json.dumps([HEADER, event(), closing(agent=1)], indent=1).encode()
        assert list(problems([data[:9], data[9:]])) == []

    def test_problems_are_counted_by_element(self) -> None:
        data = json.dumps([HEADER, 5, event(type="x"), closing(agent=1)]).encode()
        assert [(one.line, one.code) for one in problems([data])] == [(2, "not-an-object"), (3, "type")]

    def test_places_are_those_of_an_element(self) -> None:
        said = "it is not JSON: Expecting property name enclosed in double quotes"
        data = json.dumps([HEADER, {"n": 1}], indent=1).encode().replace(b'"n": 1', b'"n": 1,,')
        (found, *_) = problems([data])
        assert (found.line, found.unit, found.code) == (2, "element", "not-json")
        assert found.text.startswith(f"{said} (line 2 of it, column 10: ")
        (found, *_) = problems([b'{"n": 1,,}\n'])
        assert (found.line, found.unit, found.code) == (1, "line", "not-json")
        assert found.text.startswith(f"{said} (column 9: ")

    def test_an_event_without_a_source(self) -> None:
        data = json.dumps([HEADER, {"n": 1}, closing()]).encode()
        assert [one.text for one in problems([data])][-1] == "'' has 1 event, and session.collection counts 0"

    def test_one_that_breaks_off(self) -> None:
        data = json.dumps([HEADER, event(), closing(agent=1)]).encode()
        for cut in range(1, 9):
            assert [one.code for one in problems([data[:-cut]])][-1:] == ["array"]

    def test_an_empty_one(self) -> None:
        assert [one.code for one in problems([b"[]"])] == ["empty"]


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b"\xff\xfe"])
def test_other_encodings_are_refused(mark: bytes) -> None:
    with pytest.raises(SessionEncoding):
        list(problems([mark + b"{}"]))
