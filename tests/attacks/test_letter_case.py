"""GitHub's names know no letter case: every mixture is one repository, on every side. Commits and paths do."""

from pathlib import Path

import pytest

from opvalue.identity import Repository
from tests.support.refusals import UNCONFINED, refused_before_running
from tests.support.world import EVALUATOR_PATH, World

SPELLINGS = [
    ("ACME/widgets", "acme/WIDGETS", "https://GitHub.com/Acme/Widgets", b"aCME/widgets"),
    ("acme/widgets", "Acme/Widgets", "git@github.com:ACME/WIDGETS.git", b"ACME/WIDGETS"),
]


@pytest.mark.parametrize(("recorded", "requested", "remote", "defined"), SPELLINGS)
def test_one_repository(tmp_path: Path, recorded: str, requested: str, remote: str, defined: bytes) -> None:
    world = World(tmp_path)
    world.adopt(world.evaluator.replace(b'"repository": "acme/widgets"', b'"repository": "' + defined + b'"'))
    world.repository("remote", "set-url", "origin", remote)
    world.subject["repository"] = recorded
    regraded = world.regrade(runner=UNCONFINED, repository=Repository.parse(requested))
    assert regraded.observation.value == 2 / 3
    assert f'"repository": "{recorded}"' in regraded.to_json()


def test_a_path_in_another_letter_case_is_another_path(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.grader["run"] = EVALUATOR_PATH.replace("graders", "Graders")
    assert refused_before_running(world).code == "checkout.path-absent"


def test_a_commit_in_capitals_is_no_commit(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.subject["sha"] = world.commit.upper()
    assert refused_before_running(world).code == "trust.commit-unsafe"
