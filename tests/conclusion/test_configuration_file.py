"""Configurations from files: what each kind gives, where faults stand, what imports bring."""

import json
from pathlib import Path
from typing import Any

import pytest

from opvalue.conclusion.compile import compile_workflow
from opvalue.conclusion.configuration_file import read_configuration
from opvalue.conclusion.errors import (
    ConfigurationUnreadable,
    FileAbsent,
    FileRefused,
    FileTooLarge,
    FileUnreadable,
    FrontmatterAbsent,
    ImportAbsent,
    ImportElsewhere,
    ImportRefused,
    TooManyImports,
)
from opvalue.errors import OpvalueError
from opvalue.graders.configuration import ConfigurationRefused, configure, defaults
from tests.conclusion.trees import WORKFLOW, close_to_us, fenced, tree


def faults(file: Path) -> list[tuple[str, str]]:
    with pytest.raises(ConfigurationRefused) as caught:
        read_configuration(file)
    return [(finding.code, str(finding.position)) for finding in caught.value.findings]


def test_every_kind_gives_the_same(tmp_path: Path) -> None:
    graders: Any = {"loops": {"enabled": False}, "recurrence-rate": {"threshold": 0.5}}
    document = json.dumps({"graders": graders})
    files = {
        WORKFLOW: fenced(document),
        "g.json": document,
        "g.yaml": document,
        "g.YML": document,
        "g.md": fenced(document),
    }
    tree(tmp_path, dict(files))
    for name in files:
        assert read_configuration(tmp_path / name) == configure(graders), name


def test_nothing_in_a_workflow_means_the_defaults(tmp_path: Path) -> None:
    for text in (fenced("on: push"), fenced("graders:"), fenced("graders: {}"), fenced("")):
        assert read_configuration(tree(tmp_path, {WORKFLOW: text})) == defaults()


def test_nothing_in_a_plain_file_means_the_defaults_where_the_key_is_there(tmp_path: Path) -> None:
    tree(tmp_path, {"g.json": '{"graders": null}', "g.yaml": "graders:\n"})
    assert read_configuration(tmp_path / "g.json") == read_configuration(tmp_path / "g.yaml") == defaults()


def test_where_faults_stand(tmp_path: Path) -> None:
    graders = 'graders:\n  loops:\n    threshold: "3"\n    color: red\n  mine:\n'
    expected = [("graders.wrong-type", 16), ("graders.unknown-field", 5), ("graders.script-missing", 3)]
    tree(tmp_path, {WORKFLOW: fenced(f"on: push\n{graders}"), "g.yml": graders})
    lines = [(code, f"g.yml:{line}:{column}") for (code, column), line in zip(expected, (3, 4, 5), strict=True)]
    assert faults(tmp_path / "g.yml") == lines
    moved = [(code, f"{WORKFLOW}:{line}:{column}") for (code, column), line in zip(expected, (5, 6, 7), strict=True)]
    assert faults(tmp_path / WORKFLOW) == moved


def test_where_faults_stand_in_json(tmp_path: Path) -> None:
    text = '{"graders": {\n  "loops": {"threshold": true,\n    "color": 1},\n  "BAD": {}}}'
    tree(tmp_path, {"g.json": text})
    assert faults(tmp_path / "g.json") == [
        ("graders.wrong-type", "g.json:2:26"),
        ("graders.unknown-field", "g.json:3:5"),
        ("graders.bad-id", "g.json:4:3"),
    ]


