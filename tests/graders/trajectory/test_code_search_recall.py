from typing import Any

import pytest

from opvalue.graders.trajectory import Projection
from opvalue.graders.trajectory.code_search_recall import measure
from tests.graders.trajectory.samples import BOUND, changed, check_bound, made


def looked(files: Any, *resources: Any) -> Projection:
    return made(resources=resources, reference={"patch": {"files": files}})


def file(uri: Any, kind: str = "file") -> dict[str, Any]:
    return {"kind": kind, "uri": uri}


def test_files_only_and_by_their_cleaned_path() -> None:
    projection = looked(["pkg/a.go", "pkg/b.go"], file("./pkg/a.go"), file("pkg/b.go", "url"))
    assert measure(projection, {}).value == 0.5


def test_distinct_reference_files() -> None:
    assert measure(looked(["a", " ./a ", "//a", "b"], file("/a"), file("a")), {}).value == 0.5


def test_only_one_leading_dot_is_dropped() -> None:
    assert measure(looked(["././a"], file("./a")), {}).value == 0
    assert measure(looked(["././a"], file("././a")), {}).value == 1


@pytest.mark.parametrize(
    ("projection", "reason"),
    [
        (looked([]), "the reference has no files"),
        (looked("a"), "the reference has no files"),
        (made(resources=()), "the reference has no files"),
        (made(resources=(), reference={"patch": []}), "the reference has no files"),
        (looked(["a", " "]), "the path of a file is blank or malformed"),
        (looked(["a", "./"]), "the path of a file is blank or malformed"),
        (looked([1]), "the path of a file is blank or malformed"),
        (looked(["a"], file(None)), "the path of a file is blank or malformed"),
        (looked(["a"], "a"), "an item of resources is malformed"),
        (changed(looked(["a"]), resources=None), "the session records no resources"),
    ],
)
def test_unavailable(projection: Projection, reason: str) -> None:
    assert measure(projection, {}) == (None, reason)


def test_bound() -> None:
    check_bound(measure, looked(["a"], *([file("a")] * BOUND)), "resources", 1)
    crowded = looked(["a"] * (BOUND + 1), file("a"))
    assert measure(crowded, {}).message == "reference.patch.files holds more than 5,000 items"
