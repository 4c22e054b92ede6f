"""What a ``graders`` map becomes, and each thing that can be wrong with one."""

import copy
import hashlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opvalue.errors import Kind
from opvalue.graders.configuration import (
    Configuration,
    ConfigurationRefused,
    Entry,
    Layer,
    Position,
    Source,
    configure,
    configured,
    defaults,
)
from opvalue.graders.metadata import BUILTIN, DEFAULTS
from opvalue.strictjson import JsonValue

SCRIPT = "return 1;"
RUN = ".github/graders/value.sh"
DEFAULT_IDS = [row.id for row in DEFAULTS]


def ids(configuration: Configuration) -> list[str]:
    return [entry.id for entry in configuration.entries]


def entry(grader: str, settings: Any) -> Entry:
    found = configure({grader: settings}).find(grader)
    assert found is not None
    return found


def refused(value: Any) -> list[str]:
    with pytest.raises(ConfigurationRefused) as caught:
        configure(value)
    return [finding.code for finding in caught.value.findings]


@pytest.mark.parametrize("value", [None, {}, {"loops": None}, {"loops": {}}, {" loops ": {"enabled": True}}])
def test_the_ten_defaults(value: JsonValue) -> None:
    assert configure(value) == defaults()
    assert ids(defaults()) == DEFAULT_IDS
    assert len(DEFAULT_IDS) == 10
    assert defaults().enabled == defaults().entries


def test_a_disabled_default_stays_as_disabled() -> None:
    configuration = configure({"loops": {"enabled": False}})
    assert ids(configuration) == [*(one for one in DEFAULT_IDS if one != "loops"), "loops"]
    assert configuration.entries[-1].enabled is False
    assert len(configuration.enabled) == 9


def test_all_disabled_is_valid() -> None:
    configuration = configure({identifier: {"enabled": False} for identifier in DEFAULT_IDS})
    assert configuration.enabled == ()
    assert ids(configuration) == sorted(DEFAULT_IDS)


def test_the_order_of_the_manifest() -> None:
    configuration = configure(
        {
            "zeta": {"script": SCRIPT},
            "operational-value": {"run": RUN},
            "recurrence-rate": {},
            "alpha": {"script": SCRIPT},
            "policy-near-miss": None,
            "off-custom": {"script": SCRIPT, "enabled": False},
            "loops": {"enabled": False},
        }
    )
    assert ids(configuration) == [
        *(one for one in DEFAULT_IDS if one != "loops"),
        "policy-near-miss",
        "recurrence-rate",
        "alpha",
        "operational-value",
        "zeta",
        "loops",
        "off-custom",
    ]
    assert [one.id for one in configuration.custom] == ["alpha", "operational-value", "zeta", "off-custom"]


def test_a_built_in_overrides_only_what_it_names() -> None:
    before = defaults().find("tool-success-rate")
    assert before is not None
    assert entry("tool-success-rate", {"threshold": 0.95}) == before._replace(threshold=0.95)
    changes = {"name": " Mine ", "description": "d", "unit": "%", "direction": "lower_is_better", "min": -1, "max": 2}
    changed = entry("tool-success-rate", changes | {"threshold": 0, "config": {"a": [1]}})
    assert changed == before._replace(
        name="Mine",
        description="d",
        unit="%",
        direction="lower_is_better",
        minimum=-1,
        maximum=2,
        threshold=0,
        config={"a": [1]},
    )


def test_texts_that_say_nothing_change_nothing() -> None:
    assert entry("loops", {"name": " ", "description": "", "unit": ""}) == defaults().find("loops")


def test_a_custom_grader() -> None:
    assert entry("my-grader", {"script": f" {SCRIPT}\n"}) == Entry(
        id="my-grader",
        name="my-grader",
        description=None,
        source=Source.INLINE,
        enabled=True,
        unit=None,
        direction=None,
        threshold=None,
        minimum=None,
        maximum=None,
        config={},
        script=f" {SCRIPT}\n",
        run=None,
        digest=hashlib.sha256(f" {SCRIPT}\n".encode()).hexdigest(),
    )


