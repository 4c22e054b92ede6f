import pytest
from hypothesis import given
from hypothesis import strategies as st

from opvalue.contract import errors
from opvalue.contract.output import read_output
from opvalue.errors import Kind, OpvalueError


@pytest.mark.parametrize(
    ("stdout", "value"),
    [(b"1", 1), (b" \t\r\n null \n\n", None), (b'{"a": "\xe2\x80\x94"}\n', {"a": "—"}), (b"[]", [])],
)
def test_one_document_with_blanks_around_it(stdout: bytes, value: object) -> None:
    assert read_output(stdout, mode="--metric") == value


@pytest.mark.parametrize("stdout", [b"", b"\n", b" \t\r\n\x0b\x0c"])
def test_nothing_printed(stdout: bytes) -> None:
    with pytest.raises(errors.OutputEmpty) as caught:
        read_output(stdout, mode="--grade-run")
    assert caught.value.message == "--grade-run printed nothing"


@pytest.mark.parametrize("stdout", [b'\x1b[1;39m{"value"\x1b[0m: 1}', b"\n  \x1b]0;title\x07{}"])
def test_escape_byte_first_is_named(stdout: bytes) -> None:
    with pytest.raises(errors.OutputColoured) as caught:
        read_output(stdout, mode="--grade-run")
    assert "escape byte" in caught.value.message
    assert "\x1b" not in caught.value.diagnostics()


@pytest.mark.parametrize(
    "stdout",
    [b"{}{}", b"[1]\n[2]\n", b'{"value": 1}\ntrue\n', b"{}\nDone.\n", b"1 2", b"01", b"{}\x00", b"{}\x1b[0m"],
)
def test_more_than_one_value(stdout: bytes) -> None:
    with pytest.raises(errors.OutputSeveralValues) as caught:
        read_output(stdout, mode="--grade-run")
    assert caught.value.message == "--grade-run printed more than one value"


@pytest.mark.parametrize(
    "stdout",
    [
        b"Error: not found",
        b'{"value": 1',
        b'{"value": NaN}',
        b'{"value": 1e400}',
        b'{"value": 1, "value": 0}',
        b"[" * 100_000,
        b"\xef\xbb\xbf{}",
        b"\xff\xfe{\x00}\x00",
        '{"a": 1}'.encode("utf-16-be"),
        b'{"a": "\x00"}',
        b"0." + b"1" * 63,
        b"\x00",
        b"'a'",
        b"{'a': 1}",
        b"[1,]",
    ],
)
def test_not_strict_json(stdout: bytes) -> None:
    with pytest.raises(errors.OutputNotJson) as caught:
        read_output(stdout, mode="--grade-run")
    assert caught.value.message.startswith("the output of --grade-run ")
    assert caught.value.kind is Kind.EVALUATOR


@given(st.binary())
def test_noise_is_read_or_refused_by_name(stdout: bytes) -> None:
    try:
        read_output(stdout, mode="--grade-run")
    except OpvalueError as error:
        assert error.code.startswith("contract.output-")  # noqa: PT017 - other exceptions must fail the test
