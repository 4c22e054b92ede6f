"""Ways to break the product, one or more for each row of docs/compliance.md: a row's tests fail under each of its own.

``sound`` is text of ``file`` and ``broken`` stands in its place. A row of the second table is named by its case.
"""

from typing import Final, NamedTuple

_GRADERS: Final = "opvalue/graders/"
_BUILTIN: Final = f"{_GRADERS}builtin/"
_TRAJECTORY: Final = f"{_GRADERS}trajectory/"
_EVALUATE: Final = f"{_GRADERS}evaluate.py"
_METADATA: Final = f"{_GRADERS}metadata.py"
_REFERENCES: Final = f"{_GRADERS}references.py"
_RESULTS: Final = f"{_GRADERS}results.py"
_FIELDS: Final = f"{_GRADERS}configuration/fields.py"
_MAPS: Final = f"{_GRADERS}configuration/maps.py"
_CONCLUSION: Final = "opvalue/conclusion/"
_COMPILE: Final = f"{_CONCLUSION}compile.py"
_CONCLUDE: Final = f"{_CONCLUSION}conclude.py"
_MANIFEST: Final = f"{_CONCLUSION}manifest.py"
_REPLAY: Final = f"{_CONCLUSION}replay.py"
_WORKFLOW: Final = f"{_CONCLUSION}workflow.py"
_WRITING: Final = f"{_CONCLUSION}writing.py"
_CALLS: Final = "opvalue/session/calls.py"
_REQUESTS: Final = "opvalue/session/requests.py"


class Break(NamedTuple):
    """One way to break one demand."""

    row: str
    file: str
    sound: str
    broken: str


_READS: Final = "open('pyproject.toml').close()\n"
_SILENT: Final = "for row in DEFAULTS if row.id not in graders]"
_MEASURE: Final = "return grader.measure(lookups)"
_COUNTS: Final = "        self._started += 1\n        if id_"
_SIZE: Final = "    if size > _MOST_SCRIPT_BYTES:"
_MAIN: Final = 'MAIN: Final = frozenset({"agent", ""})'
_OWN_SESSION: Final = "session = short(session) if session else self._sessions.get((source, owner))"
_UNKNOWN: Final = "        if field not in CHECKS:"
_WRONG: Final = "        if wrong is not None:"
_OFF: Final = 'entry.get("enabled") is False'
_LOOKUPS: Final = "    lookups = lookups_of(redacted)"
_GRADE: Final = "    graded = grade(lookups, projection, configuration)"
_DIGEST: Final = '"digest": entry.digest,\n            }'
_APPENDED: Final = "[*redacted, *grader_events(manifest, results)]"

