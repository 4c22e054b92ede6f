"""Reference 2.2, steps 4 to 8: each refusal by its code, the artifact untouched, no evaluator process started."""

import os
from collections.abc import Callable

import pytest

from opvalue.archive.errors import ArtifactUnreadable, FileNotRegular
from opvalue.identity import RunRef
from opvalue.limits import KIB, MIB
from tests.regrade.changes import (
    SHEBANG,
    Change,
    Row,
    grader,
    ids,
    member,
    observation,
    result,
    run,
    subject,
    text_of,
    without,
)
from tests.support.refusals import UNCONFINED, refused_before_running
from tests.support.world import EVALUATOR, FOLDER, MANIFEST, RESULTS, WORKFLOW_PATH, World

STEP_5: list[Row] = [
    ("absent", member(EVALUATOR, None), "archive.evaluator-absent"),
    ("one byte too large", member(EVALUATOR, SHEBANG.ljust(64 * KIB + 1, b"#")), "archive.evaluator-too-large"),
    ("not UTF-8", member(EVALUATOR, SHEBANG + b"echo \xff\n"), "archive.evaluator-not-utf8"),
    ("empty", member(EVALUATOR, b""), "archive.evaluator-no-shebang"),
    ("no shebang", member(EVALUATOR, b"echo 1\n"), "archive.evaluator-no-shebang"),
    ("another shell", member(EVALUATOR, b"#!/bin/sh\necho 1\n"), "archive.evaluator-no-shebang"),
    ("shebang with an option", member(EVALUATOR, b"#!/bin/bash -e\n"), "archive.evaluator-no-shebang"),
    ("shebang with a blank", member(EVALUATOR, b"#! /bin/bash\n"), "archive.evaluator-no-shebang"),
    ("shebang with a carriage return", member(EVALUATOR, b"#!/bin/bash\r\n"), "archive.evaluator-no-shebang"),
    ("shebang without line feed", member(EVALUATOR, b"#!/bin/bash"), "archive.evaluator-no-shebang"),
    ("byte order mark", member(EVALUATOR, b"\xef\xbb\xbf" + SHEBANG), "archive.evaluator-no-shebang"),
]


@pytest.mark.parametrize(("change", "code"), ids(STEP_5))
@pytest.mark.parametrize("layout", ["zip", "folder"])
def test_step_5_the_archived_evaluator(world: World, change: Change, code: str, layout: str) -> None:
    change(world)
    artifact = world.unpacked() if layout == "folder" else None
    assert refused_before_running(world, artifact=artifact).code == code


def test_step_5_a_link(world: World) -> None:
    artifact = world.unpacked()
    script = artifact / FOLDER / EVALUATOR
    script.rename(world.root / "elsewhere.sh")
    script.symlink_to(world.root / "elsewhere.sh")
    assert refused_before_running(world, artifact=artifact).code == "archive.symbolic-link"


def test_step_5_a_folder(world: World) -> None:
    artifact = world.unpacked()
    (artifact / FOLDER / EVALUATOR).unlink()
    (artifact / FOLDER / EVALUATOR).mkdir()
    assert refused_before_running(world, artifact=artifact).code == "archive.not-regular"


def test_step_5_a_pipe(world: World) -> None:
    artifact = world.unpacked()
    (artifact / FOLDER / EVALUATOR).unlink()
    os.mkfifo(artifact / FOLDER / EVALUATOR)
    # A pipe has no content to digest before and after.
    with pytest.raises(FileNotRegular):
        world.regrade(runner=UNCONFINED, artifact=artifact)
    assert world.modes == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
@pytest.mark.parametrize("name", [EVALUATOR, MANIFEST, RESULTS])
def test_steps_4_to_6_no_permission(world: World, name: str) -> None:
    artifact = world.unpacked()
    (artifact / FOLDER / name).chmod(0)
    with pytest.raises(ArtifactUnreadable):
        world.regrade(runner=UNCONFINED, artifact=artifact)
    assert world.modes == []


def test_step_5_unreadable_in_the_zip(world: World) -> None:
    artifact = world.artifact()
    data = artifact.read_bytes()
    at = data.index(EVALUATOR.encode()) + len(EVALUATOR)
    artifact.write_bytes(data[:at] + b"\xff" * 64 + data[at + 64 :])
    assert refused_before_running(world, artifact=artifact).code == "archive.corrupt-member"


