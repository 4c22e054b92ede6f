"""Listings page by page: artifacts of a run, runs of a workflow by time."""

from collections import Counter
from typing import Any

import pytest

from opvalue.errors import Kind
from opvalue.github import ArtifactFacts, candidates, errors
from opvalue.identity import Instant
from tests.github.samples import HEAD, TOKEN, WIDGETS, github
from tests.sim import Sim, SimRun

DAY = "2026-08-23T"


@pytest.fixture
def sim() -> Sim:
    made = Sim()
    made.token(TOKEN)
    return made


@pytest.fixture
def run(sim: Sim) -> SimRun:
    return sim.run(sim.repository())


def pages_asked(sim: Sim) -> list[tuple[str, str]]:
    return [(request.argument("per_page"), request.argument("page", "1")) for request in sim.requests]


class TestArtifacts:
    def test_none_at_all(self, sim: Sim, run: SimRun) -> None:
        assert run.artifacts == []
        assert github(sim).artifacts(WIDGETS, "123") == ()
        assert pages_asked(sim) == [("100", "1")]

    def test_every_fact_of_an_artifact(self, sim: Sim, run: SimRun) -> None:
        made = sim.artifact(run, content=b"PK\x05\x06", digest="sha256:x")
        assert github(sim).artifacts(WIDGETS, "123") == (
            ArtifactFacts(
                id=made.id,
                name="agent",
                size=4,
                expired=False,
                created_at=Instant.parse("2026-08-23T12:10:00Z"),
                expires_at=Instant.parse("2026-11-21T12:10:00Z"),
                digest="sha256:x",
                head_sha=str(HEAD),
            ),
        )

    def test_a_server_without_the_digest_field(self, sim: Sim, run: SimRun) -> None:
        sim.artifact(run, has_digest=False)
        assert github(sim).artifacts(WIDGETS, "123")[0].digest is None

    @pytest.mark.parametrize("count", [99, 100, 101, 200])
    def test_no_page_more_than_needed(self, sim: Sim, run: SimRun, count: int) -> None:
        for index in range(count):
            sim.artifact(run, f"matrix-{index}", b"PK")
        assert len(github(sim).artifacts(WIDGETS, "123")) == count
        assert len(sim.requests) == -(-count // 100)

    def test_a_matrix_of_1300_with_the_wanted_one_last(self, sim: Sim, run: SimRun) -> None:
        for index in range(1299):
            sim.artifact(run, f"matrix-{index}", b"PK")
        wanted = sim.artifact(run, "agent", b"PK")
        listed = github(sim).artifacts(WIDGETS, "123")
        assert len(listed) == 1300
        assert [artifact.id for artifact in candidates(listed).live] == [wanted.id]
        assert pages_asked(sim) == [("100", str(page)) for page in range(1, 14)]

    @pytest.mark.parametrize(
        ("page", "change", "found"),
        [
            # Fewer than the total.
            (3, lambda page: {**page, "artifacts": []}, "200, of which 200 are different, on 3 pages"),
            (
                3,
                lambda page: {**page, "artifacts": page["artifacts"][:-1]},
                "249, of which 249 are different, on 3 pages",
            ),
            # One page twice.
            (
                2,
                lambda page: {**page, "artifacts": page["artifacts"][:-1] + page["artifacts"][:1]},
                "250, of which 249 are different, on 3 pages",
            ),
            # More than the total.
            (
                3,
                lambda page: {**page, "artifacts": page["artifacts"] + [{**page["artifacts"][0], "id": 1}]},
                "251, of which 251 are different, on 3 pages",
            ),
        ],
    )
    def test_pages_that_do_not_add_up(self, sim: Sim, run: SimRun, page: int, change: Any, found: str) -> None:
        for index in range(250):
            sim.artifact(run, f"matrix-{index}", b"PK")
        sim.edit("/artifacts", change, page=page)
        with pytest.raises(errors.ListingMismatch) as refused:
            github(sim).artifacts(WIDGETS, "123")
        assert (refused.value.code, refused.value.kind) == ("github.listing-mismatch", Kind.NOT_OBSERVED)
        assert (refused.value.expected, refused.value.found) == ("250 in all", found)

    @pytest.mark.parametrize("total", [600, 249, 251])
    def test_a_total_that_is_not_met(self, sim: Sim, run: SimRun, total: int) -> None:
        for index in range(250):
            sim.artifact(run, f"matrix-{index}", b"PK")
        run.total_count = total
        with pytest.raises(errors.ListingMismatch) as refused:
            github(sim).artifacts(WIDGETS, "123")
        assert refused.value.expected == f"{total} in all"
        assert len(sim.requests) == -(-total // 100)

    def test_a_total_that_moves(self, sim: Sim, run: SimRun) -> None:
        for index in range(250):
            sim.artifact(run, f"matrix-{index}", b"PK")
        sim.edit("/artifacts", lambda page: {**page, "total_count": 251}, page=2)
        with pytest.raises(errors.ListingMismatch) as refused:
            github(sim).artifacts(WIDGETS, "123")
        assert (refused.value.expected, refused.value.found) == ("250 in all, as page 1 states", "251 on page 2")

    def test_an_empty_first_page_of_many(self, sim: Sim, run: SimRun) -> None:
        run.total_count = 3
        with pytest.raises(errors.ListingMismatch):
            github(sim).artifacts(WIDGETS, "123")
        assert len(sim.requests) == 1

    def test_an_absurd_total_is_not_read(self, sim: Sim, run: SimRun) -> None:
        sim.artifact(run)
        run.total_count = 10_001
        with pytest.raises(errors.ListingTooLong) as refused:
            github(sim).artifacts(WIDGETS, "123")
        assert (refused.value.code, refused.value.kind) == ("github.listing-too-long", Kind.NOT_OBSERVED)
        assert len(sim.requests) == 1


class TestWorkflowRuns:
    FILE = "issue-triage.lock.yml"

    def read(self, sim: Sim, since: str = "00:00:00Z", until: str = "23:59:59Z") -> list[str]:
        runs = github(sim).workflow_runs(WIDGETS, self.FILE, Instant.parse(DAY + since), Instant.parse(DAY + until))
        return [run.id for run in runs]

    def test_runs_within_the_range_oldest_first(self, sim: Sim) -> None:
        widgets = sim.repository()
        for number, clock in ((1, "10:00:00"), (2, "09:00:00"), (4, "09:00:00"), (3, "08:59:59"), (5, "11:00:01")):
            sim.run(widgets, number, created_at=f"{DAY}{clock}Z")
        sim.run(widgets, 6, created_at=f"{DAY}10:00:00Z", path=".github/workflows/other.lock.yml")
        assert self.read(sim, "09:00:00Z", "11:00:00Z") == ["2", "4", "1"]
        assert sim.requests[0].query == (
            ("created", "2026-08-23T09:00:00Z..2026-08-23T11:00:00Z"),
            ("per_page", "100"),
        )

    def test_bounds_finer_than_a_second_hold(self, sim: Sim) -> None:
        widgets = sim.repository()
        sim.run(widgets, 1, created_at=f"{DAY}09:00:00Z")
        sim.run(widgets, 2, created_at=f"{DAY}09:00:01Z")
        assert self.read(sim, "09:00:00.500Z", "09:00:01.500Z") == ["2"]

    def test_a_range_that_ends_before_it_begins_is_empty(self, sim: Sim) -> None:
        assert self.read(sim, "10:00:00Z", "09:00:00Z") == []
        assert sim.requests == []

    def test_a_file_name_is_escaped(self, sim: Sim) -> None:
        widgets = sim.repository()
        sim.run(widgets, 1, path=".github/workflows/a#b c.lock.yml", created_at=f"{DAY}09:00:00Z")
        found = github(sim).workflow_runs(
            WIDGETS, "a#b c.lock.yml", Instant.parse(f"{DAY}00:00:00Z"), Instant.parse(f"{DAY}23:00:00Z")
        )
        assert [run.id for run in found] == ["1"]

    def test_an_unknown_workflow_is_not_found(self, sim: Sim) -> None:
        sim.repository()
        with pytest.raises(errors.NotFound, match=r"the runs of issue-triage\.lock\.yml of acme/widgets"):
            self.read(sim)

    @pytest.mark.parametrize("count", [999, 1000, 2300])
    def test_the_search_cap_is_bisected(self, sim: Sim, count: int) -> None:
        widgets = sim.repository()
        for number in range(1, count + 1):
            minutes, second = divmod(number * 30, 60)
            sim.run(widgets, number, created_at=f"{DAY}{minutes // 60:02}:{minutes % 60:02}:{second:02}Z")
        assert self.read(sim) == [str(number) for number in range(1, count + 1)]
        asked = Counter((request.argument("created"), request.argument("page", "1")) for request in sim.requests)
        assert max(asked.values()) == 1
        assert (len({created for created, _ in asked}) == 1) == (count < 1000)

    def test_two_crowded_seconds_side_by_side_are_parted(self, sim: Sim) -> None:
        widgets = sim.repository()
        for number in range(1, 1999):
            sim.run(widgets, number, created_at=f"{DAY}12:00:0{number % 2}Z")
        assert len(self.read(sim)) == 1998

    def test_a_second_over_the_cap_is_an_error(self, sim: Sim) -> None:
        widgets = sim.repository()
        for number in range(1, 1001):
            sim.run(widgets, number, created_at=f"{DAY}12:00:00Z")
        with pytest.raises(errors.TooManyRuns) as refused:
            self.read(sim)
        assert (refused.value.code, refused.value.kind) == ("github.too-many-runs", Kind.NOT_OBSERVED)
        assert refused.value.expected == "fewer than 1000 created at 2026-08-23T12:00:00Z"
        assert refused.value.found == "1000"
        assert len(sim.requests) < 40

    def test_pages_of_a_range_must_add_up(self, sim: Sim) -> None:
        widgets = sim.repository()
        for number in range(1, 151):
            sim.run(widgets, number, created_at=f"{DAY}12:00:00Z")
        sim.edit("/runs", lambda page: {**page, "workflow_runs": page["workflow_runs"][1:]}, page=2)
        with pytest.raises(errors.ListingMismatch):
            self.read(sim)
