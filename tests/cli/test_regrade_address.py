"""Which run is meant: address, options and surroundings must not contradict each other (AW-06)."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Answer
from tests.support.world import World

AT = "2023-08-25T00:00:00Z"
OURS = "https://github.com/acme/widgets/actions/runs/123456"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Make one repository, in the past of any clock."""
    return World(tmp_path_factory.mktemp("made"), year=2023)


@pytest.fixture
def regrade(made: World, tmp_path: Path, opvalue: Callable[..., Answer]) -> Callable[..., Answer]:
    """Regrade the run that the words name, from the artifact and the checkout at hand."""
    where = ["--artifact", str(made.sharing(tmp_path).artifact()), "--checkout", str(made.repository.path)]

    def call(*words: str) -> Answer:
        return opvalue("regrade", "--evidence-at", AT, "--json", "--no-sandbox", *where, *words)

    return call


@pytest.mark.parametrize(
    "words",
    [
        [OURS],
        [f"{OURS}/attempts/1"],
        [OURS, "--repo", "acme/widgets", "--attempt", "1"],
        [OURS, "-R", "github.com/ACME/Widgets"],
        ["123456", "--repo", "github.com/acme/widgets"],
        ["123456"],
    ],
)
def test_what_agrees_is_regraded(regrade: Callable[..., Answer], words: list[str]) -> None:
    answer = regrade(*words)
    assert answer.status == 0, answer.out
    assert json.loads(answer.out)["results"][0]["value"] == 2 / 3


def test_a_variable_that_makes_no_sense_is_named(
    regrade: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GH_REPO", "widgets")
    answer = regrade("123456")
    assert (answer.status, answer.error["message"]) == (2, "GH_REPO: 'widgets' is not a repository")


def test_another_commit_named_than_the_recorded_one_is_refused(regrade: Callable[..., Answer]) -> None:
    answer = regrade("123456", "--commit", "0" * 40)
    assert (answer.status, answer.error["code"]) == (5, "trust.commit-mismatch")


@pytest.mark.parametrize(
    ("words", "code", "status"),
    [
        ([OURS, "--repo", "acme/gadgets"], "usage", 2),
        ([OURS, "--repo", "ghe.example.com/acme/widgets"], "usage", 2),
        ([f"{OURS}/attempts/2", "--attempt", "1"], "usage", 2),
        ([f"{OURS}/attempts/2"], "trust.attempt-mismatch", 5),
        ([OURS.replace("123456", "123457")], "trust.run-mismatch", 5),
        ([OURS.replace("acme/", "evil/")], "checkout.no-trusted-remote", 5),
        ([OURS.replace("github.com", "ghe.example.com")], "checkout.no-trusted-remote", 5),
    ],
)
def test_what_contradicts_is_refused(regrade: Callable[..., Answer], words: list[str], code: str, status: int) -> None:
    answer = regrade(*words)
    assert (answer.status, answer.error["code"]) == (status, code)


def test_the_address_beats_what_lies_around(regrade: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GH_REPO", "acme/gadgets")
    assert regrade(OURS).status == 0
    assert regrade("123456", "--repo", "acme/widgets").status == 0
    assert regrade("123456").error["code"] == "checkout.no-trusted-remote", "GH_REPO is not passed over in silence"
