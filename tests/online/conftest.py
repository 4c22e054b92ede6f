"""What the tests of the online half share."""

from pathlib import Path

import pytest

from tests.online.stage import Program, Stage, development_world
from tests.support.canary import Hunt
from tests.support.world import World


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No proxy, host or token of the machine that runs the tests."""
    for name in ("HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    for name in ("GH_HOST", "GH_REPO", "GH_TOKEN", "GITHUB_TOKEN", "OPVALUE_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="package")
def made(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Make one repository for all tests that change records only."""
    return World(tmp_path_factory.mktemp("made"))


@pytest.fixture
def stage(made: World, tmp_path: Path) -> Stage:
    """Give a run whose records may be changed, and whose repository may not."""
    return Stage(made.sharing(tmp_path))


@pytest.fixture
def own(tmp_path: Path) -> Stage:
    """Give a run with a repository of its own."""
    return Stage(World(tmp_path))


@pytest.fixture(scope="package")
def developed(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Make one repository of the development host, whose run lies in the past of any clock."""
    return development_world(tmp_path_factory.mktemp("developed"))


@pytest.fixture
def served(developed: World, tmp_path: Path) -> Stage:
    """Give a run for the real program."""
    return Stage(developed.sharing(tmp_path))


@pytest.fixture
def program(tmp_path: Path, hunt: Hunt) -> Program:
    """Give the real program."""
    folder = tmp_path / "user"
    folder.mkdir()
    return Program(folder, hunt)