@pytest.mark.parametrize(
    ("name", "content", "where"),
    [
        ("g.json", "{", None),
        ("g.json", "[]", None),
        ("g.json", '{"graders": {}, "graders": {}}', None),
        ("g.json", '{"graders": NaN}', None),
        ("g.json", '{"other": {}}', None),
        ("g.json", b"\xef\xbb\xbf{}", None),
        ("g.yaml", "graders: [\n", "g.yaml:2:1"),
        ("g.yaml", "a: 1\ngraders: {}\na: 2\n", "g.yaml:3:1"),
        ("g.yaml", "loops: {}\n", None),
        ("g.yaml", "- graders\n", "g.yaml:1:1"),
        ("g.yaml", b"graders: \xff", "g.yaml"),
        ("g.toml", "x", None),
        ("graders", "x", None),
        (WORKFLOW, fenced("on: push\ngraders: {a: *b}"), f"{WORKFLOW}:3:14"),
        (WORKFLOW, fenced("graders: &a {b: *a}"), f"{WORKFLOW}:2:10"),
    ],
)
def test_what_cannot_be_read(tmp_path: Path, name: str, content: str | bytes, where: str | None) -> None:
    tree(tmp_path, {name: content})
    with pytest.raises(ConfigurationUnreadable) as caught:
        read_configuration(tmp_path / name)
    if where is not None:
        assert caught.value.message.startswith(f"{where}: ")


@pytest.mark.parametrize(
    ("name", "content", "expected", "found"),
    [
        ("c.txt", "x", ".md, .yaml, .yml or .json", ".txt"),
        ("c", "x", ".md, .yaml, .yml or .json", "no suffix"),
        ("c.json", "{}", "a mapping with the key graders", None),
        ("c.json", "[]", "an object", "array"),
    ],
)
def test_what_was_expected_and_found(tmp_path: Path, name: str, content: str, expected: str, found: str | None) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(ConfigurationUnreadable) as caught:
        read_configuration(tmp_path / name)
    assert (caught.value.expected, caught.value.found) == (expected, found)


def test_files_that_are_none(tmp_path: Path) -> None:
    tree(tmp_path, {"large.json": " " * (1024 * 1024 + 1)})
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "link.json").symlink_to("large.json")
    causes: dict[str, type[OpvalueError]] = {
        "absent.json": FileAbsent,
        "large.json": FileTooLarge,
        "folder.json": FileRefused,
        "link.json": FileRefused,
    }
    for name, cause in causes.items():
        with pytest.raises(cause):
            read_configuration(tmp_path / name)


