"""Lines, arrays, what is lost and what is refused: DESIGN 7 and 8, SE-08, SE-09, NM-01, NM-02, NM-05."""

import json
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from opvalue.errors import OpvalueError
from opvalue.limits import Limits
from opvalue.session import Losses, lookups_of, read_events, scan
from opvalue.session.errors import ArrayMalformed, LineMalformed, LineTooLong, NotAnEvent, SessionEncoding
from tests.session.strategies import line
from tests.support import sessions

ONE = {"type": "x.y", "data": {}, "provenance": {}}
LINE = line(ONE)
Read = Callable[..., int]


def events(blocks: Any, **options: Any) -> int:
    return len(list(read_events(blocks, **options)))


def scanned(blocks: Any, **options: Any) -> int:
    return scan(blocks, **options).events


pytestmark = pytest.mark.parametrize("read", [events, scanned])


def refused(read: Read, cause: type[OpvalueError], data: bytes, **options: Any) -> OpvalueError:
    with pytest.raises(cause) as error:
        read([data], **options)
    assert type(error.value) is cause
    return error.value


@pytest.mark.parametrize("data", [b"", b"\n", b" \r\n\n\t", b"[]", b" [ ] \n", b"\n\n[\n]"])
def test_empty(read: Read, data: bytes) -> None:
    losses = Losses()
    assert read([data], losses=losses) == read([], losses=losses) == 0
    assert (losses.torn, losses.malformed) == (None, 0)


def test_blank_lines_and_white_space(read: Read) -> None:
    assert read([b"\n\n" + LINE + b"\r\n \n\t" + LINE + b" \n\n"]) == 2
    assert read([LINE]) == read([LINE + b"\n"]) == 1
    assert read([b"[" + LINE + b" ,\n" + LINE + b"]"]) == 2


def test_lines_end_at_lf_alone(read: Read) -> None:
    text = '{"type":"x.y","data":{"a":"b\u2028c\u2029d\x85e\x0c"},"provenance":{}}'.replace("\x0c", "")
    assert read([text.encode() + b"\n" + LINE]) == 2
    assert "line 1" in refused(read, LineMalformed, LINE + b"\r" + LINE + b"\n" + LINE).message


def test_cut_at_each_byte_of_the_last_two_lines(read: Read) -> None:
    last = line(ONE | {"id": '\u00e9 \\ "'}, ascii_=False)
    before = LINE + b"\n" + LINE + b"\n"
    for end in range(len(LINE) + len(last) + 2):
        data = (before + last + b"\n" + last + b"\n")[: len(before) + end]
        for tail in (b"", b"\n", b"\n\n \r\n"):
            losses = Losses()
            whole = sum(end >= size for size in (len(last), 2 * len(last) + 1))
            assert read([data + tail], losses=losses) == 2 + whole
            partial = end not in (0, len(last), len(last) + 1, 2 * len(last) + 1, 2 * len(last) + 2)
            assert losses.torn == (3 + whole if partial else None)
            assert losses.malformed == 0


def test_a_torn_line_that_was_written_on(read: Read) -> None:
    error = refused(read, LineMalformed, LINE + b"\n" + LINE[:20] + LINE + b"\n" + LINE)
    assert (error.found, error.code) == ("line 2", "session.line-malformed")
    losses = Losses()
    assert read([LINE + b"\n" + LINE[:20] + b"\n" + LINE], skip_malformed=True, losses=losses) == 2
    assert (losses.torn, losses.malformed, losses.first) == (None, 1, [2])


def test_a_bad_line_among_a_hundred(read: Read) -> None:
    lines = [LINE] * 100
    lines[41] = b"{bad}"
    assert "line 42" in refused(read, LineMalformed, b"\n".join(lines)).message
    losses = Losses()
    assert read([b"\n".join(lines)], skip_malformed=True, losses=losses) == 99
    assert (losses.malformed, losses.first) == (1, [42])


