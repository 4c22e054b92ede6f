import pytest
from hypothesis import given
from hypothesis import strategies as st

from opvalue.graders.configuration import configure, defaults
from opvalue.graders.errors import (
    ReferenceRefused,
    ReferenceToDisabled,
    ReferenceToNothing,
    ReferenceToUnknown,
    ReferenceWithSuffix,
)
from opvalue.graders.references import is_reference, resolve

CONFIGURATION = configure(
    {
        "mine": {"script": "return 1;"},
        "operational-value": {"run": "x.sh"},
        "retries": {"enabled": False},
        "recurrence-rate": {},
    }
)


@pytest.mark.parametrize("grader", ["loops", "mine", "operational-value", "recurrence-rate"])
@pytest.mark.parametrize("form", ["grader:{}", "graders.{}", "graders.{}.value", "  grader:{} ", "grader: {}"])
def test_references(form: str, grader: str) -> None:
    text = form.format(grader)
    assert is_reference(text)
    assert resolve(text, CONFIGURATION).id == grader


def test_defaults_count_although_nobody_wrote_them() -> None:
    assert resolve("grader:context-growth", defaults()).id == "context-growth"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("grader:", ReferenceToNothing),
        ("grader:  ", ReferenceToNothing),
        ("graders.", ReferenceToNothing),
        ("graders..value", ReferenceToNothing),
        ("grader:nobody", ReferenceToUnknown),
        ("grader:recurrence-laminarity", ReferenceToUnknown),
        ("grader:loops.value", ReferenceToUnknown),
        ("grader:Loops", ReferenceToUnknown),
        ("graders.retries", ReferenceToDisabled),
        ("grader:retries", ReferenceToDisabled),
        ("graders.loops.", ReferenceWithSuffix),
        ("graders.loops.score", ReferenceWithSuffix),
        ("graders.loops.value.x", ReferenceWithSuffix),
        ("graders..score", ReferenceWithSuffix),
        ("", ReferenceRefused),
        ("loops", ReferenceRefused),
        ("grader", ReferenceRefused),
        ("Grader:loops", ReferenceRefused),
        ("graders:loops", ReferenceRefused),
    ],
)
def test_each_failure_has_its_own_error(text: str, cause: type[ReferenceRefused]) -> None:
    with pytest.raises(ReferenceRefused) as caught:
        resolve(text, CONFIGURATION)
    assert type(caught.value) is cause
    assert caught.value.diagnostics()


def test_a_built_in_that_is_only_not_enabled_is_said_to_be_one() -> None:
    with pytest.raises(ReferenceToUnknown) as caught:
        resolve("grader:objective-coverage", CONFIGURATION)
    assert caught.value.found == "objective-coverage, a built-in that runs only where it is named"


@pytest.mark.parametrize(("text", "found"), [("loops", None), ("grader:", None), ("graders.loops.score", "score")])
def test_what_is_read_is_said(text: str, found: str | None) -> None:
    with pytest.raises(ReferenceRefused) as caught:
        resolve(text, CONFIGURATION)
    assert (caught.value.expected, caught.value.found) == (
        "grader:<id> | graders.<id> | graders.<id>.value",
        found,
    )


def test_nothing_enabled() -> None:
    off = configure({entry.id: {"enabled": False} for entry in defaults().entries})
    with pytest.raises(ReferenceToUnknown) as caught:
        resolve("grader:mine", off)
    assert caught.value.expected == "an enabled grader; there is none"


def test_other_metrics_are_no_references() -> None:
    assert not is_reference("cost")
    assert not is_reference("my.grader:x")


@given(st.text(max_size=20))
def test_any_text_resolves_or_is_refused(text: str) -> None:
    for prefix in ("", "grader:", "graders."):
        try:
            entry = resolve(prefix + text, CONFIGURATION)
        except ReferenceRefused:
            continue
        assert entry.enabled
        assert is_reference(prefix + text)
