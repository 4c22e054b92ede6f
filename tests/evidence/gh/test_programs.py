"""Programs of ``--jq``: the stand-in's answer against what gh's own jq makes of them."""

import posix
import re
from pathlib import Path

import pytest

from tests.evidence.gh import programs
from tests.evidence.gh.compare import document, program_by_gh, program_by_stand_in
from tests.evidence.gh.laid import GH, RealGh
from tests.evidence.gh.programs import Outcome
from tests.evidence.gh.world import DOCUMENTS, world

DOCS = Path(__file__).parents[3] / "docs" / "gh.md"


@pytest.fixture(scope="module")
def bodies() -> dict[str, bytes]:
    sim = world()
    return {name: document(sim, name) for name in DOCUMENTS}


def documented() -> str:
    """Return the page with the bars of its tables as they are meant."""
    return DOCS.read_text("utf-8").replace("\\|", "|")


def agrees(outcome: Outcome, bodies: dict[str, bytes]) -> bool:
    found = program_by_stand_in(bodies[outcome.document], outcome.program)
    return found == (outcome.status, outcome.out)


def test_what_is_recorded_is_of_these_programs() -> None:
    tried = [*programs.listed(programs.TEXT), *programs.listed(programs.DIFFERING)]
    assert [(one.document, one.program) for one in programs.outcomes()] == tried
    assert len(programs.listed(programs.TEXT)) == 175


def test_at_least_170_of_175_agree(bodies: dict[str, bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(posix.environ, b"GH_HOST", b"github.localhost")
    among = programs.outcomes()[:175]
    differing = [one.program for one in among if not agrees(one, bodies)]
    assert len(differing) <= 5, differing
    text = documented()
    assert [program for program in differing if f"`{program}`" not in text] == []


def test_every_difference_is_documented_and_is_one(bodies: dict[str, bytes]) -> None:
    text = documented()
    for outcome in programs.outcomes()[175:]:
        assert f"`{outcome.program}`" in text, outcome.program
    # Newer versions of jq read some of them as gh does.
    assert any(not agrees(one, bodies) for one in programs.outcomes()[175:])
    assert re.search(r"\b17[0-5] of 175\b", text)


@pytest.mark.allow_hosts(["127.0.0.1"])
@pytest.mark.skipif(GH is None, reason="gh is not installed")
@pytest.mark.parametrize("outcome", programs.outcomes(), ids=lambda one: f"{one.document} {one.program}")
def test_what_is_recorded_is_what_the_real_gh_makes_of_them(theirs: RealGh, outcome: Outcome) -> None:
    found = program_by_gh(theirs, outcome.document, outcome.program)
    assert found == (outcome.status, outcome.out)
