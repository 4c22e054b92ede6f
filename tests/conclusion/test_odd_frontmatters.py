"""Frontmatters that nobody should write and somebody will: each is read as YAML 1.2 says, or refused at its place."""

from pathlib import Path
from typing import Any, Final

import pytest

from opvalue.conclusion.configuration_file import read_configuration
from opvalue.conclusion.errors import ConfigurationUnreadable
from opvalue.graders.configuration import Configuration, ConfigurationRefused, configure
from tests.conclusion.trees import WORKFLOW, fenced, tree

OFF: Final = {"loops": {"enabled": False}}
BOMB: Final = "".join(
    f"{one}: &{one} [{', '.join([f'*{other}'] * 9)}]\n" for one, other in ("ba", "cb", "dc", "ed", "fe")
)


def read(root: Path, text: str) -> Configuration:
    return read_configuration(tree(root, {WORKFLOW: text}))


@pytest.mark.parametrize(
    ("yaml", "graders"),
    [
        ("x: &a {enabled: false}\ngraders: {loops: *a, retries: *a}", OFF | {"retries": {"enabled": False}}),
        (
            "x: &a {enabled: false}\ngraders: {loops: {<<: *a, threshold: 1}}",
            {"loops": {"enabled": False, "threshold": 1}},
        ),
        ("a: &a {min: 1}\nb: &b {max: 9}\ngraders: {loops: {<<: [*a, *b]}}", {"loops": {"min": 1, "max": 9}}),
        (
            "x: &a {loops: {enabled: false}}\ngraders:\n  <<: *a\n  retries: {threshold: 2}",
            OFF | {"retries": {"threshold": 2}},
        ),
        ("x: &a {threshold: 7}\ngraders: {loops: {<<: *a, threshold: 1}}", {"loops": {"threshold": 1}}),
        ("graders:\n  loops:\t{enabled: false}", OFF),
        ("graders: {loops: {enabled: false}} # a remark", OFF),
        ("? graders\n: {loops: {enabled: false}}", OFF),
        ("\ufeffgraders: {loops: {enabled: false}}", OFF),
        ('"graders": {"loops": {"enabled": false}}', OFF),
        ('graders: {" loops ": {enabled: false}}', OFF),
        ('graders: {"loops\\n": {enabled: false}}', OFF),
        ("graders: {loops: {threshold: 1e308}}", {"loops": {"threshold": 1e308}}),
        (f"graders: {{loops: {{threshold: {'9' * 60}}}}}", {"loops": {"threshold": 10**60 - 1}}),
        ("graders: {loops: {threshold: -0.0}}", {"loops": {"threshold": 0}}),
        ("graders: {loops: {threshold: 0x10}}", {"loops": {"threshold": 16}}),
        ("graders: {loops: {threshold: 0o10}}", {"loops": {"threshold": 8}}),
        ("graders: {loops: {threshold: 012}}", {"loops": {"threshold": 12}}),
        ("graders: {loops: {threshold: !!int '5'}}", {"loops": {"threshold": 5}}),
        ("graders: {loops: {name: !!str 5}}", {"loops": {"name": "5"}}),
        ("graders: {loops: {name: 2026-01-01}}", {"loops": {"name": "2026-01-01"}}),
        ("graders: {loops: {config: {run: x, script: y}}}", {"loops": {"config": {"run": "x", "script": "y"}}}),
        (
            "graders: {loops: {config: {a: on, b: ~, c: 1:30}}}",
            {"loops": {"config": {"a": "on", "b": None, "c": "1:30"}}},
        ),
        ("graders:\n  m:\n    script: |\n      a\n      ---\n      b", {"m": {"script": "a\n---\nb\n"}}),
        (f"graders: {{{'a' * 64}: {{script: x}}}}", {"a" * 64: {"script": "x"}}),
        (
            "graders: {constructor: {script: x}, a-: {script: x}}",
            {"constructor": {"script": "x"}, "a-": {"script": "x"}},
        ),
        ("graders: null", None),
        ("graders: ~", None),
        ("graders: {}", None),
        ("graders:", None),
        ("# graders: {loops: {enabled: false}}", None),
        ("Graders: {loops: {enabled: false}}", None),
        ("graders.loops.enabled: false", None),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_what_is_read(tmp_path: Path, yaml: str, graders: Any, end: str) -> None:
    text = fenced(yaml)
    assert read(tmp_path, text.replace("\n", end)) == configure(graders)


@pytest.mark.parametrize(
    ("yaml", "findings"),
    [
        ("graders: []", ["not-a-map 2:10"]),
        ("graders: ''", ["not-a-map 2:10"]),
        ("graders: 0", ["not-a-map 2:10"]),
        ("graders: false", ["not-a-map 2:10"]),
        ("graders: [loops]", ["not-a-map 2:10"]),
        ("graders: {loops: []}", ["entry-not-a-map 2:18"]),
        ("graders: {loops: off}", ["entry-not-a-map 2:18"]),
        ("graders: {loops: ''}", ["entry-not-a-map 2:18"]),
        ("graders: {Loops: {}}", ["bad-id 2:11"]),
        ("graders: {LOOPS: {}, loops: {}}", ["bad-id 2:11"]),
        ("graders: {tool_success_rate: {}}", ["bad-id 2:11"]),
        ("graders: {l\u00f6\u00f6ps: {}}", ["bad-id 2:11"]),
        ("graders: {l\u043eops: {}}", ["bad-id 2:11"]),
        ("graders: {\uff4coops: {}}", ["bad-id 2:11"]),
        ('graders: {"loops\u200b": {}}', ["bad-id 2:11"]),
        ("graders: {__proto__: {script: x}}", ["bad-id 2:11"]),
        (f"graders: {{{'a' * 65}: {{script: x}}}}", ["bad-id 2:11"]),
        ('graders:\n  loops: {}\n  " loops": {}', ["duplicate-id 4:3"]),
        ("x: &a {color: red}\ngraders: {loops: {<<: *a}}", ["unknown-field 2:8"]),
        ("graders: {loops: {Enabled: false}}", ["unknown-field 2:19"]),
        ('graders: {loops: {"enabled ": false}}', ["unknown-field 2:19"]),
        ("graders: {loops: {minimum: 1}}", ["unknown-field 2:19"]),
        ("graders: {loops: {enabled: yes}}", ["wrong-type 2:28"]),
        ("graders: {loops: {enabled: off}}", ["wrong-type 2:28"]),
        ("graders: {loops: {enabled: 0}}", ["wrong-type 2:28"]),
        ("graders: {loops: {enabled: }}", ["wrong-type 2:28"]),
        ("graders: {loops: {enabled: 'false'}}", ["wrong-type 2:28"]),
        ("graders: {loops: {threshold: true}}", ["wrong-type 2:30"]),
        ("graders: {loops: {threshold: NaN}}", ["wrong-type 2:30"]),
        ("graders: {loops: {threshold: 1_000}}", ["wrong-type 2:30"]),
        ("graders: {loops: {threshold: 1:30}}", ["wrong-type 2:30"]),
        ("graders: {loops: {name: 5}}", ["wrong-type 2:25"]),
        ("graders: {loops: {config: null}}", ["wrong-type 2:27"]),
        ("graders: {loops: {direction: ' lower_is_better '}}", ["unknown-direction 2:30"]),
        ("graders: {loops: {direction: LOWER_IS_BETTER}}", ["unknown-direction 2:30"]),
        ("graders: {loops: {enabled: false, min: 3, max: 1}}", ["bounds-reversed 2:40"]),
        ("graders: {loops: {enabled: false, run: a.sh}}", ["builtin-overridden 2:35"]),
        ("graders: {loops: {script: null}}", ["builtin-overridden 2:19", "wrong-type 2:27"]),
        ("graders: {m: {enabled: false}}", ["script-missing 2:11"]),
        ("graders: {m: {enabled: false, script: }}", ["wrong-type 2:39"]),
        ("graders: {operational-value: {enabled: false}}", ["run-missing 2:11"]),
        ("graders: {operational-value: {run: a.SH}}", ["unsafe-run 2:36"]),
        (
            "graders:\n  loops: {enabled: 1, threshold: x, a: b}\n  BAD: {}\n  m: {run: a.sh}\njobs: {graders: {}}",
            [
                *("wrong-type 3:20", "wrong-type 3:34", "unknown-field 3:37", "bad-id 4:3"),
                *("script-missing 5:3", "run-misplaced 5:7", "owned-job 6:8"),
            ],
        ),
    ],
)
def test_what_is_refused(tmp_path: Path, yaml: str, findings: list[str]) -> None:
    with pytest.raises(ConfigurationRefused) as caught:
        read(tmp_path, fenced(yaml))
    found = [
        f"{one.code.removeprefix('graders.')} {one.position}".replace(f"{WORKFLOW}:", "")
        for one in caught.value.findings
    ]
    assert found == findings


@pytest.mark.parametrize(
    ("yaml", "place"),
    [
        ("graders:\n  loops: {}\n  loops: {enabled: false}", "4:3"),
        ("graders: {loops: {threshold: 1, threshold: 2}}", "2:33"),
        ("graders: {}\ngraders: {loops: {enabled: false}}", "3:1"),
        ("graders: {loops: {config: {a: 1, a: 2}}}", "2:34"),
        ("graders:\n\tloops: {}", "3:1"),
        ("graders: {loops: *a}", "2:18"),
        ("graders: &g {loops: *g}", "2:10"),
        ("graders: {loops: {<<: 5}}", "2:23"),
        ("graders: {loops: {threshold: .nan}}", "2:30"),
        ("graders: {loops: {threshold: -.inf}}", "2:30"),
        ("graders: {loops: {config: {a: .Inf}}}", "2:31"),
        ("graders: {loops: {threshold: 1e400}}", "2:30"),
        (f"graders: {{loops: {{threshold: {'9' * 400}}}}}", "2:30"),
        ("graders: {1: {}}", "2:11"),
        ("graders: {~: {}}", "2:11"),
        ("graders: {true: {}}", "2:11"),
        ("graders: {[a]: {}}", "2:11"),
        ("graders: {loops: {config: {1.5: x}}}", "2:28"),
        (f"graders: {{loops: {{config: {'{a: ' * 70}1{'}' * 70}}}}}", "2:271"),
        (f"graders: {{loops: {{config: {'[' * 10_000}{']' * 10_000}}}}}", ""),
        (f"a: &a [{', '.join('123456789')}]\n{BOMB}graders: {{loops: {{config: {{a: *f}}}}}}", ""),
        ('graders: {loops: {name: "\\ud800"}}', "2:28"),
        ("graders: {loops: {name: a\0b}}", "2:26"),
        ("graders: {loops: {name: !!binary aGk=}}", "2:25"),
        ("graders: {loops: {name: !!python/object/apply:os.system [id]}}", "2:25"),
        ("graders: {loops: !x {}}", "2:18"),
        ("graders: !!set {loops}", "2:10"),
        ("graders: !!omap [loops: {}]", "2:10"),
        ("graders: {loops: {enabled: false}}\n...\nx: 1", "4:1"),
        ("%YAML 1.1\n---\ngraders: {loops: {enabled: off}}", "3:1"),
    ],
)
def test_what_is_no_yaml_of_this_kind(tmp_path: Path, yaml: str, place: str) -> None:
    with pytest.raises(ConfigurationUnreadable) as caught:
        read(tmp_path, fenced(yaml))
    assert caught.value.message.startswith(f"{WORKFLOW}:{place}")
