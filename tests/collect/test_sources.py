"""Every source: which event it gives, and from where."""

from typing import Any

import pytest

from tests.collect.conftest import CALL, START, Run, types


def native(name: str, at: str | None, *events: Any) -> tuple[Any, ...]:
    data = {"sessionId": name}
    return ({"type": "session.start", "data": data} | ({"timestamp": at} if at else {}), *events)


NATIVE = "sandbox/agent/logs/copilot-session-state"


class TestAgent:
    def test_native_sessions_without_a_canonical_file(self, run: Run) -> None:
        run.lines(f"{NATIVE}/b/events.jsonl", *native("b", "2026-11-02T09:00:00Z", CALL))
        run.lines(f"{NATIVE}/a/events.jsonl", *native("a", "2026-11-02T10:00:00Z", CALL))
        run.lines(f"{NATIVE}/c/events.jsonl", *native("c", None, CALL))
        run.put(f"{NATIVE}/stray.txt", "x")
        run.put(f"{NATIVE}/empty-folder/else.txt", "x")
        assert run.sources() == [f"{NATIVE}/{name}/events.jsonl" for name in "bac"]

    def test_the_canonical_file_beats_them(self, run: Run) -> None:
        run.lines("agent-session.jsonl", START, CALL)
        run.lines(f"{NATIVE}/s1/events.jsonl", *native("s1", "2026-11-02T09:00:00Z", CALL))
        run.lines(f"{NATIVE}/later/events.jsonl", *native("later", "2026-11-02T11:00:00Z", CALL))
        run.lines(f"{NATIVE}/untimed/events.jsonl", *native("untimed", None, CALL))
        run.lines("pi-streaming.jsonl", CALL)
        assert run.sources() == ["agent-session.jsonl"]
        assert types(run.events()) == ["session.start", "tool.execution_start"]

    def test_earlier_sessions_that_it_does_not_hold_are_added(self, run: Run) -> None:
        run.lines("agent-session.jsonl", START, CALL)
        run.lines(f"{NATIVE}/first/events.jsonl", {**CALL, "timestamp": "2026-11-02T08:00:00Z"})
        run.lines(f"{NATIVE}/before/events.jsonl", *native("before", "2026-11-02T09:00:00Z", CALL))
        assert run.sources() == [
            f"{NATIVE}/first/events.jsonl",
            f"{NATIVE}/before/events.jsonl",
            "agent-session.jsonl",
        ]

    def test_without_session_ids_nothing_is_added(self, run: Run) -> None:
        run.lines("agent-session.jsonl", {**CALL, "timestamp": "2026-11-02T10:00:00Z"})
        run.lines(f"{NATIVE}/before/events.jsonl", *native("before", "2026-11-02T09:00:00Z", CALL))
        assert run.sources() == ["agent-session.jsonl"]

    def test_a_canonical_file_without_events_is_no_stream(self, run: Run) -> None:
        run.put("agent-session.jsonl", "\n")
        assert run.sources() == ["agent-session.jsonl"]
        run.put("agent-session.jsonl", "torn{\n")
        assert run.sources() == []
        run.lines(f"{NATIVE}/a/events.jsonl", *native("a", None, CALL))
        assert run.sources() == [f"{NATIVE}/a/events.jsonl"]

    def test_unusable_native_sessions(self, run: Run) -> None:
        run.put(f"{NATIVE}/a/events.jsonl", "\n")
        run.lines("pi-streaming.jsonl", CALL)
        assert run.warnings() == [(f"{NATIVE}/a/events.jsonl", "native_session_unusable", None)]
        assert run.sources() == ["pi-streaming.jsonl"]

    @pytest.mark.parametrize(
        "event",
        [
            {"type": "dotless", "data": {}},
            {"type": 5, "data": {}},
            {"data": {}},
            {"type": "a.b"},
            {"type": "a.b", "data": []},
        ],
    )
    def test_what_is_no_event(self, run: Run, event: Any) -> None:
        run.lines("agent-session.jsonl", CALL, event, CALL)
        assert run.warnings() == [("agent-session.jsonl", "non_canonical_agent_event", 2)]
        assert [one["provenance"]["index"] for one in run.events()] == [0, 1]

    def test_an_engines_own_text_is_not_parsed(self, run: Run) -> None:
        run.put("agent-stdio.log", "● Reading file\n")
        assert run.warnings() == [("agent-stdio.log", "unrecognized_engine_log", None)]
        assert "agent" in run.session()[-1]["data"]["absentComponents"]
        run.lines("agent-session.jsonl", CALL)
        assert run.warnings() == []

    def test_pi(self, run: Run) -> None:
        run.lines(
            "pi-streaming.jsonl",
            {"type": "session", "id": "s1", "cwd": "/", "timestamp": "2026-11-02T10:00:00Z"},
            {"type": "turn_start"},
            {"type": "message_end", "message": {"role": "user", "content": "hi", "timestamp": 1793613601000}},
            {"type": "message_end", "message": {"role": "toolResult", "content": "x"}},
            {"type": "tool_execution_start", "toolCallId": "1", "toolName": "bash", "args": {"command": "ls"}},
            {"type": "tool_execution_end", "toolCallId": "1", "toolName": "bash", "result": "x", "isError": False},
            {"type": "turn_end", "message": {"role": "assistant"}},
            CALL,
            {"type": "noise"},
        )
        assert run.data() == [
            ("session.start", {"sessionId": "s1", "cwd": "/"}),
            ("user.message", {"content": "hi"}),
            ("assistant.turn_start", {}),
            ("tool.execution_start", {"toolCallId": "1", "toolName": "bash", "input": {"command": "ls"}}),
            (
                "tool.execution_complete",
                {"toolCallId": "1", "toolName": "bash", "success": True, "output": "x", "isError": False},
            ),
            ("assistant.turn_end", {}),
            (CALL["type"], CALL["data"]),
        ]
        assert [(code, line) for _, code, line in run.warnings()] == [
            ("non_canonical_agent_event", 4),
            ("non_canonical_agent_event", 9),
        ]


