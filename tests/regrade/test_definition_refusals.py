"""Reference 4.1 and 4.2: each refusal of a definition by its code, and ``--grade-run`` is never called."""

from collections.abc import Callable
from typing import Any

import pytest

from opvalue.contract.errors import DefinitionIncomplete
from opvalue.errors import OpvalueError
from opvalue.evaluator import Runner
from opvalue.limits import Limits
from tests.support.refusals import refused
from tests.support.told import DEFINITION, Told, changed
from tests.support.world import World


def baseline(mode: object, **fields: object) -> dict[str, Any]:
    return changed(DEFINITION, baseline={"mode": mode, **fields})


def comparable(value: object) -> dict[str, Any]:
    rest = {"evidenceCutoff": "2026-08-01T00:00:00Z", "provenance": [{"ref": "x"}]}
    return changed(DEFINITION, baseline=changed({"mode": "baseline-comparable", **rest}, value=value))


OUTPUTS: list[tuple[str, object, str]] = [
    ("empty", b"", "contract.output-empty"),
    ("blank", b" \n", "contract.output-empty"),
    ("coloured", b"\x1b[1;39m{}", "contract.output-escape"),
    ("two documents", b"{}\n{}\n", "contract.output-more-than-one-value"),
    ("text", b"usage: x\n", "contract.output-not-json"),
    ("not UTF-8", b'{"a": "\xff"}', "contract.output-not-json"),
    ("byte order mark", b"\xef\xbb\xbf{}", "contract.output-not-json"),
    ("duplicate key", b'{"schemaVersion": 4, "schemaVersion": 4}', "contract.output-not-json"),
    ("NaN", b'{"schemaVersion": NaN}', "contract.output-not-json"),
    ("deep", b"[" * 100_000, "contract.output-not-json"),
    ("array", [DEFINITION], "contract.definition-not-object"),
    ("null", None, "contract.definition-not-object"),
    ("no version", changed(DEFINITION, schemaVersion=...), "contract.definition-schema-version"),
    ("version 3", changed(DEFINITION, schemaVersion=3), "contract.definition-schema-version"),
    ("version 5", changed(DEFINITION, schemaVersion=5), "contract.definition-schema-version"),
    ("version as text", changed(DEFINITION, schemaVersion="4"), "contract.definition-schema-version"),
    ("no grader", changed(DEFINITION, grader=...), "contract.definition-grader"),
    ("grader of the first generation", changed(DEFINITION, grader="value"), "contract.definition-grader"),
    ("no baseline", changed(DEFINITION, baseline=...), "contract.definition-baseline-mode"),
    ("null baseline", changed(DEFINITION, baseline=None), "contract.definition-baseline-mode"),
    ("no mode", changed(DEFINITION, baseline={"value": None}), "contract.definition-baseline-mode"),
    ("unknown mode", baseline("baseline", value=0.5), "contract.definition-baseline-mode"),
    ("mode is a list", baseline([], value=0.5), "contract.definition-baseline-mode"),
    ("attainment without value", baseline("attainment-only"), "contract.definition-baseline-value"),
    ("attainment with 0", baseline("attainment-only", value=0), "contract.definition-baseline-value"),
    ("comparable null", comparable(None), "contract.definition-baseline-value"),
    ("comparable absent", comparable(...), "contract.definition-baseline-value"),
    ("comparable 2", comparable(2), "contract.definition-baseline-value"),
    ("comparable true", comparable(True), "contract.definition-baseline-value"),
    ("comparable below 0", baseline("baseline-comparable", value=-0.01), "contract.definition-baseline-value"),
    ("comparable without cutoff", baseline("baseline-comparable", value=0.5), "contract.definition-incomplete"),
    ("another repository", changed(DEFINITION, repository="acme/gadgets"), "regrade.definition-repository"),
    ("another owner", changed(DEFINITION, repository="evil/widgets"), "regrade.definition-repository"),
]


@pytest.mark.parametrize(("printed", "code"), [row[1:] for row in OUTPUTS], ids=[row[0] for row in OUTPUTS])
def test_what_it_prints(told: Told, printed: object, code: str) -> None:
    told.define(printed)
    assert refused(told.world).code == code
    assert told.world.modes == ["--definition"]


@pytest.mark.parametrize("field", [key for key in DEFINITION if key not in {"schemaVersion", "grader", "baseline"}])
def test_each_missing_field_is_named(told: Told, field: str) -> None:
    told.define(changed(DEFINITION, **{field: ...}))
    error = refused(told.world)
    assert isinstance(error, DefinitionIncomplete)
    assert all(finding.path.partition(".")[0] == field for finding in error.findings)
    assert told.world.modes == ["--definition"]


def test_a_definition_printed_before_a_failing_exit_is_none(told: Told) -> None:
    told.define(DEFINITION, status=3)
    error = refused(told.world)
    assert (error.code, error.found) == ("evaluator.exit-status", "exit status 3")
    assert told.world.modes == ["--definition"]


QUICK = Runner(Limits(definition_seconds=0.5, stream_bytes=8000), sandboxed=False)
BEHAVIOURS: list[tuple[str, bytes, str]] = [
    ("hangs", b"sleep 30", "process.timed-out"),
    ("talks", b"while :; do echo x; done", "process.output-too-large"),
    ("is killed", b"kill -9 $$", "evaluator.killed"),
    ("leaves a process", b"sleep 30 & definition", "process.left-running"),
]


@pytest.mark.parametrize(("command", "code"), [row[1:] for row in BEHAVIOURS], ids=[row[0] for row in BEHAVIOURS])
def test_how_it_ends(own: World, command: bytes, code: str) -> None:
    own.adopt(own.evaluator.replace(b"--definition) definition ;;", b"--definition) " + command + b" ;;"))
    with pytest.raises(OpvalueError) as caught:
        own.regrade(runner=QUICK)
    assert caught.value.code == code
    assert "--grade-run" not in own.modes


def test_invalid_bash_is_not_started(own: World) -> None:
    own.adopt(own.evaluator + b"if true; then fi\n")
    assert refused(own).code == "evaluator.syntax"
    assert own.modes == []


ACCEPTED: list[tuple[str, Callable[[], dict[str, Any]]]] = [
    ("as it is", lambda: DEFINITION),
    ("version 4.0", lambda: changed(DEFINITION, schemaVersion=4.0)),
    ("unknown fields", lambda: changed(DEFINITION, extra={"a": 1})),
    ("letter case of the repository", lambda: changed(DEFINITION, repository="Acme/WIDGETS")),
    ("comparable 0", lambda: comparable(0)),
    ("comparable 1", lambda: comparable(1)),
]


@pytest.mark.parametrize("definition", [row[1] for row in ACCEPTED], ids=[row[0] for row in ACCEPTED])
def test_what_is_accepted(told: Told, definition: Callable[[], dict[str, Any]]) -> None:
    told.define(definition())
    assert told.world.regrade(runner=QUICK).observation.value == 0.5
    assert told.world.modes == ["--definition", "--grade-run"]