def test_the_numbers_of_some_bad_lines_are_kept(read: Read) -> None:
    losses = Losses()
    assert read([b"x\n" * 50 + LINE], skip_malformed=True, losses=losses) == 1
    assert (losses.malformed, losses.first) == (50, list(range(1, 11)))


@pytest.mark.parametrize(
    "bad",
    [
        b"x",
        b"{}{}",
        b"\xff",
        b"{} x",
        b'{"a":NaN}',
        b'{"a":1e400}',
        b'{"a":%s}' % (b"9" * 5000),
        b"{]",
        b"\xef\xbb\xbf{}",
    ],
)
def test_lines_that_are_no_json(read: Read, bad: bytes) -> None:
    refused(read, LineMalformed, LINE + b"\n" + bad + b"\n" + LINE)
    assert read([LINE + b"\n" + bad + b"\n" + LINE], skip_malformed=True) == 2


@pytest.mark.parametrize("bad", [b"x", b"\x00\x01\x02", b"{}}", b"{} x", b'{"a":1e400}', bytes(range(256))])
def test_a_last_line_that_was_not_cut(read: Read, bad: bytes) -> None:
    refused(read, LineMalformed, LINE + b"\n" + bad)


@pytest.mark.parametrize(
    "value",
    [
        b"[]",
        b"null",
        b'"x.y"',
        b"{}",
        b'{"type":"xy","data":{},"provenance":{}}',
        b'{"type":"x.y","data":[],"provenance":{}}',
        b'{"type":"x.y","data":{},"provenance":null}',
        b'{"type":5,"data":{},"provenance":{}}',
    ],
)
def test_json_that_is_no_event(read: Read, value: bytes) -> None:
    assert refused(read, NotAnEvent, LINE + b"\n" + value).found == "line 2"
    assert refused(read, NotAnEvent, b"[" + LINE + b"," + value + b"]").found == "element 2"
    losses = Losses()
    assert read([LINE + b"\n" + value], skip_malformed=True, losses=losses) == 1
    assert losses.first == [2]


def test_events_that_are_none_in_memory(read: Read) -> None:
    del read
    with pytest.raises(NotAnEvent):
        lookups_of([{"type": "x.y", "data": {}}])


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"])
def test_byte_order_marks(read: Read, mark: bytes) -> None:
    assert "byte order mark" in refused(read, SessionEncoding, mark + LINE).message
    with pytest.raises(SessionEncoding):
        read([mark[:1], mark[1:], LINE])


def test_wide_encodings(read: Read) -> None:
    for encoding in ("utf-16-le", "utf-16-be", "utf-32-le"):
        error = refused(read, SessionEncoding, LINE.decode().encode(encoding))
        assert error.message == "there is a zero byte where the session begins"


def test_doubled_keys_count_as_their_last(read: Read) -> None:
    assert read([b'{"type":"x.y","data":[],"data":{},"provenance":{}}']) == 1


@pytest.mark.parametrize("tail", [b"", b",", b",,", b"}", b"]]", b"] x", b"],", b"][", b"]{", b',"', b',"\\'])
def test_arrays_that_are_none(read: Read, tail: bytes) -> None:
    for skip in (False, True):
        refused(read, ArrayMalformed, b"[" + LINE + tail, skip_malformed=skip)


@pytest.mark.parametrize("data", [b"[,]", b"[%s,,%s]" % (LINE, LINE), b"[%s,]" % LINE])
def test_empty_elements(read: Read, data: bytes) -> None:
    refused(read, ArrayMalformed, data)


def test_brackets_within_texts(read: Read) -> None:
    text = line(ONE | {"data": {"a": '],[{"\\\\', "b": [{"c": "]"}, []]}})
    for size in (1, 2, 3, 7, 1000):
        data = b"[" + text + b"," + text + b"]"
        assert read(data[start : start + size] for start in range(0, len(data), size)) == 2


