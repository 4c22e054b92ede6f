"""The grader settings of a workflow's frontmatter: scalars, bounds, and everything that is refused."""

import contextlib
import json
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from opvalue.errors import Kind
from opvalue.identity import RepoPath
from opvalue.strictjson import same
from opvalue.trust import strictyaml
from opvalue.trust.errors import WorkflowMalformed
from opvalue.trust.frontmatter import GraderSettings, Workflow, read_workflow

PATH = RepoPath(".github/workflows/daily.md")


@pytest.fixture(params=["C", "Python"], autouse=True)
def _either_loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Both loaders of the library read alike; where the fast one is not built, the other is used."""
    strictyaml._loader.cache_clear()
    if request.param == "Python":
        monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    yield
    strictyaml._loader.cache_clear()


def read(text: str | bytes, *, grader: str = "operational-value", key: str = "run") -> Workflow:
    return read_workflow(PATH, text.encode() if isinstance(text, str) else text, grader=grader, key=key)


def fenced(text: str) -> str:
    return f"---\n{text}\n---\n"


def config(text: str) -> Any:
    settings = read(fenced(f"graders:\n  operational-value:\n    run: x.sh\n    config: {{a: {text}}}")).settings
    assert settings is not None
    return settings.config["a"]


SCALARS: list[tuple[str, Any]] = [
    ("on", "on"),
    ("yes", "yes"),
    ("No", "No"),
    ("true", True),
    ("FALSE", False),
    ("tRUE", "tRUE"),
    ("~", None),
    ("null", None),
    ("", None),
    ("0", 0),
    ("012", 12),
    ("+12", 12),
    ("-12", -12),
    ("0x1F", 31),
    ("0o17", 15),
    ("0b1", "0b1"),
    ("1_000", "1_000"),
    ("1:30", "1:30"),
    (".5", 0.5),
    ("5.", 5.0),
    ("1e3", 1000.0),
    ("-1.5E-3", -0.0015),
    ("1e", "1e"),
    (".", "."),
    ("+", "+"),
    ("2026-08-30", "2026-08-30"),
    ("2026-08-30T12:00:00Z", "2026-08-30T12:00:00Z"),
    ("'12'", "12"),
    ('"true"', "true"),
    ("!!str 12", "12"),
    ("!!int '12'", 12),
    ("!!float 1", 1.0),
    ("=", "="),
    ("é—🏷", "é—🏷"),
    ('"\\u00e9\\0"', "é\0"),
    ("9" * 64, int("9" * 64)),
]


@pytest.mark.parametrize(("text", "value"), SCALARS)
def test_scalars_are_those_of_yaml_1_2(text: str, value: object) -> None:
    found = config(text)
    assert same(found, value)
    assert isinstance(found, bool) is isinstance(value, bool)


def test_collections() -> None:
    assert config("[1, {b: [~]}, []]") == [1, {"b": [None]}, []]
    assert config("&x {b: 1}, c: *x") == {"b": 1}


def test_merge_keys() -> None:
    text = """
base: &base {days: 7, key: a}
other:
  nested: &deeper
    <<: *base
    key: b
graders:
  operational-value:
    run: x.sh
    config:
      <<: [*deeper, {more: 1}]
      key: c