RECORDS: list[tuple[str, Callable[[bytes], bytes], str]] = [
    ("empty", lambda _: b"", "malformed"),
    ("noise", lambda _: bytes(range(256)), "malformed"),
    ("cut", lambda data: data[:-5], "malformed"),
    ("not an object", lambda _: b"[]", "malformed"),
    ("byte order mark", lambda data: b"\xef\xbb\xbf" + data, "malformed"),
    ("UTF-16", lambda data: data.decode().encode("utf-16"), "malformed"),
    ("duplicate key", lambda data: data.replace(b'"version": 1,', b'"version": 1, "version": 1,', 1), "malformed"),
    ("NaN", lambda data: data.replace(b'"version": 1', b'"extra": NaN, "version": 1', 1), "malformed"),
    ("deep", lambda _: b'{"version":' + b"[" * 100_000 + b"]" * 100_000 + b"}", "malformed"),
    ("no version", lambda data: data.replace(b'"version": 1,', b"", 1), "malformed"),
    ("version 0", lambda data: data.replace(b'"version": 1', b'"version": 0', 1), "malformed"),
    ("version -1", lambda data: data.replace(b'"version": 1', b'"version": -1', 1), "malformed"),
    ("version as text", lambda data: data.replace(b'"version": 1', b'"version": "1"', 1), "malformed"),
    ("two documents", lambda data: data + b"{}", "malformed"),
]


@pytest.mark.parametrize(("change", "code"), ids(RECORDS))
@pytest.mark.parametrize(("name", "room"), [(MANIFEST, "records.manifest"), (RESULTS, "records.results")])
def test_step_6_and_the_results_unreadable(
    world: World, name: str, room: str, change: Callable[[bytes], bytes], code: str
) -> None:
    text_of(name, change)(world)
    assert refused_before_running(world).code == f"{room}-{code}"


