"""A repository renamed or transferred since: the same one only when the caller says so, on either side, and stated."""

from pathlib import Path

import pytest

from opvalue.errors import OpvalueError
from tests.support.refusals import UNCONFINED, refused, refused_before_running
from tests.support.world import World

OLD = b'"repository": "old-owner/Old.Name"'


@pytest.fixture
def defined_before(tmp_path: Path) -> World:
    """Give a run whose evaluator was written under the former name."""
    world = World(tmp_path)
    world.adopt(world.evaluator.replace(b'"repository": "acme/widgets"', OLD))
    return world


def test_the_archive_is_of_the_former_name(world: World) -> None:
    world.subject["repository"] = "old-owner/Old.Name"
    assert refused_before_running(world).code == "trust.repository-mismatch"
    regraded = world.regrade(runner=UNCONFINED, renamed_from=("OLD-owner/old.name",))
    details = {check.name: check.detail for check in regraded.checks}
    assert details["archive.repository"].startswith("repository recorded as old-owner/Old.Name, a former name")
    assert '"repository": "old-owner/Old.Name"' in regraded.to_json(), "the subject stays as recorded"


def test_the_definition_is_of_the_former_name(defined_before: World) -> None:
    error = refused(defined_before)
    assert (error.code, error.found) == ("regrade.definition-repository", "old-owner/Old.Name")
    assert defined_before.modes == ["--definition"]
    regraded = defined_before.regrade(runner=UNCONFINED, renamed_from=("old-owner/old.name",))
    details = {check.name: check.detail for check in regraded.checks}
    assert "old-owner/Old.Name, a former name" in details["evaluator.definition"]


def test_both_and_several_names(defined_before: World) -> None:
    defined_before.subject["repository"] = "older/name"
    names = ("older/name", "old-owner/old.name", "never/used")
    assert defined_before.regrade(runner=UNCONFINED, renamed_from=names).observation.value == 2 / 3


@pytest.mark.parametrize("name", ["old-owner/other", "other/Old.Name", "ghe.example.com/old-owner/old.name"])
def test_another_name_does_not_help(defined_before: World, name: str) -> None:
    assert refused(defined_before, renamed_from=(name,)).code == "regrade.definition-repository"


@pytest.mark.parametrize("name", ["", "name", "a/b/c/d", "-x/y", "a/.."])
def test_a_name_that_is_none(world: World, name: str) -> None:
    with pytest.raises(OpvalueError) as caught:
        world.regrade(runner=UNCONFINED, renamed_from=(name,))
    assert caught.value.code == "identity.repository"
    assert world.modes == []