BREAKS: Final = (
    Break("2.1", _EVALUATE, _MEASURE, "return grader.measure(None)"),
    Break("2.2", f"{_BUILTIN}retries.py", "    if lookups.retries", f"    {_READS}    if lookups.retries"),
    Break("2.2", f"{_BUILTIN}loops.py", "    if lookups", "    import os; os.getenv('HOME')\n    if lookups"),
    Break(
        "2.3",
        f"{_TRAJECTORY}from_session.py",
        "        seen = look.at(event)",
        "        event['seen'] = True\n        seen = look.at(event)",
    ),
    Break("2.4", _RESULTS, "for one in graded]", "for one in sorted(graded, key=lambda one: hash(one.entry.id))]"),
    Break(
        "2.5",
        "opvalue/session/events.py",
        'if it is an event. Raises ``NotAnEvent``."""\n',
        "if it is an event.\"\"\"\n    return {'type': 'x.y', 'data': {}, 'provenance': {}}\n",
    ),
    Break(
        "2.6",
        _CONCLUDE,
        _GRADE,
        "    graded = tuple(\n        one\n        for entry in configuration.enabled\n"
        "        for one in grade(lookups_of(redacted), projection, configuration._replace(entries=(entry,)))\n    )",
    ),
    Break("2.7", f"{_TRAJECTORY}from_session.py", "    look = Look()", f"    {_READS}    look = Look()"),
    Break("2.8", "opvalue/session/batch.py", _MAIN, 'MAIN: Final = frozenset({"agent", "", "detection"})'),
    Break("2.8", "opvalue/session/batch.py", _MAIN, 'MAIN: Final = frozenset({"agent", "", "evals"})'),
    Break("2.9", _CALLS, _OWN_SESSION, "session = None"),
    Break(
        "2.9",
        _CALLS,
        "        owner = owner and short(owner)\n        session",
        "        owner = None\n        session",
    ),
    Break("2.9", _CALLS, "        source = self.source((component, phase, path))\n", "        source = 0\n"),
    Break("2.10", "opvalue/session/gateway.py", "for tool in seen.candidates:\n", "for tool in ():\n"),
    Break("2.11", _REQUESTS, "        if self._rows:\n", "        if self._rows and not self._results:\n"),
    Break("2.12", f"{_BUILTIN}tool_success_rate.py", "    if calls.total == 0:", "    if False:"),
    Break("2.12", f"{_BUILTIN}tool_failure_count.py", "    if lookups.calls.failed == 0 and", "    if False and"),
    Break("2.12", f"{_BUILTIN}retries.py", "    if lookups.retries == 0 and", "    if False and"),
    Break("2.12", f"{_BUILTIN}loops.py", "    if lookups.calls.repeated == 0 and", "    if False and"),
    Break("2.12", f"{_BUILTIN}trajectory_efficiency.py", "    if calls.total == 0:", "    if False:"),
    Break("2.12", f"{_BUILTIN}execution_step_count.py", '    if requests.source == "none" and', "    if False and"),
    Break("2.12", f"{_BUILTIN}execution_duration.py", "unavailable(reason) if", "Measured(0) if"),
    Break("2.12", f"{_BUILTIN}working_set_rebuild_factor.py", "return unavailable(", "return Measured(1) or ("),
    Break("2.12", f"{_BUILTIN}context_growth.py", "return unavailable(", "return Measured(1) or ("),
    Break(
        "2.12", f"{_BUILTIN}artifact_production.py", "    if lookups.safe_output_results == 0 and", "    if False and"
    ),
    Break("3.1", _MAPS, _SILENT, "for row in DEFAULTS[:9] if row.id not in graders]"),
    Break("3.1", _MAPS, "    if layer.value is None:\n        return", "    if False:\n        return"),
    Break("3.2", _MAPS, _SILENT, "for row in BUILTIN.values() if row.id not in graders]"),
    Break("3.3", _MAPS, "    if identifier in BUILTIN:\n", '    if identifier in BUILTIN and field == "run":\n'),
    Break("3.3", _MAPS, "    if identifier in BUILTIN:\n", '    if identifier in BUILTIN and field == "script":\n'),
    Break("3.4", _MAPS, 'return None if field == "script" else errors.Run', "return None and errors.Run"),
    Break("3.4", _MAPS, 'return None if field == "run" else errors.Script', "return None and errors.Script"),
    Break(
        "3.4", _MAPS, '"run" if identifier == OPERATIONAL_VALUE else', "None if identifier == OPERATIONAL_VALUE else"
    ),
    Break("3.5", _MAPS, _UNKNOWN, f"        if field not in CHECKS and {_OFF}:\n            continue\n{_UNKNOWN}"),
    Break("3.5", _MAPS, _WRONG, f"        if wrong is not None and not {_OFF}:"),
    Break("3.5", _MAPS, "        if misplaced is not None:", f"        if misplaced is not None and not {_OFF}:"),
    Break("3.6", _RESULTS, "for entry in configuration.entries]}", "for entry in configuration.enabled]}"),
    Break("3.6", _MAPS, 'enabled=given.get("enabled", True),', "enabled=True,"),
    Break("3.6", _MANIFEST, '("enabled", "name"', '("name"'),
    Break("3.7", _MAPS, "    if findings:\n", "    if findings or {row.id for row in DEFAULTS} <= graders.keys():\n"),
    Break("3.8", _FIELDS, _SIZE, "    if False:"),
    Break("3.8", _FIELDS, _SIZE, "    if size >= _MOST_SCRIPT_BYTES:"),
    Break("3.8", _MAPS, "        yield _missing(identifier, grader)", "        pass"),
    *(
        Break("3.9", _FIELDS, f'    "{field}": _', f'    "no-{field}": _')
        for field in ("enabled", "name", "description", "unit", "direction", "threshold", "min", "max", "config")
    ),
    Break("3.9", _FIELDS, '    "unit": _string,\n', '    "unit": _string,\n    "severity": _string,\n'),
    Break("4.1", _CALLS, _COUNTS, "        for _ in range(self._started): pass\n" + _COUNTS),
    Break("4.2", f"{_BUILTIN}tool_success_rate.py", "(calls.total - calls.failed)", "calls.failed"),
    Break("4.2", f"{_BUILTIN}tool_failure_count.py", "calls, lookups.calls.failed", "calls, lookups.calls.total"),
    Break("4.2", f"{_BUILTIN}retries.py", "Measured(lookups.retries)", "Measured(lookups.retries + 1)"),
    Break("4.2", f"{_BUILTIN}loops.py", "calls, lookups.calls.repeated", "calls, lookups.calls.repeated + 1"),
    Break("4.2", f"{_BUILTIN}trajectory_efficiency.py", "calls.distinct_names / calls.total", "1 / calls.total"),
    Break("4.2", f"{_BUILTIN}execution_step_count.py", "Measured(requests.count)", "Measured(requests.count + 1)"),
    Break("4.2", f"{_BUILTIN}execution_duration.py", "Measured(duration)", "Measured(duration / 1000)"),
    Break("4.2", f"{_BUILTIN}working_set_rebuild_factor.py", "input_sum / requests.peak_input", "input_sum"),
    Break("4.2", f"{_BUILTIN}context_growth.py", "total_tokens / requests.first_total", "total_tokens"),
    Break("4.2", f"{_BUILTIN}artifact_production.py", "Measured(lookups.safe", "Measured(1 + lookups.safe"),
    Break("4.3", _MAPS, _SILENT, "for row in BUILTIN.values() if row.id not in graders]"),
    Break("4.3", _METADATA, "None, 0, 1, default=False)", "None, 0, 1, default=True)"),
    Break("4.4", f"{_TRAJECTORY}measuring.py", "return unavailable(str(missing))", "return Measured(0)"),
    Break(
        "4.4",
        f"{_TRAJECTORY}code_search_recall.py",
        "    if not isinstance(files, list) or not files:\n        raise",
        "    if not isinstance(files, list) or not files:\n        return 0\n        raise",
    ),
    Break("4.5", f"{_TRAJECTORY}measuring.py", "        if crowded is not None:", "        if False:"),
    Break("4.5", f"{_TRAJECTORY}projection.py", "0) > MOST_ITEMS:", "0) > MOST_ITEMS + 1:"),
    Break("4.5", f"{_TRAJECTORY}projection.py", "0) > MOST_ITEMS:", "0) >= MOST_ITEMS:"),
    Break("4.5", f"{_TRAJECTORY}from_session.py", "    if total > MOST_ITEMS:", "    if False:"),
    Break("5.1", _CONCLUDE, _GRADE, _GRADE.replace("lookups,", "lookups_of([]),")),
    Break("5.2", _CONCLUDE, _LOOKUPS, "    lookups = lookups_of(recorded)"),
    Break("5.2", "opvalue/session/redaction.py", "*masks_in(masking))", ")"),
    Break("5.2", _CONCLUDE, "Secrets(tuple(secrets))", "Secrets()"),
    Break("5.3", _CONCLUDE, _LOOKUPS, f"    {_READS}{_LOOKUPS}"),
    Break("5.4", _RESULTS, '"phase": "conclusion", "path"', '"phase": "agent", "path"'),
    Break("5.4", _CONCLUDE, _APPENDED, "[*grader_events(manifest, results), *redacted]"),
    Break("5.4", _WRITING, "            (folder / MANIFEST_FILE, [dumps(concluded.manifest).encode()]),\n", ""),
    Break("5.4", _WRITING, "            (folder / RESULTS_FILE, [dumps(concluded.results).encode()]),\n", ""),
    Break("5.5", _RESULTS, "VERSION: Final = 2", "VERSION: Final = 1"),
    *(
        Break("5.6", _RESULTS, f'        "{field}": ', f'        "no-{field}": ')
        for field in ("value", "passed", "status", "implementation")
    ),
    Break("5.6", _RESULTS, '**_present({"unit": entry.unit}),\n        "passed"', '"passed"'),
    Break("5.7", _EVALUATE, "    except Exception as error:", "    except ValueError as error:"),
    Break("5.7", _EVALUATE, "Graded(entry, None, Status.ERROR, None,", "Graded(entry, 0, Status.PASS, None,"),
    Break("5.7", "opvalue/cli/graders_conclude.py", '        console.warn(f"the grader', '        str(f"the grader'),
    Break(
        "5.8", _RESULTS, _DIGEST, _DIGEST.replace("            }", '                "run": entry.run,\n            }')
    ),
    Break(
        "5.8",
        _RESULTS,
        _DIGEST,
        _DIGEST.replace("            }", '                "script": entry.script,\n            }'),
    ),
    Break("5.8", _MANIFEST, "    if code:\n", "    if False:\n"),
    Break("5.8", _MANIFEST, ', "evaluator"})', "})"),
    Break("5.9", _WORKFLOW, 'frozenset({"conclusion", "graders"})', 'frozenset({"conclusion"})'),
    Break("5.9", _WORKFLOW, '("safe-outputs", "jobs"), ', ""),
    Break("5.9", _COMPILE, "merged(files, found)", "merged(files, ())"),
    Break("5.12", f"{_CONCLUSION}evaluator_file.py", "    _check_syntax(data, path)\n    return", "    return"),
    Break("5.12", f"{_CONCLUSION}evaluator_file.py", "        check_script(data, path.text)\n", ""),
    Break("5.12", f"{_CONCLUSION}evaluator_file.py", "_LIMITS.evaluator_bytes)", "_LIMITS.evaluator_bytes + 1)"),
    Break("5.12", f"{_CONCLUSION}evaluator_file.py", "_LIMITS.evaluator_bytes)", "_LIMITS.evaluator_bytes - 1)"),
    Break("5.12", _FIELDS, "RepoPath.declared(text, beside=folder).text", 'text.removeprefix("./")'),
    Break("5.12", _FIELDS, '    if not plain.endswith(".sh"):', "    if False:"),
    Break("5.16", _RESULTS, '{**IMPLEMENTATION, **_present({"digest": entry.digest})}', "{**IMPLEMENTATION}"),
    Break(
        "6.1",
        _REPLAY,
        _GRADE,
        "    graded = tuple(one._replace(value=0) for one in grade(lookups, projection, configuration))",
    ),
    Break("6.2", "opvalue/session/framing.py", 'Opened(first == b"[", ', "Opened(False, "),
    Break("6.3", "opvalue/conclusion/fetch.py", "    if len(holding) == 1:", "    if False:"),
    Break(
        "6.4",
        _REPLAY,
        "(failed(entry, _NO_RUNTIME) for",
        "(failed(entry, _NO_RUNTIME)._replace(status=Status.PASS) for",
    ),
    Break("7.1", _REFERENCES, 'suffix != "value"', 'suffix != "score"'),
    Break(
        "7.1",
        _REFERENCES,
        "entry = configuration.find(identifier)",
        "entry = {one.id: one for one in configuration.custom}.get(identifier)",
    ),
    Break("7.2", _REFERENCES, "    if not entry.enabled:", "    if False:"),
    Break("7.2", _REFERENCES, "    if not identifier:", "    if False:"),
    Break("7.3", _RESULTS, '"value": graded.value,', '"value": graded.value or 0,'),
    Break("8.1", _MAPS, _SILENT, "for row in BUILTIN.values() if row.id not in graders]"),
    Break("8.2", _FIELDS, "    if why is None:", "    if True:"),
    Break(
        "8.3",
        _RESULTS,
        _DIGEST,
        _DIGEST.replace("            }", '                "script": entry.script,\n            }'),
    ),
    Break("8.5", _RESULTS, "for one in graded]", "for one in sorted(graded, key=lambda one: hash(one.entry.id))]"),
    Break("8.7", _CALLS, _OWN_SESSION, "session = None"),
    Break(
        "8.7", _REQUESTS, "key: str | int = len(self._rows) if id_ is None", "key: str | int = len(self._rows) if True"
    ),
    Break("8.8", _CONCLUDE, "if not is_appended(event)]", 'if not str(event.get("type")).startswith("grader.")]'),
    Break("8.9", _WRITING, "dumps(concluded.results)", "dumps({**concluded.results, 'results': []})"),
    Break("8.10", _REPLAY, "results_document(self.graded, self", "results_document(self.graded[::-1], self"),
    Break("8.11", _CALLS, _COUNTS, "        for _ in range(self._started): pass\n" + _COUNTS),
    Break("8.12", _REFERENCES, "    if not entry.enabled:", "    if False:"),
    Break(
        "no tool call",
        f"{_BUILTIN}tool_success_rate.py",
        "    if calls.total == 0:\n        return",
        "    if calls.total == 0:\n        return Measured(1)\n        return",
    ),
    Break(
        "no tool call, no retry, no artifact, and the component was not collected",
        f"{_BUILTIN}retries.py",
        "    if lookups.retries == 0 and",
        "    if False and",
    ),
    Break("no request", f"{_BUILTIN}execution_step_count.py", '"firewall" not in lookups.collected', "True"),
    Break(
        "the first request shows no tokens",
        f"{_BUILTIN}context_growth.py",
        "    if not requests.first_total:\n",
        "    if not requests.first_total:\n        return Measured(1)\n",
    ),
    Break(
        "a request without a usable duration or without tokens",
        f"{_BUILTIN}context_growth.py",
        "    if requests.without_tokens:",
        "    if False:",
    ),
    Break(
        "a request without a usable duration or without tokens",
        f"{_BUILTIN}execution_duration.py",
        "unavailable(reason) if duration is None",
        "Measured(0) if duration is None",
    ),
    Break("a row of telemetry that repeats", _REQUESTS, "len(self._rows) if id_ is None", "len(self._rows) if True"),
    Break("arguments in another order of keys", "opvalue/session/arguments.py", "or _same(earlier, later)", "or False"),
    Break(
        "arguments null, 0, empty and absent",
        "opvalue/session/arguments.py",
        "    if given is None or",
        "    given = given or None\n    if given is None or",
    ),
    Break("a completion with an id that no start has", _CALLS, "nameless=id_ is not None)", "nameless=False)"),
    Break(
        "a gateway record without arguments",
        "opvalue/session/gateway.py",
        "            if id_ is not None and id_ in ids:",
        "            if False:",
    ),
    Break(
        "more than 5,000 tool calls",
        f"{_TRAJECTORY}measuring.py",
        "        if crowded is not None:",
        '        if crowded not in {None, "toolCalls"}:',
    ),
    Break("`graders` absent or null", _MAPS, _SILENT, "for row in DEFAULTS if graders]"),
    Break("`graders: {}`", _MAPS, _SILENT, "for row in BUILTIN.values() if row.id not in graders]"),
    Break(
        "every grader is disabled",
        _MAPS,
        "    if findings:\n",
        "    if findings or {row.id for row in DEFAULTS} <= graders.keys():\n",
    ),
    Break(
        "a trajectory grader that nobody names", _MAPS, _SILENT, "for row in BUILTIN.values() if row.id not in graders]"
    ),
    Break("an unknown field", _MAPS, _UNKNOWN, f"        if field not in CHECKS:\n            continue\n{_UNKNOWN}"),
    Break(
        "a disabled custom grader without a script",
        _MAPS,
        "    if needed is not None and",
        '    if "enabled" not in grader.fields and needed is not None and',
    ),
    Break("a script's size", _FIELDS, "        size = len(value.encode())", "        size = len(value)"),
    Break("a script's size", _FIELDS, _SIZE, "    if size > 4096:"),
    Break(
        "bounds reversed, or a threshold outside them",
        _MAPS,
        "    if low is not None and high is not None and low > high:",
        "    if False:",
    ),
    Break("bounds reversed, or a threshold outside them", _MAPS, "    if threshold is None:", "    if True:"),
    Break("artifacts", f"{_BUILTIN}artifact_production.py", "Measured(lookups.safe", "Measured(1 + lookups.safe"),
    Break("version of manifest and results", _RESULTS, "VERSION: Final = 2", "VERSION: Final = 1"),
    Break("identity of the implementation", _RESULTS, '"id": "opvalue/graders"', '"id": "gh-aw/graders"'),
)
