"""The data-only manifest of a conclusion."""

import json
from typing import Any

import pytest

from opvalue.conclusion.errors import ManifestExecutable, ManifestUnusable
from opvalue.conclusion.manifest import read_manifest
from opvalue.errors import OpvalueError
from opvalue.graders.configuration import Source, configure, defaults
from opvalue.graders.results import manifest_document
from opvalue.strictjson import dumps

LOOPS = {"id": "loops", "name": "Loops", "source": "builtin", "enabled": True}
OWN = {"id": "my-own", "name": "Mine", "source": "inline", "enabled": True, "digest": "a" * 64}
VALUE = {"id": "operational-value", "name": "Value", "source": "operational-value", "enabled": False}


def read(*graders: Any, **others: Any) -> Any:
    return read_manifest(json.dumps({"version": 2, "graders": list(graders), **others}).encode())


def test_what_is_compiled_is_read_back() -> None:
    for value in (None, {"loops": {"enabled": False}, "recurrence-rate": {}, "tool-success-rate": {"threshold": 0.95}}):
        configuration = configure(value)  # type: ignore[arg-type]
        assert read_manifest(dumps(manifest_document(configuration)).encode()) == configuration
    assert read_manifest(dumps(manifest_document(defaults())).encode()) == defaults()


def test_custom_graders_without_their_code() -> None:
    configuration = configure({"my-own": {"script": "return 1", "threshold": 2, "config": {"a": 1}}})
    found = read_manifest(dumps(manifest_document(configuration)).encode())
    entry = found.find("my-own")
    assert entry is not None
    assert (entry.source, entry.script, entry.run, entry.threshold) == (Source.INLINE, None, None, 2)
    assert entry.config == {"a": 1}
    assert manifest_document(found) == manifest_document(configuration)


def test_it_is_complete() -> None:
    assert [entry.id for entry in read(LOOPS).entries] == ["loops"]
    assert read().entries == ()


def test_registering_alone() -> None:
    found = read(VALUE, OWN, LOOPS)
    assert [(one.id, one.enabled, one.digest) for one in found.entries] == [
        ("loops", True, None),
        ("my-own", True, "a" * 64),
        ("operational-value", False, None),
    ]


@pytest.mark.parametrize("word", ["script", "run", "inline", "function", "code", "evaluator", "source_code"])
@pytest.mark.parametrize(
    "grader", [LOOPS, OWN, VALUE, {**OWN, "enabled": False}], ids=["built-in", "own", "value", "off"]
)
def test_code_refuses_it(grader: Any, word: str) -> None:
    for value in ("return 1", "", None):
        with pytest.raises(ManifestExecutable) as refused:
            read({**grader, word: value})
        assert refused.value.code == "conclusion.manifest-executable"


def test_code_beside_the_graders_refuses_it() -> None:
    with pytest.raises(ManifestExecutable):
        read(LOOPS, script="return 1")


@pytest.mark.parametrize(
    "grader",
    [
        {**LOOPS, "more": 1},
        {**LOOPS, "source": "inline"},
        {**OWN, "source": "builtin"},
        {**OWN, "source": "operational-value"},
        {**VALUE, "source": "inline"},
        {**OWN, "digest": "A" * 64},
        {**OWN, "digest": "short"},
        {**OWN, "id": " my-own"},
    ],
)
def test_what_does_not_fit(grader: Any) -> None:
    with pytest.raises(ManifestUnusable):
        read(grader)


@pytest.mark.parametrize(
    ("grader", "expected", "found"),
    [
        ({**LOOPS, "source": "inline"}, "builtin", "inline"),
        ({**OWN, "digest": "short"}, "64 lower-case hexadecimal characters", None),
        ({**OWN, "id": " my-own"}, "an id without spaces", None),
    ],
)
def test_what_was_expected_and_found(grader: Any, expected: str, found: str | None) -> None:
    with pytest.raises(ManifestUnusable) as caught:
        read(grader)
    assert (caught.value.expected, caught.value.found) == (expected, found)


def test_one_grader_twice() -> None:
    with pytest.raises(ManifestUnusable, match="loops more than once"):
        read(LOOPS, LOOPS)


def test_other_fields_of_the_document() -> None:
    with pytest.raises(ManifestUnusable):
        read(LOOPS, more=1)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"{}",
        b'{"version":1,"graders":[]}',
        b'{"version":3,"graders":[]}',
        b'{"version":2,"graders":{}}',
        b'{"version":2,"graders":[5]}',
        b'{"version":2,"graders":[],"graders":[]}',
        b'{"version":2,"graders":[{"id":"BAD","source":"inline","enabled":true}]}',
        b'{"version":2,"graders":[{"id":"loops","source":"builtin","enabled":true,"min":5,"max":1}]}',
        b'{"version":2,"graders":[{"id":"loops","source":"builtin","enabled":true,"direction":"up"}]}',
        b'{"version":2,"graders":[{"id":"loops","source":"builtin","enabled":true,"threshold":NaN}]}',
        b'{"version":2,"graders":[{"id":"loops","source":"builtin","enabled":true,"unit":5}]}',
    ],
)
def test_what_is_no_manifest(data: bytes) -> None:
    with pytest.raises(OpvalueError):
        read_manifest(data)
