"""What the tests of the chain share."""

from pathlib import Path

import pytest

from tests.support.told import Told
from tests.support.world import World


@pytest.fixture(scope="package")
def made(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Make one repository for all tests that change records only."""
    return World(tmp_path_factory.mktemp("made"))


@pytest.fixture
def world(made: World, tmp_path: Path) -> World:
    """Give a run whose records may be changed, and whose repository may not."""
    made.notes.unlink(missing_ok=True)
    return made.sharing(tmp_path)


@pytest.fixture
def own(tmp_path: Path) -> World:
    """Give a run with a repository of its own."""
    return World(tmp_path)


@pytest.fixture(scope="package")
def teller(tmp_path_factory: pytest.TempPathFactory) -> Told:
    """Make one repository whose evaluator prints what it is told."""
    return Told(tmp_path_factory.mktemp("told"))


@pytest.fixture
def told(teller: Told) -> Told:
    """Give it, saying the right things."""
    teller.reset()
    return teller
