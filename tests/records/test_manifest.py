"""Reading ``grader_manifest.json`` (reference 1.3)."""

import json
from typing import Any

import pytest

from opvalue.records import GraderEntry, Manifest, ManifestMalformed, VersionUnsupported, parse_manifest
from tests.archive import samples

LOOPS = {"id": "loops", "source": "builtin", "enabled": True}


def parse(*graders: Any, version: object = 1) -> Manifest:
    """Read a manifest of these entries."""
    return parse_manifest(json.dumps({"version": version, "graders": list(graders)}).encode())


def test_every_field() -> None:
    manifest = parse_manifest(samples.encoded(samples.manifest()))
    assert manifest.version == 1
    assert [grader.id for grader in manifest.graders] == ["loops", "operational-value"]
    assert manifest.graders[1] == GraderEntry(
        id="operational-value",
        name="Operational Value",
        source="operational-value",
        enabled=True,
        unit="ratio",
        direction="higher_is_better",
        threshold=0.5,
        digest=samples.manifest()["graders"][1]["digest"],
        run=".github/graders/daily-operational-value.sh",
        inline=False,
        config={"days": 7},
    )


@pytest.mark.parametrize("absent", [{}, dict.fromkeys(["name", "unit", "direction", "threshold", "digest", "config"])])
def test_what_was_not_declared(absent: dict[str, None]) -> None:
    (grader,) = parse(LOOPS | absent).graders
    assert grader == GraderEntry(
        id="loops",
        name="loops",
        source="builtin",
        enabled=True,
        unit="",
        direction="higher_is_better",
        threshold=None,
        digest=None,
        run=None,
        inline=False,
        config={},
    )


def test_zero_is_a_threshold() -> None:
    (grader,) = parse(LOOPS | {"threshold": 0}).graders
    assert grader.threshold == 0
    assert grader.threshold is not None


def test_unknown_direction_is_kept() -> None:
    assert parse(LOOPS | {"direction": "sideways"}).graders[0].direction == "sideways"


def test_first_generation_declares_a_function() -> None:
    entry = {"id": "value", "source": "value", "enabled": True, "function": "f.sh", "run": "r.sh"}
    assert parse(entry).graders[0].run == "f.sh"
    assert parse(entry | {"source": "operational-value"}).graders[0].run == "r.sh"


def test_inline() -> None:
    assert parse(LOOPS | {"inline": ".github/workflows/x.md"}).graders[0].inline is True
    assert parse(LOOPS | {"inline": ""}).graders[0].inline is False


def test_duplicates_are_left_to_the_caller() -> None:
    assert len(parse(LOOPS, LOOPS).graders) == 2


def test_second_version() -> None:
    assert parse(LOOPS, version=2).version == 2


@pytest.mark.parametrize("version", [3, 4, 10**40])
def test_unknown_version(version: int) -> None:
    with pytest.raises(VersionUnsupported) as caught:
        parse(version=version)
    assert caught.value.version == version
    assert caught.value.expected == "version 1 or 2"
    assert "grader_manifest.json" in caught.value.message


def test_versions_asked_for() -> None:
    with pytest.raises(VersionUnsupported) as caught:
        parse_manifest(b'{"version": 2}', versions=frozenset({1}))
    assert caught.value.version == 2


@pytest.mark.parametrize("version", [0, -1, 1.0, "1", True, None, []])
def test_version_that_is_none(version: object) -> None:
    with pytest.raises(ManifestMalformed, match="version must be"):
        parse(version=version)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"id": None}, "graders[0].id must be a string"),
        ({"id": " "}, "graders[0].id must be a string that is not blank"),
        ({"id": 1}, "graders[0].id must be a string"),
        ({"source": None}, "graders[0].source must be a string"),
        ({"enabled": None}, "graders[0].enabled must be true or false"),
        ({"enabled": "true"}, "graders[0].enabled must be true or false"),
        ({"enabled": 1}, "graders[0].enabled must be true or false"),
        ({"name": 1}, "graders[0].name must be a string"),
        ({"threshold": "0.5"}, "graders[0].threshold must be a number"),
        ({"threshold": True}, "graders[0].threshold must be a number"),
        ({"config": []}, "graders[0].config must be an object"),
        ({"digest": 5}, "graders[0].digest must be a string"),
        ({"run": {}}, "graders[0].run must be a string"),
    ],
)
def test_field_of_a_wrong_type(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ManifestMalformed) as caught:
        parse(LOOPS | {"source": "inline"} | changes)
    assert caught.value.message == f"grader_manifest.json: {message}"


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"", None),
        (b"[]", "array"),
        (b'{"version": 1}', "absent"),
        (b'{"version": 1, "graders": null}', "null"),
        (b'{"version": 1, "graders": {}}', "object"),
        (b'{"version": 1, "graders": [1]}', "number"),
        (b'{"version": 1, "version": 1, "graders": []}', "'version'"),
        (b'{"version": 1, "graders": [], "x": NaN}', "NaN"),
        (b'{"version": 1, "graders": [], "x": 1e400}', "1e400"),
        (b"\xff", "byte 0xff at 0"),
        (b"\xef\xbb\xbf{}", None),
    ],
)
def test_what_is_no_manifest(data: bytes, found: str | None) -> None:
    with pytest.raises(ManifestMalformed) as caught:
        parse_manifest(data)
    assert found is None or caught.value.found == found
