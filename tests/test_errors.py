import errno
import importlib
import json
import pkgutil
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import opvalue
from opvalue.errors import (
    Interrupted,
    Kind,
    NoSpace,
    OpvalueError,
    OutOfMemory,
    TooManyOpenFiles,
    UsageError,
    every_error_class,
    machine_fault,
    printable,
)
from opvalue.strictjson import dumps, loads


class Example(OpvalueError):
    """A cause made up for these tests."""

    code = "tests.example"
    kind = Kind.REFUSED
    advice = "Look again."


def test_diagnostics_for_a_person() -> None:
    error = Example("two digests differ", expected="aa", found="bb")
    assert error.diagnostics() == (
        "two digests differ [tests.example]\n  expected  aa\n  found     bb\n  do        Look again."
    )
    assert str(error) == "two digests differ"


def test_parts_that_are_not_there_leave_no_line() -> None:
    assert Example("gone", hint="").diagnostics() == "gone [tests.example]"
    assert Example("gone", hint="Fetch it.").diagnostics() == "gone [tests.example]\n  do        Fetch it."
    assert Example("gone", expected="", found="").diagnostics().count("\n") == 3


def test_lines_of_a_text_cannot_pass_for_lines_of_ours() -> None:
    error = Example("failed: a\tb\nOperational Value: 1", expected="x", found="y\n  do        nothing", hint="")
    assert error.diagnostics() == (
        "failed: a    b [tests.example]\n"
        "            Operational Value: 1\n"
        "  expected  x\n"
        "  found     y\n"
        "              do        nothing"
    )


def test_envelope_for_json() -> None:
    assert Example("gone").envelope() == {
        "error": {"kind": "refused", "code": "tests.example", "message": "gone", "hint": "Look again."}
    }
    full = Example("gone", expected="1", found="2", hint="Here.").envelope()["error"]
    assert full == {
        "kind": "refused",
        "code": "tests.example",
        "message": "gone",
        "hint": "Here.",
        "expected": "1",
        "found": "2",
    }


def test_envelope_is_json_whatever_the_text() -> None:
    envelope = Example("a\x1b\ud800\u202e").envelope()
    assert loads(dumps(envelope).encode()) == envelope


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        (Kind.INTERNAL, 1),
        (Kind.USAGE, 2),
        (Kind.NOTHING, 3),
        (Kind.CREDENTIALS, 4),
        (Kind.REFUSED, 5),
        (Kind.ARTIFACT, 6),
        (Kind.EVALUATOR, 7),
        (Kind.NOT_MATURE, 8),
        (Kind.NOT_OBSERVED, 9),
        (Kind.INTERRUPTED, 130),
    ],
)
def test_exit_statuses(kind: Kind, status: int) -> None:
    assert kind.exit_status == status


def test_every_kind_has_a_status_of_its_own() -> None:
    assert len({kind.exit_status for kind in Kind}) == len(Kind)


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("plain — ünï 🏷\tx\ny", "plain — ünï 🏷\tx\ny"),
        ("\x1b[31m", "\\u001b[31m"),
        ("a\rb\x00\x07\x08", "a\\u000db\\u0000\\u0007\\u0008"),
        ("\x7f\x85\x9b31m", "\\u007f\\u0085\\u009b31m"),
        ("\u202egnp.exe\u202c", "\\u202egnp.exe\\u202c"),
        ("\u2066\u2069\u200e\u200f\u061c", "\\u2066\\u2069\\u200e\\u200f\\u061c"),
        ("\u2028\u2029", "\\u2028\\u2029"),
        ("\ud800", "\\ud800"),
    ],
)
def test_printable(text: str, safe: str) -> None:
    assert printable(text) == safe


@pytest.mark.parametrize(
    ("first", "last"),
    [
        *(("\x00", "\x08"), ("\x0b", "\x1f"), ("\x7f", "\x9f"), ("\u061c", "\u061c"), ("\u200e", "\u200f")),
        *(("\u2028", "\u202e"), ("\u2066", "\u2069"), ("\ud800", "\udfff")),
    ],
)
def test_whatever_steers_is_escaped(first: str, last: str) -> None:
    for code in range(ord(first), ord(last) + 1):
        assert printable(chr(code)) == f"\\u{code:04x}"


@given(st.text(st.characters(codec=None)))
def test_printable_text_can_always_be_written(text: str) -> None:
    safe = printable(text)
    assert safe.encode().decode() == safe
    assert printable(safe) == safe
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", safe)


def test_well_known_causes() -> None:
    assert (UsageError.code, UsageError.kind) == ("usage", Kind.USAGE)
    assert (Interrupted.code, Interrupted.kind.exit_status) == ("interrupted", 130)
    assert (OpvalueError.code, OpvalueError.kind) == ("internal", Kind.INTERNAL)


def _all_error_classes() -> list[type[OpvalueError]]:
    for module in pkgutil.walk_packages(opvalue.__path__, "opvalue."):
        if module.name.rpartition(".")[2] != "__main__":
            importlib.import_module(module.name)
    return [cls for cls in every_error_class() if cls.__module__.startswith("opvalue.")]


def test_every_cause_has_a_code_of_its_own_a_docstring_and_advice() -> None:
    classes = _all_error_classes()
    codes = [cls.code for cls in classes]
    assert len(codes) == len(set(codes)), sorted(code for code in codes if codes.count(code) > 1)
    for cls in classes:
        assert re.fullmatch(r"[a-z]+(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)?", cls.code), cls
        assert cls.__doc__, cls
        assert "__doc__" in vars(cls), cls
        assert cls.advice.endswith((".", "?")), cls
        assert isinstance(cls.kind, Kind), cls


def test_listing_skips_classes_without_a_code_of_their_own() -> None:
    class Family(OpvalueError):
        """Only a base."""

    class Member(Family):
        """A cause."""

        code = "tests.member"

    found = list(every_error_class(Family))
    assert found == [Member]
    assert json.dumps([cls.code for cls in found]) == '["tests.member"]'


@pytest.mark.parametrize(
    ("error", "kind", "message"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), NoSpace, "no space left on device"),
        (OSError(errno.EFBIG, "File too large", "/x/y"), NoSpace, "file too large: /x/y"),
        (OSError(errno.EMFILE, "Too many open files", b"x"), TooManyOpenFiles, "too many open files"),
        (OSError(errno.ENOMEM, ""), OutOfMemory, "no more is given"),
        (MemoryError(), OutOfMemory, "out of memory"),
    ],
)
def test_what_the_machine_did_not_give(error: BaseException, kind: type[OpvalueError], message: str) -> None:
    fault = machine_fault(error)
    assert fault is not None
    assert (type(fault), fault.message, fault.kind.exit_status) == (kind, message, 2)


@pytest.mark.parametrize("error", [OSError(errno.ENOENT, "No such file"), OSError("x"), ValueError("x")])
def test_what_is_no_fault_of_the_machine(error: BaseException) -> None:
    assert machine_fault(error) is None
