"""Programs for a newer jq: the two versions are put in place, whatever is installed."""

from collections.abc import Iterator, Mapping

import pytest

from tests.verifier.scripts import expect_marked, findings_of, subject_of
from verifier import jq_versions

_ID = "jq-newer"


def _older(text: str, _names: Mapping[str, None]) -> str | None:
    return "jq: error: pick/1 is not defined at <top-level>, line 2:\n" if "pick" in text or "gone" in text else None


def _newer(text: str, _names: Mapping[str, None]) -> str | None:
    return "jq: error: gone/0 is not defined" if "gone" in text else None


@pytest.fixture(autouse=True)
def _versions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jq_versions, "_with_jq", _older)
    monkeypatch.setattr(jq_versions, "_with_library", _newer)
    for name in ("verifier.rules.jq_newer", "verifier.rules.jq_compiles"):
        monkeypatch.setattr(f"{name}.version_here", lambda: "jq-1.6")
    monkeypatch.setattr("verifier.rules.jq_newer.newer_version", lambda: "9.9")
    monkeypatch.setattr(jq_versions, "newer_version", lambda: "9.9")
    for cached in (jq_versions.compile_each, jq_versions.compile_here, jq_versions.compile_newer):
        cached.cache_clear()


@pytest.fixture(autouse=True)
def _forgets() -> Iterator[None]:
    yield
    for cached in (jq_versions.compile_each, jq_versions.compile_here, jq_versions.compile_newer):
        cached.cache_clear()


def test_found_at_the_line_the_older_one_names() -> None:
    expect_marked(_ID, "jq '\n§  pick(.a)' x\n")


def test_both_versions_are_named() -> None:
    (found,) = findings_of(_ID, subject_of("jq 'pick(.a)' x\n"))
    assert found.message == (
        "the program needs a jq newer than jq-1.6: pick/1 is not defined (PyPI's jq 9.9 compiles it)"
    )
    assert findings_of("jq-compiles", subject_of("jq 'pick(.a)' x\n")) == []


@pytest.mark.parametrize("text", ["jq .a x\n", "jq gone x\n", "jq 'include \"a\"; pick(.a)'\n", "# jq 'pick(.a)'\n"])
def test_nothing(text: str) -> None:
    assert findings_of(_ID, subject_of(text)) == []


def test_with_a_newer_jq_at_hand_the_text_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jq_versions, "_with_jq", lambda _text, _names: None)
    monkeypatch.setattr("verifier.rules.jq_newer.version_here", lambda: "jq-1.7.1")
    expect_marked(_ID, "jq '\n.a\n§| if .b then 1 end' x\njq -n --arg end x §'{end: $end}'\njq '.[0].b // pick' x\n")
    (found, *_) = findings_of(_ID, subject_of("jq '.a.[0]' x\n"))
    assert found.message == "the program needs a jq newer than 1.6: a dot stands before a bracket"


def test_what_neither_compiles_is_the_other_rules_error() -> None:
    (found,) = findings_of("jq-compiles", subject_of("jq gone x\n"))
    assert found.severity.value == "error"


def test_without_the_package_a_refusal_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jq_versions, "newer_version", lambda: None)
    assert findings_of(_ID, subject_of("jq 'pick(.b)' x\n")) == []
    assert len(findings_of("jq-compiles", subject_of("jq 'pick(.b)' x\n"))) == 1
