"""Reference 2.2, steps 4 to 7: what is read, what is refused, and in which order."""

import io
from collections.abc import Callable
from typing import Any

import pytest

from opvalue.archive import ArchivedRun, Generation, read_archive
from opvalue.contract import Subject
from opvalue.errors import Kind, OpvalueError
from opvalue.limits import Limits
from tests.archive import samples
from tests.archive.refusals import refused as refused_archive

MANIFEST = f"{samples.FOLDER}/{samples.MANIFEST}"
RESULTS = f"{samples.FOLDER}/{samples.RESULTS}"
EVALUATOR = f"{samples.FOLDER}/{samples.EVALUATOR}"

Refused = Callable[..., OpvalueError]


@pytest.fixture
def refused(tmp_path: Any) -> Refused:
    """Read the good archive with some files changed or, where ``None``, left out; return the refusal."""

    def attempt(changes: dict[str, bytes | None], limits: Limits | None = None) -> OpvalueError:
        contents = {name: data for name, data in (samples.files() | changes).items() if data is not None}
        return refused_archive(samples.artifact(contents), tmp_path, limits)

    return attempt


def with_manifest(**changes: Any) -> dict[str, bytes | None]:
    return {MANIFEST: samples.encoded(samples.manifest(**changes))}


def with_results(**changes: Any) -> dict[str, bytes | None]:
    return {RESULTS: samples.encoded(samples.results(**changes))}


def test_good_archive() -> None:
    archived = samples.read(samples.artifact())
    assert isinstance(archived, ArchivedRun)
    assert archived.generation is Generation.OPERATIONAL_VALUE
    assert archived.layout == "agent/graders"
    assert archived.evaluator == samples.SCRIPT
    assert archived.grader == archived.manifest.graders[1]
    assert archived.result == archived.results.results[1]
    assert archived.observation.value == 0.25
    assert archived.observation.subject == Subject(
        run_id="12345",
        attempt=2,
        repository="acme/widgets",
        workflow="Daily",
        ref="refs/heads/main",
        sha="a" * 40,
        event_name="schedule",
        created_at="2026-08-28T12:00:00Z",
    )


def test_step_4_results_missing(refused: Refused) -> None:
    error = refused({RESULTS: None, EVALUATOR: None, MANIFEST: b"{"})
    assert (error.code, error.kind) == ("archive.results-missing", Kind.ARTIFACT)


def test_step_4_results_too_large(refused: Refused) -> None:
    size = len(samples.files()[RESULTS])
    assert refused({}, Limits(record_bytes=size - 1)).code == "archive.results-too-large"


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"version": 0}', b'{"version": 1, "run": {}, "results": null}'])
def test_step_4_results_malformed(refused: Refused, data: bytes) -> None:
    assert refused({RESULTS: data, EVALUATOR: None}).code == "records.results-malformed"


def test_step_5_evaluator_absent(refused: Refused) -> None:
    error = refused({EVALUATOR: None, MANIFEST: None})
    assert (error.code, error.kind) == ("archive.evaluator-absent", Kind.REFUSED)
    assert "had no operational-value grader" not in error.hint


def test_step_5_evaluator_absent_from_a_run_that_had_none(refused: Refused) -> None:
    document = samples.results()
    del document["results"][1]
    error = refused({EVALUATOR: None, RESULTS: samples.encoded(document)})
    assert error.code == "archive.evaluator-absent"
    assert "had no operational-value grader" in error.hint


def test_step_5_evaluator_size() -> None:
    largest = samples.SCRIPT + b"#" * (65_536 - len(samples.SCRIPT))
    contents = samples.files() | {EVALUATOR: largest}
    limits = Limits(member_ratio=2000)
    assert len(samples.read(samples.artifact(samples.files())).evaluator) == len(samples.SCRIPT)
    assert _read(contents, limits).evaluator == largest


def test_step_5_evaluator_too_large(refused: Refused) -> None:
    script = samples.SCRIPT + b"#" * (65_537 - len(samples.SCRIPT))
    error = refused({EVALUATOR: script, MANIFEST: None}, Limits(member_ratio=2000))
    assert error.code == "archive.evaluator-too-large"
    assert error.expected == "at most 65536 bytes"


def test_step_5_evaluator_not_utf8(refused: Refused) -> None:
    error = refused({EVALUATOR: b"#!/bin/sh\n\xff", MANIFEST: None})
    assert error.code == "archive.evaluator-not-utf8"
    assert error.found == "byte 0xff at 10"


@pytest.mark.parametrize(
    "script",
    [
        b"",
        b"#!/bin/sh\n",
        b"#!/bin/bash",
        b"#!/bin/bash\r\n",
        b"#!/usr/bin/env bash -e\n",
        b"\xef\xbb\xbf#!/bin/bash\n",
        b"\n#!/bin/bash\n",
    ],
)
def test_step_5_evaluator_without_shebang(refused: Refused, script: bytes) -> None:
    assert refused({EVALUATOR: script, MANIFEST: None}).code == "archive.evaluator-no-shebang"


