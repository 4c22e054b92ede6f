"""The archived settings against the workflow at the commit."""

from collections.abc import Mapping
from typing import Any

import pytest

from opvalue.archive import Generation
from opvalue.limits import Limits
from opvalue.trust import CheckState, ReachableAnchor, VerifiedRun, anchor, bind, errors, match, pin
from tests.trust.memory import Memory, Unreadable
from tests.trust.runs import DECLARED, PATH, SCRIPT, WORKFLOW, consistent_run, matched

PLAIN = b"---\nname: Other\n---\n"


def bound(files: Mapping[str, bytes | None], *, limits: Limits | None = None, **changes: Any) -> VerifiedRun:
    memory = Memory()
    return bind(matched(memory, memory.add({PATH: SCRIPT, **files}), **changes), limits)


def test_settings_that_agree() -> None:
    run = bound({WORKFLOW: DECLARED})
    binding, case = run.checks[-2:]
    assert binding.state is CheckState.DONE
    assert binding.detail == f"path, config, threshold and direction are those of {WORKFLOW}"
    assert (case.name, case.state) == ("archive.case", CheckState.SKIPPED)
    assert run.archived is run.consistent.archived


AGREE: list[tuple[bytes, bytes, dict[str, Any]]] = [
    (b"threshold: 0.5", b"threshold: 1", {"threshold": 1.0}),
    (b"threshold: 0.5", b"threshold: 0", {"threshold": 0}),
    (b"threshold: 0.5", b"threshold: ~", {"threshold": None}),
    (b"threshold: 0.5", b"threshold: 0.5\n    direction: lower_is_better", {"direction": "lower_is_better"}),
    (b"{days: 7}", b"{}", {"config": {}}),
    (b"{days: 7}", b"~", {"config": {}}),
    (b"{days: 7}", b"{b: 2, a: [1, yes]}", {"config": {"a": [1, "yes"], "b": 2}}),
    (b".github/graders/x.sh", b".github/graders/x.sh # remark", {}),
]


@pytest.mark.parametrize(("old", "new", "archived"), AGREE)
def test_equal_settings_in_other_spellings(old: bytes, new: bytes, archived: dict[str, Any]) -> None:
    assert bound({WORKFLOW: DECLARED.replace(old, new)}, grader=archived).checks[-2].state is CheckState.DONE


DIFFER: list[tuple[dict[str, Any], str, str, str]] = [
    ({"config": {"days": 8}}, "config", '{"days":7}', '{"days":8}'),
    ({"config": {}}, "config", '{"days":7}', "{}"),
    ({"config": {"days": 7, "verification": True}}, "config", '{"days":7}', '{"days":7,"verification":true}'),
    ({"config": {"days": "7"}}, "config", '{"days":7}', '{"days":"7"}'),
    ({"threshold": 0.4}, "threshold", "0.5", "0.4"),
    ({"threshold": None}, "threshold", "0.5", "null"),
    ({"threshold": 0}, "threshold", "0.5", "0"),
    ({"direction": "lower_is_better"}, "direction", '"higher_is_better"', '"lower_is_better"'),
    ({"direction": "sideways"}, "direction", '"higher_is_better"', '"sideways"'),
]


@pytest.mark.parametrize(("archived", "field", "expected", "found"), DIFFER)
def test_settings_that_differ(archived: dict[str, Any], field: str, expected: str, found: str) -> None:
    with pytest.raises(errors.BindingDiffers) as caught:
        bound({WORKFLOW: DECLARED}, grader=archived)
    assert caught.value.message == f"the archived {field} is not the one {WORKFLOW} declares"
    assert (caught.value.expected, caught.value.found) == (expected, found)


def test_a_long_config_is_shown_shortened() -> None:
    with pytest.raises(errors.BindingDiffers) as caught:
        bound({WORKFLOW: DECLARED}, grader={"config": {"x": "y" * 1000}})
    assert caught.value.found == '{"x":"' + "y" * 194 + "..."
    assert caught.value.expected == '{"days":7}'


