"""Where values stand, and where what is refused stands. What is read and refused is held in ``test_frontmatter``."""

from collections.abc import Iterator

import pytest
import yaml

from opvalue.trust import strictyaml
from opvalue.trust.frontmatter import FIRST_LINE, frontmatter_of
from opvalue.trust.strictyaml import Mark, YamlRefused, read_mapping

TEXT = b"""\
graders: &base
  loops:
    enabled: false
  "quoted":   {threshold: 3, min: 1}
other:
  <<: *base
  own:
    - x
"""


@pytest.fixture(params=["C", "Python"], autouse=True)
def _either_loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    strictyaml._loader.cache_clear()
    if request.param == "Python":
        monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    yield
    strictyaml._loader.cache_clear()


@pytest.mark.parametrize(
    ("path", "value", "key"),
    [
        ((), (1, 1), (1, 1)),
        (("graders",), (1, 10), (1, 1)),
        (("graders", "loops"), (3, 5), (2, 3)),
        (("graders", "loops", "enabled"), (3, 14), (3, 5)),
        (("graders", "quoted"), (4, 15), (4, 3)),
        (("graders", "quoted", "min"), (4, 35), (4, 30)),
        (("other", "own"), (8, 5), (7, 3)),
        (("other", "loops"), (3, 5), (2, 3)),
        (("graders", "loops", "absent", "deeper"), (3, 5), (3, 5)),
        (("other", "own", "0"), (8, 5), (8, 5)),
    ],
)
def test_where_values_stand(path: tuple[str, ...], value: tuple[int, int], key: tuple[int, int]) -> None:
    document = read_mapping(TEXT)
    assert document.mark(path) == value
    assert document.mark(path, key=True) == key


def test_an_own_key_beats_a_merged_one() -> None:
    document = read_mapping(b"a: &a {k: 1}\nb:\n  k: 2\n  <<: *a\n")
    assert document.value["b"] == {"k": 2}
    assert document.mark(("b", "k")) == (3, 6)


@pytest.mark.parametrize("text", [b"", b"# nothing\n", b"~\n"])
def test_nothing_stands_nowhere(text: bytes) -> None:
    document = read_mapping(text)
    assert document.value == {}
    assert document.mark(("graders",)) is None


def test_lines_are_those_of_the_file() -> None:
    fenced = frontmatter_of(b"---\na: 1\nb: 2\n---\n# T\n")
    assert fenced is not None
    assert read_mapping(fenced, first_line=FIRST_LINE).mark(("b",), key=True) == Mark(3, 1)
    assert frontmatter_of(b"# T\n") is None


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        (b"a: 1\nb: [\n", (3, 1)),
        (b"a: 1\nb: 2\na: 3\n", (3, 1)),
        (b"a: 1\n2: b\n", (2, 1)),
        (b"a:\n  b: !!binary x\n", (2, 6)),
        (b"- a\n", (1, 1)),
        (b"a: 1e999\n", (1, 4)),
        *(
            (b"a: {b: %s}\n" % word, (1, 8))
            for word in (b".nan", b".NaN", b".inf", b"-.Inf", b"+.INF", b"!!float .nan")
        ),
        (b"a: " + b"[" * 70, (1, 67)),
        (b"a: \xff\n", None),
        (b"a: \x01\n", (1, 4)),
        (b"x: 1\na: b\0c\n", (2, 5)),
        ("a: é\x7f\n".encode(), (1, 5)),
        # Version 1.1 alone takes these for the end of a line: another key, and the end of a comment.
        ("a: 1\u2028b: 2\n".encode(), (1, 5)),
        ("a: 1 # c\u2029b: 2\n".encode(), (1, 9)),
        ("a: 'x\x85y'\n".encode(), (1, 6)),
    ],
)
def test_where_what_is_refused_stands(text: bytes, mark: tuple[int, int] | None) -> None:
    with pytest.raises(YamlRefused) as refused:
        read_mapping(text)
    assert refused.value.mark == mark
    assert refused.value.why


def test_what_only_looks_like_no_number_is_text() -> None:
    texts = [".naN", "nan", "inf", "-.nan", ".infinity", ".in", "'.nan'"]
    value = read_mapping(f"a: [{', '.join(texts)}]\n".encode()).value
    assert value == {"a": [text.strip("'") for text in texts]}
