"""Whoever mistypes a name is told the one that was meant."""

from collections.abc import Callable

import pytest

from opvalue.cli.nearby import did_you_mean, near
from tests.cli.conftest import Answer

NAMES = ("regrade", "graders", "session", "trust.digest-mismatch", "github.digest-mismatch", "trust.other-run")


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("regrde", ["regrade"]),
        ("REGRADE", ["regrade"]),
        ("grader", ["graders"]),
        ("trust.digest-mismach", ["trust.digest-mismatch"]),
        ("digest-mismatch", ["trust.digest-mismatch", "github.digest-mismatch"]),
        ("other-run", ["trust.other-run"]),
        ("run", []),
        ("xyzzy", []),
        ("", []),
    ],
)
def test_what_may_be_meant(word: str, meant: list[str]) -> None:
    assert sorted(near(word, NAMES)) == sorted(meant)


def test_the_first_three_of_which_it_is_a_part_if_it_is_longer_than_a_word_of_three() -> None:
    names = [f"{letter * 9}.lost" for letter in "abcd"]
    assert near("lost", names) == names[:3]
    assert near("ost", names) == []


def test_what_is_said() -> None:
    said = [did_you_mean(word, NAMES, command="x", otherwise="See x.") for word in ("sesion", "other", "zz")]
    assert said == ["Did you mean: x session?", "Did you mean: x trust.other-run?", "See x."]


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("regrde", "Did you mean: opvalue regrade?"),
        ("xyzzy", "See: opvalue --help"),
        ("bundle dif", "Did you mean: opvalue bundle diff?"),
        ("help regrde", "Did you mean: opvalue help regrade?"),
        ("help bundle dif", "Did you mean: opvalue help bundle diff?"),
        ("help exit-code", "Did you mean: opvalue help exit-codes?"),
        ("help trust.digestmismatch", "Did you mean: opvalue help trust.digest-mismatch?"),
        ("help xyzzy", "See: opvalue --help, opvalue help errors"),
        ("help errors trus", "Did you mean: opvalue help errors trust?"),
        ("help errors xyzzy", "See: opvalue help errors"),
        ("schema observaton", "Did you mean: opvalue schema observation?"),
        ("schema xyzzy", "See: opvalue schema"),
        ("bundle show --jsn", "Did you mean --json or --sent? See: opvalue bundle show --help"),
        ("bundle show --xyzzy", "See: opvalue bundle show --help"),
    ],
)
def test_the_hint_has_it(opvalue: Callable[..., Answer], typed: str, hint: str) -> None:
    answer = opvalue(*typed.split())
    assert (answer.status, answer.out) == (2, "")
    assert f"  do        {hint}\n" in answer.err