def test_the_evaluator_of_the_repository() -> None:
    found = entry("operational-value", {"run": " ./graders/t.sh "})
    assert (found.source, found.run, found.direction) == (
        Source.OPERATIONAL_VALUE,
        ".github/workflows/graders/t.sh",
        "higher_is_better",
    )
    assert configured([Layer({"operational-value": {"run": "./t.sh"}}, folder="shared")]).custom[0].run == "shared/t.sh"
    assert configured([Layer({"operational-value": {"run": "./t.sh"}}, folder="")]).custom[0].run == "t.sh"


def nested(levels: int) -> Any:
    """Return an object that nests so deep, objects and arrays in turn."""
    inner: Any = 1
    for level in range(levels, 0, -1):
        inner = {"a": inner} if level % 2 else [0, inner]
    return inner


CUSTOM: dict[str, Any] = {"script": SCRIPT}
EVALUATOR: dict[str, Any] = {"run": RUN}
FAULTS: list[tuple[Any, list[str]]] = [
    ([], ["graders.not-a-map"]),
    ("all", ["graders.not-a-map"]),
    (False, ["graders.not-a-map"]),
    ({"UPPER_CASE": {}}, ["graders.bad-id"]),
    ({"": {}}, ["graders.bad-id"]),
    ({"9lives": {}}, ["graders.bad-id"]),
    ({"a" * 65: CUSTOM}, ["graders.bad-id"]),
    ({"é": CUSTOM}, ["graders.bad-id"]),
    ({"retry-test": CUSTOM, " retry-test": CUSTOM}, ["graders.duplicate-id"]),
    ({"loops": 1}, ["graders.entry-not-a-map"]),
    ({"loops": []}, ["graders.entry-not-a-map"]),
    ({"my-grader": True}, ["graders.entry-not-a-map"]),
    ({"operational-value": "x.sh"}, ["graders.entry-not-a-map"]),
    ({"loops": {"treshold": 1}}, ["graders.unknown-field"]),
    ({"my-grader": CUSTOM | {"language": "js"}}, ["graders.unknown-field"]),
    *(({"loops": {field: None}}, ["graders.wrong-type"]) for field in ("enabled", "name", "threshold", "config")),
    *(({"loops": {"enabled": value}}, ["graders.wrong-type"]) for value in (0, 1, "false")),
    *(({"loops": {field: 1}}, ["graders.wrong-type"]) for field in ("name", "description", "unit", "direction")),
    *(({"loops": {field: True}}, ["graders.wrong-type"]) for field in ("threshold", "min", "max")),
    ({"loops": {"threshold": "3"}}, ["graders.wrong-type"]),
    ({"loops": {"config": []}}, ["graders.wrong-type"]),
    ({"loops": {"config": nested(65)}}, ["graders.config-too-deep"]),
    ({"my-grader": CUSTOM | {"config": {"b": 1, **nested(50_000)}}}, ["graders.config-too-deep"]),
    ({"my-grader": {"script": 1}}, ["graders.wrong-type"]),
    ({"operational-value": {"run": []}}, ["graders.wrong-type"]),
    *(
        ({"loops": {"threshold": value}}, ["graders.number-not-finite"])
        for value in (float("nan"), float("inf"), -float("inf"), 10**400, 10**5000)
    ),
    ({"loops": {"direction": "up"}}, ["graders.unknown-direction"]),
    ({"loops": {"direction": ""}}, ["graders.unknown-direction"]),
    ({"loops": {"script": SCRIPT}}, ["graders.builtin-overridden"]),
    ({"recurrence-rate": {"run": RUN}}, ["graders.builtin-overridden"]),
    ({"my-grader": None}, ["graders.script-missing"]),
    ({"my-grader": {}}, ["graders.script-missing"]),
    ({"my-grader": {"script": " \n"}}, ["graders.script-blank"]),
    ({"my-grader": {"script": "x" * (256 * 1024 + 1)}}, ["graders.script-too-large"]),
    ({"my-grader": {"script": "é" * (128 * 1024) + "x"}}, ["graders.script-too-large"]),
    ({"my-grader": {"script": "'\ud800'"}}, ["graders.script-not-text"]),
    ({"my-grader": CUSTOM | {"run": RUN}}, ["graders.run-misplaced"]),
    ({"my-grader": {"run": RUN}}, ["graders.run-misplaced", "graders.script-missing"]),
    ({"operational-value": {}}, ["graders.run-missing"]),
    ({"operational-value": None}, ["graders.run-missing"]),
    ({"operational-value": {"script": SCRIPT}}, ["graders.script-on-evaluator"]),
    ({"operational-value": EVALUATOR | {"script": SCRIPT}}, ["graders.script-on-evaluator"]),
    ({"loops": {"min": 2, "max": 1}}, ["graders.bounds-reversed"]),
    ({"tool-success-rate": {"min": 2}}, ["graders.bounds-reversed"]),
    ({"tool-success-rate": {"max": -1, "threshold": 9}}, ["graders.bounds-reversed"]),
    ({"tool-success-rate": {"threshold": 95}}, ["graders.threshold-out-of-bounds"]),
    ({"loops": {"min": 2, "threshold": 1}}, ["graders.threshold-out-of-bounds"]),
    ({"my-grader": CUSTOM | {"max": 1, "threshold": 2}}, ["graders.threshold-out-of-bounds"]),
]