"""
    settings = read(fenced(text)).settings
    assert settings is not None
    assert settings.config == {"days": 7, "key": "c", "more": 1}


REFUSED: list[tuple[str, str]] = [
    ("a: [", "line 2"),
    ("a: b: c", "mapping values are not allowed"),
    ("\ta: 1", "found character"),
    ("a: *nowhere", "undefined alias"),
    ("a: 1\na: 2", "a key stands twice"),
    ("a: .inf", ".inf is no finite number"),
    ("a: [-.INF]", "-.INF is no finite number"),
    ("a: .nan", ".nan is no finite number"),
    ("a: {b: 1, 'b': 2}", "a key stands twice"),
    ("1: x", "a key is not text"),
    ("true: x", "a key is not text"),
    ("? [a]\n: x", "a key is not text"),
    ("? {a: 1}\n: x", "a key is not text"),
    ("a: &a [*a]", "holds itself"),
    ("a: &a {b: *a}", "holds itself"),
    ("a: &a\n  <<: *a", "holds itself"),
    ("a: !!binary aGk=", "JSON cannot carry"),
    ("a: !!timestamp 2026-08-30", "JSON cannot carry"),
    ("a: !!set {x, y}", "JSON cannot carry"),
    ("a: !!omap [x: 1]", "JSON cannot carry"),
    ("a: !!python/object/apply:os.system [id]", "JSON cannot carry"),
    ("a: !mine x", "JSON cannot carry"),
    ("a: !!map [x]", "JSON cannot carry"),
    ("a: !!seq {x: 1}", "JSON cannot carry"),
    ("a: !!bool yes", "'yes' is no bool"),
    ("a: !!bool foo", "'foo' is no bool"),
    ("a: !!int x", "'x' is no int"),
    ("a: !!int ''", "'' is no int"),
    ("a: !!float 1:30", "'1:30' is no float"),
    ("a: !!null x", "'x' is no null"),
    ("a: 1e999", "too large"),
    ("a: " + "9" * 65, "too long"),
    ("a: " + "9" * 5000, "too long"),
    ("a: 0x" + "f" * 5000, "too long"),
    ('a: "\\ud800"', ""),
    ('"\\ud800": a', ""),
    ("[a, b]", "not a mapping"),
    ("just text", "not a mapping"),
    ("12", "not a mapping"),
    ("a: <<", ""),
    ("<<: 5", "expected a mapping"),
    ("a: 1\n...\nb: 2", ""),
    ("%YAML 9.9", ""),
    ("a: " + "[" * 70 + "]" * 70, "nests deeper than 64"),
    ("a: " + "{b: " * 70 + "}" * 70, "nests deeper than 64"),
    ("a: " + "[" * 100_000, "nest"),
    ("a: &a 1\nb: [" + "*a, " * 65 + "]", "more than 64 aliases"),
]


@pytest.mark.parametrize(("text", "why"), REFUSED, ids=[repr(text[:30]) for text, _ in REFUSED])
def test_what_is_refused(text: str, why: str) -> None:
    with pytest.raises(WorkflowMalformed) as caught:
        read(fenced(text))
    assert why in caught.value.message
    assert "\n" not in caught.value.message
    assert caught.value.kind is Kind.REFUSED


def test_aliases_that_multiply_are_refused_before_anything_is_made() -> None:
    levels = [f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}, *a{n - 1}]" for n in range(1, 21)]
    with pytest.raises(WorkflowMalformed, match="unfolds"):
        read(fenced("\n".join(["a0: &a0 [1]", *levels])))
    merges = [f"a{n}: &a{n}\n  <<: [*a{n - 1}, *a{n - 1}, *a{n - 1}]" for n in range(1, 21)]
    with pytest.raises(WorkflowMalformed, match="unfolds"):
        read(fenced("\n".join(["a0: &a0 {k: 1}", *merges])))
    wide = f"a: &a [{'1,' * 2_000}]\nb: [{'*a,' * 60}]"
    with pytest.raises(WorkflowMalformed, match="unfolds"):
        read(fenced(wide))


@pytest.mark.parametrize("_either_loader", ["C"], indirect=True)
def test_a_flood_of_values_is_refused() -> None:
    with pytest.raises(WorkflowMalformed, match="more than 100000 values"):
        read(fenced(f"a: [{'1,' * 250_000}]"))


def test_depth_counts_through_aliases() -> None:
    inner = "[" * 40 + "]" * 40
    with pytest.raises(WorkflowMalformed, match="64 levels"):
        read(fenced(f"a: &a {inner}\nb: {'[' * 40}*a{']' * 40}"))


def test_bytes_that_are_not_text_are_refused() -> None:
    with pytest.raises(WorkflowMalformed, match="not UTF-8"):
        read(b"---\nname: \xff\n---\n")


def test_a_body_that_is_not_text_is_borne() -> None:
    assert read(b"---\na: 1\n---\n# \xff title\n").names == {"\ufffd title", "daily"}


FENCES: list[tuple[str, bool]] = [
    ("---\nname: N\n---\n", True),
    ("---\r\nname: N\r\n---\r\n", True),
    ("--- \t\nname: N\n---  \n", True),
    ("---\nname: N\n---", True),
    ("---\nname: N\n----\n---\n", False),
    ("---\nname: N\n", False),
    ("\n---\nname: N\n---\n", False),
    ("\ufeff---\nname: N\n---\n", False),
    ("name: N\n", False),
    ("", False),
]


@pytest.mark.parametrize(("text", "found"), FENCES)
def test_where_frontmatter_is(text: str, found: bool) -> None:
    try:
        names = read(text).names
    except WorkflowMalformed:
        names = frozenset()
    assert ("N" in names) is found


@pytest.mark.parametrize("text", ["---\n---\n", "---\n\n---\n", "---\n# remark\n---\n", "---\n~\n---\n", "# Title\n"])
def test_no_settings(text: str) -> None:
    workflow = read(text)
    assert (workflow.settings, workflow.imports) == (None, ())


NAMES: list[tuple[str, set[str]]] = [
    ("---\nname: Daily  \n---\n# Other\n", {"Daily"}),
    ("---\nname: '  '\n---\n# Other \n", {"daily", "Other"}),
    ("---\nname: 5\n---\n# Other\n# Second\n", {"daily", "Other"}),
    ("---\na: 1\n---\ntext\n## Sub\n", {"daily"}),
    ("# Title\r\n", {"daily", "Title"}),
]


@pytest.mark.parametrize(("text", "names"), NAMES)
def test_names_a_workflow_may_run_under(text: str, names: set[str]) -> None:
    assert read(text).names == names


def test_the_whole_entry() -> None:
    text = "graders:\n  operational-value: {run: ' ./x.sh ', threshold: 0, direction: lower_is_better, config: {a: 1}}"
    assert read(fenced(text)).settings == GraderSettings(
        run=RepoPath(".github/workflows/x.sh"), enabled=True, config={"a": 1}, threshold=0, direction="lower_is_better"
    )


ENTRIES: list[tuple[str, dict[str, Any] | None]] = [
    ("{run: a/x.sh}", {}),
    ("{run: a/x.sh, enabled: false}", {"enabled": False}),
    ("{run: a/x.sh, enabled: no}", {}),
    ("{run: a/x.sh, config: ~, threshold: ~, direction: ~}", {}),
    ("{run: a/x.sh, direction: 5}", {}),
    ("{run: a/x.sh, threshold: 0.5}", {"threshold": 0.5}),
    ("{run: 5}", None),
    ("{function: a/x.sh}", None),
    ("{}", None),
    ("~", None),
    ("false", None),
    ("[a/x.sh]", None),
]


@pytest.mark.parametrize(("entry", "fields"), ENTRIES)
def test_entries(entry: str, fields: dict[str, Any] | None) -> None:
    plain = GraderSettings(run=RepoPath("a/x.sh"), enabled=True, config={}, threshold=None, direction=None)
    expected = None if fields is None else plain._replace(**fields)
    assert read(fenced(f"graders:\n  operational-value: {entry}")).settings == expected


@pytest.mark.parametrize("graders", ["graders: []", "graders: ~", "graders: x", "other: 1"])
def test_no_graders(graders: str) -> None:
    assert read(fenced(graders)).settings is None


def test_the_first_generations_words() -> None:
    found = read(fenced("graders:\n  value: {function: a/x.sh}"), grader="value", key="function").settings
    assert found is not None
    assert str(found.run) == "a/x.sh"


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ("config: [1]", "config is not a mapping"),
        ("config: ''", "config is not a mapping"),
        ("threshold: '0.5'", "threshold is not a number"),
        ("threshold: true", "threshold is not a number"),
    ],
)
def test_entries_of_the_wrong_type(fields: str, why: str) -> None:
    with pytest.raises(WorkflowMalformed, match=why):
        read(fenced(f"graders:\n  operational-value:\n    run: x.sh\n    {fields}"))


@pytest.mark.parametrize("path", ["../x.sh", "/x.sh", "-x.sh", "a\\\\b.sh", "''", "a//b.sh"])
def test_unsafe_paths(path: str) -> None:
    with pytest.raises(WorkflowMalformed, match="the path"):
        read(fenced(f'graders:\n  operational-value:\n    run: "{path}"'.replace("\"''\"", "''")))


IMPORTS: list[tuple[str, tuple[str, ...]]] = [
    ("imports: [a.md, shared/b.md]", ("a.md", "shared/b.md")),
    ("imports:\n  - path: a.md\n    inputs: {x: 1}\n  - b.md", ("a.md", "b.md")),
    ("imports: {aw: [a.md], other: [b.md]}", ("a.md",)),
    ("imports: {other: [b.md]}", ()),
    ("imports: a.md", ()),
    ("imports: [5, {uses: x}, ~]", ()),
    ("imports: ~", ()),
]


@pytest.mark.parametrize(("text", "imports"), IMPORTS)
def test_imports(text: str, imports: tuple[str, ...]) -> None:
    assert read(fenced(text)).imports == imports


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**60), 10**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufeff\u2028\u2029\ufffe\uffff")),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abc<=~", max_size=4), inner, max_size=4),
    max_leaves=12,
)


@given(JSON)
def test_json_is_read_as_itself(value: Any) -> None:
    document = json.dumps(
        {"graders": {"operational-value": {"run": "x.sh", "config": {"a": value}}}}, ensure_ascii=False
    )
    settings = read(f"---\n{document}\n---\n").settings
    assert settings is not None
    assert same(settings.config["a"], value)


@given(st.text("ab:-[]{}&*!?|>'\"%@#,\n \t0x1.e~<=", max_size=60) | st.text(max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(WorkflowMalformed):
        read(f"---\n{text}\n---\n".encode("utf-8", "surrogatepass"))
