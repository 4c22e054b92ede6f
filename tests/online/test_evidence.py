"""The real program with evidence from the made-up GitHub: live, recorded, replayed, refused, kept to its scope."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from opvalue.evidence.broker.errors import AbsenceUnproven, OutsideScope
from opvalue.evidence.bundle import read_bundle
from opvalue.strictjson import dumps
from tests.online.stage import Ended, Program, Stage
from tests.sim import PROXIED_HOST, SimServer
from tests.support.canary import CANARY
from tests.support.gathering import gathering
from tests.support.world import World

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

ASK: Final = (
    "regrade",
    "123456",
    "--evidence-at",
    "2025-08-25T00:00:00Z",
    "--json",
    "-R",
    f"{PROXIED_HOST}/acme/widgets",
)
# Pages, a search, a query, an absence, and forty in the background.
GATHER: Final = """
  count() { jq -s 'map(if type == "array" then length else 1 end) | add // 0'; }
  events=$(gh api --paginate 'repos/acme/widgets/issues/1/events?per_page=1' | count)
  found=$(gh api -X GET search/issues -f q='repo:acme/widgets is:issue' --jq .total_count)
  absent=$(gh api repos/acme/widgets/issues/999 --jq .number 2>/dev/null || echo none)
  for n in $(seq 40); do gh api "repos/acme/widgets/issues/$((n % 3 + 1))?n=$n" --jq .number >"$TMPDIR/$n" & done
  wait
  sum=$(cat "$TMPDIR"/* | jq -s add)
  rm "$TMPDIR"/*
  [ "$events/$found/$sum" = "3/3/80" ] || attained=0
  case $absent in *none) ;; *) attained=0 ;; esac"""


@pytest.fixture(scope="module")
def gatherer(tmp_path_factory: pytest.TempPathFactory) -> World:
    return asking(tmp_path_factory.mktemp("gatherer"), GATHER)


@pytest.fixture
def evident(gatherer: World, tmp_path: Path) -> Stage:
    return filled(Stage(gatherer.sharing(tmp_path)))


def asking(root: Path, lines: str) -> World:
    world = World(root, evaluator=gathering(lines), year=2025)
    world.repository("remote", "set-url", "origin", f"http://{PROXIED_HOST}/acme/widgets.git")
    return world


def filled(stage: Stage) -> Stage:
    at = "2025-08-23T12:00:00Z"
    for number in (1, 2, 3):
        events = [{"event": name, "created_at": at} for name in ("labeled", "assigned", "closed")]
        stage.repository.evidence.issue(number, created_at=at, events=events)
    stage.upload()
    return stage


@pytest.fixture
def served(evident: Stage) -> Iterator[SimServer]:
    with SimServer(evident.sim, proxied=True) as server:
        yield server


def run(program: Program, stage: Stage, server: SimServer, *more: str) -> Ended:
    checkout = ("--checkout", str(stage.world.repository.path))
    return program.run(*ASK, *checkout, *more, env={"HTTP_PROXY": server.proxy_url})


def statement(document: dict[str, Any]) -> str:
    return dumps({name: value for name, value in document.items() if name != "execution"})


def test_live_recorded_and_replayed_are_one_statement(
    program: Program, evident: Stage, served: SimServer, tmp_path: Path
) -> None:
    bundle = tmp_path / "evidence.bundle"
    live = run(program, evident, served)
    assert (live.status, live.err) == (0, ""), live
    assert live.document["results"][0]["value"] == 1
    recorded = run(program, evident, served, "--record", str(bundle))
    assert bundle.stat().st_mode & 0o777 == 0o600
    asked = len(evident.sim.requests)
    replayed = run(program, evident, served, "--replay", str(bundle))
    # The run is looked up again, its artifact is in the cache, and nothing is asked for the evaluator.
    assert len(evident.sim.requests) == asked + 2
    offline = program.run(
        *ASK, "--checkout", str(evident.world.repository.path), "--artifact", str(evident.world.artifact()),
        "--replay", str(bundle),
    )  # fmt: skip
    assert {statement(one.document) for one in (live, recorded, replayed, offline)} == {statement(live.document)}
    evidence = live.document["regrade"]["evidence"]
    assert evidence == {"digest": read_bundle(bundle).digest.hex, "exchanges": 46, "undeclared": []}
    assert [one.document["execution"]["evidence"]["mode"] for one in (live, recorded, replayed, offline)] == [
        "live", "live", "replay", "replay"
    ]  # fmt: skip
    assert CANARY.encode() not in bundle.read_bytes()


def test_what_failed_is_told_and_kept_incomplete(program: Program, tmp_path: Path) -> None:
    lines = "  gh api repos/acme/widgets/issues/1 --silent; n=$(gh api repos/acme/none/issues --jq length || echo 0)"
    stage = filled(Stage(asking(tmp_path / "world", lines)))
    bundle = tmp_path / "evidence.bundle"
    with SimServer(stage.sim, proxied=True) as server:
        ended = run(program, stage, server, "--record", str(bundle))
        again = run(program, stage, server, "--replay", str(bundle))
    assert (ended.status, ended.error["code"], ended.err) == (9, "regrade.not-observed", "")
    (cause,) = ended.error["causes"]
    assert (cause["code"], cause["request"]) == ("evidence.absence-unproven", "GET /repos/acme/none/issues")
    assert cause["hint"] == ended.error["hint"] == AbsenceUnproven.advice
    assert ended.error["message"].startswith("not observed, evidence.absence-unproven: ")
    kept = read_bundle(bundle)
    assert not kept.header.complete
    assert "/repos/acme/widgets/issues/1" in [exchange.request.path for exchange in kept.exchanges]
    assert (again.status, again.error["code"]) == (9, "bundle.incomplete")


def test_the_scope_is_told_and_can_be_enforced(program: Program, tmp_path: Path) -> None:
    lines = "  gh api repos/acme/gadgets --jq .full_name >/dev/null || attained=0"
    stage = filled(Stage(asking(tmp_path / "world", lines)))
    stage.sim.repository("acme/gadgets", number=7)
    with SimServer(stage.sim, proxied=True) as server:
        told = run(program, stage, server)
        enforced = run(program, stage, server, "--evidence-scope", "enforce")
    assert told.document["results"][0]["value"] == 1
    assert told.document["regrade"]["evidence"]["undeclared"] == ["acme/gadgets"]
    tokens = [request.token for request in stage.sim.requests if request.path.endswith("acme/gadgets")]
    assert tokens == [None]
    assert (enforced.status, enforced.error["causes"][0]["code"]) == (9, "evidence.outside-scope")
    assert enforced.error["hint"] == OutsideScope.advice


def test_an_artifact_at_hand_and_evidence_from_the_network(
    program: Program, evident: Stage, served: SimServer, tmp_path: Path
) -> None:
    bundle = tmp_path / "evidence.bundle"
    artifact = str(evident.world.artifact())
    ended = run(program, evident, served, "--artifact", artifact, "--record", str(bundle))
    assert (ended.status, ended.err) == (0, ""), ended
    assert ended.document["execution"]["mode"] == "offline"
    assert read_bundle(bundle).header.repository_id == 42
    alone = run(program, evident, served, "--artifact", artifact)
    assert (alone.status, alone.error["code"]) == (9, "regrade.evidence-not-offered")


def test_a_signature_is_written_beside_the_document(
    program: Program, evident: Stage, served: SimServer, tmp_path: Path
) -> None:
    key, output, bundle = (str(tmp_path / name) for name in ("observer.key", "observation.json", "evidence.bundle"))
    assert program.run("attestation", "keygen", "-o", key).status == 0
    ended = run(program, evident, served, "--record", bundle, "--output", output, "--sign", key)
    assert ended.status == 0, ended
    verified = program.run(
        "attestation", "verify", f"{output}.dsse.json", "--key", f"{key}.pub", "--bundle", bundle,
        "--observation", output, "--json",
    )  # fmt: skip
    assert verified.status == 0, verified
    assert json.loads(Path(output).read_text())["results"][0]["value"] == 1
    missing = run(program, evident, served, "--output", str(tmp_path / "other.json"), "--sign", str(tmp_path / "none"))
    assert missing.status == 2
    assert not (tmp_path / "other.json").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--record", "b", "--replay", "b"), "contradict"),
        (("--record", "b", "--offline"), "forbids"),
        (("--record", "-"), "--record takes a file's name"),
        (("--sign", "k"), "--sign needs --output"),
    ],
)
def test_options_that_make_no_sense_together(program: Program, options: tuple[str, ...], said: str) -> None:
    ended = program.run(*ASK, *options)
    assert (ended.status, ended.error["code"]) == (2, "usage")
    assert said in ended.error["message"]


@pytest.mark.parametrize("place", ["none/file", ".", "/dev/null"])
@pytest.mark.parametrize("option", ["--record", "--output"])
def test_places_are_looked_at_before_anything_is_asked(
    program: Program, evident: Stage, served: SimServer, option: str, place: str
) -> None:
    ended = run(program, evident, served, option, place)
    assert (ended.status, ended.error["code"]) == (2, "output.unwritable")
    assert evident.sim.requests == []


def test_nothing_is_written_where_one_of_the_files_would_be_refused(
    program: Program, evident: Stage, served: SimServer, tmp_path: Path
) -> None:
    bundle, output = tmp_path / "evidence.bundle", tmp_path / "observation.json"
    output.write_text("{}")
    ended = run(program, evident, served, "--record", str(bundle), "--output", str(output))
    assert (ended.status, ended.error["code"]) == (2, "output.exists")
    assert [path.name for path in tmp_path.iterdir() if path.suffix in {".bundle", ".json"}] == ["observation.json"]
    twice = run(program, evident, served, "--record", str(bundle), "--output", str(bundle))
    assert (twice.status, twice.error["code"]) == (2, "usage")