class TestImports:
    """Merged in order, the workflow's own map last; each file once; nothing from outside."""

    def graders(self, root: Path, files: dict[str, str | bytes], imports: str) -> dict[str, object]:
        own = fenced(f"imports: {imports}\ngraders: {{retries: {{threshold: 1}}}}")
        configuration = read_configuration(tree(root, {WORKFLOW: own, **files}))
        found = {entry.id: entry for entry in configuration.entries}
        return {
            "retries": found["retries"].threshold,
            "loops": found["loops"].threshold,
            "name": found["loops"].name,
        }

    def test_the_order(self, tmp_path: Path) -> None:
        files: dict[str, str | bytes] = {
            ".github/workflows/one.md": fenced(
                "graders: {loops: {threshold: 11, name: One}, retries: {threshold: 11}}"
            ),
            ".github/workflows/shared/two.md": fenced("graders: {loops: {threshold: 12}}"),
        }
        assert self.graders(tmp_path, files, "[one.md, shared/two.md]") == {"retries": 1, "loops": 12, "name": "One"}
        assert self.graders(tmp_path, files, "[shared/two.md, one.md]") == {"retries": 1, "loops": 11, "name": "One"}

    def test_an_imports_own_imports_come_before_it(self, tmp_path: Path) -> None:
        files: dict[str, str | bytes] = {
            ".github/workflows/one.md": fenced("imports: [base.md]\ngraders: {loops: {threshold: 11}}"),
            ".github/workflows/base.md": fenced("imports: [one.md]\ngraders: {loops: {threshold: 13, name: Base}}"),
        }
        assert self.graders(tmp_path, files, "[one.md, base.md]") == {"retries": 1, "loops": 11, "name": "Base"}

    @pytest.mark.parametrize(
        "imports",
        [
            "[.github/shared/x.md]",
            "[/.github/shared/x.md]",
            "[../shared/x.md]",
            '["../shared/x.md#part"]',
            "[{path: ../shared/x.md, inputs: {a: 1}}]",
            "{aw: [../shared/x.md]}",
            "[../shared/x.md?, absent.md?]",
        ],
    )
    def test_how_a_file_is_named(self, tmp_path: Path, imports: str) -> None:
        files: dict[str, str | bytes] = {".github/shared/x.md": fenced("graders: {loops: {threshold: 9}}")}
        assert self.graders(tmp_path, files, imports)["loops"] == 9

    @pytest.mark.parametrize(
        ("imports", "cause"),
        [
            ("[absent.md]", ImportAbsent),
            ("[acme/shared/x.md@v1]", ImportElsewhere),
            ("[../../../x.md]", ImportRefused),
            ("[../../..]", ImportRefused),
            ('["a\\\\b.md"]', ImportRefused),
            ("[folder]", FileRefused),
            ("[link.md]", FileRefused),
            ("[out/secret.md]", FileRefused),
        ],
    )
    def test_what_is_refused(self, tmp_path: Path, imports: str, cause: type[OpvalueError]) -> None:
        root, outside = tmp_path / "repo", tmp_path / "outside"
        outside.mkdir()
        (outside / "secret.md").write_text(fenced("graders: {loops: {threshold: 9}}"))
        tree(root, {".github/workflows/folder/x": ""})
        (root / ".github/workflows/link.md").symlink_to(outside / "secret.md")
        (root / ".github/workflows/out").symlink_to(outside)
        with pytest.raises(cause) as caught:
            self.graders(root, {}, imports)
        assert "threshold" not in caught.value.diagnostics()

    def test_an_optional_import_is_still_no_link(self, tmp_path: Path) -> None:
        tree(tmp_path, {"x": ""})
        (tmp_path / ".github/workflows").mkdir(parents=True)
        (tmp_path / ".github/workflows/link.md").symlink_to(tmp_path / "x")
        with pytest.raises(FileRefused):
            self.graders(tmp_path, {}, '["link.md?"]')

    def test_an_optional_import_that_is_there_must_be_readable(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        close_to_us("one.md", monkeypatch)
        with pytest.raises(FileUnreadable):
            self.graders(tmp_path, {".github/workflows/one.md": fenced("")}, '["one.md?"]')

    def test_an_optional_imports_own_imports_are_not_optional(self, tmp_path: Path) -> None:
        with pytest.raises(ImportAbsent) as caught:
            self.graders(tmp_path, {".github/workflows/one.md": fenced("imports: [absent.md]")}, '["one.md?"]')
        absent = ".github/workflows/absent.md"
        assert caught.value.message == f".github/workflows/one.md:2:10: there is no file {absent}"
        assert caught.value.code == "conclusion.import-absent"
        assert caught.value.hint.endswith("all else is beside the importing file.")

    def test_what_is_not_there_is_not_said_to_be_below_the_root_where_a_person_named_it(self, tmp_path: Path) -> None:
        with pytest.raises(FileAbsent) as caught:
            read_configuration(tmp_path / "absent.md")
        assert (caught.value.code, caught.value.hint) == (
            "conclusion.file-absent",
            "Correct the path, or add the file.",
        )

    def test_a_chain_without_end(self, tmp_path: Path) -> None:
        chain: dict[str, str | bytes] = {
            f".github/workflows/n{number}.md": fenced(f"imports: [n{number + 1}.md]") for number in range(60)
        }
        with pytest.raises(TooManyImports):
            self.graders(tmp_path, chain, "[n0.md]")

    def test_faults_in_several_files_come_together(self, tmp_path: Path) -> None:
        files: dict[str, str | bytes] = {
            WORKFLOW: fenced("imports: [one.md]\ngraders: {loops: {threshold: x}}"),
            ".github/workflows/one.md": fenced("jobs: {conclusion: {steps: []}}\ngraders: {retries: 1}"),
        }
        assert faults(tree(tmp_path, files)) == [
            ("graders.owned-job", ".github/workflows/one.md:2:8"),
            ("graders.entry-not-a-map", ".github/workflows/one.md:3:20"),
            ("graders.wrong-type", f"{WORKFLOW}:3:30"),
        ]


@pytest.mark.parametrize("jobs", ["jobs: {%s: {steps: []}}", "safe-outputs: {jobs: {%s: }}", "safe-jobs: {%s: {}}"])
@pytest.mark.parametrize("name", ["conclusion", "graders", '" graders"'])
def test_jobs_of_the_compiler(tmp_path: Path, jobs: str, name: str) -> None:
    assert [code for code, _ in faults(tree(tmp_path, {WORKFLOW: fenced(jobs % name)}))] == ["graders.owned-job"]


@pytest.mark.parametrize(
    "jobs", ["jobs: {conclude: {}, graders-2: {}}", "jobs: [conclusion]", "jobs: conclusion", "jobs:"]
)
def test_other_jobs_are_the_authors(tmp_path: Path, jobs: str) -> None:
    assert read_configuration(tree(tmp_path, {WORKFLOW: fenced(jobs)})) == defaults()


_BODY = "on: push\ngraders: {loops: {enabled: false}}\n"


@pytest.mark.parametrize(
    ("content", "line", "found"),
    [
        (f"---\n{_BODY}", 1, "no such line"),
        (f"---\n{_BODY}# Triage\n", 1, "no such line"),
        (f"---\n{_BODY}...\n# Triage\n", 1, "no such line"),
        (f"---\n{_BODY}----\n", 1, "no such line"),
        (f"---\n{_BODY} ---\n", 1, "no such line"),
        (f"---\r{_BODY}---\r".replace("\n", "\r"), 1, None),
        (f"--- # mine\n{_BODY}---\n", 1, "# mine"),
        (f"\ufeff---\n{_BODY}---\n", 1, "a byte order mark"),
        (f"\ufeff\n---\n{_BODY}---\n", 2, "a byte order mark"),
        (f"\n---\n{_BODY}---\n", 2, "something blank before it"),
        (f" \n\n---\n{_BODY}---\n", 3, "something blank before it"),
        (f" ---\n{_BODY}---\n", 1, "something blank before it"),
    ],
)
def test_what_only_resembles_a_frontmatter(tmp_path: Path, content: str, line: int, found: str | None) -> None:
    with pytest.raises(ConfigurationUnreadable) as caught:
        read_configuration(tree(tmp_path, {WORKFLOW: content}))
    assert caught.value.message.startswith(f"{WORKFLOW}:{line}:1: ")
    assert found is None or found in str(caught.value.found)


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ("# Triage\n\n---\n\ngraders: {loops: {enabled: false}}\n---\n", "a text that begins with: # Triage"),
        ("", "nothing but blank space"),
        ("\ufeff# Triage\n", "a text that begins with: # Triage"),
        ("----\n", "a text that begins with: ----"),
        ("-- x \n", "a text that begins with: -- x"),
        ("\n\n", "nothing but blank space"),
        (f"\n{'x' * 100}", f"a text that begins with: {'x' * 80}"),
    ],
)
def test_texts_without_a_frontmatter(tmp_path: Path, content: str, found: str) -> None:
    with pytest.raises(FrontmatterAbsent) as caught:
        read_configuration(tree(tmp_path, {WORKFLOW: content}))
    assert caught.value.message == f"{WORKFLOW} has no frontmatter, so it is no workflow"
    assert caught.value.found == found
    with pytest.raises(FrontmatterAbsent):
        compile_workflow(tmp_path / WORKFLOW)
    # What is imported may be text for the agent alone.
    files = {WORKFLOW: fenced("imports: [text.md]"), ".github/workflows/text.md": content}
    assert read_configuration(tree(tmp_path, {**files})) == defaults()


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"\x7fELF\x02\xff", "byte 0xff at 5"),
        (f"---\n{_BODY}---\n".encode() + b"caf\xe9\n", f"byte 0xe9 at {len(_BODY) + 11}"),
    ],
)
def test_what_is_no_text(tmp_path: Path, content: bytes, found: str) -> None:
    with pytest.raises(ConfigurationUnreadable, match="is not Markdown") as caught:
        read_configuration(tree(tmp_path, {WORKFLOW: content}))
    assert caught.value.found == found


