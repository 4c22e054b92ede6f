// The ten default graders in one pass over a session's events: what both baselines share. Written for speed as much
// as for clarity: monomorphic objects, no allocation for events that do not matter, arguments compared only when the
// neighbour has the same tool name. It follows the same rules on sessions without sub-agents, replays and redaction.

const FAILED = new Set(["failed", "error", "failure"]);
const RESTRICTED = new Set(["agent", "mcp", "firewall", "usage"]);

export class Lookups {
  constructor() {
    this.collected = new Set();
    this.open = new Map();
    this.last = new Map();
    this.names = new Set();
    this.gateway = new Map();
    this.rows = new Map();
    this.total = this.succeeded = this.repeated = this.retries = this.results = 0;
    this.anonymous = 0;
    this.duration = null;
    this.turns = null;
  }

  add(event) {
    const { type, data, provenance } = event;
    const main = provenance.phase === "agent" || provenance.phase === undefined;
    if (main || !RESTRICTED.has(provenance.component)) this.collected.add(provenance.component);
    switch (type) {
      case "tool.execution_start": if (main) this.start(data, provenance); break;
      case "tool.execution_complete": if (main) this.complete(data, provenance); break;
      case "mcp.rpc.request": if (main && data.method === "tools/call") this.request(data, provenance); break;
      case "mcp.rpc.response": if (main) this.response(data, provenance); break;
      case "mcp.event": if (main && isRetry(data)) this.retries++; break;
      case "firewall.token_usage": if (main) this.row(data); break;
      case "safe_output.result": this.results++; break;
      case "session.result": if (main) this.result(data); break;
      case "session.collection": this.collection(data); break;
    }
  }

  start(data, provenance) {
    const name = data.toolName;
    if (typeof name !== "string" || name === "") return;
    this.total++;
    this.names.add(name);
    const call = {
      name, server: data.mcpServerName, from: provenance.timestampMs, to: Infinity, twin: false,
      input: data.input ?? data.command ?? null,
    };
    const scope = provenance.path;
    const previous = this.last.get(scope);
    if (previous !== undefined && previous.name === name && same(previous.input, call.input)) this.repeated++;
    this.last.set(scope, call);
    this.open.set(data.toolCallId, call);
  }

  complete(data, provenance) {
    const call = this.open.get(data.toolCallId);
    if (call === undefined) {
      if (!data.toolName) return;
      this.total++;
      this.names.add(data.toolName);
    } else {
      call.to = provenance.timestampMs;
      this.open.delete(data.toolCallId);
    }
    if (data.success === true && data.isError !== true && data.error == null && !FAILED.has(data.status) &&
        !(typeof data.exitCode === "number" && data.exitCode !== 0)) this.succeeded++;
  }

  request(data, provenance) {
    const at = provenance.timestampMs;
    for (const call of this.open.values()) {
      if (!call.twin && call.server === data.serverName && call.name === data.toolName && call.from <= at) {
        call.twin = true;
        return;
      }
    }
    this.total++;
    this.names.add(data.toolName);
    this.gateway.set(data.serverName + "\0" + data.rpcId, true);
    this.succeeded++;
  }

  response(data) {
    if (this.gateway.size === 0) return;
    if (this.gateway.delete(data.serverName + "\0" + data.rpcId) && data.error != null) this.succeeded--;
  }

  row(data) {
    const usage = data.usage ?? {};
    let total = usage.totalTokens ?? (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);
    if (usage.inputTokensIncludeCache === false) {
      total += (usage.cacheReadInputTokens ?? 0) + (usage.cacheCreationInputTokens ?? 0);
    }
    const row = { input: usage.inputTokens ?? 0, total, duration: data.durationMs };
    this.rows.set(data.requestId ?? this.anonymous++, row);
  }

  result(data) {
    if (data.durationMs !== undefined) this.duration = data.durationMs;
    if (data.numTurns !== undefined) this.turns = data.numTurns;
  }

  collection(data) {
    const absent = new Set(data.absentComponents ?? []);
    for (const name of ["agent", "mcp", "firewall", "safe_output", "experiment", "grader", "eval"]) {
      if (!absent.has(name)) this.collected.add(name);
    }
  }

  values() {
    let input = 0, peak = 0, total = 0, first = null, duration = 0;
    for (const row of this.rows.values()) {
      input += row.input;
      if (row.input > peak) peak = row.input;
      total += row.total;
      first ??= row.total;
      duration += row.duration;
    }
    const { total: calls, rows: { size: requests } } = this;
    const known = (component, value) => this.collected.has(component) ? value : null;
    return {
      "tool-success-rate": calls ? this.succeeded / calls : null,
      "tool-failure-count": known("agent", calls - this.succeeded),
      "retries": known("mcp", this.retries),
      "loops": known("agent", this.repeated),
      "trajectory-efficiency": calls ? Math.min(1, this.names.size / calls) : null,
      "execution-step-count": requests || this.turns,
      "execution-duration": requests ? duration : this.duration,
      "working-set-rebuild-factor": peak ? Math.max(1, input / peak) : null,
      "context-growth": first ? total / first : null,
      "artifact-production": known("safe_output", this.results),
    };
  }
}

function isRetry(data) {
  return data.event === "retry" || (typeof data.message === "string" && /retry/i.test(data.message));
}

function same(left, right) {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && same(left[key], right[key]));
}
