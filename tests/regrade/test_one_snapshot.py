"""A hundred regrades over one snapshot ask GitHub for each thing once, and agree."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from opvalue.evidence.broker.live import Live
from opvalue.identity import GITHUB, Instant
from opvalue.regrade import Evidence, Regraded, regrade
from tests.sim import Sim, SimClient
from tests.support.canary import CANARY
from tests.support.gathering import world
from tests.support.refusals import UNCONFINED
from tests.support.world import NOW

LINES = """
  gh api --paginate 'repos/acme/widgets/issues?state=all&per_page=2' --jq '.[].number' >"$TMPDIR/n"
  gh api repos/acme/widgets/issues/2 --silent || attained=0
  [ "$(wc -l <"$TMPDIR/n")" -eq 5 ] || attained=0
  rm "$TMPDIR/n\""""
EVIDENCE_AT = Instant.parse("2026-08-25T00:00:00Z")


def test_each_request_is_made_once(tmp_path: Path) -> None:
    sim = Sim()
    sim.token(CANARY)
    repository = sim.repository("acme/widgets", number=42)
    for number in range(1, 6):
        repository.evidence.issue(number)
    client = SimClient(sim, {"PATH": "", "GH_TOKEN": CANARY})
    evidence = Evidence.live(Live(client, GITHUB, now=lambda: NOW)).known_as(42)
    verified = world(tmp_path, LINES).verified()

    def once(_number: int) -> Regraded:
        return regrade(verified, EVIDENCE_AT, now=NOW, runner=UNCONFINED, evidence=evidence)

    with ThreadPoolExecutor(4) as threads:
        made = list(threads.map(once, range(100)))
    assert {regraded.observation.value for regraded in made} == {1}
    assert len({str(regraded.statement) for regraded in made}) == 1
    assert made[0].statement["regrade"]["evidence"]["exchanges"] == 4  # type: ignore[index]  # a dict of dicts
    asked = [(request.path, request.query) for request in sim.requests]
    assert len(asked) == len(set(asked)) == 4
