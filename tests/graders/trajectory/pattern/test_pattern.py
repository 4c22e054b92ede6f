"""What is searched for, what is refused, and that nothing takes long."""

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opvalue.graders.trajectory.pattern import PatternRefused, Work, WorkExceeded, compiled, machine
from opvalue.graders.trajectory.pattern.program import assemble
from opvalue.graders.trajectory.pattern.syntax import parse

PLENTY = 10**9


def search(pattern: str, text: str) -> bool:
    return compiled(pattern, Work(PLENTY)).search(text)


@pytest.mark.parametrize(
    ("pattern", "found", "absent"),
    [
        ("", ["", "x"], []),
        ("ab", ["ab", "xxABx"], ["a b", ""]),
        ("a|bc|", ["", "z"], []),
        ("^ab$", ["ab"], ["xab", "abx", "ab\n"]),
        ("a*b", ["b", "aaab"], ["aaa"]),
        ("a+?b", ["ab"], ["b"]),
        ("^a?b$", ["b", "ab"], ["aab"]),
        ("^a{2}$", ["aa"], ["a", "aaa"]),
        ("^a{2,}$", ["aa", "aaaa"], ["a"]),
        ("^a{1,2}?$", ["a", "aa"], ["", "aaa"]),
        ("^a{0}$", [""], ["a"]),
        ("^(a*)*$", ["", "aaa"], ["b"]),
        ("^(?:ab|c)+$", ["abcab"], ["abb"]),
        ("^(?<name>ab)$", ["ab"], ["a"]),
        ("a.c", ["abc", "a\tc"], ["a\nc", "ac", "a\u2028c"]),
        ("[b-d]", ["C"], ["a", "e"]),
        ("[^b-d]", ["a"], ["B", ""]),
        ("[]", [], ["", "x"]),
        ("[^]", ["x", "\n"], [""]),
        ("^[-a]$", ["-", "a"], ["b"]),
        ("^[a-]$", ["-", "a"], ["b"]),
        (r"^[\w-]+$", ["a-b_9"], ["a b"]),
        (r"^[\d-x]$", ["5", "-", "x"], ["a"]),
        (r"^[a-\d]$", ["5", "-", "a"], ["b"]),
        (r"[\]]", ["]"], ["["]),
        (r"[\b]", ["\b"], ["b"]),
        (r"^\d\D\w\W\s\S$", ["1xy- z"], ["11y- z"]),
        (r"^\s$", ["\t", "\u00a0", "\ufeff"], ["x", "\u200b"]),
        (r"\bcheck\b", ["a check", "CHECK"], ["checkbox", "recheck"]),
        (r"\Bbox", ["checkbox"], ["box", "a box"]),
        (r"\B", ["", "ab", "- -"], ["a"]),
        (r"a\b", ["a", "a-"], ["ab"]),
        (r"^\.\*\/\-$", [".*/-"], ["x*/-"]),
        (r"^\t\n\r\f\v\0$", ["\t\n\r\f\v\0"], [""]),
        (r"^\x41\u0042\cJ$", ["aB\n"], ["ab"]),
        ("^{x}]}$", ["{x}]}"], [""]),
        ("^x{,2}$", ["x{,2}"], ["xx"]),
        ("é", ["É"], ["e"]),
        ("k", ["K"], ["\u212a"]),
        ("\u212a", ["\u212a"], ["k"]),
        ("ß", ["ß"], ["SS"]),
        ("a^b", [], ["ab", "a^b"]),
        ("a$b", [], ["ab"]),
    ],
)
def test_what_is_found(pattern: str, found: list[str], absent: list[str]) -> None:
    for text in found:
        assert search(pattern, text), text
    for text in absent:
        assert not search(pattern, text), text


@pytest.mark.parametrize(
    "pattern",
    [
        "(",
        ")",
        "a)",
        "(a",
        "[a",
        "[a-",
        "[\\",
        "\\",
        "*",
        "a**",
        "a|*",
        "{2}",
        "^*",
        r"\b+",
        "a{3,2}",
        "a{1001}",
        "a{1,100000}",
        "[b-a]",
        "(?=a)",
        "(?!a)",
        "(?<=a)b",
        "(?<!a)b",
        "(?i)a",
        "(?P<n>a)",
        r"(a)\1",
        r"\k<n>",
        r"\p{L}",
        r"\Aa",
        r"\01",
        r"\xZ1",
        r"\u12",
        "(" * 51 + ")" * 51,
        "x" * 4097,
        "((a{99}){99}){99}",
        "(((){1000}){1000}){1000}",
        "(a?){1000}b{1000}",
    ],
)
def test_what_is_refused(pattern: str) -> None:
    with pytest.raises(PatternRefused) as refused:
        compiled(pattern, Work(PLENTY))
    assert str(refused.value)


_ATOMS = st.sampled_from(["a", "b", "A", ".", "[ab]", "[^a]", r"\w", r"\W", r"\b", r"\B", "^", r"\Z", " "])


def _grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    group = inner.map(lambda one: f"(?:{one})")
    return st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map("|".join),
        st.tuples(group, st.sampled_from(["*", "+", "?", "{2}", "{1,2}", "{2,}", "*?"])).map("".join),
    )


# Not tried on empty texts: there Python's \B does not match before 3.14, unlike JavaScript's.
@given(st.recursive(_ATOMS, _grown, max_leaves=8), st.lists(st.text("aAb -", min_size=1, max_size=8), max_size=4))
def test_it_finds_what_the_standard_library_finds(pattern: str, texts: list[str]) -> None:
    try:
        oracle = re.compile(pattern, re.IGNORECASE | re.ASCII)
        ours = compiled(pattern.replace(r"\Z", "$"), Work(PLENTY))
    except (re.error, PatternRefused):
        return
    for text in texts:
        assert ours.search(text) is (oracle.search(text) is not None)


@given(st.text(max_size=30))
@settings(max_examples=300)
def test_any_text_is_a_pattern_or_refused(pattern: str) -> None:
    try:
        compiled(pattern, Work(PLENTY)).search(pattern)
    except PatternRefused:
        return


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("(a+)+$", "a" * 4095 + "!"),
        ("(a|a)*b", "a" * 4096),
        ("(a*)*b", "a" * 4096),
        (".*.*.*x", "a" * 4096),
        ("foo.*bar.*baz", "foo" * 1365),
        (r"(\w+\s?)*$", "aaaa " * 819 + "!"),
    ],
)
def test_what_takes_others_for_ever(pattern: str, text: str) -> None:
    sought = compiled(pattern, Work(PLENTY))
    started = time.perf_counter()
    sought.search(text)
    assert time.perf_counter() - started < 2


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "_MOST_STEPS", 5)
    sought = compiled("a[ab]{4}c", Work(PLENTY))
    oracle = re.compile("a[ab]{4}c")
    text = "abbabaabbbabaababbbabbaabac"
    for start in range(len(text)):
        assert sought.search(text[start:]) is (oracle.search(text[start:]) is not None)


def test_work_is_charged() -> None:
    work = Work(40)
    sought = compiled("b", work)
    assert not sought.search("aaaa")
    with pytest.raises(WorkExceeded):
        sought.search("a" * 40)


def test_the_look_at_the_end_of_a_text_is_charged_and_remembered() -> None:
    # Five instructions with four ranges: to pass over one x costs all of them, and so does the look at the end.
    assert len(assemble(parse("a[bcd]?$")).instructions) == 5
    work = Work(9 + 9 + 4 * 2)
    sought = compiled("a[bcd]?$", work)
    for _ in range(4):
        assert not sought.search("x")
    with pytest.raises(WorkExceeded):
        sought.search("")