def test_step_5_other_shebang() -> None:
    contents = samples.files() | {EVALUATOR: b"#!/bin/bash\n\xc3\xa9"}
    assert _read(contents).evaluator == b"#!/bin/bash\n\xc3\xa9"


def test_step_6_manifest_missing(refused: Refused) -> None:
    assert refused({MANIFEST: None}).code == "archive.manifest-missing"


def test_step_6_manifest_too_large(refused: Refused) -> None:
    padded = samples.files()[MANIFEST] + b" " * 4000
    size = len(samples.files()[RESULTS])
    assert refused({MANIFEST: padded}, Limits(record_bytes=size)).code == "archive.manifest-too-large"


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"version": -1}', b'{"version": 1, "graders": {}}'])
def test_step_6_manifest_malformed(refused: Refused, data: bytes) -> None:
    assert refused({MANIFEST: data}).code == "records.manifest-malformed"


def _twice(document: dict[str, Any], key: str) -> bytes:
    document[key].append(document[key][1])
    return samples.encoded(document)


def test_step_7_duplicate_graders(refused: Refused) -> None:
    twice = _twice(samples.manifest(), "graders")
    assert refused({MANIFEST: twice, RESULTS: _twice(samples.results(), "results")}).code == "archive.duplicate-graders"


def test_step_7_duplicate_results(refused: Refused) -> None:
    error = refused({RESULTS: _twice(samples.results(), "results")} | with_manifest(enabled=False))
    assert error.code == "archive.duplicate-results"


def test_step_7_grader_absent(refused: Refused) -> None:
    error = refused(with_manifest(id="value"))
    assert (error.code, error.kind) == ("archive.grader-absent", Kind.NOTHING)


def test_step_7_grader_disabled(refused: Refused) -> None:
    assert refused(with_manifest(enabled=False, source="inline")).code == "archive.grader-disabled"


def test_step_7_grader_of_wrong_source(refused: Refused) -> None:
    error = refused(with_manifest(source="inline"))
    assert error.code == "archive.grader-wrong-source"
    assert error.found == "'inline'"


def test_step_7_result_absent(refused: Refused) -> None:
    assert refused(with_results(id="value")).code == "archive.result-absent"


def test_step_7_no_observation(refused: Refused) -> None:
    error = refused(with_results(observation=None, value=None, status="unavailable"))
    assert error.code == "archive.no-observation"
    assert error.found == "status unavailable"


def test_step_7_original_run_failed(refused: Refused) -> None:
    error = refused(with_results(observation=None, value=None, status="error", error="timed out"))
    assert (error.code, error.kind) == ("archive.original-run-failed", Kind.NOTHING)
    assert "ended with an error" in error.message
    assert error.found == "timed out"


def test_one_shot_results_without_an_evaluator(refused: Refused) -> None:
    changes = with_results(observation=None, metrics=[{"id": "a", "value": 1}])
    error = refused(changes | {EVALUATOR: None})
    assert (error.code, error.kind) == ("archive.one-shot-evaluator", Kind.NOTHING)
    assert "grader_results.json" in error.hint


def test_one_shot_evaluator_in_the_workflow_file(refused: Refused) -> None:
    assert refused(with_manifest(inline=".github/workflows/x.md")).code == "archive.one-shot-evaluator"


def test_metrics_of_another_grader_are_no_one_shot_evaluator() -> None:
    document = samples.results()
    document["results"][0]["metrics"] = [{"id": "a", "value": 1}]
    assert _read(samples.files() | {RESULTS: samples.encoded(document)}).observation.value == 0.25


@pytest.mark.parametrize("name", [MANIFEST, RESULTS])
def test_session_contract(refused: Refused, name: str) -> None:
    document = samples.manifest() if name == MANIFEST else samples.results()
    error = refused({name: samples.encoded({"version": 2, "graders": [], "of": document})})
    assert (error.code, error.kind) == ("archive.session-contract", Kind.NOTHING)
    assert error.found is not None
    assert "version 2" in error.found


@pytest.mark.parametrize("name", [MANIFEST, RESULTS])
def test_version_nobody_knows(refused: Refused, name: str) -> None:
    error = refused({name: b'{"version": 3}'})
    assert error.code == "records.version-unsupported"
    assert (error.expected, error.found) == ("version 1", "3")


def _read(contents: dict[str, bytes], limits: Limits | None = None) -> ArchivedRun:
    return read_archive(io.BytesIO(samples.artifact(contents)), limits or Limits())


@pytest.mark.parametrize(
    "changes",
    [
        with_manifest(source="x" * 100_000),
        with_manifest(id="x" * 100_000),
        with_results(id="x" * 100_000),
        with_results(observation=None, value=None, status="x" * 100_000),
        with_results(observation=None, value=None, status="error", error="x" * 100_000),
        {RESULTS: b'{"version": %s}' % (b"9" * 60)},
        {EVALUATOR: b"x" * 60_000},
    ],
)
def test_a_refusal_repeats_no_endless_text(refused: Refused, changes: dict[str, bytes | None]) -> None:
    assert len(refused(changes).diagnostics()) < 1500
