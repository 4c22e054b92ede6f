"""The session as a whole: its frame, its order, its precedence, its sameness."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from opvalue.collect import collect
from opvalue.collect.errors import FolderAbsent
from opvalue.limits import Limits
from opvalue.session.redaction import redact
from opvalue.session.secrets import Secrets, masks_in
from tests.collect.conftest import CALL, START, Run, types

COLLECTOR = {"component": "collector", "phase": "conclusion", "path": "usage/aw_session.jsonl"}


def test_an_empty_run_is_its_frame(run: Run) -> None:
    absent = ["agent", "mcp", "firewall", "safe_output", "experiment", "grader", "eval"]
    assert run.session() == [
        {"type": "session.format", "data": {"version": 1}, "provenance": {**COLLECTOR, "index": 0}},
        {
            "type": "session.collection",
            "data": {"sources": [], "warnings": 0, "untimedEvents": 0, "absentComponents": absent},
            "provenance": {**COLLECTOR, "index": 1},
        },
    ]


def test_the_examples_of_the_format(run: Run) -> None:
    run.lines(
        "agent-session.jsonl",
        START,
        {
            "type": "tool.execution_start",
            "timestamp": "2026-11-02T10:00:01Z",
            "data": {
                "tool_call_id": "c1",
                "tool_name": "search_code",
                "mcpServerName": "github",
                "arguments": {"q": "foo"},
            },
        },
        {
            "type": "tool.execution_complete",
            "timestamp": "2026-11-02T10:00:02Z",
            "data": {"toolCallId": "c1", "success": True, "other": "dropped"},
            "other": "dropped",
        },
    )
    run.lines(
        "mcp-logs/rpc-messages.jsonl",
        {
            "timestamp": "2026-11-02T10:00:01.100Z",
            "type": "REQUEST",
            "direction": "OUT",
            "server_id": "github",
            "payload": {"id": 7, "method": "tools/call", "params": {"name": "search_code", "arguments": {"q": "foo"}}},
        },
    )
    token = {"provider": "p", "model": "m-1", "duration_ms": 1200, "input_tokens": 1000, "output_tokens": 100}
    run.lines("sandbox/firewall/logs/api-proxy-logs/token-usage.jsonl", {"timestamp": "2026-11-02T10:00:04Z", **token})
    run.lines(
        "safe-output-items.jsonl",
        {"timestamp": "2026-11-02T10:00:07Z", "type": "create_issue", "url": "https://example.test/i/1"},
    )
    run.lines("evals/evals.jsonl", {"id": "q1", "answer": "YES"})
    lines = [line.decode().rstrip("\n") for line in collect(run.folder).lines]
    assert lines[0] == (
        '{"type":"session.format","data":{"version":1},"provenance":{"component":"collector","phase":"conclusion",'
        '"path":"usage/aw_session.jsonl","index":0}}'
    )
    assert lines[2:8] == [
        (
            '{"type":"tool.execution_start","timestamp":"2026-11-02T10:00:01Z","data":{"toolCallId":"c1","toolName":'
            '"search_code","mcpServerName":"github","input":{"q":"foo"}},"provenance":{"component":"agent","phase":"agent",'
            '"path":"agent-session.jsonl","index":1,"timestampMs":1793613601000}}'
        ),
        (
            '{"type":"mcp.rpc.request","timestamp":"2026-11-02T10:00:01.100Z","data":{"serverName":"github","direction":'
            '"OUT","rpcId":7,"method":"tools/call","toolName":"search_code"},"provenance":{"component":"mcp","phase":'
            '"agent","path":"mcp-logs/rpc-messages.jsonl","index":0,"timestampMs":1793613601100}}'
        ),
        (
            '{"type":"tool.execution_complete","timestamp":"2026-11-02T10:00:02Z","data":{"toolCallId":"c1","success":true},'
            '"provenance":{"component":"agent","phase":"agent","path":"agent-session.jsonl","index":2,'
            '"timestampMs":1793613602000}}'
        ),
        (
            '{"type":"firewall.token_usage","timestamp":"2026-11-02T10:00:04Z","data":{"provider":"p","model":"m-1",'
            '"durationMs":1200,"usage":{"inputTokens":1000,"outputTokens":100}},"provenance":{"component":"firewall",'
            '"phase":"agent","path":"sandbox/firewall/logs/api-proxy-logs/token-usage.jsonl","index":0,'
            '"timestampMs":1793613604000}}'
        ),
        (
            '{"type":"safe_output.result","timestamp":"2026-11-02T10:00:07Z","data":{"type":"create_issue","url":'
            '"https://example.test/i/1"},"provenance":{"component":"safe_output","phase":"safe_outputs","path":'
            '"safe-output-items.jsonl","index":0,"timestampMs":1793613607000}}'
        ),
        (
            '{"type":"eval.result","data":{"id":"q1","answer":"YES"},"provenance":{"component":"eval","phase":"evals",'
            '"path":"evals/evals.jsonl","index":0}}'
        ),
    ]
    assert json.loads(lines[-1])["data"]["untimedEvents"] == 1


def test_every_field_of_an_event_in_its_order(run: Run) -> None:
    event = {
        "provenance": {"of": "its own"},
        "ephemeral": True,
        "agentId": "a",
        "data": {"x": 1},
        "timestamp": 0,
        "parentId": None,
        "id": "1",
        "type": "own.kind",
        "more": 1,
    }
    run.lines("agent-session.jsonl", event)
    [found] = run.events()
    assert list(found.items()) == [
        ("type", "own.kind"),
        ("id", "1"),
        ("parentId", None),
        ("timestamp", 0),
        ("agentId", "a"),
        ("ephemeral", True),
        ("data", {"x": 1}),
        ("provenance", found["provenance"]),
    ]
    assert list(found["provenance"].items()) == [
        ("component", "agent"),
        ("phase", "agent"),
        ("path", "agent-session.jsonl"),
        ("index", 0),
        ("timestampMs", 0),
        ("native", {"of": "its own"}),
    ]


def test_a_native_event_called_like_the_frame_is_an_event(run: Run) -> None:
    run.lines("agent-session.jsonl", {"type": "session.format", "data": {"version": 9}})
    session = run.session()
    assert types(session) == ["session.format", "session.format", "session.collection"]
    assert session[1]["data"] == {"version": 9}
    assert session[1]["provenance"]["component"] == "agent"


class TestOrder:
    def test_times_then_the_order_of_reading(self, run: Run) -> None:
        run.lines("mcp-logs/a.jsonl", {"ts": 20, "event": "m1"}, {"event": "m2"}, {"ts": 10, "event": "m3"})
        run.lines(
            "agent-session.jsonl", *({"type": f"x.{n}", "data": {}, "timestamp": ts} for n, ts in ((1, 20), (2, None)))
        )
        run.lines("safeoutputs.jsonl", {"type": "noop", "time": 10.5})
        found = [one["data"].get("event") or one["data"].get("type") or one["type"] for one in run.events()]
        assert found == ["m3", "noop", "x.1", "m1", "x.2", "m2"]

    def test_the_order_of_reading_is_the_documented_one(self, run: Run) -> None:
        for path in EVERY_SOURCE:
            run.put(path, "{}" if path.endswith(".json") else "")
        assert run.sources() == list(EVERY_SOURCE)


EVERY_SOURCE = (
    "aw_info.json",
    "aw-prompts/system.txt",
    "aw-prompts/user.txt",
    "agent-session.jsonl",
    "mcp-logs/a.jsonl",
    "mcp-logs/b/c.jsonl",
    "sandbox/firewall/logs/a.jsonl",
    "sandbox/firewall/audit/b.jsonl",
    "sandbox/firewall-audit-logs/c.jsonl",
    "firewall-logs/d.jsonl",
    "firewall-audit-logs/e.jsonl",
    "threat-detection/mcp-logs/a.jsonl",
    "threat-detection/sandbox/firewall/logs/a.jsonl",
    "safeoutputs.jsonl",
    "safe-output-items.jsonl",
    "safe-output-errors.json",
    "experiment/state.jsonl",
    "experiment/state.json",
    "experiment/assignments.json",
    "agent/graders/grader_manifest.json",
    "agent/graders/grader_results.json",
    "evals/evals.jsonl",
    "agent_usage.json",
    "github_rate_limits.jsonl",
    "threat-detection/agent_usage.json",
    "evals/agent_usage.json",
    "execution/agent.json",
    "execution/detection.json",
    "execution/evals.json",
    "threat-detection/detection_result.json",
    "agent-errors.jsonl",
)
MIRRORS = (
    ("aw_info.json", "usage/aw_info.json"),
    ("experiment/state.jsonl", "usage/experiment/state.jsonl"),
    ("experiment/state.json", "usage/experiment/state.json"),
    ("experiment/assignments.json", "usage/experiment/assignments.json"),
    ("agent/graders/grader_manifest.json", "usage/graders/grader_manifest.json"),
    ("agent/graders/grader_results.json", "usage/graders/grader_results.json"),
    ("evals/evals.jsonl", "usage/evals.jsonl"),
    ("agent_usage.json", "usage/agent_usage.json"),
    ("github_rate_limits.jsonl", "usage/github_rate_limits.jsonl"),
    ("usage/detection/detection_result.json", "threat-detection/detection_result.json"),
    ("safeoutputs.jsonl", "agent_output.json"),
    ("sandbox/firewall/logs/x/token-usage.jsonl", "token-usage.jsonl"),
    ("token-usage.jsonl", "usage/agent/token_usage.jsonl"),
    ("mcp-logs/rpc-messages.jsonl", "rpc-messages.jsonl"),
    ("mcp-logs/x/gateway.jsonl", "gateway.jsonl"),
)


class TestPrecedence:
    @pytest.mark.parametrize(("original", "mirror"), MIRRORS)
    def test_a_mirror_counts_only_without_the_original(self, run: Run, original: str, mirror: str) -> None:
        run.put(mirror, "{}" if mirror.endswith(".json") else "")
        assert run.sources() == [mirror]
        run.put(original, "{}" if original.endswith(".json") else "")
        assert run.sources() == [original]

    def test_an_empty_firewall_file_of_the_first_folder_suppresses_its_copy(self, run: Run) -> None:
        run.put("sandbox/firewall/logs/x.jsonl", "")
        run.lines("firewall-logs/x.jsonl", {"event": "http_access"})
        run.lines("firewall-logs/y/x.jsonl", {"event": "http_access"})
        assert run.sources() == ["sandbox/firewall/logs/x.jsonl", "firewall-logs/y/x.jsonl"]
        assert run.session()[-1]["data"]["sources"][0] == {
            "component": "firewall",
            "phase": "agent",
            "path": "sandbox/firewall/logs/x.jsonl",
            "events": 0,
        }

    def test_only_json_lines_in_folders_of_logs(self, run: Run) -> None:
        run.put("mcp-logs/a.log", "x")
        run.put("mcp-logs/b.jsonl.gz", "x")
        assert run.sources() == []
        assert run.warnings() == []


class TestAbsence:
    def test_what_was_there_is_not_absent(self, run: Run) -> None:
        run.put("safeoutputs.jsonl", "")
        run.put("mcp-logs/a.jsonl", "")
        assert run.session()[-1]["data"]["absentComponents"] == ["agent", "firewall", "experiment", "grader", "eval"]

    def test_a_log_that_cannot_be_read_at_all_shows_nothing(self, run: Run) -> None:
        run.put("safeoutputs.jsonl", "torn{")
        assert run.sources() == []
        assert "safe_output" in run.session()[-1]["data"]["absentComponents"]
        run.put("safeoutputs.jsonl", "torn{\n{}\n")
        assert "safe_output" not in run.session()[-1]["data"]["absentComponents"]

    def test_components_of_other_phases_are_told_apart_by_their_sources(self, run: Run) -> None:
        run.put("threat-detection/mcp-logs/a.jsonl", "")
        closing = run.session()[-1]["data"]
        assert closing["sources"][0]["phase"] == "detection"


class TestSameness:
    def test_twice_the_same_bytes(self, run: Run) -> None:
        _fill(run)
        assert collect(run.folder).lines == collect(run.folder).lines

    def test_another_process_zone_locale_and_hash_seed(self, run: Run, tmp_path: Path) -> None:
        _fill(run)
        program = (
            "import sys;from pathlib import Path;from opvalue.collect import collect;"
            "sys.stdout.buffer.write(b''.join(collect(Path(sys.argv[1])).lines))"
        )
        surroundings = (
            {"PYTHONHASHSEED": "1", "TZ": "UTC", "LC_ALL": "C"},
            {"PYTHONHASHSEED": "77", "TZ": "Pacific/Chatham", "LC_ALL": "C.UTF-8"},
        )
        outputs = {
            subprocess.run(
                [sys.executable, "-c", program, str(run.folder)],
                env={"PATH": os.environ["PATH"], "PYTHONPATH": str(Path(__file__).parents[2]), **around},
                cwd=tmp_path,
                check=True,
                capture_output=True,
            ).stdout
            for around in surroundings
        }
        assert outputs == {b"".join(collect(run.folder).lines)}

    def test_line_ends_and_blank_lines_change_nothing(self, run: Run) -> None:
        run.lines("agent-session.jsonl", START, CALL)
        before = run.session()
        run.put("agent-session.jsonl", f"\r\n{json.dumps(START)} \r\n\n\t{json.dumps(CALL)}")
        assert run.session() == before

    def test_white_space_that_is_none_of_jsons_is_no_blank_line(self, run: Run) -> None:
        run.put("agent-session.jsonl", f"{json.dumps(START)}\n\x0b\n{json.dumps(CALL)}\n")
        assert run.warnings() == [("agent-session.jsonl", "malformed_jsonl", 2)]


class TestReading:
    def test_each_file_is_opened_once(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        _fill(run)
        opened: list[str] = []
        real = os.open

        def counting(path: str, flags: int, *args: int, **more: int) -> int:
            descriptor = real(path, flags, *args, **more)
            if not flags & os.O_DIRECTORY:
                opened.append(str(Path(f"/proc/self/fd/{descriptor}").readlink()))
            return descriptor

        monkeypatch.setattr(os, "open", counting)
        collect(run.folder)
        assert sorted(opened) == sorted(str(path) for path in run.folder.rglob("*") if path.is_file())

    def test_no_descriptor_stays_open(self, run: Run) -> None:
        _fill(run)
        before = _open_descriptors()
        collect(run.folder)
        assert _open_descriptors() == before

    @pytest.mark.parametrize("name", ["nowhere", "file", "a\0b"])
    def test_no_folder(self, run: Run, name: str) -> None:
        run.put("file", "x")
        with pytest.raises(FolderAbsent) as refused:
            collect(run.folder / name)
        assert refused.value.code == "collect.no-folder"


class TestRedaction:
    def test_masks_of_any_log_that_is_read(self, run: Run) -> None:
        run.put("agent-stdio.log", "noise\n::add-mask::from-stdio%0Asecond-line\n")
        run.lines("mcp-logs/a.jsonl", {"event": "x", "dropped": "::add-mask::from-gateway"})
        run.put("safeoutputs.jsonl", "{torn ::add-mask::from-a-torn-line\n")
        run.put("mcp-logs/b.jsonl", '{"event":"\\u003a:add-mask::written-in-escapes"}\n')
        texts = ["from-stdio", "second-line", "from-gateway", "from-a-torn-line", "written-in-escapes", "stays"]
        run.lines(
            "agent-session.jsonl",
            {"type": "own.kind", "id": "from-stdio", "data": {"a": [*texts, {"from-gateway": 1}]}},
        )
        [found] = [one for one in run.events() if one["type"] == "own.kind"]
        assert found["id"] == "***"
        assert found["data"] == {"a": ["***"] * 5 + ["stays", {"***": 1}]}
        assert not any(text in json.dumps(run.session()) for text in texts[:-1])

    @pytest.mark.parametrize(
        "place", ["aw-prompts/system.txt", "aw-prompts/user.txt", "mcp-logs/::add-mask::hunter2.jsonl"]
    )
    def test_masks_of_prompts_and_names_reach_what_was_read_before(self, run: Run, place: str) -> None:
        run.value("aw_info.json", {"workflow": "hunter2.jsonl"})
        run.put(place, "be kind\n::add-mask::hunter2.jsonl\n" if place.endswith(".txt") else "")
        run.lines("agent-session.jsonl", {"type": "own.kind", "data": {"a": "hunter2.jsonl"}})
        session = run.session()
        assert "hunter2.jsonl" not in json.dumps(session)
        assert redact(session, Secrets(masks=tuple(masks_in(session)))) == session

    def test_redacting_again_changes_nothing(self, run: Run) -> None:
        run.put("aw-prompts/system.txt", "::add-mask::12345678")
        run.lines("agent-session.jsonl", {"type": "own.kind", "data": {"a": [12345678.0, -12345678, "k5000", 5000.0]}})
        session = run.session(secrets=["5000"])
        assert redact(session, Secrets(("5000",), tuple(masks_in(session)))) == session
        assert session[-2]["data"] == {"a": ["***", "***", "k***REDACTED***", "***REDACTED***"]}

    def test_named_secrets_and_shapes(self, run: Run) -> None:
        token = "ghp_" + "a" * 36
        run.lines("agent-session.jsonl", {"type": f"own.{token}", "id": "hunter2", "data": {token: "hunter2"}})
        [found] = run.events(secrets=["hunter2"])
        assert (found["type"], found["id"]) == ("own.***REDACTED***", "***REDACTED***")
        assert found["data"] == {"***REDACTED***": "***REDACTED***"}

    def test_a_masked_time_is_none(self, run: Run) -> None:
        run.put("agent-stdio.log", "::add-mask::2026-11-02T10:00:00Z\n")
        run.lines("agent-session.jsonl", {**CALL, "timestamp": "2026-11-02T10:00:05Z"}, START)
        found = run.events()
        assert types(found) == ["tool.execution_start", "session.start"]
        assert (found[1]["timestamp"], "timestampMs" in found[1]["provenance"]) == ("***", False)
        assert run.session()[-1]["data"]["untimedEvents"] == 1

    def test_a_mask_does_not_reach_the_words_of_the_format(self, run: Run) -> None:
        run.lines("agent-session.jsonl", START)
        before = [one["type"] for one in run.session()], run.session()[-1]["data"]["absentComponents"]
        run.put(
            "agent-stdio.log", "".join(f"::add-mask::{word}\n" for word in ("mcp", "session.start", "firewall", "1"))
        )
        assert ([one["type"] for one in run.session()], run.session()[-1]["data"]["absentComponents"]) == before

    def test_a_path_that_holds_a_secret(self, run: Run) -> None:
        run.put("mcp-logs/hunter2.jsonl", "{torn\n{}")
        assert "hunter2" not in json.dumps(run.session(secrets=["hunter2"]))


def test_what_a_conclusion_wrote_is_no_source(run: Run) -> None:
    run.lines("agent-session.jsonl", START)
    before = run.session()
    run.value("usage/graders/grader_manifest.json", {"version": 2, "graders": []})
    run.value("usage/graders/grader_results.json", {"version": 2, "results": []})
    assert run.session() == before
    run.value("usage/graders/grader_results.json", {"version": 1, "results": []})
    assert types(run.events()) == ["session.start", "grader.result"]


def test_warnings_over_the_limit_are_counted(run: Run) -> None:
    run.put("agent-session.jsonl", "x\n" * 9)
    limits = Limits(collect_warnings=3)
    assert [line for _, _, line in run.warnings(limits)] == [1, 2, 3]
    assert run.session(limits=limits)[-1]["data"]["warnings"] == 9


def _fill(run: Run) -> None:
    for path in EVERY_SOURCE:
        run.put(path, "{}" if path.endswith(".json") else "{}\n")
    run.put("agent-stdio.log", "::add-mask::x y\n")
    run.lines(
        "agent-session.jsonl", START, CALL, {"type": "own.kind", "data": {"ü": "\ud800", "n": [1.0, -0.0, 1e300]}}
    )


def _open_descriptors() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())