def test_where_two_long_configs_differ_is_shown() -> None:
    declared = DECLARED.replace(b"{days: 7}", b"{padding: " + b"p" * 500 + b"}")
    with pytest.raises(errors.BindingDiffers) as caught:
        bound({WORKFLOW: declared}, grader={"config": {"padding": "p" * 500 + "q"}})
    assert (caught.value.found or "").startswith("..." + "p" * 60)
    assert 'pq"}' in (caught.value.found or "")


ELSEWHERE: list[dict[str, bytes | None]] = [
    {},
    {WORKFLOW: PLAIN},
    {WORKFLOW: DECLARED.replace(b"x.sh", b"y.sh")},
    {WORKFLOW: DECLARED.replace(b"config:", b"enabled: false\n    config:")},
    {".github/x.md": DECLARED},
    {".github/workflows/x.yml": DECLARED},
    {".github/workflows/sub/x.md": DECLARED},
    {WORKFLOW: DECLARED.replace(b"operational-value", b"value").replace(b"run:", b"function:")},
]


@pytest.mark.parametrize("files", ELSEWHERE)
def test_no_workflow_registers_it(files: dict[str, bytes | None]) -> None:
    with pytest.raises(errors.WorkflowNotFound) as caught:
        bound(files)
    assert caught.value.message == f"no workflow at the recorded commit registers {PATH}"


def test_the_first_generation() -> None:
    old = DECLARED.replace(b"operational-value", b"value").replace(b"run:", b"function:")
    assert bound({WORKFLOW: old}, generation=Generation.VALUE).checks[-2].state is CheckState.DONE


def test_one_evaluator_of_several_workflows() -> None:
    other = DECLARED.replace(b"Daily", b"Weekly").replace(b"days: 7", b"days: 1")
    files: dict[str, bytes | None] = {WORKFLOW: DECLARED, ".github/workflows/w.md": other}
    assert bound(files).checks[-2].detail.endswith(f"those of {WORKFLOW}")
    weekly: dict[str, Any] = {"subject": {"workflow": "Weekly"}, "grader": {"config": {"days": 1}}}
    assert bound(files, **weekly).checks[-2].detail.endswith("those of .github/workflows/w.md")
    with pytest.raises(errors.BindingDiffers):
        bound(files, subject={"workflow": "Weekly"})
    with pytest.raises(errors.BindingDiffers):
        bound(files, subject={"workflow": "Renamed since"})


def test_several_that_agree_under_no_known_name() -> None:
    files: dict[str, bytes | None] = {WORKFLOW: DECLARED, ".github/workflows/w.md": DECLARED}
    run = bound(files, subject={"workflow": "Renamed since"})
    assert run.checks[-2].detail.endswith(f"those of {WORKFLOW}, .github/workflows/w.md")


BROKEN: dict[str, tuple[bytes | None, str]] = {
    "bad YAML": (b"---\ngraders: {operational-value: [\n---\n", "trust.workflow-malformed"),
    "not UTF-8": (b"---\ngraders: {operational-value: \xff}\n---\n", "trust.workflow-malformed"),
    "unsafe path": (b"---\ngraders: {operational-value: {run: ../x.sh}}\n---\n", "trust.workflow-malformed"),
    "link": (None, Unreadable.code),
    "too large": (b"---\ngraders: {operational-value: {}}\n---\n" + b"x" * 4000, Unreadable.code),
    "import of a link": (b"---\nimports: [shared/link.md]\n---\n", Unreadable.code),
}


@pytest.mark.parametrize(("content", "code"), BROKEN.values(), ids=BROKEN)
@pytest.mark.parametrize("name", ["a.md", "z.md"])
def test_a_broken_neighbour(content: bytes | None, code: str, name: str) -> None:
    files: dict[str, bytes | None] = {f".github/workflows/{name}": content, ".github/workflows/shared/link.md": None}
    limits = Limits(workflow_bytes=2000)
    assert bound({**files, WORKFLOW: DECLARED}, limits=limits).checks[-2].state is CheckState.DONE
    with pytest.raises((errors.WorkflowMalformed, Unreadable)) as caught:
        bound(files, limits=limits)
    assert caught.value.code == code


def test_workflows_without_the_word_are_not_parsed() -> None:
    assert bound({WORKFLOW: DECLARED, ".github/workflows/a.md": b"---\n: [ broken\n---\n"})


def test_names_no_path_can_have_are_passed_over() -> None:
    assert bound({WORKFLOW: DECLARED, ".github/workflows/a:b.md": b"---\noperational-value: [\n---\n"})


