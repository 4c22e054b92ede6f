"""A conclusion in memory and on disk (Graders Specification 5)."""

import copy
import json
import os
import re
import stat
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opvalue.atomic import OutputUnwritable
from opvalue.collect import collect
from opvalue.collect.errors import OutputNotASession
from opvalue.conclusion.conclude import Concluded, conclude
from opvalue.conclusion.errors import SessionOfAnotherRun
from opvalue.conclusion.manifest import read_manifest
from opvalue.conclusion.writing import session_of, write
from opvalue.graders import evaluate
from opvalue.graders.configuration import configure, defaults
from opvalue.graders.metadata import TRAJECTORY
from opvalue.records import Status, parse_manifest, parse_results
from opvalue.session import read_events
from opvalue.strictjson import dumps, dumps_compact
from tests.collect.conftest import Run
from tests.graders.test_purity import poison


def call(number: int, **more: Any) -> Any:
    return {"type": "tool.execution_start", "data": {"toolCallId": f"c{number}", "toolName": "bash", **more}}


def done(number: int, success: bool = True) -> Any:
    return {"type": "tool.execution_complete", "data": {"toolCallId": f"c{number}", "success": success}}


@pytest.fixture
def run(tmp_path: Path) -> Run:
    (tmp_path / "run").mkdir()
    run = Run(tmp_path / "run")
    run.lines(
        "agent-session.jsonl",
        {"type": "session.start", "timestamp": 0, "data": {"sessionId": "s"}},
        call(1, input={"a": 1}),
        done(1),
        call(2, input={"a": 1}),
        done(2, success=False),
    )
    run.value("aw_info.json", {"run_id": 77, "run_attempt": 3})
    return run


def events(run: Run) -> list[Any]:
    return [json.loads(line) for line in collect(run.folder).lines]


def concluded(run: Run, value: Any = None, **how: Any) -> Any:
    return conclude(events(run), configure(value), **how)


def values(found: Concluded) -> dict[str, Any]:
    return {one.entry.id: one.value for one in found.graded}