@pytest.mark.parametrize("switched_off", [False, True])
@pytest.mark.parametrize(("value", "codes"), FAULTS)
def test_what_is_refused_even_when_disabled(value: Any, codes: list[str], switched_off: bool) -> None:
    if switched_off and isinstance(value, dict):
        value = {
            key: {"enabled": False, **settings} if isinstance(settings, dict) else settings
            for key, settings in value.items()
        }
    assert refused(value) == codes


@pytest.mark.parametrize("run", ["evaluator.sh", "scripts/nested/e.sh", "./graders/t.sh", "x/..secret.sh", ".sh"])
def test_safe_paths(run: str) -> None:
    assert entry("operational-value", {"run": run}).enabled


@pytest.mark.parametrize(
    "run",
    [
        "",
        "/a.sh",
        "//h/a.sh",
        "./",
        "../t.sh",
        "./../t.sh",
        "a/../t.sh",
        "a/./t.sh",
        "a//b.sh",
        "evaluator.sh/",
        "evaluator.js",
        "a\\b.sh",
        "C:a.sh",
        "-a.sh",
        "a\nb.sh",
        "a\0.sh",
        "\ud800.sh",
        "././a.sh",
        "x" * 2000 + ".sh",
    ],
)
def test_unsafe_paths(run: str) -> None:
    assert refused({"operational-value": {"run": run}}) == ["graders.unsafe-run"]


def test_the_largest_script_counts_bytes() -> None:
    assert entry("my-grader", {"script": "x" * (256 * 1024)}).script
    assert entry("my-grader", {"script": "é" * (128 * 1024)}).script


def test_the_deepest_config() -> None:
    for config in (nested(64), {**nested(64), "b": nested(63)}):
        assert entry("loops", {"config": config}).config == config


def test_a_threshold_at_its_bounds() -> None:
    for threshold in (0, 1, 0.0, 1.0):
        assert entry("tool-success-rate", {"threshold": threshold}).threshold == threshold
    assert entry("my-grader", CUSTOM | {"min": 1, "max": 1, "threshold": 1}).maximum == 1


def test_what_the_registry_gives_counts_where_nothing_is_declared() -> None:
    assert entry("tool-success-rate", {"min": 0.9, "threshold": 0.95}).threshold == 0.95
    assert refused({"tool-success-rate": {"min": 0.9}}) == ["graders.threshold-out-of-bounds"]


