"""Reading ``grader_results.json`` (reference 1.4)."""

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opvalue.contract import Subject
from opvalue.errors import OpvalueError
from opvalue.records import (
    ArchivedObservation,
    ResultEntry,
    Results,
    ResultsMalformed,
    VersionUnsupported,
    parse_manifest,
    parse_results,
)
from tests.archive import samples

REMOVED = object()


def changed(path: str, value: object) -> bytes:
    """The results with one field, such as ``results.1.value``, changed or removed."""
    document = deepcopy(samples.results())
    *parents, last = path.split(".")
    place: Any = document
    for parent in parents:
        place = place[int(parent)] if parent.isdigit() else place[parent]
    if value is REMOVED:
        del place[last]
    else:
        place[last] = value
    return samples.encoded(document)


def test_every_field() -> None:
    results = parse_results(samples.encoded(samples.results()))
    assert (results.version, results.run_id, results.attempt) == (1, "12345", 2)
    assert results.results[0] == ResultEntry("loops", "Loops", 0, "pass", "builtin", None, False, None)
    assert results.results[1] == ResultEntry(
        id="operational-value",
        name="Operational Value",
        value=0.25,
        status="pass",
        source="operational-value",
        implementation_digest=samples.results()["results"][1]["implementation"]["digest"],
        has_metrics=False,
        observation=ArchivedObservation(
            subject_type="workflow-run",
            subject=Subject(
                run_id="12345",
                attempt=2,
                repository="acme/widgets",
                workflow="Daily",
                ref="refs/heads/main",
                sha="a" * 40,
                event_name="schedule",
                created_at="2026-08-28T12:00:00Z",
            ),
            opportunity_key="issue:42",
            evidence_at="2026-08-28T12:30:00.000Z",
            evidence_cutoff="2026-08-28T12:30:00Z",
            matures_at="2026-08-30T12:00:00Z",
            mature=False,
            case={"issue": 42},
            value=0.25,
        ),
    )


def test_null_zero_and_error_stay_apart() -> None:
    for value in (None, 0, 0.0, -1, 17):
        (_, result) = parse_results(changed("results.1.value", value)).results
        assert result.value == value
        assert (result.value is None) is (value is None)
        assert result.observation is not None
        assert result.observation.value == value


@pytest.mark.parametrize("path", ["name", "source", "value", "implementation", "observation", "metrics", "error"])
@pytest.mark.parametrize("value", [REMOVED, None])
def test_optional_fields(path: str, value: object) -> None:
    present = path not in {"metrics", "error"}
    data = changed(f"results.1.{path}", value) if present or value is None else samples.encoded(samples.results())
    (_, result) = parse_results(data).results
    expected = {"name": "operational-value", "source": "", "implementation": None, "metrics": False}
    attribute = {"implementation": "implementation_digest", "metrics": "has_metrics"}.get(path, path)
    assert getattr(result, attribute) == expected.get(path)


def test_metrics_and_error() -> None:
    (_, result) = parse_results(changed("results.1.metrics", [])).results
    assert result.has_metrics is True
    (_, result) = parse_results(changed("results.1.error", "timed out")).results
    assert result.error == "timed out"


@pytest.mark.parametrize("value", [REMOVED, None])
def test_creation_time_may_be_unknown(value: object) -> None:
    (_, result) = parse_results(changed("results.1.observation.subject.createdAt", value)).results
    assert result.observation is not None
    assert result.observation.subject.created_at is None


@pytest.mark.parametrize("case", [REMOVED, None, [], "x", {}])
def test_case_is_kept_as_it_is(case: object) -> None:
    (_, result) = parse_results(changed("results.1.observation.case", case)).results
    assert result.observation is not None
    assert result.observation.case == (None if case is REMOVED else case)


@pytest.mark.parametrize(
    ("path", "value", "expected", "found"),
    [
        ("run", REMOVED, "an object", "absent"),
        ("run", [], "an object", "array"),
        ("run.id", 12345, "a string", "number"),
        ("run.attempt", "2", "an integer", "string"),
        ("run.attempt", 2.0, "an integer", "number"),
        ("run.attempt", True, "an integer", "boolean"),
        ("results", None, "an array", "null"),
        ("results", [[]], "an object", "array"),
        ("results.1.id", "", "a string that is not blank", "''"),
        ("results.1.value", "0.25", "a number", "string"),
        ("results.1.value", True, "a number", "boolean"),
        ("results.1.status", REMOVED, "a string", "absent"),
        ("results.1.implementation", "x", "an object", "string"),
        ("results.1.implementation.digest", 1, "a string", "number"),
        ("results.1.observation", [], "an object", "array"),
        ("results.1.observation.subject", REMOVED, "an object", "absent"),
        ("results.1.observation.mature", None, "true or false", "null"),
        ("results.1.observation.maturesAt", 0, "a string", "number"),
        ("results.1.observation.evidenceAt", REMOVED, "a string", "absent"),
        ("results.1.observation.subject.sha", None, "a string", "null"),
        ("results.1.observation.subject.runId", 12345, "a string", "number"),
        ("results.1.observation.subject.createdAt", 5, "a string", "number"),
    ],
)
def test_field_of_a_wrong_type(path: str, value: object, expected: str, found: str) -> None:
    with pytest.raises(ResultsMalformed) as caught:
        parse_results(changed(path, value))
    assert (caught.value.expected, caught.value.found) == (expected, found)
    assert caught.value.code == "records.results-malformed"


def test_message_names_the_place() -> None:
    with pytest.raises(ResultsMalformed) as caught:
        parse_results(changed("results.1.observation.subject.sha", None))
    assert caught.value.message == ("grader_results.json: results[1].observation.subject.sha must be a string")


def test_versions() -> None:
    assert parse_results(changed("version", 2)).version == 2
    with pytest.raises(VersionUnsupported) as caught:
        parse_results(b'{"version": 7}')
    assert (caught.value.version, caught.value.found) == (7, "7")
    with pytest.raises(ResultsMalformed):
        parse_results(b'{"version": 0}')


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats(0, 1) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
PATHS = ["version", "run", "run.id", "results", "results.1", "results.1.observation", "results.1.observation.subject"]


@given(st.sampled_from(PATHS), JSON)
def test_any_value_anywhere_is_read_or_refused(path: str, value: object) -> None:
    try:
        results = parse_results(changed_at(path, value))
    except OpvalueError as error:
        assert error.code.startswith("records.")  # noqa: PT017 - either outcome is right
    else:
        assert isinstance(results, Results)


def changed_at(path: str, value: object) -> bytes:
    """As ``changed``, for paths that end in a list index too."""
    if path != "results.1":
        return changed(path, value)
    document = samples.results()
    document["results"][1] = value
    return samples.encoded(document)


@given(st.binary(max_size=100))
def test_noise_is_refused(noise: bytes) -> None:
    for parse in (parse_results, parse_manifest):
        with pytest.raises(OpvalueError) as caught:
            parse(noise)
        assert caught.value.code.startswith("records.")
