"""Every invocation ends as recorded, by the stand-in; and what is recorded is what the real gh does."""

import pytest

from tests.evidence.gh.compare import by_gh, by_stand_in
from tests.evidence.gh.laid import GH, RealGh, StandInHere
from tests.evidence.gh.table import DOCUMENTED, MANUAL, ROWS, Row, goldens


def test_the_table_is_large_enough_and_whole() -> None:
    assert len(ROWS) >= 150
    assert {row.name for row in ROWS} == goldens().keys()
    assert len({row.name for row in ROWS}) == len(ROWS)


def test_every_difference_is_accounted_for() -> None:
    reasons = {row.differs.partition(":")[0] for row in ROWS if row.differs}
    assert reasons <= {
        DOCUMENTED,
        MANUAL.partition(":")[0],
        "the answer's words are graphql-core's, of either gh alike",
    }
    assert sum(not row.differs for row in ROWS) >= 150


@pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])
def test_the_stand_in_ends_as_recorded(gh: StandInHere, row: Row) -> None:
    assert by_stand_in(gh, row) == goldens()[row.name]


ALIKE = [row for row in ROWS if not row.differs]


@pytest.mark.allow_hosts(["127.0.0.1"])
@pytest.mark.skipif(GH is None, reason="gh is not installed")
@pytest.mark.parametrize("row", ALIKE, ids=[row.name for row in ALIKE])
def test_the_real_gh_ends_as_recorded(theirs: RealGh, row: Row) -> None:
    assert by_gh(theirs, row) == goldens()[row.name]