def test_a_line_that_is_too_long(read: Read) -> None:
    limits = Limits(session_line_bytes=200)
    long = line(ONE | {"id": "x" * 200})
    for size in (10, 150, 1 << 20):
        data = LINE + b"\n" + long + b"\n" + LINE + b"\n"
        blocks = [data[start : start + size] for start in range(0, len(data), size)]
        with pytest.raises(LineTooLong, match="line 2"):
            read(blocks, limits=limits)
        losses = Losses()
        assert read(blocks, limits=limits, skip_malformed=True, losses=losses) == 2
        assert (losses.malformed, losses.first) == (1, [2])
        with pytest.raises(LineTooLong):
            read([long], limits=limits)
        array = b"[" + LINE + b"," + long + b"," + LINE + b"]"
        with pytest.raises(LineTooLong, match="element 2"):
            read([array[start : start + size] for start in range(0, len(array), size)], limits=limits)
        assert read([array], limits=limits, skip_malformed=True) == 2
    with pytest.raises(ArrayMalformed):
        read([b"[" + LINE + b"]" + b" " * 300 + b"x" * 300], limits=limits)


def flood(total: int, *, array: bool = False) -> Iterator[bytes]:
    block = b"x" * (1 << 20)
    yield b'[{"a":"' if array else b'{"a":"'
    for _ in range(total >> 20):
        yield block


@pytest.mark.parametrize("array", [False, True])
def test_two_hundred_mebibytes_in_one_line(read: Read, array: bool) -> None:
    limits = Limits(session_line_bytes=4 << 20)
    read([LINE])
    tracemalloc.start()
    try:
        with pytest.raises(ArrayMalformed if array else LineTooLong):
            read(flood(200 << 20, array=array), limits=limits)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 16 << 20


def test_a_hundred_thousand_brackets(read: Read) -> None:
    deep = b'{"type":"x.y","provenance":{},"data":{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}}"
    assert "nested too deeply" in refused(read, LineMalformed, deep + b"\n" + LINE).message
    assert "nested too deeply" in refused(read, LineMalformed, b"[" + deep + b"]").message


def test_cyclic_parents_are_data(read: Read) -> None:
    cyclic = [line(ONE | {"id": one, "parentId": other}) for one, other in (("a", "b"), ("b", "a"), ("c", "c"))]
    assert read([b"\n".join(cyclic)]) == 3


def test_one_id_many_times(read: Read) -> None:
    start = b'{"type":"tool.execution_start","id":"e","data":{"toolCallId":"c","toolName":"t"},"provenance":{}}\n'
    assert read([start * 20_000]) == 20_000


def test_memory_of_a_session(read: Read) -> None:
    def blocks(count: int) -> Iterator[bytes]:
        held: list[bytes] = []
        for one in sessions.lines(count):
            held.append(one)
            if len(held) == 100:
                yield b"".join(held)
                held.clear()
        yield b"".join(held)

    def counted(count: int) -> int:
        tracemalloc.start()
        try:
            if read is scanned:
                scan(blocks(count))
            else:
                for _ in read_events(blocks(count)):
                    pass
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    counted(500)
    small, large = counted(1_000), counted(3_000)
    assert large - small < 1 << 20


@pytest.mark.parametrize(("kind", "found"), [(None, "null"), (5, "number"), ("x", "'x'")])
def test_what_a_type_is_instead(read: Read, kind: object, found: str) -> None:
    data = json.dumps({"type": kind, "data": {}, "provenance": {}}).encode() + b"\n"
    message = f"line 1 of the session: the type of an event is not a text that holds a dot, found {found}"
    assert refused(read, NotAnEvent, data).message == message


@pytest.mark.parametrize("missing", ["type", "data", "provenance"])
def test_what_an_event_has_not(read: Read, missing: str) -> None:
    whole = {"type": "a.b", "data": {}, "provenance": {}}
    data = json.dumps({key: value for key, value in whole.items() if key != missing}).encode() + b"\n"
    assert refused(read, NotAnEvent, data).message == f"line 1 of the session: an event has no {missing}"