@pytest.mark.parametrize("end", ["\n", "\r\n", " \n", ""])
def test_ends_of_fences(tmp_path: Path, end: str) -> None:
    content = f"---{end or chr(10)}{_BODY}---{end}"
    assert read_configuration(tree(tmp_path, {WORKFLOW: content})) == configure({"loops": {"enabled": False}})


@pytest.mark.parametrize(
    ("imports", "where", "found"),
    [
        ("base.md", "2:10", '"base.md"'),
        ("5", "2:10", "5"),
        ("true", "2:10", "true"),
        ("{aw: base.md}", "2:15", '"base.md"'),
        ("{aw: [5]}", "2:15", "5"),
        ("[5]", "2:10", "5"),
        ("[null]", "2:10", "null"),
        ("[[base.md]]", "2:10", '["base.md"]'),
        ("[base.md, {uses: base.md}]", "2:10", '{"uses":"base.md"}'),
        ("[{path: 5}]", "2:10", '{"path":5}'),
        ('[""]', "2:10", '""'),
        ('["  "]', "2:10", '"  "'),
    ],
)
def test_imports_that_name_nothing(tmp_path: Path, imports: str, where: str, found: str) -> None:
    files: dict[str, str | bytes] = {
        WORKFLOW: fenced(f"imports: {imports}"),
        ".github/workflows/base.md": fenced("graders: {loops: {enabled: false}}"),
    }
    with pytest.raises(ImportRefused) as caught:
        read_configuration(tree(tmp_path, files))
    assert caught.value.message.startswith(f"{WORKFLOW}:{where}: ")
    assert caught.value.found == found