class TestFlat:
    def test_the_traces_of_the_first_graders_have_a_way_in(self, run: Run) -> None:
        run.lines("token-usage.jsonl", {"model": "m", "input_tokens": 10, "output_tokens": 2, "duration_ms": 7})
        run.lines(
            "rpc-messages.jsonl",
            {"type": "REQUEST", "payload": {"id": 1, "method": "tools/call", "params": {"name": "t"}}},
        )
        run.value(
            "agent_output.json", {"items": [{"type": "create_issue", "title": "t"}, {"type": "noop"}], "errors": []}
        )
        run.value("agent_usage.json", {"input_tokens": 10, "output_tokens": 2})
        assert run.data() == [
            ("mcp.rpc.request", {"rpcId": 1, "method": "tools/call", "toolName": "t"}),
            ("firewall.token_usage", {"model": "m", "durationMs": 7, "usage": {"inputTokens": 10, "outputTokens": 2}}),
            ("safe_output.request", {"type": "create_issue"}),
            ("safe_output.request", {"type": "noop"}),
            ("usage.report", {"usage": {"inputTokens": 10, "outputTokens": 2}}),
        ]

    @pytest.mark.parametrize(
        "content", [{"outputs": [{"type": "noop"}]}, {"items": 5, "outputs": [{"type": "noop"}]}, [{"type": "noop"}]]
    )
    def test_other_forms_of_an_agents_output(self, run: Run, content: Any) -> None:
        run.value("agent_output.json", content)
        assert run.data() == [("safe_output.request", {"type": "noop"})]

    def test_an_agents_output_without_items(self, run: Run) -> None:
        run.value("agent_output.json", {"errors": []})
        assert run.data() == []
        assert run.sources() == ["agent_output.json"]

    def test_workflow_info(self, run: Run) -> None:
        run.value(
            "aw_info.json",
            {
                "engine_id": "copilot",
                "model": "m",
                "workflow_name": "w",
                "run_id": 5,
                "run_attempt": "2",
                "staged": False,
                "agent_version": "1",
                "cli_version": "2",
                "awf_version": "3",
                "awmg_version": "4",
                "event_name": "push",
                "repository": "acme/widgets",
                "created_at": "2026-11-02T10:00:00Z",
                "actor": "dropped",
            },
        )
        [event] = run.events()
        assert event["data"] == {
            "engine": "copilot",
            "agentVersion": "1",
            "cliVersion": "2",
            "awfVersion": "3",
            "mcpgVersion": "4",
            "requestedModel": "m",
            "triggerType": "push",
            "workflow": "w",
            "repository": "acme/widgets",
            "runId": 5,
            "runAttempt": "2",
            "dryRun": False,
        }
        assert event["provenance"]["timestampMs"] == 1793613600000
        assert (event["provenance"]["component"], event["provenance"]["phase"]) == ("workflow", "activation")

    def test_prompts(self, run: Run) -> None:
        run.put("aw-prompts/system.txt", "Be ü.\n")
        run.put("aw-prompts/user.txt", b"bad \xff byte")
        assert run.data() == [("prompt.system", {"content": "Be ü.\n"}), ("prompt.user", {"content": "bad � byte"})]
        assert run.warnings() == [("aw-prompts/user.txt", "not_utf8", None)]

    def test_squid_counts_in_seconds(self, run: Run) -> None:
        access = {"ts": 1793613601.5, "domain": "x", "squid_request_status": "TCP_TUNNEL"}
        run.lines("sandbox/firewall/logs/audit.jsonl", access)
        run.lines("sandbox/firewall/logs/other.jsonl", access)
        session = run.session()
        assert [one["provenance"]["timestampMs"] for one in session[1:3]] == [1793613601.5, 1793613601500]
        assert [source.get("timestampUnit") for source in session[-1]["data"]["sources"]] == ["seconds", None]

    def test_the_raw_reason_of_a_detection_is_left_out(self, run: Run) -> None:
        verdict = {"conclusion": "success", "reason": "free text", "prompt_injection": False}
        run.value("threat-detection/detection_result.json", verdict)
        assert run.data() == [("detection.result", {"conclusion": "success", "promptInjection": False})]
        run.value("usage/detection/detection_result.json", verdict)
        assert run.data()[0][1]["reason"] == "free text"

    def test_json_files_hold_one_record_or_several(self, run: Run) -> None:
        run.value("safe-output-errors.json", [{"error": "a"}, 5, {"error": "b"}])
        assert run.data() == [("safe_output.error", {"error": "a"}), ("safe_output.error", {"error": "b"})]
        assert run.warnings() == [("safe-output-errors.json", "non_object_record", None)]

    def test_phases(self, run: Run) -> None:
        run.value("agent_usage.json", {})
        run.value("threat-detection/agent_usage.json", {})
        run.value("evals/agent_usage.json", {})
        run.lines("threat-detection/sandbox/firewall/logs/token-usage.jsonl", {"input_tokens": 1})
        assert [(one["type"], one["provenance"]["phase"]) for one in run.events()] == [
            ("firewall.token_usage", "detection"),
            ("usage.report", "agent"),
            ("usage.report", "detection"),
            ("usage.report", "evals"),
        ]


class TestExecution:
    def test_all_errors_are_one_event(self, run: Run) -> None:
        run.lines(
            "agent-errors.jsonl",
            {"category": "timeout", "errorCode": 10, "error_type": "b", "exitCode": 1},
            {
                "categories": ["auth", "timeout"],
                "code": "9",
                "errorCodes": [9, True, None],
                "errorType": "a",
                "exit_code": 256,
            },
            {"category": 5, "exit_code": 124},
            {},
        )
        [event] = run.events()
        assert event["type"] == "agent.execution"
        assert event["data"] == {
            "categories": ["auth", "timeout"],
            "errorCodes": [10, 9, "9"],
            "errorTypes": ["a", "b"],
            "exitCode": 124,
        }
        assert event["provenance"] == {
            "component": "execution",
            "phase": "agent",
            "path": "agent-errors.jsonl",
            "index": 0,
        }

    def test_no_errors_no_event(self, run: Run) -> None:
        run.put("agent-errors.jsonl", "")
        assert run.events() == []
        run.lines("agent-errors.jsonl", {})
        assert run.data() == [("agent.execution", {"categories": [], "errorCodes": [], "errorTypes": []})]
