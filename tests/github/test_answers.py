import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opvalue.errors import Kind
from opvalue.github import answers, errors
from opvalue.identity import Instant
from tests.sim import Sim
from tests.sim import answers as documents

ROOT = "https://api.github.com"
SIM = Sim()
RUN = SIM.run(SIM.repository(number=42))
SIM.artifact(RUN, content=b"PK")


def run_document() -> dict[str, Any]:
    return documents.workflow_run(ROOT, RUN)


def artifact_document() -> dict[str, Any]:
    return documents.artifact(ROOT, RUN, RUN.artifacts[0])


def read_run(change: dict[str, Any]) -> object:
    return answers.run(json.dumps({**run_document(), **change}).encode())


def read_artifacts(change: dict[str, Any]) -> answers.ArtifactPage:
    page = {"total_count": 1, "artifacts": [{**artifact_document(), **change}]}
    return answers.artifact_page(json.dumps(page).encode(), run_id="123")


READERS: list[Callable[[bytes], object]] = [
    answers.repository,
    answers.run,
    answers.run_page,
    lambda body: answers.artifact_page(body, run_id="123"),
]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (b"", "EOF while parsing a value"),
        (b"<!DOCTYPE html><title>Proxy login</title>", "a web page"),
        (b"\n <html>", "a web page"),
        (b'{"id": 1', "EOF while parsing an object"),
        (b"\xff\xfe{}", "expected value"),
        (b"[" * 100_000, "recursion limit"),
        (b"{}{}", "trailing characters"),
    ],
)
@pytest.mark.parametrize("read", READERS)
def test_what_is_not_json_is_refused(read: Callable[[bytes], object], body: bytes, found: str) -> None:
    with pytest.raises(errors.AnswerMalformed, match="is not JSON") as refused:
        read(body)
    assert (refused.value.code, refused.value.kind) == ("github.answer-malformed", Kind.NOT_OBSERVED)
    assert refused.value.expected == "one JSON object"
    assert found in (refused.value.found or "")


@pytest.mark.parametrize("body", [b"[]", b"null", b"1", b'"x"', b"{}", b'{"id": NaN}'])
@pytest.mark.parametrize("read", READERS)
def test_json_of_another_shape_is_refused(read: Callable[[bytes], object], body: bytes) -> None:
    with pytest.raises(errors.AnswerMalformed, match="has another shape"):
        read(body)


@pytest.mark.parametrize(
    "change",
    [
        {"id": "123"},
        {"id": 0},
        {"id": -1},
        {"id": True},
        {"id": 123.0},
        {"head_sha": "abc"},
        {"head_sha": None},
        {"head_sha": "A" * 40},
        {"created_at": None},
        {"created_at": "2026-08-23"},
        {"created_at": "2026-08-23T11:58:00"},
        {"created_at": 1},
        {"run_started_at": "soon"},
        {"run_attempt": 0},
        {"run_attempt": None},
        {"event": None},
        {"status": 1},
        {"path": None},
        {"workflow_id": "700"},
        {"repository": None},
        {"repository": {"id": 42}},
        {"repository": {"id": 42, "full_name": "widgets"}},
        {"repository": {"id": 42, "full_name": "acme/widgets/more"}},
        {"head_repository": []},
        {"pull_requests": [{"number": "7"}]},
        {"pull_requests": {}},
        {"referenced_workflows": [{"sha": "a"}]},
    ],
)
def test_a_run_of_another_shape_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(errors.AnswerMalformed, match="the run that the API answered has another shape") as refused:
        read_run(change)
    assert next(iter(change)) in (refused.value.found or "")


@pytest.mark.parametrize("field", ["id", "head_sha", "event", "status", "conclusion", "repository", "head_repository"])
def test_a_run_without_a_field_is_refused(field: str) -> None:
    document = run_document()
    del document[field]
    with pytest.raises(errors.AnswerMalformed, match="another shape"):
        answers.run(json.dumps(document).encode())


def test_a_run_may_say_null_where_github_does() -> None:
    facts = answers.run(
        json.dumps({**run_document(), "status": None, "pull_requests": None, "referenced_workflows": None}).encode()
    )
    assert (facts.status, facts.pull_requests, facts.called_workflows) == ("unknown", (), ())


def test_times_with_an_offset_are_the_same_times() -> None:
    facts = answers.run(json.dumps({**run_document(), "created_at": "2026-08-23T13:58:00+02:00"}).encode())
    assert facts.created_at == Instant.parse("2026-08-23T11:58:00Z")


@pytest.mark.parametrize(
    "change",
    [
        {"id": None},
        {"name": None},
        {"size_in_bytes": -1},
        {"size_in_bytes": "12"},
        {"expired": "false"},
        {"expired": 0},
        {"expired": None},
        {"expires_at": "never"},
        {"digest": 7},
        {"workflow_run": "123"},
    ],
)
def test_an_artifact_of_another_shape_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(errors.AnswerMalformed, match="listing of artifacts that the API answered has another shape"):
        read_artifacts(change)


def test_an_artifact_of_another_run_is_refused() -> None:
    with pytest.raises(errors.AnswerMalformed) as refused:
        read_artifacts({"workflow_run": {"id": 124}})
    assert (refused.value.expected, refused.value.found) == ("run 123", "run 124")


@pytest.mark.parametrize("run", [None, {}, {"id": None}, {"id": 123}])
def test_an_artifact_may_leave_its_run_unsaid(run: object) -> None:
    assert read_artifacts({"workflow_run": run}).items[0].head_sha is None


@pytest.mark.parametrize("digest", [None, ""])
def test_no_digest_is_none(digest: str | None) -> None:
    assert read_artifacts({"digest": digest}).items[0].digest is None


def test_a_digest_is_kept_as_it_is_spelled() -> None:
    assert read_artifacts({"digest": "MD5:x"}).items[0].digest == "MD5:x"


def test_findings_do_not_show_values() -> None:
    with pytest.raises(errors.AnswerMalformed) as refused:
        read_run({"head_sha": "secret-value"})
    assert "secret-value" not in refused.value.diagnostics()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(field=st.sampled_from(sorted(run_document())), value=JSON)
def test_a_changed_run_is_read_or_refused_with_our_code(field: str, value: object) -> None:
    with suppress(errors.AnswerMalformed):
        read_run({field: value})


@given(field=st.sampled_from(sorted(artifact_document())), value=JSON)
def test_a_changed_artifact_is_read_or_refused_with_our_code(field: str, value: object) -> None:
    with suppress(errors.AnswerMalformed):
        read_artifacts({field: value})


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused_with_our_code(body: bytes) -> None:
    for read in READERS:
        with pytest.raises(errors.AnswerMalformed):
            read(body)