class TestInMemory:
    def test_the_defaults(self, run: Run) -> None:
        found = concluded(run)
        assert values(found) == {
            "tool-success-rate": 0.5,
            "tool-failure-count": 1,
            "retries": None,
            "loops": 1,
            "trajectory-efficiency": 0.5,
            "execution-step-count": None,
            "execution-duration": None,
            "working-set-rebuild-factor": None,
            "context-growth": None,
            "artifact-production": None,
        }
        assert found.results["run"] == {
            "id": "77",
            "attempt": 3,
            "graderCount": 10,
            "passed": 3,
            "failed": 1,
            "errors": 0,
        }

    def test_the_events_are_last_and_equal_to_the_documents(self, run: Run) -> None:
        found = concluded(run)
        manifest, results = found.events[-2:]
        where = {"component": "grader", "phase": "conclusion", "index": 0}
        assert manifest == {
            "type": "grader.manifest",
            "data": {"graders": found.manifest["graders"]},
            "provenance": {**where, "path": "usage/graders/grader_manifest.json"},
        }
        assert results == {
            "type": "grader.result",
            "data": {"results": found.results["results"]},
            "provenance": {**where, "path": "usage/graders/grader_results.json"},
        }

    def test_twice_is_once(self, run: Run) -> None:
        once = concluded(run)
        twice = conclude(once.events, defaults())
        assert twice.events == once.events
        assert dumps(twice.results) == dumps(once.results)

    def test_another_configuration_replaces_the_events(self, run: Run) -> None:
        once = concluded(run)
        other = conclude(once.events, configure({"loops": {"threshold": 0}}))
        assert [one["type"] for one in other.events].count("grader.result") == 1
        assert len(other.events) == len(once.events)
        assert other.results != once.results

    def test_what_an_agent_job_graded_stays(self, run: Run) -> None:
        run.value("agent/graders/grader_results.json", {"results": [{"id": "loops", "value": 9}]})
        kinds = [(one["type"], one["provenance"]["phase"]) for one in concluded(run).events if "grader." in one["type"]]
        assert kinds == [("grader.result", "agent"), ("grader.manifest", "conclusion"), ("grader.result", "conclusion")]

    def test_what_an_earlier_conclusion_left_to_a_collector_is_replaced(self, run: Run) -> None:
        run.value("usage/graders/grader_results.json", {"results": [{"id": "loops", "value": 9}]})
        assert [one["type"] for one in concluded(run).events].count("grader.result") == 1

    def test_the_input_is_not_changed(self, run: Run) -> None:
        given = events(run)
        before = copy.deepcopy(given)
        conclude(given, defaults(), secrets=["bash", "c1"])
        assert given == before

    def test_it_is_graded_as_redacted(self, run: Run) -> None:
        # Whether what was redacted was equal is not known, so it is no loop.
        assert values(concluded(run))["loops"] == 1
        run.lines("agent-session.jsonl", *(call(n, input={"key": "hunter2"}) for n in (1, 2)))
        found = concluded(run, secrets=["hunter2"])
        assert values(found)["loops"] != 1
        assert "hunter2" not in json.dumps([found.events, found.manifest, found.results])

    def test_masks_within_the_session(self, run: Run) -> None:
        run.lines(
            "agent-session.jsonl", call(1, input="::add-mask::hunter2"), {"type": "a.b", "data": {"x": "hunter2"}}
        )
        given = [json.loads(json.dumps(one).replace("***", "hunter2")) for one in events(run)]
        assert "hunter2" not in json.dumps(conclude(given, defaults()).events)

    def test_an_event_that_loses_its_time_moves(self) -> None:
        where = {"component": "agent", "phase": "agent", "path": "a", "index": 0}
        given: list[Any] = [
            {"type": "a.a", "timestamp": "hunter2", "data": {}, "provenance": {**where, "timestampMs": 1}},
            {"type": "b.b", "timestamp": 2, "data": {}, "provenance": {**where, "timestampMs": 2}},
            {"type": "c.c", "data": {}, "provenance": where},
        ]
        found = conclude(given, defaults(), secrets=["hunter2"]).events
        assert [one["type"] for one in found[:3]] == ["b.b", "a.a", "c.c"]

    def test_custom_graders_are_registered_only(self, run: Run) -> None:
        found = concluded(run, {"my-own": {"script": "return 1"}, "off": {"script": "return 1", "enabled": False}})
        assert found.registered == ("my-own",)
        assert "my-own" not in values(found)
        assert "return 1" not in json.dumps([found.events, found.manifest, found.results])
        assert [one["id"] for one in found.manifest["graders"]][-2:] == ["my-own", "off"]

    def test_trajectory_graders_where_they_are_named(self, run: Run) -> None:
        assert values(concluded(run, {"recurrence-rate": {}}))["recurrence-rate"] is not None
        assert "recurrence-rate" not in values(concluded(run))

    def test_all_disabled(self, run: Run) -> None:
        found = concluded(run, {entry.id: {"enabled": False} for entry in defaults().entries})
        assert found.results["results"] == []
        assert len(found.manifest["graders"]) == 10

    def test_the_run_is_never_made_up(self, run: Run) -> None:
        with pytest.raises(SessionOfAnotherRun):
            concluded(run, run_id="78")
        (run.folder / "aw_info.json").unlink()
        assert concluded(run).results["run"] != concluded(run, run_id="78").results["run"]

    def test_one_grader_that_throws(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        real = evaluate._measured

        def broken(grader: Any, entry: Any, *others: Any) -> Any:
            if entry.id == "loops":
                raise RuntimeError("broken")
            return real(grader, entry, *others)

        monkeypatch.setattr(evaluate, "_measured", broken)
        found = concluded(run)
        [failed] = [one for one in found.graded if one.status is Status.ERROR]
        assert (failed.entry.id, failed.value, failed.error) == ("loops", None, "loops: RuntimeError: broken")
        assert len(found.graded) == 10

    def test_lookups_are_made_once_for_all_graders(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        made: list[str] = []

        def counted(name: str) -> Any:
            real = getattr(module, name)

            def make(events: Any) -> Any:
                made.append(name)
                return real(events)

            return make

        module = sys.modules["opvalue.conclusion.conclude"]
        for name in ("lookups_of", "project"):
            monkeypatch.setattr(module, name, counted(name))
        concluded(run, {"recurrence-rate": {}, "event-entropy-rate": {}})
        assert made == ["lookups_of", "project"]

    def test_nothing_is_read_but_the_events(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        configuration = configure({row.id: {} for row in TRAJECTORY})
        session = events(run)
        expected = conclude(session, configuration, secrets=["bash"])  # also loads what is loaded on first use
        with monkeypatch.context() as poisoned:
            poison(poisoned)
            found = conclude(session, configuration, secrets=["bash"])
        assert found == expected
        assert len(found.graded) == 32

    def test_the_deepest_config_is_read_again(self) -> None:
        config: Any = 1
        for _ in range(64):
            config = {"a": config}
        found = conclude([], configure({"loops": {"config": config}}))
        lines = [dumps_compact(one).encode() + b"\n" for one in found.events]
        assert conclude(read_events(lines), configure({"loops": {"config": config}})).events == found.events
        assert read_manifest(dumps(found.manifest).encode()) == configure({"loops": {"config": config}})
        assert [*read_events(lines)] == found.events

    def test_an_empty_run(self, tmp_path: Path) -> None:
        (tmp_path / "empty").mkdir()
        found = concluded(Run(tmp_path / "empty"))
        assert set(values(found).values()) == {None}


@given(st.integers(0, 6), st.lists(st.booleans(), max_size=6))
def test_equal_events_equal_bytes(calls: int, outcomes: list[bool]) -> None:
    session: list[Any] = [
        {**one, "provenance": {"component": "agent", "phase": "agent", "path": "a", "index": index}}
        for index, one in enumerate([*map(call, range(calls)), *(done(n, ok) for n, ok in enumerate(outcomes))])
    ]
    first, second = (conclude(copy.deepcopy(session), defaults()) for _ in range(2))
    assert [dumps_compact(one) for one in first.events] == [dumps_compact(one) for one in second.events]
    assert dumps(first.results) == dumps(second.results)


class TestOnDisk:
    def written(self, run: Run) -> Path:
        session = run.put("usage/aw_session.jsonl", b"".join(collect(run.folder).lines))
        write(session, conclude(events(run), defaults()))
        return session

    def test_three_files(self, run: Run) -> None:
        session = self.written(run)
        folder = session.parent / "graders"
        found = conclude(events(run), defaults())
        assert sorted(path.name for path in folder.iterdir()) == ["grader_manifest.json", "grader_results.json"]
        assert (folder / "grader_manifest.json").read_bytes() == dumps(found.manifest).encode()
        assert (folder / "grader_results.json").read_bytes() == dumps(found.results).encode()
        assert parse_manifest((folder / "grader_manifest.json").read_bytes()).version == 2
        assert len(parse_results((folder / "grader_results.json").read_bytes()).results) == 10
        assert [json.loads(line)["type"] for line in session.read_bytes().splitlines()[-2:]] == [
            "grader.manifest",
            "grader.result",
        ]
        assert {stat.S_IMODE(path.stat().st_mode) for path in (session, *folder.iterdir())} == {0o600}

    def test_persisted_results_and_events_are_equal(self, run: Run) -> None:
        session = self.written(run)
        last = json.loads(session.read_bytes().splitlines()[-1])
        results = json.loads((session.parent / "graders" / "grader_results.json").read_bytes())
        assert last["data"]["results"] == results["results"]

    @pytest.mark.parametrize("fault", range(5))
    def test_a_fault_leaves_everything_as_it_was(self, run: Run, monkeypatch: pytest.MonkeyPatch, fault: int) -> None:
        session = self.written(run)
        other = conclude(events(run), configure({"loops": {"enabled": False}}))
        files = [session, *sorted((session.parent / "graders").iterdir())]
        before = [path.read_bytes() for path in files]
        counted = 0

        def failing(real: Any) -> Any:
            def call(*args: Any, **more: Any) -> Any:
                nonlocal counted
                counted += 1
                if counted == fault + 1:
                    raise OSError(28, "No space left on device")
                return real(*args, **more)

            return call

        monkeypatch.setattr(os, "fsync", failing(os.fsync))
        monkeypatch.setattr(Path, "mkdir", failing(Path.mkdir))
        if fault < 4:
            with pytest.raises(OutputUnwritable):
                write(session, other)
            assert [path.read_bytes() for path in files] == before
        else:
            write(session, other)
        assert not list(session.parent.rglob("*.tmp"))

    def test_a_rename_that_fails_leaves_the_session(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        session = self.written(run)
        before = session.read_bytes()

        def failing(*_: object) -> None:
            raise OSError(5, "Input/output error")

        monkeypatch.setattr(Path, "replace", failing)
        with pytest.raises(OutputUnwritable, match=f"^cannot write {re.escape(str(session.parent))}: "):
            write(session, conclude(events(run), configure({"loops": {"enabled": False}})))
        assert session.read_bytes() == before
        assert not list(session.parent.rglob("*.tmp"))

    def test_not_through_links(self, run: Run, tmp_path: Path) -> None:
        session = run.put("usage/aw_session.jsonl", b"".join(collect(run.folder).lines))
        elsewhere = tmp_path / "elsewhere"
        elsewhere.mkdir()
        (session.parent / "graders").symlink_to(elsewhere)
        with pytest.raises(OutputNotASession):
            write(session, conclude(events(run), defaults()))
        assert list(elsewhere.iterdir()) == []

    def test_a_file_in_the_way(self, run: Run) -> None:
        session = run.put("usage/aw_session.jsonl", b"".join(collect(run.folder).lines))
        run.put("usage/graders", "x")
        with pytest.raises(OutputUnwritable):
            write(session, conclude(events(run), defaults()))

    def test_which_session_is_meant(self, run: Run, tmp_path: Path) -> None:
        session = run.folder / "usage" / "aw_session.jsonl"
        assert session_of(run.folder) == session
        assert session_of(session) == session
        (run.folder / "usage").symlink_to(tmp_path)
        with pytest.raises(OutputNotASession):
            session_of(run.folder)

    def test_what_cannot_be_replaced(self, run: Run, tmp_path: Path) -> None:
        session = run.put("usage/aw_session.jsonl", "x")
        os.mkfifo(tmp_path / "pipe")
        (tmp_path / "link").symlink_to(session)
        (tmp_path / "dangling").symlink_to("nowhere")
        for name, found in (("pipe", "pipe"), ("link", "link"), ("dangling", "link")):
            with pytest.raises(OutputNotASession) as refused:
                session_of(tmp_path / name)
            assert (refused.value.expected, found in str(refused.value.found)) == ("a regular file", True)
            assert "-o" not in refused.value.hint
        with pytest.raises(OutputNotASession) as refused:
            session_of(Path("-"))
        assert refused.value.found == "standard input"
        session.unlink()
        session.mkdir()
        with pytest.raises(OutputNotASession):
            session_of(run.folder)