@pytest.mark.parametrize("imports", ["", "[]", "{}", "{aw: []}", "{other: [5]}", "null"])
def test_no_imports(tmp_path: Path, imports: str) -> None:
    assert read_configuration(tree(tmp_path, {WORKFLOW: fenced(f"imports: {imports}")})) == defaults()


def test_faults_come_in_the_order_of_lines(tmp_path: Path) -> None:
    text = "jobs: {conclusion: {}}\ngraders:\n  zz: {}\n  loops:\n    threshold: x\n    min: 5\n  aa: {}\n  BAD: 1\n"
    tree(tmp_path, {WORKFLOW: fenced(text + "safe-jobs: {graders: {}}")})
    lines = [int(where.split(":")[1]) for _, where in faults(tmp_path / WORKFLOW)]
    assert lines == sorted(lines)
    assert len(lines) >= 6


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("g.toml", "Give a file of one of these kinds, or name it for its kind."),
        ("g.json", "Put the settings below the key graders."),
        ("g.yaml", "Put the settings below the key graders."),
    ],
)
def test_what_to_do_about_another_file(tmp_path: Path, name: str, hint: str) -> None:
    tree(tmp_path, {name: '{"loops": {"threshold": 1}}'})
    with pytest.raises(ConfigurationUnreadable) as caught:
        read_configuration(tmp_path / name)
    assert caught.value.hint == hint


def test_what_to_do_about_a_name(tmp_path: Path) -> None:
    with pytest.raises(FileRefused) as caught:
        read_configuration(tmp_path / "-")
    assert caught.value.hint == "Give the file another name, or another place."
