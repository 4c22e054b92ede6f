"""The stand-in and the real broker: what an evaluator sees is the table's, recorded and replayed alike."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from opvalue.evidence.broker import Broker, Recorded, Source
from opvalue.evidence.bundle import Bundle, Header, Profile, read_bundle, write
from opvalue.evidence.exchange import RECORDED_HEADERS, Answer, Exchange
from opvalue.evidence.exchange import Request as Asked
from opvalue.evidence.gh import PROFILE
from opvalue.evidence.scope import Scope
from opvalue.identity import Digest, Instant
from opvalue.identity.repository import LOCALHOST
from tests.evidence.gh.compare import files, golden
from tests.evidence.gh.laid import StandInHere, lay
from tests.evidence.gh.table import ROWS, Golden, Row, goldens
from tests.evidence.gh.world import world
from tests.sim import Request, Sim

NOW: Final = Instant.parse("2026-08-30T12:00:00Z")
SCOPE: Final = Scope(frozenset({"acme/widgets", "acme/other"}), frozenset({42, 43}))


class FromSim:
    """A source that asks the made-up GitHub, redirects followed."""

    def __init__(self, sim: Sim) -> None:
        self._sim = sim

    def exchange(self, request: Asked, *, authorised: bool) -> Exchange:
        del authorised
        headers = {"accept": request.accept}
        url = request.address(LOCALHOST)
        reply = self._sim.handle(Request.to(url, headers, method=request.method, body=request.body))
        if reply.status == 302:
            reply = self._sim.handle(Request.to(reply.headers["location"]))
        kept = tuple(sorted((name, value) for name, value in reply.headers.items() if name in RECORDED_HEADERS))
        return Exchange(request, Answer(reply.status, kept, bytes(reply.body)), None, NOW)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    made = tmp_path_factory.mktemp("brokered") / "x"
    lay(made)
    with files(made / "scratch"):
        yield made


def ask(folder: Path, source: Source, row: Row) -> tuple[Golden, Broker]:
    broker = Broker(source, SCOPE, host=LOCALHOST)
    place = folder / "broker" / "socket"
    with broker.listen(place):
        env = {"PATH": os.environ["PATH"], "HOME": str(folder), "LC_ALL": "C", "GH_HOST": LOCALHOST.name}
        argv = [str(folder / "stand-in" / "gh"), *row.argv]
        ran = StandInHere(folder, None, env).run(argv, row.stdin, row.env)  # type: ignore[arg-type]
    return golden(row, ran), broker


def replay(broker: Broker) -> Recorded:
    some = Digest.of(b"")
    header = Header(LOCALHOST, 42, "123", 1, some, some, (NOW,), True, (), Profile(PROFILE, "jq-1.7.1"))
    return Recorded(read_bundle(write(Bundle.of(header, broker.exchanges))))


WHOLE: Final = [
    row for row in ROWS if goldens()[row.name].status == 0 and "api" in row.words and not {"-i", "-iq"} & set(row.argv)
]


@pytest.mark.parametrize("row", WHOLE[::2], ids=[row.name for row in WHOLE[::2]])
def test_rows_that_end_well(folder: Path, row: Row) -> None:
    found, broker = ask(folder, FromSim(world()), row)
    if broker.failures:
        # What the broker does not take for an answer must not look like one.
        assert found.status == 1
        assert found.err.startswith("gh: ")
        return
    assert found == goldens()[row.name]
    again, replaying = ask(folder, replay(broker), row)
    assert again == found
    assert replaying.failures == ()
    assert replaying.exchanges == broker.exchanges


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("pr list", "evidence.unsupported-command"),
        ("api repos/acme/widgets/issues/1 --template x", "evidence.unsupported-command"),
        ("api repos/acme/widgets/issues/1 --jq .[[", "evidence.unsupported-command"),
        ("api --paginate repos/acme/widgets/chain/broken", "evidence.broken-pages"),
        ("api -X DELETE repos/acme/widgets/issues/1", "evidence.not-a-read"),
        ("api repos/acme/widgets/issues/1 -f title=x", "evidence.not-a-read"),
        ("api repos/acme/widgets/issues/1 --hostname other.example", "evidence.other-host"),
        ("api repos/acme/widgets/issues/1 -H Authorization:x", "evidence.header-refused"),
        ("api repos/acme/widgets/issues/1 -H X-HTTP-Method-Override:DELETE", "evidence.header-refused"),
        ("api repos/acme/widgets/../../user", "evidence.path-unclear"),
        ("api https://other.example/repos/acme/widgets", "evidence.outside-host"),
        ("api //repos/acme/widgets", "evidence.path-unclear"),
        ("api repos/acme/absent", "evidence.absence-unproven"),
    ],
)
def test_what_sticks(folder: Path, words: str, code: str) -> None:
    found, broker = ask(folder, FromSim(world()), Row(words))
    assert found.status == 1
    assert found.out in {"", "[1,1"}
    assert [failure.code for failure in broker.failures] == [code]


def test_what_does_not_stick(folder: Path) -> None:
    for words in ("api repos/acme/widgets/issues/999", "api --nonsense", "api repos/acme/widgets --jq .id[0]"):
        found, broker = ask(folder, FromSim(world()), Row(words))
        assert found.status == 1
        assert broker.failures == ()


def test_a_reader_that_leaves_does_not_stick(folder: Path) -> None:
    broker = Broker(FromSim(world()), SCOPE, host=LOCALHOST)
    with broker.listen(folder / "broker" / "socket"):
        env = {"PATH": f"{folder / 'stand-in'}:{os.environ['PATH']}", "HOME": str(folder), "GH_HOST": LOCALHOST.name}
        script = "exec 3> >(exit 0); sleep 0.2; gh api repos/acme/widgets >&3; echo $?"
        ran = StandInHere(folder, None, env).shell(script)  # type: ignore[arg-type]
    assert (ran.out, broker.failures) == (b"141\n", ())


def test_most_rows_were_answered(folder: Path) -> None:
    assert len(WHOLE) > 100
    assert sum(not ask(folder, FromSim(world()), row)[1].failures for row in WHOLE[::10]) > 8
