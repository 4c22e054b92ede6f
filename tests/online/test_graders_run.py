"""``graders run RUN`` by the real program: the session of a run, over loopback, with and without the cache."""

import json
from pathlib import Path

import pytest

from opvalue.cli.graders_server import _of_the_checkout
from opvalue.cli.repository import requested
from opvalue.errors import UsageError
from tests.online.stage import RUN_ID, Ended, Program, Stage
from tests.sim import PROXIED_HOST, SimServer, zipped
from tests.support.sessions import lines

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

SESSION = b"".join(lines(200))
ADDRESS = f"https://{PROXIED_HOST}/acme/widgets/actions/runs/{RUN_ID}"
NAMED = (str(RUN_ID), "-R", f"{PROXIED_HOST}/acme/widgets")


def upload(stage: Stage, session: bytes = SESSION, name: str = "usage") -> None:
    stage.upload("agent", zipped())
    stage.upload(name, zipped({"aw_session.jsonl": session, "graders/grader_results.json": b"{}"}))


def graded(stage: Stage, program: Program, *argv: str) -> Ended:
    with SimServer(stage.sim, proxied=True) as server:
        return program.run("graders", "run", *argv, env={"HTTP_PROXY": server.proxy_url})


def test_a_run_and_its_file_give_the_same_bytes(served: Stage, program: Program, tmp_path: Path) -> None:
    upload(served)
    (tmp_path / "s.jsonl").write_bytes(SESSION)
    ended = graded(served, program, *NAMED, "--json")
    assert (ended.status, ended.err) == (0, "")
    assert ended.document["run"]["id"] == str(RUN_ID)
    assert ended.out == program.run("graders", "run", str(tmp_path / "s.jsonl"), "--json").out


@pytest.mark.parametrize("named", [(ADDRESS,), (f"{ADDRESS}/attempts/1",), (str(RUN_ID), "-R", "acme/widgets")])
def test_how_a_run_is_named(served: Stage, program: Program, named: tuple[str, ...]) -> None:
    upload(served, name="triage-usage")
    ended = graded(served, program, *named)
    assert (ended.status, ended.err) == (0, "")
    assert ended.out.startswith(f"run {RUN_ID}, attempt 1: ")


def test_a_trajectory_grader_reads_the_member_twice(served: Stage, program: Program) -> None:
    upload(served)
    ended = graded(served, program, *NAMED, "--grader", "recurrence-rate", "--json")
    assert ended.document["results"][0]["value"] > 0


def test_the_second_time_comes_from_the_cache(served: Stage, program: Program) -> None:
    upload(served)
    first = graded(served, program, *NAMED, "--json")
    served.sim.requests.clear()
    assert graded(served, program, *NAMED, "--json") == first
    assert not any("/zip" in path for path in served.sim.paths())


def test_the_checkout_names_the_repository(served: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(served.world.repository.path)
    assert str(_of_the_checkout({})) == f"{PROXIED_HOST}/acme/widgets"
    assert _of_the_checkout({"GH_HOST": PROXIED_HOST}).slug == "acme/widgets"
    with pytest.raises(UsageError) as caught:
        _of_the_checkout({"GH_HOST": "github.com"})
    assert caught.value.expected == PROXIED_HOST


def test_an_attempt_that_contradicts_the_address() -> None:
    assert requested(f"{ADDRESS}/attempts/2", 2).attempt == 2
    with pytest.raises(UsageError):
        requested(f"{ADDRESS}/attempts/2", 1)


def test_a_session_of_another_run_is_refused(served: Stage, program: Program) -> None:
    upload(served, SESSION.replace(b'"runId":"123456"', b'"runId":"654321"'))
    ended = graded(served, program, *NAMED, "--json")
    assert (ended.status, ended.error["code"]) == (5, "conclusion.another-run")


def test_an_attempt_that_nobody_recorded_is_said(served: Stage, program: Program) -> None:
    served.run.attempt = 3
    upload(served)
    ended = graded(served, program, *NAMED, "--json")
    assert ended.document["run"]["attempt"] == 3
    assert "the session does not say that attempt 3 wrote it" in ended.err


def test_a_damaged_session_gives_no_number(served: Stage, program: Program) -> None:
    content = bytearray(zipped({"aw_session.jsonl": SESSION}))
    content[len(content) // 2] ^= 0xFF
    served.upload("usage", bytes(content))
    ended = graded(served, program, *NAMED, "--json")
    assert ended.status in {5, 6}
    assert ended.error["code"] in {"archive.corrupt-member", "session.line-malformed", "session.encoding"}


def test_what_is_not_there(served: Stage, program: Program) -> None:
    served.upload("agent")
    ended = graded(served, program, *NAMED, "--json")
    assert (ended.status, ended.error["code"]) == (6, "conclusion.usage-artifact-absent")
    assert json.loads(ended.out)["error"]["kind"] == "artifact"


def test_offline(served: Stage, program: Program) -> None:
    upload(served)
    ended = graded(served, program, *NAMED, "--offline", "--json")
    assert (ended.status, ended.error["kind"]) == (9, "not-observed")
    assert served.sim.requests == []