def test_all_faults_at_once() -> None:
    value = {
        "BAD": {},
        "loops": {"enabled": "yes", "color": 1, "threshold": True},
        "mine": {"direction": "up"},
        "operational-value": {"run": "/x.sh"},
    }
    with pytest.raises(ConfigurationRefused) as caught:
        configure(value)  # type: ignore[arg-type]
    error = caught.value
    assert [finding.code for finding in error.findings] == [
        "graders.bad-id",
        "graders.wrong-type",
        "graders.unknown-field",
        "graders.wrong-type",
        "graders.unknown-direction",
        "graders.unsafe-run",
        "graders.script-missing",
    ]
    assert error.kind is Kind.USAGE
    assert error.code == "graders.configuration-refused"
    for finding in error.findings:
        assert f"[{finding.code}]" in error.diagnostics()
    described = error.envelope()["error"]
    assert isinstance(described, dict)
    assert [one["code"] for one in described["findings"]] == [finding.code for finding in error.findings]
    assert described["findings"][1] == {
        "code": "graders.wrong-type",
        "message": "enabled of loops has the wrong type",
        "hint": error.findings[1].hint,
        "expected": "a boolean",
        "found": "string",
    }


def test_each_fault_is_a_line_with_what_was_expected_and_found() -> None:
    with pytest.raises(ConfigurationRefused) as caught:
        configure(
            {
                "loops": {"threshold": float("inf"), "direction": "x" * 90, "script": "x"},
                "operational-value": {"run": "a.py"},
                "a": {"script": "x"},
                " a": {"script": "x"},
            }
        )
    directions, path = "higher_is_better | lower_is_better", "a safe relative path of a .sh file"
    assert caught.value.message.split("\n") == [
        "the configuration of graders has 5 faults",
        "threshold of loops is not finite [graders.number-not-finite] (expected a finite number; found inf)",
        f"direction of loops is unknown [graders.unknown-direction] (expected {directions}; found '{'x' * 80}')",
        "loops is a built-in and takes no script [graders.builtin-overridden]",
        f"run of operational-value does not end with .sh [graders.unsafe-run] (expected {path}; found 'a.py')",
        "'a' and ' a' are one id [graders.duplicate-id] (expected each id once; found 'a' and ' a')",
    ]


def test_very_many_faults_are_not_all_looked_for() -> None:
    with pytest.raises(ConfigurationRefused) as caught:
        configure({f"BAD-{number}": None for number in range(500)})
    assert len(caught.value.findings) == 100
    assert caught.value.message.startswith("the configuration of graders has 100 faults or more")


def test_a_mistyped_built_in_is_guessed() -> None:
    with pytest.raises(ConfigurationRefused) as caught:
        configure({"recurence-rate": {}, "entirely-mine": {}})
    near, far = caught.value.findings
    assert near.expected == "a script, or a built-in such as recurrence-rate"
    assert far.expected
    assert all(identifier in far.expected for identifier in BUILTIN)


def test_places() -> None:
    def place(path: tuple[str, ...], key: bool) -> Position:
        return Position("/".join(path), 7, 1 if key else 2)

    layers = [
        Layer({"mine": {"script": 1}}, place=lambda *_: Position("import.md", 3, 5)),
        Layer({"loops": {"x": 1, "min": 3, "max": 1, "threshold": True}, "other": None}, place=place),
    ]
    with pytest.raises(ConfigurationRefused) as caught:
        configured(layers)
    assert [(finding.code, str(finding.position)) for finding in caught.value.findings] == [
        ("graders.wrong-type", "import.md:3:5"),
        ("graders.unknown-field", "loops/x:7:1"),
        ("graders.wrong-type", "loops/threshold:7:2"),
        ("graders.bounds-reversed", "loops/min:7:2"),
        ("graders.script-missing", "other:7:1"),
    ]
    assert "import.md:3:5: script of mine has the wrong type [graders.wrong-type]" in str(caught.value)
    error = caught.value.envelope()["error"]
    assert isinstance(error, dict)
    assert error["findings"][0] | {"file": "import.md", "line": 3, "column": 5} == error["findings"][0]