def importing(*names: str) -> bytes:
    return b"---\nname: Daily\nimports: [" + ", ".join(f'"{name}"' for name in names).encode() + b"]\n---\n"


SHARED = ".github/workflows/shared/graders.md"
WAYS = [
    "shared/graders.md",
    "./shared/graders.md",
    "shared/../shared/graders.md",
    ".github/workflows/shared/graders.md",
    "/.github/workflows/shared/graders.md",
    "shared/graders.md#part",
    "shared/graders.md?",
]


@pytest.mark.parametrize("name", WAYS)
def test_an_import_from_the_commit(name: str) -> None:
    run = bound({WORKFLOW: importing(name), SHARED: DECLARED})
    assert run.checks[-2].detail.endswith(f"those of {WORKFLOW}")


def test_nested_imports() -> None:
    files: dict[str, bytes | None] = {
        WORKFLOW: importing("absent.md", "shared/a.md"),
        ".github/workflows/shared/a.md": importing("b.md"),
        ".github/workflows/shared/b.md": importing("../shared/graders.md"),
        SHARED: DECLARED,
    }
    assert bound(files).checks[-2].state is CheckState.DONE


def test_own_settings_win_over_imported_ones() -> None:
    own = DECLARED.replace(b"graders:\n", b"imports: [shared/graders.md]\ngraders:\n")
    files: dict[str, bytes | None] = {WORKFLOW: own, SHARED: DECLARED.replace(b"days: 7", b"days: 1")}
    assert bound(files).checks[-2].state is CheckState.DONE
    with pytest.raises(errors.BindingDiffers):
        bound(files, grader={"config": {"days": 1}})


@pytest.mark.parametrize("name", ["octo/shared/graders.md@v1", "octo/shared/graders.md@main#part", "../../../x.md"])
def test_an_import_from_elsewhere_is_stated_as_not_checked(name: str) -> None:
    check = bound({WORKFLOW: importing(name)}, grader={"config": {"anything": 1}}).checks[-2]
    assert (check.name, check.state) == ("workflow.binding", CheckState.SKIPPED)
    assert check.detail == f"{WORKFLOW} imports its graders from another repository"


def test_an_import_from_elsewhere_excuses_nothing_where_a_workflow_fits() -> None:
    files: dict[str, bytes | None] = {WORKFLOW: DECLARED, ".github/workflows/a.md": importing("octo/shared/x.md@v1")}
    with pytest.raises(errors.BindingDiffers):
        bound(files, grader={"config": {"anything": 1}})


def test_imports_in_a_circle_are_followed_once() -> None:
    circle: dict[str, bytes | None] = {
        WORKFLOW: importing("shared/a.md"),
        ".github/workflows/shared/a.md": importing("../x.md", "a.md"),
    }
    with pytest.raises(errors.WorkflowNotFound):
        bound(circle)


def test_imports_without_end_are_refused() -> None:
    chain: dict[str, bytes | None] = {WORKFLOW: importing("s/0.md")}
    for number in range(60):
        chain[f".github/workflows/s/{number}.md"] = importing(f"{number + 1}.md")
    with pytest.raises(errors.WorkflowMalformed, match="imports more than 50 files"):
        bound(chain)
    assert bound({**chain, ".github/workflows/y.md": DECLARED}).checks[-2].state is CheckState.DONE


def test_a_merges_settings_are_those_of_its_parent() -> None:
    memory = Memory()
    files: dict[str, bytes | None] = {PATH: SCRIPT, WORKFLOW: DECLARED}
    base = memory.add(files, ref="refs/heads/main")
    merge = memory.add({**files, WORKFLOW: DECLARED.replace(b"days: 7", b"days: 1")}, base, memory.add({}))
    subject = {"sha": merge.hex, "ref": "refs/pull/7/merge"}

    def through(**changes: Any) -> VerifiedRun:
        run = anchor(consistent_run(subject=subject, **changes), [ReachableAnchor(memory)], memory)
        return bind(match(pin(run, memory)))

    assert through().checks[-2].state is CheckState.DONE
    with pytest.raises(errors.BindingDiffers):
        through(grader={"config": {"days": 1}})
