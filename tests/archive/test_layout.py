"""Where grader files may lie, and which generation they show."""

import pytest

from opvalue.archive import Generation, errors
from opvalue.archive.layout import choose_folder, folders_above, generation_of
from tests.archive import samples
from tests.archive.zips import build

FOLDERS = ["agent/graders", "graders", "tmp/gh-aw/agent/graders", "tmp/gh-aw/graders"]


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_layout_is_read(folder: str) -> None:
    archived = samples.read(samples.artifact(samples.files(folder)))
    assert archived.layout == folder
    assert archived.generation is Generation.OPERATIONAL_VALUE


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_layout_of_the_first_generation_is_read(folder: str) -> None:
    archived = samples.read(samples.artifact(samples.value_files(folder)))
    assert archived.layout == folder
    assert archived.generation is Generation.VALUE
    assert archived.grader.run == ".github/graders/daily-operational-value.sh"
    assert archived.result.id == "value"


def test_generation_words() -> None:
    assert [(g.grader_id, g.source, g.evaluator_file) for g in Generation] == [
        ("value", "value", "value_function.sh"),
        ("operational-value", "operational-value", "operational_value_evaluator.sh"),
    ]


@pytest.mark.parametrize("other", FOLDERS[1:])
@pytest.mark.parametrize("file", [samples.MANIFEST, samples.RESULTS, samples.EVALUATOR, samples.VALUE_EVALUATOR])
def test_two_layouts_at_once(other: str, file: str) -> None:
    contents = samples.files() | {f"{other}/{file}": b"{}"}
    with pytest.raises(errors.TwoLayouts) as caught:
        samples.read(samples.artifact(contents))
    assert caught.value.found == f"agent/graders and {other}"


def test_files_of_the_newer_kind_only() -> None:
    with pytest.raises(errors.SessionContract) as caught:
        samples.read(samples.artifact({"usage/graders/grader_results.json": b"{}"}))
    assert caught.value.found == "usage/graders"


def test_a_mirror_of_the_newer_kind_beside_is_ignored() -> None:
    contents = samples.files() | {"usage/graders/grader_results.json": b"{}"}
    assert samples.read(samples.artifact(contents)).layout == "agent/graders"


def test_no_grader_files() -> None:
    with pytest.raises(errors.NoGraderData):
        samples.read(samples.artifact({"agent/log.txt": b"", "grader_results.json": b"{}", "agent/graders": b""}))
    with pytest.raises(errors.NoGraderData):
        choose_folder(frozenset())


def test_two_generations_at_once() -> None:
    contents = samples.files() | {f"{samples.FOLDER}/{samples.VALUE_EVALUATOR}": samples.SCRIPT}
    with pytest.raises(errors.TwoGenerations):
        samples.read(build(samples.items(contents)))


def test_no_generation_without_an_evaluator() -> None:
    assert generation_of({f"graders/{samples.MANIFEST}"}, "graders") is None


def test_folders_above() -> None:
    assert folders_above("a/b/c") == ("a", "a/b")
    assert folders_above("c") == ()