class TestSeveralMaps:
    """Imports come first, the workflow's own map last."""

    def merged(self, *values: Any) -> Configuration:
        return configured([Layer(value) for value in values])

    def test_the_last_wins_field_by_field(self) -> None:
        found = self.merged(
            {"loops": {"threshold": 1, "name": "Imported"}}, None, {"loops": {"threshold": 2}}, {"loops": None}
        ).find("loops")
        assert found is not None
        assert (found.threshold, found.name) == (2, "Imported")

    def test_config_merges_key_by_key(self) -> None:
        first = {"config": {"a": 1, "deep": {"x": 1, "y": [1]}, "kept": {"z": 1}}}
        second = {"config": {"a": {"b": 2}, "deep": {"y": [2]}}}
        found = self.merged({"loops": first}, {" loops": second}).find("loops")
        assert found is not None
        assert found.config == {"a": {"b": 2}, "deep": {"x": 1, "y": [2]}, "kept": {"z": 1}}

    def test_an_imported_grader_can_be_switched_off_by_a_word(self) -> None:
        imported = {"mine": CUSTOM, "operational-value": EVALUATOR}
        configuration = self.merged(imported, {"mine": {"enabled": False}, "operational-value": {"enabled": False}})
        assert [one.enabled for one in configuration.custom] == [False, False]
        assert configuration.custom[0].script == SCRIPT

    def test_a_disabled_import_stays_disabled(self) -> None:
        assert len(self.merged({"loops": {"enabled": False}}, {"loops": {"threshold": 1}}).enabled) == 9

    def test_an_overridden_fault_is_still_one(self) -> None:
        with pytest.raises(ConfigurationRefused):
            self.merged({"loops": {"threshold": "x"}}, {"loops": {"threshold": 1}})

    def test_bounds_are_judged_on_what_comes_out(self) -> None:
        assert self.merged({"loops": {"min": 5, "max": 9, "threshold": 2}}, {"loops": {"min": 1, "max": 2}})
        with pytest.raises(ConfigurationRefused):
            self.merged({"loops": {"min": 5}}, {"loops": {"max": 2}})

    def test_a_path_is_beside_the_file_that_declares_it(self) -> None:
        layers = [
            Layer({"operational-value": {"run": "./v.sh"}}, folder=".github/shared"),
            Layer({"operational-value": {"threshold": 0.5}}, folder=".github/workflows"),
        ]
        assert configured(layers).custom[0].run == ".github/shared/v.sh"


_SETTINGS = st.fixed_dictionaries(
    {},
    optional={
        "enabled": st.booleans(),
        "threshold": st.floats(0, 1),
        "unit": st.text(max_size=3),
        "config": st.dictionaries(st.text(max_size=3), st.integers(), max_size=3),
    },
)


@given(st.dictionaries(st.sampled_from(sorted(BUILTIN)), st.one_of(st.none(), _SETTINGS), max_size=8), st.randoms())
def test_the_order_of_keys_changes_nothing_and_nothing_is_changed(value: Any, random: Any) -> None:
    value.pop("working-set-rebuild-factor", None)
    before = copy.deepcopy(value)
    keys = list(value)
    random.shuffle(keys)
    assert configure({key: value[key] for key in keys}) == configure(value)
    assert value == before


_ANYTHING = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=4)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=9), inner, max_size=3)),
    max_leaves=8,
)
_FIELDS = st.sampled_from(["enabled", "name", "threshold", "min", "max", "config", "script", "run", "direction", "x"])


@given(
    st.one_of(
        _ANYTHING,
        st.dictionaries(
            st.sampled_from(["loops", "mine", "operational-value", " loops", "X"]),
            st.one_of(_ANYTHING, st.dictionaries(_FIELDS, _ANYTHING)),
        ),
    )
)
def test_anything_is_configured_or_refused(value: Any) -> None:
    try:
        configuration = configure(value)
    except ConfigurationRefused:
        return
    assert {row.id for row in DEFAULTS} <= set(ids(configuration))


@pytest.mark.parametrize(
    ("identifier", "more"), [("loops", ""), ("mine", " | script"), ("operational-value", " | run")]
)
def test_a_grader_is_told_the_fields_that_it_may_have(identifier: str, more: str) -> None:
    with pytest.raises(ConfigurationRefused) as caught:
        configure({identifier: {"treshold": 1}})
    common = "enabled | name | description | unit | direction | threshold | min | max | config"
    assert caught.value.findings[0].expected == common + more
