"""The stand-in and the real gh, each before a world that tests only read."""

from collections.abc import Iterator

import pytest

from tests.evidence.gh.compare import files
from tests.evidence.gh.laid import RealGh, StandInHere, real_gh, standing_in
from tests.evidence.gh.world import world


@pytest.fixture(scope="module")
def gh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StandInHere]:
    """The stand-in as an evaluator meets it."""
    with standing_in(world(), tmp_path_factory.mktemp("stand-in") / "x") as made, files(made.folder / "scratch"):
        yield made


@pytest.fixture(scope="module")
def theirs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealGh]:
    """The real gh."""
    with real_gh(world(), tmp_path_factory.mktemp("gh") / "x") as made, files(made.folder):
        yield made