STEP_6: list[Row] = [
    ("no manifest", member(MANIFEST, None), "archive.manifest-missing"),
    ("no results", member(RESULTS, None), "archive.results-missing"),
    ("manifest too large", member(MANIFEST, os.urandom(64) * (10 * MIB // 64 + 1)), "archive.manifest-too-large"),
    ("results too large", member(RESULTS, os.urandom(64) * (10 * MIB // 64 + 1)), "archive.results-too-large"),
    ("unknown version", lambda world: world.manifest.update(version=3), "records.version-unsupported"),
    ("unknown results version", lambda world: world.results.update(version=3), "records.version-unsupported"),
    ("session manifest", lambda world: world.manifest.update(version=2), "archive.session-contract"),
    ("session results", lambda world: world.results.update(version=2), "archive.session-contract"),
    ("no list of graders", lambda world: world.manifest.update(graders=None), "records.manifest-malformed"),
    ("no list of results", lambda world: world.results.update(results=None), "records.results-malformed"),
    ("grader is text", lambda world: world.manifest.update(graders=["x"]), "records.manifest-malformed"),
    ("threshold is text", grader(threshold="0.6"), "records.manifest-malformed"),
    ("threshold is a boolean", grader(threshold=True), "records.manifest-malformed"),
    ("config is a list", grader(config=[]), "records.manifest-malformed"),
    ("run is a number", grader(run=1), "records.manifest-malformed"),
    ("subject is text", observation(subject="x"), "records.results-malformed"),
    ("run id is a number", subject(runId=123456), "records.results-malformed"),
]


@pytest.mark.parametrize(("change", "code"), ids(STEP_6))
def test_step_6_the_records(world: World, change: Change, code: str) -> None:
    change(world)
    assert refused_before_running(world).code == code


STEP_7: list[Row] = [
    ("no grader files", lambda world: world.members.update({MANIFEST: None, RESULTS: None, EVALUATOR: None, "x": b""})
     , "archive.no-grader-data"),
    ("no graders", lambda world: world.manifest.update(graders=[]), "archive.grader-absent"),
    ("another grader only", grader(id="loops"), "archive.grader-absent"),
    ("grader twice", lambda world: world.manifest["graders"].append(world.grader), "archive.duplicate-graders"),
    ("result twice", lambda world: world.results["results"].append(world.result), "archive.duplicate-results"),
    ("disabled", grader(enabled=False), "archive.grader-disabled"),
    ("wrong source", grader(source="builtin"), "archive.grader-wrong-source"),
    ("source of the first generation", grader(source="value"), "archive.grader-wrong-source"),
    ("no results", lambda world: world.results.update(results=[]), "archive.result-absent"),
    ("another result only", result(id="loops"), "archive.result-absent"),
    ("no observation", without(lambda world: world.result, "observation"), "archive.no-observation"),
    ("null observation", result(observation=None), "archive.no-observation"),
    ("original run failed", result(status="error", observation=None, value=None), "archive.original-run-failed"),
    ("one-shot metrics", result(metrics=[], observation=None), "archive.one-shot-evaluator"),
    ("inline evaluator", grader(inline=WORKFLOW_PATH), "archive.one-shot-evaluator"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "code"), ids(STEP_7))
def test_step_7_the_grader(world: World, change: Change, code: str) -> None:
    change(world)
    assert refused_before_running(world).code == code


STEP_8: list[Row] = [
    ("run of another id", run(id="123457"), "trust.run-mismatch"),
    ("run without id", run(id=""), "trust.run-mismatch"),
    ("run id with a zero in front", run(id="0123456"), "trust.run-mismatch"),
    ("attempt 0", run(attempt=0), "trust.attempt-mismatch"),
    ("attempt -1", run(attempt=-1), "trust.attempt-mismatch"),
    ("no manifest digest", without(lambda world: world.grader, "digest"), "trust.digest-missing"),
    ("empty manifest digest", grader(digest=""), "trust.digest-missing"),
    ("no result digest", result(implementation={}), "trust.digest-missing"),
    ("no implementation", without(lambda world: world.result, "implementation"), "trust.digest-missing"),
    ("neither digest", lambda w: (w.grader.pop("digest"), w.result.pop("implementation")), "trust.digest-missing"),
    ("digest in capitals", lambda w: w.grader.update(digest=w.grader["digest"].upper()), "trust.digest-missing"),
    ("digest with a prefix", lambda w: w.grader.update(digest="sha256:" + w.grader["digest"]), "trust.digest-missing"),
    ("digest cut", lambda w: w.grader.update(digest=w.grader["digest"][:63]), "trust.digest-missing"),
    ("records differ", grader(digest="0" * 64), "trust.digest-records-differ"),
    ("evaluator differs", member(EVALUATOR, SHEBANG + b"echo 1\n"), "trust.digest-mismatch"),
    ("subject of another type", subject(type="issue"), "trust.subject-mismatch"),
    ("subject of another run", subject(runId="123457"), "trust.subject-mismatch"),
    ("subject of another attempt", subject(attempt=2), "trust.subject-mismatch"),
    ("subject without repository", subject(repository=""), "trust.repository-mismatch"),
    ("subject of another repository", subject(repository="acme/gadgets"), "trust.repository-mismatch"),
    ("subject of another owner", subject(repository="evil/widgets"), "trust.repository-mismatch"),
    ("subject of another host", subject(repository="ghe.example.com/acme/widgets"), "trust.repository-mismatch"),
    ("no case", without(lambda world: world.observation, "case"), "trust.case-missing"),
    ("null case", observation(case=None), "trust.case-missing"),
    ("case is a list", observation(case=[]), "trust.case-missing"),
    ("empty creation time", subject(createdAt=""), "trust.time-malformed"),
    ("creation time without zone", subject(createdAt="2026-08-20T10:00:00"), "trust.time-malformed"),
    ("maturity is a date", observation(maturesAt="2026-09-03"), "trust.time-malformed"),
]


@pytest.mark.parametrize(("change", "code"), ids(STEP_8))
def test_step_8_identity(world: World, change: Change, code: str) -> None:
    change(world)
    assert refused_before_running(world).code == code


def test_step_8_only_carriage_returns_differ(world: World) -> None:
    world.members[EVALUATOR] = world.evaluator.replace(b"\n", b"\r\n").replace(SHEBANG[:-1] + b"\r\n", SHEBANG)
    error = refused_before_running(world)
    assert error.code == "trust.digest-mismatch"
    assert "only by carriage returns" in error.message


@pytest.mark.parametrize(
    ("requested", "code"),
    [(RunRef("99"), "trust.run-mismatch"), (RunRef("123456", attempt=2), "trust.attempt-mismatch")],
)
def test_step_8_another_run_or_attempt_was_asked_for(world: World, requested: RunRef, code: str) -> None:
    assert refused_before_running(world, run=requested).code == code
